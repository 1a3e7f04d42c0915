"""What a host wants the tables and screens to know: a function of its state and of how far the tables are."""

from collections.abc import Collection, Mapping

from controller.core.money import floor_minor
from controller.core.prizes import PaidBy
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_records import ClaimName, PrizeRow, Record
from controller.engine.ledger_state import Standing
from controller.engine.member_outbox import Archive
from controller.engine.messages import (
    Collect,
    HostStatus,
    Ledger,
    Message,
    Meter,
    PaidPrize,
    PendingPrize,
    Roster,
    RosterLine,
)

RESENT_RECORDS = 100
"""Records re-sent at once to a table that is behind."""
TOLD_PAID = 20
"""The newest prizes paid by another amount than the computed one that METER tells of."""


def outbox(
    state: HostState, heard: Mapping[str, int] | None = None, archive: Archive | None = None
) -> tuple[Message, ...]:
    """HOST, METER, ROSTER and the records some table lacks; COLLECT while promoting.

    heard: last ledger seq each table RECEIVED (a table not heard of counts as up to date: the broker retains the
    newest records). archive: this host's ledger as journaled, for records older than the state keeps.
    """
    heard = heard or {}
    if state.promoting:
        return collects(state, heard)
    if state.phase is not Phase.SERVING:
        return ()
    records = lacking(state, min(heard.values(), default=state.ledger.seq), archive)
    return (status(state), roster(state), *(Ledger(state.epoch, record) for record in records), meter(state))


def collects(state: HostState, heard: Mapping[str, int]) -> tuple[Message, ...]:
    """COLLECT to every table that has not answered, or to the one whose ledger is copied."""
    if state.phase is Phase.ADOPTING:
        return (Collect(state.epoch, state.source, state.ledger.seq + 1),)
    tables = sorted({*heard, *state.ledger.tables})
    return tuple(
        Collect(state.epoch, table, state.ledger.seq + 1)
        for table in tables
        if not (table in state.reports and state.reports[table].complete)
    )


def lacking(state: HostState, received: int, archive: Archive | None) -> tuple[Record, ...]:
    """The next records after the one a table has, at most a message's worth of them."""
    first = received + 1
    if first > state.ledger.seq:
        return ()
    if state.recent and state.recent[0].seq <= first:
        place = first - state.recent[0].seq
        return state.recent[place : place + RESENT_RECORDS]
    return tuple(archive.records(first, RESENT_RECORDS)) if archive is not None else ()


def status(state: HostState) -> HostStatus:
    """HOST as it stands."""
    return HostStatus(state.epoch, state.ledger.seq, state.ledger.hash, program=state.settings.program)


def meter(state: HostState, verified: Collection[str] = ()) -> Meter:
    """METER: the sum floored to minor units once, each table's part, and what is pending.

    verified: rows that their tables call verified, which is no part of the host's state.
    """
    ledger = state.ledger
    tables = tuple((balance.table, balance.micros) for balance in ledger.balances())
    return Meter(
        epoch=state.epoch,
        seq=ledger.seq,
        hash=ledger.hash,
        currency=state.settings.currency,
        amount_minor=floor_minor(ledger.amount_micros, ledger.minor_micros),
        amount_micros=ledger.amount_micros,
        tables=tables,
        pending=pending(state, verified),
        paid=paid_otherwise(state),
    )


def cash_minor(state: HostState, row: PrizeRow, name: ClaimName) -> int:
    """What the player got of an award's row that is paid: as awarded, or what its table says where that is another."""
    row_id = name.row(row.seat)
    beside = state.beside.get(row_id, 0)
    return state.paid.get(row_id, 0) + beside if beside else row.amount_minor


def paid_otherwise(state: HostState) -> tuple[PaidPrize, ...]:
    """The newest meter prizes of which two people had another amount paid, oldest award first."""
    found = []
    for key in {row_id.rpartition("/")[0] for row_id in state.beside}:
        answered = state.ledger.awards.get(key)
        if answered is not None:
            name = answered.granted.name
            found += [
                (answered.seq, PaidPrize(name.table, name.hand, row.seat, row.category, cash_minor(state, row, name)))
                for row in answered.granted.rows
                if row.paid_by == PaidBy.METER.value and state.beside.get(name.row(row.seat), 0)
            ]
    found.sort(key=lambda each: (each[0], each[1].seat))
    return tuple(prize for _, prize in found[-TOLD_PAID:])


def pending(state: HostState, verified: Collection[str] = ()) -> tuple[PendingPrize, ...]:
    """Meter prizes awarded and not known to be paid, then the winners of claims that wait for people (rule 9)."""
    prizes = []
    for key in state.open_awards:
        answered = state.ledger.awards.get(key)
        if answered is None:
            continue
        unpaid = {row_id for row_id, _ in state.open_awards[key]}
        name, held = answered.granted.name, answered.held and not answered.released
        prizes += [
            PendingPrize(
                name.table,
                name.hand,
                row.seat,
                row.category,
                row.amount_minor,
                held,
                verified=name.row(row.seat) in verified,
            )
            for row in answered.granted.rows
            if name.row(row.seat) in unpaid
        ]
    for key in state.waiting:
        claim = state.waiting[key]
        prizes += [
            PendingPrize(claim.name.table, claim.name.hand, seat, category, 0, held=True, waiting=True)
            for seat, category in claim.winners
        ]
    return tuple(prizes)


def roster(state: HostState) -> Roster:
    """ROSTER as of the last record that changed it."""
    accounts = (state.ledger.tables[table] for table in state.ledger.tables)
    lines = tuple(
        RosterLine(
            account.profile.table,
            account.profile.incarnation,
            account.profile.key,
            (Standing.JOINING if account.joining else account.standing).value,
            account.start_micros,
        )
        for account in accounts
    )
    return Roster(state.epoch, state.ledger.roster_seq, state.settings.currency, lines)
