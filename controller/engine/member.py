"""The member's side of a carousel as a table uses it: decisions, and the fold of its `link.*` entries."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from controller.core.ledger import Entry
from controller.core.records import from_record
from controller.engine.epoch import Epoch
from controller.engine.frozen_map import FrozenMap
from controller.engine.ledger_fold import fold
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import (
    NO_MARK,
    ZERO,
    Counters,
    CountersAbsorbed,
    CountersAccepted,
    Record,
    Signed,
    Terms,
)
from controller.engine.member_claims import (
    OWN_KINDS,
    apply_claimed,
    chained,
    check_bet,
    claim,
    counted,
    known_revision,
    leave,
    new_terms,
    started,
)
from controller.engine.member_ledger import receive
from controller.engine.member_outbox import outbox
from controller.engine.member_rows import (
    advance,
    answered,
    apply_advanced,
    apply_beside,
    apply_paid,
    apply_verified,
    check_payable,
    most_advance,
    pay,
    row_of,
    verify_row,
)
from controller.engine.member_state import (
    MemberSettings,
    MemberState,
    OnLinkLoss,
    OpenClaim,
    PayableRow,
    RowStatus,
    first,
)

__all__ = [
    "MemberSettings",
    "MemberState",
    "OnLinkLoss",
    "OpenClaim",
    "PayableRow",
    "RowStatus",
    "advance",
    "apply",
    "check_bet",
    "check_payable",
    "claim",
    "contradicted",
    "counted",
    "enrolled",
    "first",
    "known_revision",
    "leave",
    "link_changed",
    "link_silent",
    "most_advance",
    "new_terms",
    "outbox",
    "pay",
    "receive",
    "row_of",
    "started",
    "verify_row",
]


def enrolled(state: MemberState, epoch: Epoch) -> Entry:
    """The carousel's current epoch handed over at enrolment, so that a host of the past cannot win a blank table."""
    return Entry(f"link:enrolled:{state.settings.incarnation}", "link.epoch", {"epoch": list(epoch)})


def link_changed(state: MemberState, up: bool, entry_id: str) -> Entry | None:
    """The host can be heard (or not) from now on; None when that is known already."""
    return None if state.link_up == up else Entry(entry_id, "link.presence", {"up": up})


def link_silent(state: MemberState, minutes: int, entry_id: str) -> Entry | None:
    """The host was not heard for so many minutes more; None where no bound runs, or it was reached."""
    bounded = state.settings.on_link_loss is OnLinkLoss.CONTINUE and state.settings.lost_limit_minutes > 0
    if state.link_up or not bounded or state.is_overdue or minutes <= 0:
        return None
    return Entry(entry_id, "link.silent", {"minutes": minutes})


def contradicted(state: MemberState, seq: int, chain: str, entry_id: str) -> Entry | None:
    """This journal was cut or changed since another node signed below it: a fork, and the table does not go on."""
    stopped = Entry(entry_id, "link.stopped", {"why": "history", "seq": seq, "hash": chain})
    return stopped if state.stopped is None else None


def apply(state: MemberState, entry: Entry) -> MemberState:
    """The state after a `link.*` entry, a payment by an override, or one that begins an incarnation.

    Other kinds change nothing here.
    """
    step = _STEPS.get(entry.kind)
    if step is None:
        return state
    state = step(state, entry.body)
    return chained(state, entry) if entry.kind in OWN_KINDS else state


def _born(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    """The journal's first incarnation: what follows in it is folded under that name."""
    return replace(state, settings=replace(state.settings, incarnation=body["incarnation"]))


def _restored(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    """A restore from a backup opens a new incarnation, which two people must enrol.

    Its counters and its own chain begin at nothing. What the one before had open is not this one's to pay, since it may
    have been paid after the backup was taken: its rows and claims are settled at the host by two people. The mirrored
    ledger and the epochs seen are kept: they are a beginning of what the host holds.
    """
    reborn = _born(state, body)
    closed = set(state.closed_rows)
    return replace(
        reborn,
        counters=ZERO,
        mark=NO_MARK,
        started=0,
        confirmed=False,
        unconfirmed=(),
        report=None,
        report_first=1,
        rows=FrozenMap({row_id: state.rows[row_id] for row_id in state.rows if row_id in closed}),
        open_claims=FrozenMap(),
        leaving=None,
        link_up=False,
        lost_minutes=0,
        stopped=None,
        terms=None,
    )


def _started(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    return replace(state, started=state.mark.seq + 1, confirmed=False, link_up=False)


def _counted(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    return replace(state, counters=from_record(Counters, body))


def _leaving(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    return replace(state, leaving=from_record(Signed, body))


def _terms(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    return replace(state, terms=from_record(Terms, body))


def _presence(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    return _agreed(replace(state, link_up=body["up"]))


def _silent(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    return replace(state, lost_minutes=state.lost_minutes + body["minutes"])


def _agreed(state: MemberState) -> MemberState:
    """The time without the host is over when it is heard; after a stop, only once both sides agree (rule 7)."""
    over = state.link_up and state.lost_minutes and (state.agrees or not state.is_overdue)
    return replace(state, lost_minutes=0) if over else state


def _epoch(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    return replace(state, epoch=max(state.epoch, Epoch(*body["epoch"])))


def _collect(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    asked = replace(state, report=Epoch(*body["epoch"]), report_first=body["first"])
    return replace(asked, collects=state.collects + 1)


def _stopped(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    return replace(state, stopped=body["why"])


def _record(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    record = record_from_plain(body["record"])
    ledger, _ = fold(state.ledger, record)
    sender = Epoch(*body["sender"])
    report = None if state.report is not None and sender >= state.report else state.report
    state = replace(
        state, ledger=ledger, source=max(state.source, sender), epoch=max(state.epoch, sender), report=report
    )
    return _agreed(_confirmed(answered(state, record), record))


def _confirmed(state: MemberState, record: Record) -> MemberState:
    body = record.body
    if not isinstance(body, CountersAbsorbed | CountersAccepted):
        return state
    if (body.table, body.incarnation) != (state.settings.table, state.settings.incarnation):
        return state
    kept = tuple(mark for mark in state.unconfirmed if mark.seq >= body.mark.seq)
    return replace(state, unconfirmed=kept, confirmed=state.confirmed or body.mark.seq >= state.started)


_STEPS: dict[str, Callable[[MemberState, Mapping[str, Any]], MemberState]] = {
    "journal.genesis": _born,
    "journal.restored": _restored,
    "link.started": _started,
    "link.counted": _counted,
    "link.claimed": apply_claimed,
    "link.advanced": apply_advanced,
    "link.verified": apply_verified,
    "link.paid": apply_paid,
    "prize.paid": apply_beside,
    "link.leaving": _leaving,
    "link.terms": _terms,
    "link.presence": _presence,
    "link.silent": _silent,
    "link.epoch": _epoch,
    "link.collect": _collect,
    "link.stopped": _stopped,
    "link.record": _record,
}
