"""Amounts of a carousel's award: what a seat got, the meter before it, what each table had and pays, and the cash."""

from controller.api.amounts.ledger import Figure, value_at
from controller.api.amounts.past import award_row, ledger_with
from controller.api.amounts.trace import Line, Trace, elsewhere, unknown
from controller.api.context import ApiPorts
from controller.core.prizes import Balance, settle_prizes
from controller.engine.ledger_records import PrizeRow
from controller.engine.ledger_state import Answered, LedgerState


async def _award(ports: ApiPorts, carousel: str, key: str, address: str) -> tuple[LedgerState, Answered]:
    """An award and the ledger that it stands in; Problem for none."""
    ledger = await ledger_with(ports, carousel, key)
    if ledger is None:
        raise unknown(address)
    return ledger, ledger.awards[key]


async def trace_award(ports: ApiPorts, carousel: str, row_id: str) -> Trace:
    """A seat's award out of the meter as it stood then: what each table pays of it, computed again, and the house's."""
    key, _, seat = row_id.rpartition("/")
    address = f"carousel/{carousel}/award/{row_id}"
    ledger, answered = await _award(ports, carousel, key, address)
    row = award_row(answered, seat)
    if row is None:
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


async def trace_before(ports: ApiPorts, carousel: str, key: str) -> Trace:
    """The meter that an award was taken of, by table, with the corrections made before its place since."""
    address = f"carousel/{carousel}/before/{key}"
    _, answered = await _award(ports, carousel, key, address)
    lines = tuple(
        Line("main", balance.micros, f"carousel/{carousel}/had/{key}/{balance.table}", facts={"table": balance.table})
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


async def trace_had(ports: ApiPorts, carousel: str, key: str, table: str) -> Trace:
    """What a table had as the award was taken: its pool just before, and what later corrections changed of that."""
    address = f"carousel/{carousel}/had/{key}/{table}"
    _, answered = await _award(ports, carousel, key, address)
    balance = next((each for each in answered.before if each.table == table), None)
    if balance is None:
        raise unknown(address)
    figure, seq = Figure(carousel, "main", table), answered.seq - 1
    stood = await value_at(ports, figure, seq)
    lines = (Line("main", stood, f"{figure.address}@{seq}"), Line("corrected", balance.micros - stood))
    facts = {"carousel": carousel, "table": table}
    return Trace(address, "had", balance.micros, tuple(line for line in lines if line.micros), facts, seq)


async def trace_pays(ports: ApiPorts, carousel: str, key: str, table: str) -> Trace:
    """What a table's pool pays of an award, seat by seat."""
    address = f"carousel/{carousel}/pays/{key}/{table}"
    ledger, answered = await _award(ports, carousel, key, address)
    change = next((each for each in answered.granted.changes if each.table == table), None)
    if change is None:
        raise unknown(address)
    lines = tuple(
        Line("award", micros, see=f"carousel/{carousel}/award/{key}/{row.seat}", facts={"seat": row.seat})
        for row in answered.granted.rows
        for payer, micros, _ in _debits(ledger, key, row.seat)
        if payer == table
    )
    facts = {"carousel": carousel, "table": table, "hand": answered.granted.name.hand}
    return Trace(address, "pays", change.debit, lines, facts, answered.seq)


def trace_unsettled(ports: ApiPorts, carousel: str, key: str) -> Trace:
    """What is open of an award whose table is no more, row by row."""
    address, minor = f"carousel/{carousel}/unsettled/{key}", ports.minor_micros
    host = ports.hosts.get(carousel)
    if host is None:
        raise elsewhere(ports, carousel, address)
    rows = host.state.open_awards.get(key, ())
    answered = host.state.ledger.awards.get(key)
    if answered is None or not rows:
        raise unknown(address)
    lines = tuple(Line("prize", amount * minor, f"carousel/{carousel}/award/{row_id}") for row_id, amount in rows)
    facts = {"carousel": carousel, "table": answered.granted.name.table, "hand": answered.granted.name.hand}
    return Trace(address, "unsettled", sum(amount for _, amount in rows) * minor, lines, facts)


def told_of(ports: ApiPorts, carousel: str, answered: Answered, row: PrizeRow) -> tuple[int, int]:
    """What a seat was paid as computed, and beside that, in minor units: as the host knows it, else the ledger."""
    host, row_id = ports.hosts.get(carousel), answered.granted.name.row(row.seat)
    if host is not None and row_id in host.state.paid:
        return host.state.paid[row_id], host.state.beside.get(row_id, 0)
    return answered.told(row.seat)


async def trace_cash(ports: ApiPorts, carousel: str, row_id: str) -> Trace:
    """What was paid of an award, as its table told: what people decided there is in that table's journal.

    The ledger's records tell it, at every node that mirrors them; until they do, only the host may have heard of it.
    """
    address, minor = f"carousel/{carousel}/cash/{row_id}", ports.minor_micros
    key, _, seat = row_id.rpartition("/")
    _, answered = await _award(ports, carousel, key, address)
    row = award_row(answered, seat)
    if row is None:
        raise unknown(address)
    name = answered.granted.name
    paid, beside = told_of(ports, carousel, answered, row)
    if not paid and not beside and carousel not in ports.hosts:
        raise elsewhere(ports, carousel, address)
    total = paid + beside if beside else row.amount_minor
    here = f"table/{name.table}/due/{row_id}" if name.table in ports.tables else ""
    other = total - beside - row.amount_minor
    lines = (
        Line("prize", row.amount_minor * minor, f"carousel/{carousel}/award/{row_id}"),
        Line("paid_before_correction" if other > 0 else "still_to_pay", other * minor),
        Line("override_at_table", beside * minor, see=here, facts={"table": name.table}),
    )
    facts = {"carousel": carousel, "table": name.table, "hand": name.hand, "seat": row.seat, "category": row.category}
    return Trace(address, "cash", total * minor, tuple(line for line in lines if line.micros), facts, answered.seq)
