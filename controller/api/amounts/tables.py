"""Amounts of one table that its own journal explains: draws' pools, prizes, what was paid, its register of orphans."""

from controller.api.amounts.awards import trace_award
from controller.api.amounts.hands import entries_of, part_micros
from controller.api.amounts.past import PAYMENTS, prize_named, story_of
from controller.api.amounts.trace import Facts, Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.core.causes import split_reason
from controller.core.jackpot import contribution_in
from controller.engine.ledger_state import ORPHANS
from controller.engine.ports import StoredEntry


async def trace_draw_pool(ports: ApiPorts, table: str, kind: str) -> Trace:
    """A draw's own pool: each hand's share, less the prizes it paid and what voids took back."""
    desk = ports.table(table)
    address = f"table/{table}/pool/{kind}"
    if kind not in {terms.kind for terms in desk.settings.draws} | set(desk.state.pools):
        raise unknown(address)
    lines: list[Line] = []
    shares: dict[int, int] = {}
    async for stored in entries_of(ports, table):
        line = _pool_line(stored, table, kind, shares)
        if line is not None and line.micros:
            lines.append(journaled(line, desk.journal.name, stored))
    facts = {"table": table, "kind": kind}
    return Trace(address, "draw_pool", desk.state.pools.get(kind, 0), tuple(lines), facts)


def _pool_line(stored: StoredEntry, table: str, kind: str, shares: dict[int, int]) -> Line | None:
    """What an entry did to the pool. shares: what each hand brought, for voids that were told in one entry."""
    body = stored.entry.body
    match stored.entry.kind:
        case "bets.closed":
            shares[body["hand"]] = part_micros(contribution_in(body), kind)
            return Line("hand", shares[body["hand"]], f"table/{table}/hand/{body['hand']}/{kind}", facts=_hand(body))
        case "hand.void" if not body.get("pools_apart"):
            return Line("hand_void", -shares.get(body["hand"], 0), facts=_hand(body), why=body["note"])
        case "pools.reversed":
            return Line("hand_void", -body["pools"].get(kind, 0), facts=_hand(body))
        case "pool.moved" if kind in body["pools"]:
            cause, why = split_reason(body["reason"])
            return Line("pool_moved", body["pools"][kind], why=why, cause=cause.value if cause is not None else "")
        case "draw.prize" if body["kind"] == kind:
            return Line(
                "draw_prize", -body["pool_micros"], see=f"table/{table}/prize/{body['prize']}", facts=_hand(body)
            )
        case "draw.prize_void" if body["kind"] == kind:
            return Line("draw_prize_void", body["pool_micros"], facts=_hand(body))
    return None


def _hand(body: Facts) -> Facts:
    return {name: body[name] for name in ("hand", "seat") if name in body}


async def trace_prize(ports: ApiPorts, table: str, prize: str) -> Trace:
    """What a prize is made of: a draw's by its pool and the house, the carousel's by its award."""
    found = await prize_named(ports, table, prize)
    address = f"table/{table}/prize/{prize}"
    if found is None:
        raise unknown(address)
    if found["source"] == "carousel" and found["amount_minor"] == 0:
        facts = {"table": table, **{name: found[name] for name in ("hand", "seat", "category")}}
        return Trace(address, "prize", 0, (), facts)
    if found["source"] == "carousel":
        return await trace_award(ports, ports.config.table(table).carousel_id, prize)
    drawn = ports.table(table).state.draw_prizes.get(prize)
    from_pool = found["pool_micros"] if drawn is None else drawn.pool_micros
    total = found["amount_minor"] * ports.minor_micros
    pool = Line("from_pool", from_pool, see=f"table/{table}/pool/{found['category']}")
    house = Line("from_house", total - from_pool)
    facts = {"table": table, **{name: found[name] for name in ("hand", "seat", "category", "article")}}
    return Trace(address, "prize", total, tuple(line for line in (pool, house) if line.micros), facts)


async def trace_paid(ports: ApiPorts, table: str, prize: str) -> Trace:
    """The payments of a prize: who, when, and the advance where there was one."""
    found = await prize_named(ports, table, prize)
    address = f"table/{table}/paid/{prize}"
    if found is None:
        raise unknown(address)
    journal, lines = ports.table(table).journal.name, []
    for stored in await story_of(ports, table, found):
        body, kind = stored.entry.body, stored.entry.kind
        if kind in (*PAYMENTS, "prize.advanced"):
            what = "advanced" if kind == "prize.advanced" else "paid"
            line = Line(what, body["amount_minor"] * ports.minor_micros, facts=_hand(body))
            lines.append(journaled(line, journal, stored))
    facts = {name: found[name] for name in ("hand", "seat", "category")}
    total = found["paid_minor"] * ports.minor_micros
    return Trace(address, "paid", total, tuple(lines), {"table": table, **facts})


async def trace_orphans(ports: ApiPorts, table: str) -> Trace:
    """A table's register of orphans: what pools of former draws left, and what two people assigned of it."""
    desk, lines = ports.table(table), []
    async for stored in entries_of(ports, table):
        body = stored.entry.body
        if stored.entry.kind == "pool.moved" and ORPHANS in (body["pool"], body["goes_to"]):
            cause, why = split_reason(body["reason"])
            micros = body["micros"] if body["goes_to"] == ORPHANS else -body["micros"]
            line = Line("pool_moved", micros, why=why, cause=cause.value if cause is not None else "")
            lines.append(journaled(line, desk.journal.name, stored))
    facts = {"table": table}
    return Trace(f"table/{table}/orphans", "table_orphans", desk.state.orphans_micros, tuple(lines), facts)
