"""The figures that two people are shown of an act: what stood when it was asked, and what it makes of that."""

from controller.api.amounts.trace import Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.effect_amounts import amount_of

SIDES = ("before", "after")
UNITS = ("minor", "micros")


async def trace_effect(ports: ApiPorts, approval: str, number: int, side: str) -> Trace:
    """One cell of a request's table of effects: the change is the asker's, with the reason that was typed."""
    address = f"request/{approval}/{number}/{side}"
    found = ports.accounts.state.approvals.get(approval)
    effects = () if found is None else found.effects
    effect = effects[number] if number < len(effects) else None
    if found is None or effect is None or effect["unit"] not in UNITS or side not in SIDES or effect[side] is None:
        raise unknown(address)
    journal, minor = ports.accounts.journal, ports.minor_micros if effect["unit"] == "minor" else 1
    stored = (await journal.find([found.id]))[found.id]
    was, will = effect["before"] or 0, effect["after"] or 0
    see = amount_of(ports, found.act["target"], found.act["event"], effect)
    if side == "before":
        lines = [journaled(Line("as_asked", was * minor, see=see), journal.name, stored)]
    else:
        before = Line("as_asked", was * minor, f"request/{approval}/{number}/before")
        event = found.act["event"]
        why = str(event.get("note") or event.get("reason") or "")
        change = Line("asked_change", (will - was) * minor, see="" if was else see, second=found.second, why=why)
        lines = [before, journaled(change, journal.name, stored)]
    total = (was if side == "before" else will) * minor
    return Trace(address, f"effect_{side}", total, tuple(line for line in lines if line.micros), {"request": approval})
