"""Spans of time that reports are made of: a day, a month, a shift, in the site's zone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from controller.api.context import ApiPorts
from controller.api.days import day_of, midnight_ms
from controller.api.problems import Problem
from controller.core.refusal import Refusal, refuse


@dataclass(frozen=True, slots=True)
class Period:
    """From `begin_ms` to before `end_ms` (wall milliseconds). name: `2026-11-29`, `2026-11`, a shift's name.

    Its times are for people; which entries it holds is `spans.span_of`'s to say. number: of a shift that was closed; 0
    for the one in course, and for days and months. signed: who closed it. begins, ends: the heads that a shift lies
    between, `[seq, chain]` by journal; without `begins` it is the first shift, which began with its day.
    """

    span: str
    name: str
    begin_ms: int
    end_ms: int
    number: int = 0
    signed: tuple[str, ...] = ()
    begins: Mapping[str, Any] = field(default_factory=dict)
    ends: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether it is the shift in course."""
        return self.span == "shift" and self.number == 0

    def holds(self, wall_ms: int) -> bool:
        return self.begin_ms <= wall_ms < self.end_ms


LAST_DAY = date(9999, 12, 30)
"""The last day that has one after it in every zone."""


def day_of_site(day: str, place: str) -> date:
    """A day as it is asked for at a place of the question; Problem for what is none."""
    try:
        return min(date.fromisoformat(day), LAST_DAY)
    except ValueError as wrong:
        raise Problem(refuse(Refusal.FORM_INVALID, place=place, why="day")) from wrong


def day_period(ports: ApiPorts, day: str) -> Period:
    """A day of the site; Problem for what is no day."""
    zone = ports.config.site.zone
    try:
        first = date.fromisoformat(day)
        return Period("day", str(first), midnight_ms(first, zone), midnight_ms(first + timedelta(days=1), zone))
    except (ValueError, OverflowError) as wrong:
        raise Problem(refuse(Refusal.FORM_INVALID, place="query.day", why="day")) from wrong


def month_period(ports: ApiPorts, month: str) -> Period:
    """A calendar month, `2026-11`; Problem for what is none."""
    days = days_of(ports, month)
    return Period("month", month, days[0].begin_ms, days[-1].end_ms)


def days_of(ports: ApiPorts, month: str) -> tuple[Period, ...]:
    """The days of a month, which follow one another without a gap."""
    try:
        first = date.fromisoformat(f"{month}-01")
        after = (first + timedelta(days=31)).replace(day=1)
        days = [first + timedelta(days=number) for number in range((after - first).days)]
        zone = ports.config.site.zone
        bounds = [(midnight_ms(day, zone), midnight_ms(day + timedelta(days=1), zone)) for day in days]
        return tuple(Period("day", str(day), *span) for day, span in zip(days, bounds, strict=True))
    except (ValueError, OverflowError) as wrong:
        raise Problem(refuse(Refusal.FORM_INVALID, place="query.month", why="month")) from wrong


def heads_of(ports: ApiPorts) -> dict[str, Any]:
    """Seq and chain of the last entry of every journal of the node."""
    return {name: [journal.head()[0], journal.head()[1].hex()] for name, journal in ports.journals().items()}


def open_shift(ports: ApiPorts) -> Period:
    """The shift in course: from the last close, or from the beginning of today, until now."""
    now, closed, zone = ports.clock(), ports.accounts.state.shifts, ports.config.site.zone
    today = day_of(now, zone)
    begin = closed[-1].end_ms if closed else midnight_ms(today, zone)
    begins = closed[-1].heads if closed else {}
    return Period("shift", str(today), min(begin, now), now, begins=begins, ends=heads_of(ports))


def shift_period(ports: ApiPorts, number: int) -> Period:
    """A closed shift by its number, 0 for the one in course; refused by name otherwise."""
    if number == 0:
        return open_shift(ports)
    found = next((each for each in ports.accounts.state.shifts if each.number == number), None)
    if found is None:
        raise Problem(refuse(Refusal.UNKNOWN_SHIFT, number=number))
    people = tuple(person for person in (found.actor, found.second) if person)
    return Period("shift", found.name, found.begin_ms, found.end_ms, found.number, people, found.begins, found.heads)
