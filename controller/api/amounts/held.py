"""What waits for the players and what is held for them: at a table, in a carousel's pools, and of the whole node."""

from collections.abc import Iterator

from controller.api.amounts.trace import Line, Trace, unknown
from controller.api.context import ApiPorts
from controller.api.liability import PoolsHeld, TableHeld, liability
from controller.api.prize_views import OPEN, pending_prizes, prizes_of

NODE = "node"
HELD = ("pending", "guarded", "house")
"""`pending`: open prizes, in cash; `guarded`: the players' money; `house`: what the house pays of open prizes."""


def held_of(ports: ApiPorts, table: str) -> dict[str, int]:
    """Each of them at a table, in micros."""
    held = next(each for each in liability(ports).tables if each.table == table)
    waiting = sum(prize["payable_minor"] for prize in pending_prizes(ports) if prize["table"] == table)
    return _micros(ports, held, waiting)


def _micros(ports: ApiPorts, held: TableHeld, waiting_minor: int) -> dict[str, int]:
    minor = ports.minor_micros
    return {"pending": waiting_minor * minor, "guarded": held.total_micros, "house": held.house_minor * minor}


def trace_table(ports: ApiPorts, table: str, what: str) -> Trace:
    """One of them at a table, prize by prize."""
    lines = tuple(line for line in _lines(ports, table, what) if line.micros)
    return Trace(f"table/{table}/{what}", what, held_of(ports, table)[what], lines, {"table": table})


def _lines(ports: ApiPorts, table: str, what: str) -> Iterator[Line]:
    state, minor = ports.table(table).state, ports.minor_micros
    for prize in prizes_of(state):
        if prize["status"] not in OPEN:
            continue
        facts = {name: prize[name] for name in ("hand", "seat", "category")}
        payable, computed = prize["payable_minor"] * minor, prize["computed_minor"] * minor
        cash = Line("payable", payable, f"table/{table}/payable/{prize['id']}", facts=facts)
        own = prize["paid_by"] == "house"
        if what == "pending" or (what == "house" and own):
            yield cash
        elif what == "house":
            yield Line("override", payable - computed, see=f"table/{table}/difference/{prize['id']}", facts=facts)
        elif not own:
            yield Line("computed", computed, f"table/{table}/computed/{prize['id']}", facts=facts)
    if what == "guarded":
        for kind, micros in state.pools.items():
            yield Line("draw_pool", micros, f"table/{table}/pool/{kind}", facts={"kind": kind})
        yield Line("table_orphans", state.orphans_micros)


def trace_carousel(ports: ApiPorts, carousel: str) -> Trace:
    """A carousel's pools as players' money: of each table in it, and what closed jackpots left."""
    held = _pools(ports, carousel)
    ledger, here = ports.host(carousel).state.ledger, f"carousel/{carousel}"
    lines = [Line("orphans", ledger.orphans_micros, f"{here}/orphans")]
    for table, account in ledger.tables.items():
        if account.in_carousel:
            parts = {
                "main": account.main_micros,
                "reserve": account.reserve_micros,
                "overflow": account.overflow_micros,
            }
            lines += [
                Line(what, part, f"{here}/{what}/{table}", facts={"table": table}) for what, part in parts.items()
            ]
    shown = tuple(line for line in lines if line.micros)
    return Trace(f"{here}/guarded", "guarded", held.total_micros, shown, {"carousel": carousel})


def _pools(ports: ApiPorts, carousel: str) -> PoolsHeld:
    found = next((each for each in liability(ports).carousels if each.carousel == carousel), None)
    if found is None:
        raise unknown(f"carousel/{carousel}/guarded")
    return found


def trace_node(ports: ApiPorts, what: str) -> Trace:
    """One of them of every table and carousel that this node has."""
    held = liability(ports)
    waiting = sum(prize["payable_minor"] for prize in pending_prizes(ports))
    totals = {"guarded": held.total_micros, "house": held.house_minor, "pending": waiting}
    total = totals[what] * (1 if what == "guarded" else ports.minor_micros)
    pools = [
        Line("pools", each.total_micros, f"carousel/{each.carousel}/guarded", facts={"carousel": each.carousel})
        for each in held.carousels
        if what == "guarded"
    ]
    tables = [
        Line(what, held_of(ports, table)[what], f"table/{table}/{what}", facts={"table": table})
        for table in ports.tables
    ]
    return Trace(f"{NODE}/all/{what}", what, total, tuple(line for line in (*pools, *tables) if line.micros))
