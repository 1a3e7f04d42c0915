"""A table's figures of a period, entry by entry: bets with what was taken back, contributions, payments, tax."""

from collections.abc import Callable

from controller.api.amounts.periods import Named
from controller.api.amounts.trace import Facts, Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.periods import day_period
from controller.api.reports import TableFigures, contributed_micros, handle_micros, table_figures
from controller.api.spans import entries_in, span_of
from controller.engine.ports import StoredEntry


async def trace_figure(ports: ApiPorts, table: str, named: Named, what: str) -> Trace:
    """A figure of a table's report; of a month, day by day."""
    here = f"table/{table}"
    address = f"{here}/{named.address}/{what}"
    if what not in FIGURES:
        raise unknown(address)
    total = _total(await table_figures(ports, table, named.period), what, ports.minor_micros)
    if named.span == "month":
        lines = await _by_day(ports, table, named, what)
    else:
        lines = await _by_entry(ports, table, named, what)
    return Trace(address, f"period_{what}", total, lines, {"table": table, **named.facts})


def _total(figures: TableFigures, what: str, minor_micros: int) -> int:
    """The figure as the report has it, in micros."""
    if what == "contribution":
        return figures.contribution_micros
    minor: int = getattr(figures, f"{what}_minor")
    return minor * minor_micros


async def _by_day(ports: ApiPorts, table: str, named: Named, what: str) -> tuple[Line, ...]:
    lines = []
    for day in named.days(ports):
        figures = await table_figures(ports, table, day_period(ports, day))
        micros = _total(figures, what, ports.minor_micros)
        lines.append(Line("day", micros, f"table/{table}/day/{day}/{what}", facts={"day": day}))
    return tuple(line for line in lines if line.micros)


async def _by_entry(ports: ApiPorts, table: str, named: Named, what: str) -> tuple[Line, ...]:
    desk, lines = ports.table(table), []
    cause: StoredEntry | None = None
    async for stored in entries_in(desk.journal, await span_of(ports, desk.journal, named.period)):
        if stored.entry.kind in CAUSES:
            cause = stored
        micros = FIGURES[what](stored, ports.minor_micros)
        if micros:
            told = cause if what == "contribution" and cause is not None else stored
            body = told.entry.body
            ask = f"table/{table}/{CAUSES[told.entry.kind]}/{body['hand']}/linked" if told is not stored else ""
            see = f"table/{table}/due/{body['prize']}" if what == "overridden" else ""
            line = Line(told.entry.kind, micros, ask, see, facts=_place(body.get("content", body)))
            lines.append(journaled(line, desk.journal.name, told))
    return tuple(lines)


CAUSES = {"bets.closed": "hand", "hand.void": "void"}
"""What makes a table's counters step, which follows in the same commit, and how addresses call it."""


def _place(body: Facts) -> Facts:
    return {name: body[name] for name in ("hand", "seat") if name in body}


def _handle(stored: StoredEntry, minor: int) -> int:
    return handle_micros(stored)


def _contribution(stored: StoredEntry, minor: int) -> int:
    return contributed_micros(stored)


def _paid(stored: StoredEntry, minor: int) -> int:
    if stored.entry.kind not in ("prize.paid", "prize.advanced", "draw.prize_paid"):
        return 0
    amount: int = stored.entry.body["amount_minor"]
    return amount * minor


def _overridden(stored: StoredEntry, minor: int) -> int:
    body = stored.entry.body
    if stored.entry.kind not in ("prize.paid", "draw.prize_paid") or "override" not in body:
        return 0
    difference: int = body["amount_minor"] - body["computed_minor"]
    return difference * minor


def _withheld(stored: StoredEntry, minor: int) -> int:
    body = stored.entry.body
    match stored.entry.kind:
        case "slip.issued":
            withheld: int = body["content"]["withheld_minor"]
            return withheld * minor
        case "slip.voided":
            given_up: int = body["withheld_minor"]
            return -given_up * minor
    return 0


FIGURES: dict[str, Callable[[StoredEntry, int], int]] = {
    "handle": _handle,
    "contribution": _contribution,
    "paid": _paid,
    "overridden": _overridden,
    "withheld": _withheld,
}
