"""What a table wants the host to know: a function of its state, sent again until it is answered."""

from collections.abc import Sequence
from typing import Protocol

from controller.engine.ledger_records import Record
from controller.engine.ledger_state import Standing
from controller.engine.member_state import MemberState
from controller.engine.messages import Claimed, Counter, Message, Received, Report, Status

REPORT_RECORDS = 200
"""Records of one REPORT message."""


class Archive(Protocol):
    """The ledger's records as a journal holds them."""

    def records(self, first: int, count: int) -> Sequence[Record]:
        """At most `count` records from sequence number `first` on, in order."""


def outbox(state: MemberState, archive: Archive | None = None) -> tuple[Message, ...]:
    """BIRTH, COUNTER, RECEIVED, open CLAIMs and, when collected, REPORT (archive: this table's journaled records)."""
    settings = state.settings
    if state.standing is Standing.LEFT:
        return (_received(state),)
    who = (settings.table, settings.incarnation, state.epoch, state.mark)
    messages: list[Message] = [
        Status(*who, alive=True),
        Counter(*who, state.counters, state.leaving),
        _received(state),
    ]
    if state.stopped is None:
        messages += [Claimed(*who, state.open_claims[key].claim) for key in state.open_claims]
    if state.report is not None:
        messages.append(_report(state, archive))
    return tuple(messages)


def _paid(state: MemberState) -> tuple[tuple[str, int], ...]:
    return tuple((row_id, state.rows[row_id].paid_minor) for row_id in state.rows if state.rows[row_id].paid_minor)


def _received(state: MemberState) -> Received:
    settings = state.settings
    who = (settings.table, settings.incarnation, state.epoch, state.mark)
    return Received(*who, state.ledger.seq, state.ledger.hash, _paid(state))


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
