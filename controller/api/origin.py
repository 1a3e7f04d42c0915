"""How an amount came about: the carousel's ledger folded again, record by record, so that it adds up exactly."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from controller.api.context import ApiPorts
from controller.engine.ledger_fold import fold
from controller.engine.ledger_records import Awarded, CountersAbsorbed, Record, Voided, record_from_plain
from controller.engine.ledger_state import LedgerState
from controller.engine.ports import StoredEntry

PAGE = 500
POINTS = 1000
"""Most points of a history: beyond, every n-th contribution is left out; falls never are."""
LINES = 2000
"""Most single lines of an origin; older contributions are summed by table."""


@dataclass(frozen=True, slots=True)
class Step:
    """One record and the ledger before and after it."""

    record: Record
    wall_ms: int
    before: LedgerState
    after: LedgerState


async def ledger_steps(ports: ApiPorts, carousel: str) -> AsyncIterator[Step]:
    """Every record of a carousel's ledger, folded."""
    desk = ports.host(carousel)
    settings = desk.state.settings
    state = LedgerState(settings.carousel, settings.minor_micros)
    after_seq = 0
    while page := await desk.journal.page(after_seq, PAGE):
        for step in await asyncio.to_thread(_folded, state, page):
            yield step
            state = step.after
        after_seq = page[-1].seq


def _folded(state: LedgerState, page: Sequence[StoredEntry]) -> list[Step]:
    """The steps of one page; a host that adopted another ledger begins again at its first record."""
    steps = []
    for stored in page:
        if not stored.entry.kind.startswith("ledger."):
            continue
        record = record_from_plain(stored.entry.body["record"])
        if record.seq <= state.seq:
            state = LedgerState(state.carousel, state.minor_micros)
        after, _ = fold(state, record)
        steps.append(Step(record, stored.wall_ms, state, after))
        state = after
    return steps


def is_reset(step: Step) -> bool:
    """Whether a record restarts the meter: an award of the whole of it."""
    body = step.record.body
    return isinstance(body, Awarded) and any(row.category == "royal_flush" for row in body.granted.rows)


def moved_by(step: Step) -> dict[str, int]:
    """What a record changed of the carousel's sums, in micros; their total is the change of its pools."""
    before, after = step.before, step.after
    return {
        "contributions": after.contributions_micros - before.contributions_micros,
        "funding": after.funding_micros - before.funding_micros,
        "adjustments": after.adjustments_micros - before.adjustments_micros,
        "awards": before.awards_micros - after.awards_micros,
        "transfers": before.transfers_micros - after.transfers_micros,
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
    table = getattr(body, "table", None)
    profile = getattr(body, "profile", None)
    return {"table": table or (profile.table if profile is not None else None)}


async def origin(ports: ApiPorts, carousel: str) -> dict[str, Any]:
    """Balance after the last reset, every movement since then, and the sum, which is the pools to the micro.

    The answer is true at the ledger's seq that it names.
    """
    opening, seq = 0, 0
    opened_by: dict[str, Any] | None = None
    totals: dict[str, int] = {}
    by_table: dict[str, int] = {}
    lines: list[dict[str, Any]] = []
    pools = meter = 0
    async for step in ledger_steps(ports, carousel):
        pools, seq, meter = pools_of(step.after), step.record.seq, step.after.amount_micros
        moved = moved_by(step)
        if is_reset(step):
            opening, totals, by_table, lines = pools, {}, {}, []
            opened_by = {"seq": seq, "wall_ms": step.wall_ms, **named_in(step.record)}
            continue
        if not any(moved.values()):
            continue
        named = named_in(step.record)
        for what, micros in moved.items():
            totals[what] = totals.get(what, 0) + micros
        if moved["contributions"] and named.get("table"):
            by_table[named["table"]] = by_table.get(named["table"], 0) + moved["contributions"]
        line = {"seq": seq, "kind": step.record.kind, "wall_ms": step.wall_ms, **named}
        lines.append({**line, "micros": {what: micros for what, micros in moved.items() if micros}, "pools": pools})
    return {
        "carousel": carousel,
        "seq": seq,
        "opening_micros": opening,
        "opened_by": opened_by,
        "totals_micros": totals,
        "contributions_by_table_micros": by_table,
        "sum_micros": opening + sum(totals.values()),
        "pools_micros": pools,
        "amount_micros": meter,
        "adds_up": opening + sum(totals.values()) == pools,
        "lines": lines[-LINES:],
        "lines_left_off": max(len(lines) - LINES, 0),
    }


async def meter_history(ports: ApiPorts, carousel: str) -> dict[str, Any]:
    """Points of the meter in minor units; every lower reading is named by its record."""
    points: list[dict[str, Any]] = []
    async for step in ledger_steps(ports, carousel):
        before, after = step.before.amount_micros, step.after.amount_micros
        if before == after:
            continue
        point: dict[str, Any] = {"seq": step.record.seq, "wall_ms": step.wall_ms, "minor": ports.minor(max(after, 0))}
        if after < before:
            point |= {"fell_minor": ports.minor(before - after), "kind": step.record.kind, **named_in(step.record)}
        points.append(point)
    return {"carousel": carousel, "points": thinned(points)}


def thinned(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Falls with the reading before them, and as many of the others as fit."""
    step = -(-len(points) // POINTS) or 1
    last = len(points) - 1
    falls = {place for place, point in enumerate(points) if "fell_minor" in point}
    kept = falls | {place - 1 for place in falls} | {last}
    return [point for place, point in enumerate(points) if place % step == 0 or place in kept]
