"""Prizes that waited when a shift was signed: the table's journal is played again up to its head of then."""

import asyncio
from collections.abc import Sequence

from controller.api.amounts.periods import Named
from controller.api.amounts.trace import Line, Trace, unknown
from controller.api.context import ApiPorts
from controller.api.origin import PAGE
from controller.api.prize_views import OPEN, prizes_of
from controller.api.reports import Pending, pending_signed
from controller.api.spans import span_of
from controller.engine.ports import StoredEntry
from controller.engine.table import TableMachine
from controller.engine.table_state import TableState


async def state_then(ports: ApiPorts, table: str, seq: int) -> TableState:
    """A table's state after an entry of its journal, page by page from the first one."""
    desk = ports.table(table)
    machine = TableMachine(desk.read(""), desk.read)

    def played(state: TableState, page: Sequence[StoredEntry]) -> TableState:
        for stored in page:
            state = machine.apply(state, stored.entry)
        return state

    state, after = machine.first(), 0
    while after < seq and (page := await desk.journal.page(after, min(PAGE, seq - after))):
        state, after = await asyncio.to_thread(played, state, page), page[-1].seq
    return state


async def trace_waited(ports: ApiPorts, table: str, named: Named) -> Trace:
    """What waited at a table, prize by prize, at the heads that were signed, or that two people are asked to sign."""
    address = f"table/{table}/{named.address}/pending"
    signed = next((each for each in await _signed(ports, named, address) if each.table == table), None)
    if signed is None:
        raise unknown(address)
    desk, minor = ports.table(table), ports.minor_micros
    lines = []
    if signed.count:
        state = await state_then(ports, table, (await span_of(ports, desk.journal, named.period)).last)
        for prize in prizes_of(state):
            if prize["status"] in OPEN:
                facts = {name: prize[name] for name in ("hand", "seat", "category")}
                see = f"table/{table}/due/{prize['id']}"
                lines.append(Line("payable", prize["payable_minor"] * minor, see=see, facts=facts))
    shown = tuple(line for line in lines if line.micros)
    return Trace(address, "period_pending", signed.minor * minor, shown, {"table": table, **named.facts})


async def trace_waited_anywhere(ports: ApiPorts, named: Named) -> Trace:
    """The same of every table of the node."""
    address, minor = f"node/{named.address}/pending", ports.minor_micros
    signed = await _signed(ports, named, address)
    lines = tuple(
        Line("pending", each.minor * minor, f"table/{each.table}/{named.address}/pending", facts={"table": each.table})
        for each in signed
        if each.minor
    )
    return Trace(address, "period_pending", sum(each.minor for each in signed) * minor, lines, named.facts)


async def _signed(ports: ApiPorts, named: Named, address: str) -> list[Pending]:
    """What the figures say of waiting prizes; only a shift that was closed, or is asked to be, has such."""
    if named.span == "request":
        figures = ports.accounts.state.approvals[named.name].act["event"]["figures"]
        return [Pending(**each) for each in figures.get("pending", ())]
    if named.span == "shift" and named.period.number:
        return await pending_signed(ports, named.period)
    raise unknown(address)
