"""A carousel's ledger over spans of its journal: the account of each, and the course of its meter."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from controller.api.context import ApiPorts
from controller.api.interventions import Intervention, in_ledger
from controller.api.kept import PAGE, Span
from controller.api.origin import POINTS, moved_by, pools_of, reading, steps_of, thinned
from controller.api.periods import Period, days_of
from controller.api.spans import span_of
from controller.engine.ledger_state import LedgerState
from controller.engine.ports import JournalReader, StoredEntry

LEDGER = "ledger"
KEPT_LEDGERS = 48
"""Folds of ledgers that are kept: the days of a month, and some more. Each has up to `4 * POINTS` points."""


@dataclass(slots=True)
class CarouselAccount:
    """A carousel's period in micros: opening + what moved = closing, to the micro."""

    carousel: str
    opening_micros: int = 0
    moved_micros: dict[str, int] = field(default_factory=dict)
    closing_micros: int = 0

    def add(self, moved_micros: Mapping[str, int], closing_micros: int) -> None:
        """What moved since, and what the pools hold after it."""
        for what, micros in moved_micros.items():
            self.moved_micros[what] = self.moved_micros.get(what, 0) + micros
        self.closing_micros = closing_micros

    @property
    def holds(self) -> bool:
        return self.opening_micros + sum(self.moved_micros.values()) == self.closing_micros

    @property
    def growth_micros(self) -> int:
        return self.closing_micros - self.opening_micros

    @property
    def growth_played_micros(self) -> int:
        """The growth without what the house put in, start values and restarts, and what of it the house took back."""
        return self.growth_micros - self.moved_micros.get("funding", 0) - self.moved_micros.get("recovered", 0)

    def plain(self) -> dict[str, Any]:
        return {**asdict(self), "growth_micros": self.growth_micros, "holds": self.holds}


@dataclass(frozen=True, slots=True)
class LedgerPart:
    """What a span of the ledger came to; points: each new reading of the meter, as in `meter_history`.

    before_minor: the reading before them; None at the ledger's beginning. people: what people changed in it.
    """

    account: CarouselAccount
    before_minor: int | None
    points: list[dict[str, Any]]
    people: list[Intervention]


@dataclass(slots=True)
class LedgerFold:
    """The fold of a span: `start` is the ledger after the entry `after`, `state` the one after the entry `at`."""

    ports: ApiPorts
    journal: str
    after: int
    start: LedgerState
    at: int
    state: LedgerState
    moved: dict[str, int] = field(default_factory=dict)
    points: list[dict[str, Any]] = field(default_factory=list)
    people: list[Intervention] = field(default_factory=list)

    async def take(self, page: Sequence[StoredEntry]) -> None:
        steps = await asyncio.to_thread(steps_of, self.state, page)
        for step in steps:
            for what, micros in moved_by(step).items():
                self.moved[what] = self.moved.get(what, 0) + micros
            point = reading(self.ports, step)
            if point is not None:
                self.points.append(point)
            done = in_ledger(step, self.journal)
            if done is not None:
                self.people.append(done)
        if steps:
            self.state = steps[-1].after
        self.at = page[-1].seq
        if len(self.points) > 4 * POINTS:
            self.points = thinned(self.points)

    def told(self) -> LedgerPart:
        account = CarouselAccount(self.state.carousel, pools_of(self.start), dict(self.moved), pools_of(self.state))
        before = self.ports.minor(max(self.start.amount_micros, 0)) if self.start.seq else None
        return LedgerPart(account, before, list(self.points), list(self.people))


async def ledger_parts(ports: ApiPorts, carousel: str, period: Period) -> list[tuple[Period, LedgerPart]]:
    """The ledger over a period: of a month day by day, else in one part."""
    reader = ports.host(carousel).journal
    periods = days_of(ports, period.name) if period.span == "month" else (period,)
    return [(each, await ledger_part(ports, carousel, await span_of(ports, reader, each))) for each in periods]


def summed(accounts: Sequence[CarouselAccount]) -> CarouselAccount:
    """One account over periods that follow one another."""
    whole = CarouselAccount(accounts[0].carousel, accounts[0].opening_micros)
    for each in accounts:
        whole.add(each.moved_micros, each.closing_micros)
    return whole


def course_of(parts: Sequence[tuple[Period, LedgerPart]]) -> list[dict[str, Any]]:
    """The meter's readings in the order of the ledger, each at a moment of its period that is not before the last's.

    A clock that jumped says otherwise; the drawing goes on from left to right.
    """
    points: list[dict[str, Any]] = []
    first, part = parts[0]
    if part.before_minor is not None:
        points.append({"seq": 0, "wall_ms": first.begin_ms - 1, "minor": part.before_minor})
    at_ms = first.begin_ms
    for period, part in parts:
        for point in part.points:
            at_ms = max(at_ms, min(max(point["wall_ms"], period.begin_ms), period.end_ms - 1))
            points.append({**point, "wall_ms": at_ms})
    return thinned(points)


async def ledger_part(ports: ApiPorts, carousel: str, span: Span) -> LedgerPart:
    """A span of the ledger that this node keeps as its host."""
    host = ports.host(carousel)

    async def begin() -> LedgerFold:
        state = await state_at(ports, host.journal, span.after, host.state.ledger)
        return LedgerFold(ports, host.journal.name, span.after, state, span.after, state)

    return await ports.kept.folded(host.journal, LEDGER, span, begin, KEPT_LEDGERS)


async def state_at(ports: ApiPorts, reader: JournalReader, seq: int, now: LedgerState) -> LedgerState:
    """The ledger after an entry, from the nearest earlier one that is known."""
    at, state = 0, LedgerState(now.carousel, now.minor_micros)
    for fold in ports.kept.of_journal(reader.name, LEDGER):
        for known, ledger in ((fold.after, fold.start), (fold.at, fold.state)):
            if at < known <= seq:
                at, state = known, ledger
    while at < seq:
        page = await reader.page(at, min(PAGE, seq - at))
        if not page:
            break
        steps = await asyncio.to_thread(steps_of, state, page)
        state, at = (steps[-1].after if steps else state), page[-1].seq
    return state
