"""A meter's path as an SVG picture: one file, no scripts, readable in print and on a dark desk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log10
from typing import Literal
from xml.sax.saxutils import escape

from controller.config.jackpot import Jackpot
from controller.config.returns import break_even_minor
from controller.odds.simulation import Path, Won

Language = Literal["es", "en"]

WIDTH, HEIGHT = 1200, 640
LEFT, RIGHT, TOP, BOTTOM = 150, 64, 120, 80
PAPER, INK, INK_SOFT, GRID = "#f3eee1", "#12201b", "#56645d", "#d9d0b8"
BRASS, ALARM, GREEN = "#76541a", "#a8231c", "#17603f"
_MOST_POINTS = 2_400

_TEXTS = {
    "es": {
        "title": "El camino del pozo",
        "under": "{hands} manos, créditos por apuesta: {credits}, semilla {seed}",
        "hands": "manos",
        "whole": "pozo entero",
        "part": "parte del pozo",
        "start": "valor inicial",
        "even": "punto de equilibrio",
        "desc": "De {start} a {end}; el pozo entero cayó {resets} veces, el valor más alto fue {highest}.",
    },
    "en": {
        "title": "The path of the meter",
        "under": "{hands} hands, credits per bet: {credits}, seed {seed}",
        "hands": "hands",
        "whole": "whole meter",
        "part": "part of the meter",
        "start": "start value",
        "even": "break-even",
        "desc": "From {start} to {end}; the whole meter fell {resets} times, the highest value was {highest}.",
    },
}


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where hands and amounts stand on the picture."""

    hands: int
    top_minor: int

    def x(self, hand: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * hand / self.hands

    def y(self, minor: int) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * minor / self.top_minor


def draw_path(path: Path, jackpot: Jackpot, *, decimals: int = 2, language: Language = "es") -> str:
    """The SVG text of a simulated path, with start value, break-even meter and every prize out of the meter."""
    hands = path.shown_hands
    even = break_even_minor(jackpot, path.credits)
    highest = max(path.highest_minor, path.start_minor, jackpot.start, 1)
    step = _nice_step(highest, 6)
    frame = _Frame(hands, (highest // step + 1) * step)
    parts = [_opening(path, decimals, language)]
    parts += _grid(frame, step, decimals, language)
    parts.append(_curve(frame, _points(path, hands)))
    parts += _level(frame, jackpot.start, _TEXTS[language]["start"], INK_SOFT)
    if even is not None and 0 < even < frame.top_minor:
        parts += _level(frame, int(even), _TEXTS[language]["even"], GREEN)
    parts += _prizes(frame, path.won, jackpot)
    parts += _legend(language)
    return "\n".join([*parts, "</svg>\n"])


def written(minor: int, decimals: int, language: Language) -> str:
    """Whole units with the language's thousands mark: axes need no centavos."""
    return _grouped(minor // 10**decimals, language)


def _grouped(number: int, language: Language) -> str:
    grouped = f"{number:,}"
    return grouped.replace(",", ".") if language == "es" else grouped


def _opening(path: Path, decimals: int, language: Language) -> str:
    texts = _TEXTS[language]
    under = texts["under"].format(hands=_grouped(path.hands, language), credits=path.credits, seed=path.seed)
    desc = texts["desc"].format(
        start=written(path.start_minor, decimals, language),
        end=written(path.meter_minor, decimals, language),
        resets=_grouped(path.resets, language),
        highest=written(path.highest_minor, decimals, language),
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="t d">
<title id="t">{escape(texts["title"])}</title>
<desc id="d">{escape(desc)}</desc>
<style>
text {{ font: 15px Inter, "Helvetica Neue", Arial, sans-serif; fill: {INK_SOFT}; font-variant-numeric: tabular-nums }}
.title {{ font: 700 30px Vollkorn, Georgia, serif; fill: {INK} }}
.end {{ text-anchor: end }}
.middle {{ text-anchor: middle }}
</style>
<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>
<text class="title" x="{LEFT}" y="52">{escape(texts["title"])}</text>
<text x="{LEFT}" y="80">{escape(under)}</text>"""


def _grid(frame: _Frame, step: int, decimals: int, language: Language) -> Iterator[str]:
    for minor in range(0, frame.top_minor + 1, step):
        y = frame.y(minor)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{GRID}"/>'
        yield f'<text class="end" x="{LEFT - 14}" y="{y + 5:.1f}">$ {written(minor, decimals, language)}</text>'
    across = _nice_step(frame.hands, 6)
    for hand in range(0, frame.hands + 1, across):
        label = _grouped(hand, language)
        yield f'<text class="middle" x="{frame.x(hand):.1f}" y="{HEIGHT - BOTTOM + 28}">{label}</text>'
    yield f'<text class="end" x="{WIDTH - RIGHT}" y="{HEIGHT - 20}">{_TEXTS[language]["hands"]}</text>'


def _points(path: Path, hands: int) -> list[tuple[int, int]]:
    """The corners of the path; where there are more than the picture can show, the extremes of each stretch."""
    corners = [(0, path.start_minor)]
    for won in path.won:
        corners += [(won.hand, won.before_minor), (won.hand, won.after_minor)]
    if hands == path.hands:
        corners.append((hands, path.meter_minor))
    if len(corners) <= _MOST_POINTS:
        return corners
    size = -(-len(corners) // (_MOST_POINTS // 4))
    thinned: list[tuple[int, int]] = []
    for at in range(0, len(corners), size):
        stretch = corners[at : at + size]
        low = min(range(len(stretch)), key=lambda index: stretch[index][1])
        high = max(range(len(stretch)), key=lambda index: stretch[index][1])
        kept = sorted({0, low, high, len(stretch) - 1})
        thinned += [stretch[index] for index in kept]
    return thinned


def _curve(frame: _Frame, points: Sequence[tuple[int, int]]) -> str:
    first = f"M{frame.x(points[0][0]):.1f} {frame.y(points[0][1]):.1f}"
    line = first + "".join(f"L{frame.x(hand):.1f} {frame.y(minor):.1f}" for _, (hand, minor) in pairwise(points))
    base = frame.y(0)
    area = f"{line}L{frame.x(points[-1][0]):.1f} {base:.1f}L{frame.x(points[0][0]):.1f} {base:.1f}Z"
    return (
        f'<path d="{area}" fill="{BRASS}" fill-opacity="0.10"/>\n'
        f'<path class="curve" d="{line}" fill="none" stroke="{BRASS}" stroke-width="1.8" stroke-linejoin="round"/>'
    )


def _level(frame: _Frame, minor: int, name: str, colour: str) -> Iterator[str]:
    y = frame.y(minor)
    yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{colour}" stroke-width="1.2" stroke-dasharray="7 5"/>'
    yield f'<text class="end" x="{WIDTH - RIGHT}" y="{y - 7:.1f}" style="fill:{colour}">{escape(name)}</text>'


def _prizes(frame: _Frame, won: Sequence[Won], jackpot: Jackpot) -> Iterator[str]:
    """A disc where the whole meter was won, a short stroke for a part of it; too many parts are left out."""
    whole = [one for one in won if jackpot.prizes[one.category].percent == 100]
    parts = [one for one in won if jackpot.prizes[one.category].percent not in (None, 100)]
    if len(parts) <= 150:
        for one in parts:
            x, y = frame.x(one.hand), frame.y(one.before_minor)
            yield f'<path d="M{x:.1f} {y:.1f}v-10" stroke="{INK}" stroke-width="1.4"/>'
    if len(whole) <= 400:
        for one in whole:
            yield f'<circle cx="{frame.x(one.hand):.1f}" cy="{frame.y(one.before_minor):.1f}" r="4.5" fill="{ALARM}"/>'


def _legend(language: Language) -> Iterator[str]:
    texts = _TEXTS[language]
    right = WIDTH - RIGHT
    yield f'<circle cx="{right - 270}" cy="75" r="4.5" fill="{ALARM}"/>'
    yield f'<text x="{right - 258}" y="80">{texts["whole"]}</text>'
    yield f'<path d="M{right - 120} 81v-11" stroke="{INK}" stroke-width="1.4"/>'
    yield f'<text class="end" x="{right}" y="80">{texts["part"]}</text>'


def _nice_step(span: int, most: int) -> int:
    """A step of 1, 2 or 5 times a power of ten that cuts the span into at most so many parts."""
    if span <= most:
        return 1
    power = int(10 ** floor(log10(span / most)))
    return next(power * times for times in (1, 2, 5, 10, 20) if span <= most * power * times)
