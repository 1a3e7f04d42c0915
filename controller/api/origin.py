"""How an amount came about: the carousel's ledger folded again, record by record, so that it adds up exactly."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from controller.api.context import ApiPorts
from controller.api.problems import Problem
from controller.api.trail import F, Place, Step, Trail
from controller.core.causes import PoolCause, split_reason
from controller.core.refusal import Refusal, refuse
from controller.engine.closing_records import Disposed
from controller.engine.ledger_fold import fold
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import Adjusted, Awarded, CountersAbsorbed, Record, Voided
from controller.engine.ledger_state import LedgerState
from controller.engine.ports import JournalReader, StoredEntry

PAGE = 500
POINTS = 1000
"""Most points of a history: beyond, every n-th contribution is left out; falls never are."""
LINES = 2000
"""Most single lines of an origin; older contributions are summed by table."""


def ledger_of(ports: ApiPorts, carousel: str) -> tuple[JournalReader, LedgerState]:
    """The journal that holds a carousel's ledger here, and the ledger as it stands: the host's, else a table's copy."""
    if carousel in ports.hosts:
        host = ports.hosts[carousel]
        return host.journal, host.state.ledger
    mirrors = (desk for desk in ports.tables.values() if desk.state.link.ledger.carousel == carousel)
    table = next(mirrors, None)
    if table is None:
        raise Problem(refuse(Refusal.UNKNOWN_CAROUSEL, carousel=carousel[:64]))
    return table.journal, table.state.link.ledger


def copy_at(ports: ApiPorts, table: str) -> str:
    """How an address asks for what a table shows: by its copy of the ledger, which may be behind the one of a host."""
    copy = ports.table(table).state.link.ledger
    host = ports.hosts.get(copy.carousel)
    return "" if host is None or host.state.ledger.seq == copy.seq else f"@{copy.seq}"


async def ledger_at(ports: ApiPorts, carousel: str, seq: int | None) -> LedgerState:
    """The ledger as it is, or as it was at a record; before the first one it is empty."""
    ledger = ledger_of(ports, carousel)[1]
    if seq is None:
        return ledger
    found = LedgerState(ledger.carousel, ledger.minor_micros)
    async for step in ledger_steps(ports, carousel, max(seq, 1)):
        if step.record.seq > seq:
            break
        found = step.after
    return found


async def ledger_steps(ports: ApiPorts, carousel: str, since: int = 1) -> AsyncIterator[Step]:
    """The records of a carousel's ledger, folded; since: those before this one may be left out as far as states of
    before are remembered."""
    trail = trail_of(ports, carousel)
    async for step in _steps_from(ports, carousel, trail.place_before(since)):
        trail.learn(step, is_reset(step))
        yield step


def trail_of(ports: ApiPorts, carousel: str) -> Trail:
    """What is remembered of a carousel's ledger."""
    journal, ledger = ledger_of(ports, carousel)
    return ports.trails.of(journal.name, LedgerState(ledger.carousel, ledger.minor_micros))


async def followed(ports: ApiPorts, carousel: str, name: str, new: Callable[[], F]) -> F:
    """Sums over all records, of which only those that are new since the last question by this name are folded.

    They grow with the next question: an answer is made of them before anything else is awaited.
    """
    trail, (journal, ledger) = trail_of(ports, carousel), ledger_of(ports, carousel)
    kept = ports.trails.following(journal.name, LedgerState(ledger.carousel, ledger.minor_micros), name, new)
    async with kept.lock:
        async for step in _steps_from(ports, carousel, kept.place):
            trail.learn(step, is_reset(step))
            if step.before.seq == 0:
                kept.sums.begin()
            kept.sums.take(step)
            kept.place = Place(step.stored_seq, step.after)
    return cast(F, kept.sums)


async def _steps_from(ports: ApiPorts, carousel: str, place: Place) -> AsyncIterator[Step]:
    journal, _ = ledger_of(ports, carousel)
    state, after_seq = place.state, place.after_seq
    while page := await journal.page(after_seq, PAGE):
        for step in await asyncio.to_thread(steps_of, state, page):
            yield step
            state = step.after
        after_seq = page[-1].seq


def steps_of(state: LedgerState, page: Sequence[StoredEntry]) -> list[Step]:
    """The steps of one page; a host that adopted another ledger begins again at its first record."""
    steps = []
    for stored in page:
        if stored.entry.kind != "link.record" and not stored.entry.kind.startswith("ledger."):
            continue
        record = record_from_plain(stored.entry.body["record"])
        if record.seq <= state.seq:
            state = LedgerState(state.carousel, state.minor_micros)
        after, _ = fold(state, record)
        steps.append(Step(record, stored.wall_ms, state, after, stored.seq))
        state = after
    return steps


def is_reset(step: Step) -> bool:
    """Whether a record restarts the meter: an award of the whole of it."""
    body = step.record.body
    return isinstance(body, Awarded) and any(row.category == "royal_flush" for row in body.granted.rows)


def recovered_by(record: Record) -> int:
    """The start value that the house took back with a record, in micros below zero."""
    match record.body:
        case Disposed(house_micros=micros):
            return -micros
        case Adjusted(transfer=False, signed=signed, main_micros=main, reserve_micros=reserve):
            cause, _ = split_reason(signed.reason)
            return main + reserve if cause is PoolCause.SEED_RECOVERY else 0
    return 0


def moved_by(step: Step) -> dict[str, int]:
    """What a record changed of the carousel's sums, in micros; their total is the change of its pools.

    A start value that the house took back is told apart from its other adjustments.
    """
    before, after, recovered = step.before, step.after, recovered_by(step.record)
    taken = {"recovered": recovered} if recovered else {}
    return taken | {
        "contributions": after.contributions_micros - before.contributions_micros,
        "funding": after.funding_micros - before.funding_micros,
        "adjustments": after.adjustments_micros - before.adjustments_micros - recovered,
        "awards": before.awards_micros - after.awards_micros,
        "transfers": before.moved_out_micros - after.moved_out_micros,
    }


def pools_of(state: LedgerState) -> int:
    return sum(account.total_micros for account in state.tables.values())


def named_in(record: Record) -> dict[str, Any]:
    """Which table and hand a record speaks of."""
    body = record.body
    match body:
        case CountersAbsorbed():
            return {"table": body.table, "hands": body.counters.hands}
        case Awarded():
            return {"table": body.granted.name.table, "hand": body.granted.name.hand}
        case Voided():
            return {"table": body.name.table, "hand": body.name.hand}
        case Adjusted() | Disposed():
            cause, note = split_reason(body.signed.reason)
            return {"table": body.table, "cause": cause.value if cause is not None else "", "note": note}
    table = getattr(body, "table", None)
    profile = getattr(body, "profile", None)
    return {"table": table or (profile.table if profile is not None else None)}


@dataclass(slots=True)
class Origin:
    """The pools since the last restart: what they were then, and every movement since, newest lines last."""

    opening: int = 0
    opened_by: dict[str, Any] | None = None
    totals: dict[str, int] = field(default_factory=dict)
    by_table: dict[str, int] = field(default_factory=dict)
    lines: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=LINES))
    count: int = 0
    seq: int = 0
    pools: int = 0
    meter: int = 0

    def begin(self) -> None:
        self._open(0, None)

    def _open(self, pools: int, by: dict[str, Any] | None) -> None:
        self.opening, self.opened_by, self.totals, self.by_table, self.count = pools, by, {}, {}, 0
        self.lines.clear()

    def take(self, step: Step) -> None:
        self.pools, self.seq, self.meter = pools_of(step.after), step.record.seq, step.after.amount_micros
        if is_reset(step):
            self._open(self.pools, {"seq": self.seq, "wall_ms": step.wall_ms, **named_in(step.record)})
            return
        moved = {what: micros for what, micros in moved_by(step).items() if micros}
        if not moved:
            return
        named = named_in(step.record)
        for what, micros in moved.items():
            self.totals[what] = self.totals.get(what, 0) + micros
        if "contributions" in moved and named.get("table"):
            self.by_table[named["table"]] = self.by_table.get(named["table"], 0) + moved["contributions"]
        line = {"seq": self.seq, "entry": step.stored_seq, "kind": step.record.kind, "wall_ms": step.wall_ms, **named}
        self.lines.append({**line, "micros": moved, "pools": self.pools})
        self.count += 1


async def origin(ports: ApiPorts, carousel: str) -> dict[str, Any]:
    """Balance after the last reset, every movement since then, and the sum, which is the pools to the micro.

    The answer is true at the ledger's seq that it names.
    """
    course = await followed(ports, carousel, "origin", Origin)
    total = course.opening + sum(course.totals.values())
    return {
        "carousel": carousel,
        "journal": ledger_of(ports, carousel)[0].name,
        "seq": course.seq,
        "opening_micros": course.opening,
        "opened_by": course.opened_by,
        "totals_micros": dict(course.totals),
        "contributions_by_table_micros": {table: course.by_table[table] for table in ports.in_order(course.by_table)},
        "sum_micros": total,
        "pools_micros": course.pools,
        "amount_micros": course.meter,
        "adds_up": total == course.pools,
        "lines": list(course.lines),
        "lines_left_off": course.count - len(course.lines),
    }


async def meter_history(ports: ApiPorts, carousel: str) -> dict[str, Any]:
    """Points of the meter in minor units; every lower reading is named by its record."""
    points = [point async for step in ledger_steps(ports, carousel) if (point := reading(ports, step)) is not None]
    return {"carousel": carousel, "points": thinned(points)}


def reading(ports: ApiPorts, step: Step) -> dict[str, Any] | None:
    """What the meter shows after a record that changed it, and by how much it fell."""
    before, after = step.before.amount_micros, step.after.amount_micros
    if before == after:
        return None
    point: dict[str, Any] = {"seq": step.record.seq, "wall_ms": step.wall_ms, "minor": ports.minor(max(after, 0))}
    if after < before:
        point |= {
            "fell_minor": ports.minor(before - after),
            "fell_micros": before - after,
            "kind": step.record.kind,
            **named_in(step.record),
        }
    return point


def thinned(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Falls with the reading before them, and as many of the others as fit."""
    step = -(-len(points) // POINTS) or 1
    last = len(points) - 1
    falls = {place for place, point in enumerate(points) if "fell_minor" in point}
    kept = falls | {place - 1 for place in falls} | {last}
    return [point for place, point in enumerate(points) if place % step == 0 or place in kept]
