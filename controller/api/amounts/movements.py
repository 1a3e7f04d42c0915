"""What moved a carousel's pools since the last restart, kind by kind, and what of them no meter shows."""

from collections.abc import Callable, Mapping

from controller.api.amounts.ledger import Figure, body_table, placed, stored_in, what_of
from controller.api.amounts.trace import Line, Trace, unknown
from controller.api.context import ApiPorts
from controller.api.origin import is_reset, ledger_at, ledger_of, ledger_steps, moved_by, pools_of, trail_of
from controller.api.trail import Step
from controller.engine.ledger_state import LedgerState

RECOVERED = "recovered"
_SUMS: Mapping[str, Callable[[LedgerState], int]] = {
    "contributions": lambda ledger: ledger.contributions_micros,
    "funding": lambda ledger: ledger.funding_micros,
    "adjustments": lambda ledger: ledger.adjustments_micros,
    "awards": lambda ledger: -ledger.awards_micros,
    "transfers": lambda ledger: -ledger.moved_out_micros,
}
"""The ledger's own sums, below zero where they leave the pools."""


async def trace_since(ports: ApiPorts, carousel: str, what: str, at: int | None) -> Trace:
    """The movements of one kind since the last restart up to a record, that one included; None = up to the last.

    The house's recoveries are adjustments in the ledger and told apart here, as on the page of movements.
    """
    address = f"carousel/{carousel}/since/{what}"
    if what != RECOVERED and what not in _SUMS:
        raise unknown(address)
    at = ledger_of(ports, carousel)[1].seq if at is None else at
    opened, steps = await _since(ports, carousel, at)
    lines = stored_in(ports, Figure(carousel, "pools"), _lines(carousel, what, at, steps))
    total = sum(moved_by(step).get(RECOVERED, 0) for step in steps)
    if what != RECOVERED:
        first = opened.after if opened is not None else LedgerState(carousel, ports.minor_micros)
        last = steps[-1].after if steps else first
        total = _SUMS[what](last) - _SUMS[what](first) - (total if what == "adjustments" else 0)
    return Trace(f"{address}@{at}", f"since_{what}", total, lines, {"carousel": carousel}, at)


async def _since(ports: ApiPorts, carousel: str, at: int) -> tuple[Step | None, list[Step]]:
    """The last restart up to a record, and the records after it."""
    opened, steps = None, list[Step]()
    async for step in ledger_steps(ports, carousel, trail_of(ports, carousel).last_reset(at + 1) or 1):
        if step.record.seq > at:
            break
        if is_reset(step):
            opened, steps = step, []
        else:
            steps.append(step)
    return opened, steps


def _lines(carousel: str, what: str, at: int, steps: list[Step]) -> list[Line]:
    came: dict[str, int] = {}
    lines: list[Line] = []
    for step in steps:
        micros = moved_by(step).get(what, 0)
        if micros and what == "contributions":
            came[body_table(step)] = came.get(body_table(step), 0) + micros
        elif micros:
            see = f"carousel/{carousel}/pools/record/{step.record.seq}"
            lines.append(placed(Line(what_of(step), micros, see=see, facts={"table": body_table(step)}), step))
    here = f"carousel/{carousel}/pools/from"
    return [
        *(Line(what, micros, f"{here}/{table}@{at}", facts={"table": table}) for table, micros in sorted(came.items())),
        *lines,
    ]


async def trace_unshown(ports: ApiPorts, carousel: str, at: int | None) -> Trace:
    """What of the pools is in no meter: reserves, what waits above a ceiling, the balance of who is not in it yet."""
    ledger = await ledger_at(ports, carousel, at)
    pinned, total = f"@{ledger.seq}", pools_of(ledger) - ledger.amount_micros
    lines = []
    for table, account in ledger.tables.items():
        facts = {"table": table}
        for name, micros in (("reserve", account.reserve_micros), ("overflow", account.overflow_micros)):
            lines.append(Line(name, micros, f"carousel/{carousel}/{name}/{table}{pinned}", facts=facts))
        apart = 0 if account.in_carousel else account.main_micros
        lines.append(Line("main", apart, see=f"carousel/{carousel}/held/{table}{pinned}", facts=facts))
    shown = tuple(line for line in lines if line.micros)
    return Trace(f"carousel/{carousel}/unshown{pinned}", "unshown", total, shown, {"carousel": carousel}, ledger.seq)
