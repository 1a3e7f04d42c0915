"""What waits for the players and what is held for them: at a table, in a carousel's pools, and of the whole node."""

from collections.abc import Iterator

from controller.api.amounts.trace import Line, Trace, elsewhere
from controller.api.context import ApiPorts
from controller.api.liability import TableHeld, liability
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
        yield Line("table_orphans", state.orphans_micros, f"table/{table}/orphans")


def trace_carousel(ports: ApiPorts, carousel: str, what: str) -> Trace:
    """A carousel's pools as players' money, of each table in it with what closed jackpots left; `kept`: what of it is
    in no meter."""
    here = f"carousel/{carousel}"
    held = next((each for each in liability(ports).carousels if each.carousel == carousel), None)
    if held is None:
        raise elsewhere(ports, carousel, f"{here}/{what}")
    kept = held.reserve_micros + held.overflow_micros
    ledger = ports.host(carousel).state.ledger
    lines = [Line("orphans", ledger.orphans_micros, f"{here}/orphans")] if what == "guarded" else []
    for table, account in ledger.tables.items():
        if account.in_carousel:
            parts = {"reserve": account.reserve_micros, "overflow": account.overflow_micros}
            if what == "guarded":
                parts = {"main": account.main_micros, **parts}
            here_of, facts = f"{here}/{{}}/{table}", {"table": table}
            lines += [Line(name, part, here_of.format(name), facts=facts) for name, part in parts.items()]
    shown = tuple(line for line in lines if line.micros)
    total = held.total_micros if what == "guarded" else kept
    return Trace(f"{here}/{what}", what, total, shown, {"carousel": carousel})


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
