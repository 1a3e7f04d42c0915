"""Amounts of one table that its own journal explains: draws' pools, prizes, what was paid, a day's figures."""

from collections.abc import Callable

from controller.api.amounts.hands import entries_of, part_micros
from controller.api.amounts.trace import Facts, Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.origin import ledger_of
from controller.api.periods import day_period
from controller.api.prize_views import find_prize
from controller.api.reports import handle_micros, table_figures
from controller.api.routes_journal import entries_about
from controller.api.spans import entries_in, span_of
from controller.core.causes import split_reason
from controller.core.jackpot import contribution_in
from controller.core.prizes import Balance, settle_prizes
from controller.engine import subjects
from controller.engine.ledger_state import LedgerState
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
    found = find_prize(ports.table(table).state, prize)
    address = f"table/{table}/prize/{prize}"
    if found is None:
        raise unknown(address)
    if found["source"] == "carousel" and found["amount_minor"] == 0:
        facts = {"table": table, **{name: found[name] for name in ("hand", "seat", "category")}}
        return Trace(address, "prize", 0, (), facts)
    if found["source"] == "carousel":
        return trace_award(ports, ports.config.table(table).carousel_id, prize)
    drawn = ports.table(table).state.draw_prizes[prize]
    total = drawn.amount_minor * ports.minor_micros
    pool = Line("from_pool", drawn.pool_micros, see=f"table/{table}/pool/{drawn.kind}")
    house = Line("from_house", total - drawn.pool_micros)
    facts = {
        "table": table,
        "hand": drawn.hand,
        "seat": drawn.seat,
        "category": drawn.kind,
        "article": found["article"],
    }
    return Trace(address, "prize", total, tuple(line for line in (pool, house) if line.micros), facts)


def trace_award(ports: ApiPorts, carousel: str, row_id: str) -> Trace:
    """A seat's award out of the meter as it stood then: what each table pays of it, computed again, and the house's."""
    ledger = ledger_of(ports, carousel)[1]
    key, _, seat = row_id.rpartition("/")
    answered = ledger.awards.get(key)
    address = f"carousel/{carousel}/award/{row_id}"
    row = None if answered is None else next((each for each in answered.granted.rows if str(each.seat) == seat), None)
    if answered is None or row is None:
        raise unknown(address)
    name = answered.granted.name
    total = row.amount_minor * ledger.minor_micros
    lines = [
        Line(
            "debit",
            micros,
            see=f"carousel/{carousel}/main/{table}@{answered.seq - 1}",
            facts={"table": table, "had_micros": had},
        )
        for table, micros, had in _debits(ledger, key, row.seat)
    ]
    house = total - sum(line.micros for line in lines)
    winner = next(each for each in answered.winners if each.seat == row.seat)
    prize = ledger.prizes_of(name).row(winner.category)
    facts = {
        "carousel": carousel,
        "table": name.table,
        "hand": name.hand,
        "seat": row.seat,
        "category": row.category,
        "article": row.article,
        "percent": None if prize is None else prize.percent,
        "before_micros": sum(balance.micros for balance in answered.before),
    }
    if house:
        lines.append(Line("from_house", house, facts={"credits": winner.credits}))
    return Trace(address, "prize", total, tuple(lines), facts, answered.seq)


def trace_before(ports: ApiPorts, carousel: str, key: str) -> Trace:
    """The meter that an award was taken of, by table, with the corrections made before its place since."""
    answered = ledger_of(ports, carousel)[1].awards.get(key)
    address = f"carousel/{carousel}/before/{key}"
    if answered is None:
        raise unknown(address)
    lines = tuple(
        Line(
            "main",
            balance.micros,
            see=f"carousel/{carousel}/main/{balance.table}@{answered.seq - 1}",
            facts={"table": balance.table},
        )
        for balance in answered.before
    )
    name = answered.granted.name
    facts = {"carousel": carousel, "table": name.table, "hand": name.hand}
    total = sum(balance.micros for balance in answered.before)
    return Trace(address, "meter_before", total, lines, facts, answered.seq - 1)


def _debits(ledger: LedgerState, key: str, seat: int) -> list[tuple[str, int, int]]:
    """Table, micros and the table's balance before, of one seat's award, by the rules' own function."""
    answered = ledger.awards[key]
    had = {balance.table: max(balance.micros, 0) for balance in answered.before}
    before = [
        Balance(each.table, had[each.table], each.start_micros, max(each.reserve_micros, 0)) for each in answered.before
    ]
    settled = settle_prizes(ledger.prizes_of(answered.granted.name), before, answered.winners, ledger.minor_micros)
    award = next((each for each in settled.awards if each.seat == seat), None)
    return [] if award is None else [(table, micros, had[table]) for table, micros in award.debits]


async def trace_paid(ports: ApiPorts, table: str, prize: str) -> Trace:
    """The payments of a prize: who, when, and the advance where there was one."""
    found = find_prize(ports.table(table).state, prize)
    address = f"table/{table}/paid/{prize}"
    if found is None:
        raise unknown(address)
    journal, lines = ports.table(table).journal.name, []
    reader = ports.table(table).journal
    about_prize = await entries_about(reader, subjects.of_prize(prize))
    about_hand = await entries_about(reader, subjects.of_hand(found["hand"]))
    both = {stored.seq: stored for stored in (*about_prize, *about_hand)}
    for _, stored in sorted(both.items()):
        body, kind = stored.entry.body, stored.entry.kind
        advanced = kind == "prize.advanced" and (body["hand"], body["seat"]) == (found["hand"], found["seat"])
        if advanced or (kind in ("prize.paid", "draw.prize_paid") and body["prize"] == prize):
            line = Line(
                "advanced" if advanced else "paid", body["amount_minor"] * ports.minor_micros, facts=_hand(body)
            )
            lines.append(journaled(line, journal, stored))
    facts = {name: found[name] for name in ("hand", "seat", "category")}
    total = found["paid_minor"] * ports.minor_micros
    return Trace(address, "paid", total, tuple(lines), {"table": table, **facts})


async def trace_day(ports: ApiPorts, table: str, day: str, what: str) -> Trace:
    """A figure of the day's report, entry by entry: the bets with what was taken back, contributions, payments."""
    address = f"table/{table}/day/{day}/{what}"
    if what not in _DAY:
        raise unknown(address)
    period = day_period(ports, day)
    figures = await table_figures(ports, table, period)
    minor = ports.minor_micros
    totals = {
        "handle": figures.handle_minor * minor,
        "contribution": figures.contribution_micros,
        "paid": figures.paid_minor * minor,
        "overridden": figures.overridden_minor * minor,
        "withheld": figures.withheld_minor * minor,
    }
    desk, lines = ports.table(table), []
    span = await span_of(ports, desk.journal, period)
    async for stored in entries_in(desk.journal, span):
        micros = _DAY[what](stored, minor)
        if micros:
            body = stored.entry.body
            ask = f"table/{table}/hand/{body['hand']}/linked" if what == "contribution" else ""
            named = what == "overridden" and find_prize(desk.state, body["prize"]) is not None
            see = f"table/{table}/due/{body['prize']}" if named else ""
            line = Line(stored.entry.kind, micros, ask, see, facts=_hand(body.get("content", body)))
            lines.append(journaled(line, desk.journal.name, stored))
    return Trace(address, f"day_{what}", totals[what], tuple(lines), {"table": table, "day": day})


def _handle(stored: StoredEntry, minor: int) -> int:
    return handle_micros(stored)


def _contribution(stored: StoredEntry, minor: int) -> int:
    if stored.entry.kind != "bets.closed":
        return 0
    return part_micros(contribution_in(stored.entry.body), "linked")


def _paid(stored: StoredEntry, minor: int) -> int:
    if stored.entry.kind not in ("prize.paid", "draw.prize_paid"):
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


_DAY: dict[str, Callable[[StoredEntry, int], int]] = {
    "handle": _handle,
    "contribution": _contribution,
    "paid": _paid,
    "overridden": _overridden,
    "withheld": _withheld,
}
