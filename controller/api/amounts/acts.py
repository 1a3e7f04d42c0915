"""What an act of people moved, and each figure before and after it: of a carousel's record, of a table's entry."""

from controller.api.amounts.trace import Line, Trace, unknown
from controller.api.context import ApiPorts
from controller.api.interventions import Intervention, at_table, in_ledger
from controller.api.origin import ledger_of, ledger_steps

_FIGURES = {"start_value": "start", "table_meter": "main", "table_reserve": "reserve", "orphans": "orphans"}
"""The carousel's figure that a change is of, whose course tells how it came to stand where it stood."""
_CAUSES = {"void": "void", "override": "otherwise"}
"""Kinds of acts whose causes are of a list of their own, with the fact that holds it."""


def address_of(done: Intervention) -> str:
    """Where an act of people is asked; `/moved`, `/before/WHAT` and `/after/WHAT` follow."""
    place = f"carousel/{done.carousel}" if done.carousel else f"table/{done.table}"
    return f"{place}/act/{done.record or done.seq}"


async def trace_record_act(ports: ApiPorts, carousel: str, record: int, what: list[str], address: str) -> Trace:
    """An amount of what people did to a carousel's pools with a record."""
    journal, ledger = ledger_of(ports, carousel)
    if not 0 < record <= ledger.seq:
        raise unknown(address)
    async for step in ledger_steps(ports, carousel, record):
        if step.record.seq == record:
            return _told(in_ledger(step, journal.name), what, address)
    raise unknown(address)


async def trace_entry_act(ports: ApiPorts, table: str, seq: int, what: list[str], address: str) -> Trace:
    """An amount of what people changed at a table with an entry."""
    journal = ports.table(table).journal
    page = await journal.page(seq - 1, 1) if seq > 0 else ()
    if not page:
        raise unknown(address)
    return _told(at_table(page[0], table, journal.name, ports.minor_micros), what, address)


def _told(done: Intervention | None, what: list[str], address: str) -> Trace:
    if done is None:
        raise unknown(address)
    facts = {"table": done.table, "carousel": done.carousel, "hand": done.hand or None}
    facts = {name: value for name, value in facts.items() if value}
    if what == ["moved"]:
        return Trace(address, "act_moved", done.amount_micros, (_act(done, done.amount_micros),), facts)
    change = next((each for each in done.changes if what[1:] == [each.what]), None)
    if change is None or not isinstance(change.before, int) or not isinstance(change.after, int):
        raise unknown(address)
    stood = Line("act_stood", change.before, see=_figure_before(done, change.what))
    if what[0] == "before":
        return Trace(address, "act_before", change.before, (stood,), facts)
    if what[0] == "after":
        return Trace(address, "act_after", change.after, (stood, _act(done, change.after - change.before)), facts)
    raise unknown(address)


def _figure_before(done: Intervention, what: str) -> str:
    if not done.carousel or what not in _FIGURES:
        return ""
    table = "" if what == "orphans" else f"/{done.table}"
    return f"carousel/{done.carousel}/{_FIGURES[what]}{table}@{done.record - 1}"


def _act(done: Intervention, micros: int) -> Line:
    """The act itself as a part: its entry, its two people, its cause and their words."""
    is_caused = done.kind not in _CAUSES
    return Line(
        "act",
        micros,
        facts={_CAUSES[done.kind]: done.cause} if not is_caused else {},
        journal=done.journal,
        seq=done.seq,
        wall_ms=done.wall_ms,
        actor=done.actor,
        second=done.second,
        why=done.note,
        cause=done.cause if is_caused else "",
    )
