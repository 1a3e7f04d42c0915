"""A meter's history as a drawing: amounts upwards, the clock from left to right."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from controller.api.periods import Period
from controller.api.texts import Money

LEFT, RIGHT, TOP, BOTTOM = 110, 810, 30, 270
TICKS = 8
"""Most marks of the clock that fit under the drawing."""
LEVELS = 5
"""Most steps from one marked amount to the next."""
STEPS_MIN = (1, 2, 5, 10, 15, 60, 120, 240, 360, 720, 1440, 2880, 5760, 10_080)
"""Minutes between two marks, from a first hour to a month."""
DAY_MIN = 1440
LEAST_MS = 120_000
"""Shortest time that is drawn across the whole width."""
EMPTY: dict[str, Any] = {
    "line": "",
    "low": 0,
    "high": 0,
    "marks": [],
    "times": [],
    "area": "",
    "falls": [],
    "reasons": [],
}


def ticks_of(period: Period, zone: ZoneInfo, language: str) -> list[tuple[int, str]]:
    """Wall milliseconds and their writing: full minutes or hours, or days (`29/11`, `29 Nov`) of a long period."""
    begin = datetime.fromtimestamp(period.begin_ms // 1000, UTC).astimezone(zone)
    minutes = Fraction(period.end_ms - period.begin_ms, 60_000)
    step = next((each for each in STEPS_MIN if minutes / each <= TICKS), STEPS_MIN[-1])
    midnight = begin.replace(hour=0, minute=0, second=0, microsecond=0)
    found = []
    for number in range(DAY_MIN // step * 2 + 40):
        # Wall-clock arithmetic within the zone: a mark stands at a full hour also on a day whose clock is changed.
        mark = midnight + timedelta(minutes=step * number)
        wall_ms = int(mark.timestamp()) * 1000
        if wall_ms >= period.end_ms:
            break
        if wall_ms >= period.begin_ms:
            is_day = step >= DAY_MIN or not (mark.hour or mark.minute)
            day = mark.strftime("%d/%m") if language == "es" else f"{mark.day} {mark:%b}"
            found.append((wall_ms, day if is_day else mark.strftime("%H:%M")))
    return found


def levels_of(low: int, high: int) -> Sequence[int]:
    """The amounts that are marked within a drawing, in minor units: multiples of 1, 2 or 5 times a power of ten."""
    steps = (digit * 10**power for power in itertools.count() for digit in (1, 2, 5))
    step = next(each for each in steps if high - low <= LEVELS * each)
    return range(-(-low // step) * step, high + 1, step)


def chart_of(
    points: Sequence[Mapping[str, Any]], period: Period, now_ms: int, zone: ZoneInfo, money: Money
) -> dict[str, Any]:
    """The parts of a drawing 820 × 300 of a period; the meter stands still between points, steps down are marked."""
    before = [point for point in points if point["wall_ms"] < period.begin_ms]
    within = [point for point in points if period.holds(point["wall_ms"])]
    shown = [*({**point, "wall_ms": period.begin_ms} for point in before[-1:]), *within]
    if not shown:
        return EMPTY
    if not before:  # nothing was before: the drawing begins with the ledger, rather than with an empty day
        began = within[0]["wall_ms"]
        ends = min(max(now_ms, within[-1]["wall_ms"], began + LEAST_MS), max(period.end_ms, began + 1))
        period = replace(period, begin_ms=began, end_ms=ends)
    tops = [point["minor"] + point.get("fell_minor", 0) for point in within]
    low, high = min(point["minor"] for point in shown), max([point["minor"] for point in shown] + tops)
    width = max(period.end_ms - period.begin_ms, 1)

    def across(wall_ms: int) -> int:
        return round(LEFT + Fraction((RIGHT - LEFT) * (wall_ms - period.begin_ms), width))

    def up(minor: int) -> int:
        return round(BOTTOM - Fraction((BOTTOM - TOP) * (minor - low), max(high - low, 1)))

    fallen = [point for point in within if "fell_minor" in point]
    falls = [(across(point["wall_ms"]), up(point["minor"] + point["fell_minor"])) for point in fallen]
    steps = [f"M{across(shown[0]['wall_ms'])} {up(shown[0]['minor'])}"]
    steps += [f"H{across(point['wall_ms'])}V{up(point['minor'])}" for point in shown[1:]]
    line = "".join(steps)
    marks = [(up(minor), money(minor)) for minor in levels_of(low, high)]
    last = across(max(min(now_ms, period.end_ms), shown[-1]["wall_ms"]))
    line = f"{line}H{last}"
    return {
        "line": line,
        "area": f"{line}V290H{across(shown[0]['wall_ms'])}Z",
        "low": low,
        "high": high,
        "marks": marks,
        "times": [(across(wall_ms), text) for wall_ms, text in ticks_of(period, zone, money.language)],
        "falls": falls,
        "reasons": fallen,
    }
