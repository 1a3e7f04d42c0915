"""What a table wants the host to know: a function of its state, sent again until it is answered."""

from collections.abc import Sequence
from typing import Protocol

from controller.engine.ledger_records import Record
from controller.engine.ledger_state import Standing
from controller.engine.member_rows import is_told
from controller.engine.member_state import MemberState, PayableRow, RowStatus
from controller.engine.messages import Claimed, Counter, Message, Received, Report, Status

REPORT_RECORDS = 200
"""Records of one REPORT message."""
TOLD_ROWS = 500
"""Paid rows of one message."""


class Archive(Protocol):
    """The ledger's records as a journal holds them."""

    def records(self, first: int, count: int) -> Sequence[Record]:
        """At most `count` records from sequence number `first` on, in order."""


def outbox(state: MemberState, archive: Archive | None = None, *, playing: bool) -> tuple[Message, ...]:
    """BIRTH, COUNTER, RECEIVED, open CLAIMs and, when collected, REPORT (archive: this table's journaled records).

    playing: whether the hand in course has jackpot bets, from the first one to the hand's end or its void.
    """
    settings = state.settings
    if state.standing is Standing.LEFT:
        return (_received(state, playing),)
    who = (settings.table, settings.incarnation, state.epoch, state.mark)
    messages: list[Message] = [
        Status(*who, alive=True, program=settings.program, terms=settings.terms),
        Counter(*who, state.counters, state.leaving, state.terms if state.terms_waiting else None),
        _received(state, playing),
    ]
    if state.stopped is None:
        messages += [Claimed(*who, state.open_claims[key].claim) for key in state.open_claims]
    if state.report is not None:
        messages.append(_report(state, archive))
    return tuple(messages)


def _paid(state: MemberState) -> tuple[tuple[str, int], ...]:
    """What the ledger does not tell yet of this incarnation's payments; what does not fit is said later."""
    return tuple((row.id, row.paid_minor) for row in _untold(state))


def _untold(state: MemberState) -> list[PayableRow]:
    own = f"{state.settings.table}/{state.settings.incarnation}/"
    rows = (row for row in state.rows.values() if row.paid_minor or row.beside_minor)
    return [row for row in rows if row.id.startswith(own) and not is_told(state, row)][:TOLD_ROWS]


def is_settled(state: MemberState, playing: bool) -> bool:
    """Whether the jackpot's end is journaled here and nothing of before can come any more: no hand with jackpot bets is
    open, the ledger has all that was contributed and has answered all that was claimed. No bet is taken after the end,
    so what is once true stays so.
    """
    closing = state.ledger.closing
    over = closing is not None and closing.closed and state.stopped is None
    return over and not playing and state.agrees


def _received(state: MemberState, playing: bool) -> Received:
    settings = state.settings
    who = (settings.table, settings.incarnation, state.epoch, state.mark)
    verified = tuple(row.id for row in state.rows.values() if row.status is RowStatus.VERIFIED)
    beside = tuple((row.id, row.beside_minor) for row in _untold(state) if row.beside_minor)
    settled = is_settled(state, playing)
    return Received(*who, state.ledger.seq, state.ledger.hash, _paid(state), verified, beside, settled)


def _report(state: MemberState, archive: Archive | None) -> Report:
    settings, ledger = state.settings, state.ledger
    count = min(REPORT_RECORDS, ledger.seq - state.report_first + 1)
    records = archive.records(state.report_first, count) if archive is not None and count > 0 else ()
    return Report(
        table=settings.table,
        incarnation=settings.incarnation,
        epoch=state.epoch,
        mark=state.mark,
        seq=ledger.seq,
        hash=ledger.hash,
        source=state.source,
        counters=state.counters,
        complete=state.stopped is None and state.standing in (Standing.ACTIVE, Standing.JOINING),
        stopped=state.stopped is not None,
        roster=ledger.rostered(),
        paid=_paid(state),
        first=state.report_first,
        records=tuple(records),
    )
