"""What a host wants the tables and screens to know: a function of its state and of how far the tables are."""

from collections.abc import Mapping

from controller.core.money import floor_minor
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_records import Record
from controller.engine.ledger_state import Standing
from controller.engine.member_outbox import Archive
from controller.engine.messages import (
    Collect,
    HostStatus,
    Ledger,
    Message,
    Meter,
    PendingPrize,
    Roster,
    RosterLine,
)

RESENT_RECORDS = 100
"""Records re-sent at once to a table that is behind."""


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
    return HostStatus(state.epoch, state.ledger.seq, state.ledger.hash)


def meter(state: HostState) -> Meter:
    """METER: the sum floored to minor units once, each table's part, and what is pending."""
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
        pending=pending(state),
    )


def pending(state: HostState) -> tuple[PendingPrize, ...]:
    """Meter prizes awarded and not known to be paid."""
    prizes = []
    for key in state.open_awards:
        answered = state.ledger.awards.get(key)
        if answered is None:
            continue
        unpaid = {row_id for row_id, _ in state.open_awards[key]}
        name, held = answered.granted.name, answered.held and not answered.released
        prizes += [
            PendingPrize(name.table, name.hand, row.seat, row.category, row.amount_minor, held)
            for row in answered.granted.rows
            if name.row(row.seat) in unpaid
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
