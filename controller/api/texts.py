"""The panel's texts: one flat catalogue per language, and how each language writes amounts, times and lists."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from markupsafe import Markup, escape

LANGUAGES = ("es", "en")
DEFAULT_LANGUAGE = "es"
GROUPING = {"es": (".", ","), "en": (",", ".")}


class TextMissing(KeyError):
    """A catalogue lacks a key that was asked for."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of one language; places in a text are `{name}`."""

    language: str
    texts: Mapping[str, str]

    def text(self, key: str, **places: object) -> str:
        """The text of a key with its places filled; TextMissing for an unknown key or an open place."""
        try:
            return self.texts[key].format_map({name: str(value) for name, value in places.items()})
        except KeyError as missing:
            raise TextMissing(f"{self.language}: {key}: no text for {missing}") from None

    def linked(self, key: str, **places: Markup) -> Markup:
        """The text of a key as part of a page, its places filled with links."""
        return Markup(escape(self.texts[key])).format(**places)

    def name(self, group: str, value: str) -> str:
        """The text of `group.value` where there is one, else the value itself (an id of the configuration)."""
        return self.texts.get(f"{group}.{value}", value)

    def count(self, key: str, number: int, **places: object) -> str:
        """`key.one` or `key.other`, with `{count}` filled."""
        return self.text(f"{key}.{'one' if number == 1 else 'other'}", count=number, **places)


@lru_cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language."""
    texts = json.loads((files("controller.api") / "locales" / f"{language}.json").read_text("utf-8"))
    return Catalogue(language, texts)


def choose_language(*asked: str | None) -> str:
    """The first of the asked languages that is spoken here; Spanish otherwise."""
    for each in asked:
        if each in LANGUAGES:
            return each
    return DEFAULT_LANGUAGE


def accepted_language(header: str | None) -> str | None:
    """The first language of an Accept-Language header that is spoken here."""
    for part in (header or "").split(","):
        language = part.split(";")[0].strip()[:2].lower()
        if language in LANGUAGES:
            return language
    return None


@dataclass(frozen=True, slots=True)
class Money:
    """How amounts of the site are written."""

    symbol: str
    decimals: int
    language: str

    def __call__(self, minor: int) -> str:
        """`$ 1.234.567,89` (es), `$ 1,234,567.89` (en); the symbol is held by a no-break space."""
        group, point = GROUPING[self.language]
        whole, rest = divmod(abs(minor), 10**self.decimals)
        written = f"{whole:,}".replace(",", group)
        if self.decimals:
            written += f"{point}{rest:0{self.decimals}d}"
        return f"{'−' if minor < 0 else ''}{self.symbol}\u00a0{written}"


def exact_text(money: Money, micros: int, minor_micros: int) -> str:
    """An amount to the last micro that matters: minor units, and further digits only where there are any."""
    minor, rest = divmod(abs(micros), minor_micros)
    written = money(minor if micros >= 0 else -minor)
    if not rest:
        return written
    digits = len(str(minor_micros)) - 1
    point = "" if money.decimals else GROUPING[money.language][1]
    return f"{written}{point}{rest:0{digits}d}".rstrip("0")


def day_text(day: str, language: str) -> str:
    """A day, `2026-11-29`, as the language writes it: `29/11/2026`, `29 Nov 2026`; what is no day as it is."""
    try:
        parsed = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{parsed:%d/%m/%Y}" if language == "es" else f"{parsed.day} {parsed:%b %Y}"


def typed_day(written: str) -> str:
    """A day or a month as people write it, `29/11/2026` or `11/2026`, as it is stored; anything else as it stands."""
    parts = written.strip().split("/")
    return "-".join([parts[-1], *(part.zfill(2) for part in reversed(parts[:-1]))]) if len(parts) > 1 else parts[0]


def moment_text(told: str, language: str) -> str:
    """Day and time of day, `2026-11-29 21:53:20`, as the language writes them together."""
    day, _, clock = told.partition(" ")
    return f"{day_text(day, language)}{' ' if language == 'es' else ', '}{clock}"


def clock_text(wall_ms: int, zone: ZoneInfo, *, day: bool = False) -> str:
    """Local time of day, with the date before it where asked."""
    moment = datetime.fromtimestamp(wall_ms // 1000, UTC).astimezone(zone)
    return moment.strftime("%Y-%m-%d %H:%M:%S" if day else "%H:%M:%S")


def card_text(code: str) -> str:
    """`Td` as `10♦`."""
    return ("10" if code[0] == "T" else code[0]) + {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[code[1]]


def digest_text(digest: str) -> str:
    """The first twelve digits of a hash, by which people tell one from another; not enough to vouch for one."""
    return fingerprint_text(digest[:12])


def fingerprint_text(digest: str) -> str:
    """A whole key or hash in groups of four, as people read it aloud to compare it: all of it vouches."""
    return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4)).upper()
