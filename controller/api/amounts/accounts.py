"""A carousel's account of a period: the pools as it began, what moved them by record, and the pools as it ended."""

from controller.api.amounts.ledger import body_table, placed, what_of
from controller.api.amounts.periods import Named
from controller.api.amounts.trace import Line, Trace, elsewhere, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.kept import Span
from controller.api.ledger_periods import CarouselAccount, ledger_parts, state_at, summed
from controller.api.origin import moved_by, steps_of
from controller.api.spans import entries_in, span_of
from controller.engine.ledger_state import LedgerState

MOVED = ("contributions", "funding", "recovered", "adjustments", "awards", "transfers")
OF_HOUSE = ("funding", "recovered")
"""What the growth by play leaves out."""


async def trace_account(ports: ApiPorts, carousel: str, named: Named, what: str) -> Trace:
    """A figure of a period's account, of a carousel whose ledger this node keeps; of a month, day by day."""
    here = f"carousel/{carousel}"
    address = f"{here}/{named.address}/{what}"
    host = ports.hosts.get(carousel)
    if host is None:
        raise elsewhere(ports, carousel, address)
    parts = [(period.name, part.account) for period, part in await ledger_parts(ports, carousel, named.period)]
    account = summed([each for _, each in parts])
    total = _total(account, what)
    if total is None:
        raise unknown(address)
    span = await span_of(ports, host.journal, named.period)
    start = await state_at(ports, host.journal, span.after, host.state.ledger)
    if what not in MOVED:
        lines = _summed(account, f"{here}/{named.address}", what, start)
    elif named.span == "month":
        moved = ((day, each.moved_micros.get(what, 0)) for day, each in parts)
        lines = tuple(Line("day", part, f"{here}/day/{day}/{what}", facts={"day": day}) for day, part in moved if part)
    else:
        lines = await _moved(ports, carousel, span, start, what)
    return Trace(address, f"period_{what}", total, lines, {"carousel": carousel, **named.facts})


def _total(account: CarouselAccount, what: str) -> int | None:
    """A figure of the account in micros; None for one that it has not."""
    sums = {
        "opening": account.opening_micros,
        "closing": account.closing_micros,
        "growth": account.growth_micros,
        "growth_played": account.growth_played_micros,
    }
    return account.moved_micros.get(what, 0) if what in MOVED else sums.get(what)


def _summed(account: CarouselAccount, address: str, what: str, start: LedgerState) -> tuple[Line, ...]:
    """The pools as they were before the period, as far as the figure is about them, and what moved in it."""
    before = Line("pools_before", account.opening_micros, f"carousel/{account.carousel}/pools@{start.seq}")
    parts = {"opening": (), "growth_played": tuple(each for each in MOVED if each not in OF_HOUSE)}.get(what, MOVED)
    moved = (Line(f"period_{each}", account.moved_micros.get(each, 0), f"{address}/{each}") for each in parts)
    opening = (before,) if what in ("opening", "closing") else ()
    return tuple(line for line in (*opening, *moved) if line.micros)


async def _moved(ports: ApiPorts, carousel: str, span: Span, state: LedgerState, what: str) -> tuple[Line, ...]:
    """Contributions by table, of everything else each record with its people and cause."""
    journal = ports.host(carousel).journal
    came: dict[str, int] = {}
    lines: list[Line] = []
    async for stored in entries_in(journal, span):
        for step in steps_of(state, [stored]):
            micros, state = moved_by(step).get(what, 0), step.after
            if micros and what == "contributions":
                came[body_table(step)] = came.get(body_table(step), 0) + micros
            elif micros:
                lines.append(journaled(placed(Line(what_of(step), micros), step), journal.name, stored))
    by_table = (Line("contributions", micros, facts={"table": table}) for table, micros in sorted(came.items()))
    return (*by_table, *lines)
