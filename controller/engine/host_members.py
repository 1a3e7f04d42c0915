"""A host and the people: joins, seals, accepted steps, adjustments, releases; always two persons and a reason."""

from controller.core.events import Envelope
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.host_events import (
    AwardSettled,
    BalanceTransferred,
    MemberAccepted,
    MemberSealed,
    MeterAdjusted,
    PrizeReleased,
    StartValueReset,
    StepAccepted,
)
from controller.engine.host_fold import Pen
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_awards import rescue_for
from controller.engine.ledger_fold import check_incarnation
from controller.engine.ledger_records import (
    Adjusted,
    CountersAccepted,
    JoinAsked,
    Joined,
    Released,
    Sealed,
    Signed,
)
from controller.engine.ledger_state import Account, Standing
from controller.engine.member_claims import check_two_people


def signed_by(envelope: Envelope, reason: str) -> Signed | Refused:
    """The two persons and the reason of an act, or what is missing."""
    signed = Signed(reason, envelope.actor, envelope.second or "")
    return check_two_people(signed) or signed


def check_serving(state: HostState) -> Refused | None:
    """Why this host writes nothing now."""
    if state.phase is Phase.SERVING:
        return None
    if state.phase is Phase.FENCED:
        return refuse(Refusal.HOST_FENCED, why=state.why_fenced)
    return refuse(Refusal.HOST_NOT_SERVING, phase=state.phase.value)


def _account(pen: Pen, table: str) -> Account | Refused:
    account = pen.state.ledger.tables.get(table)
    if account is None or account.standing is Standing.LEFT:
        return refuse(Refusal.UNKNOWN_TABLE, table=table)
    return account


def _in_carousel(pen: Pen, table: str) -> Account | Refused:
    account = _account(pen, table)
    if isinstance(account, Account) and not account.in_carousel:
        return refuse(Refusal.JOIN_PENDING, table=table)
    return account


def accept_member(pen: Pen, event: MemberAccepted, signed: Signed) -> Refused | None:
    """Rule 8: the join is a record; it takes effect once every rostered table has journaled it."""
    profile = event.profile
    if profile.currency != pen.state.settings.currency:
        return refuse(Refusal.CURRENCY_DIFFERS, table=profile.table, currency=profile.currency)
    account = pen.state.ledger.tables.get(profile.table)
    if account is not None:
        if account.joining or account.standing is Standing.ACTIVE:
            return refuse(Refusal.ALREADY_MEMBER, table=profile.table)
        refused = check_incarnation(account, profile)
        if refused is not None:
            return refused
    pen.record(JoinAsked(profile, signed))
    finish_joins(pen)
    return None


def finish_joins(pen: Pen) -> None:
    """Joins that every table in force has journaled take effect."""
    for table in pen.state.join_seqs:
        seq = pen.state.join_seqs[table]
        others = (other for other in pen.state.ledger.active() if other != table)
        if all(pen.state.received.get(other, 0) >= seq for other in others):
            account = pen.state.ledger.tables[table]
            funding = account.start_micros if account.standing is Standing.JOINING else 0
            pen.record(Joined(table, account.profile.incarnation, funding))


def seal_member(pen: Pen, event: MemberSealed, signed: Signed) -> Refused | None:
    """The incarnation ends with what is absorbed of it; the balance stays."""
    account = _account(pen, event.table)
    if isinstance(account, Refused):
        return account
    if account.standing is Standing.SEALED and not account.joining:
        return refuse(Refusal.INCARNATION_SEALED, table=event.table)
    pen.record(Sealed(event.table, account.profile.incarnation, account.absorbed, signed))
    finish_joins(pen)
    return None


def accept_step(pen: Pen, event: StepAccepted, signed: Signed) -> Refused | None:
    """Rule 9: two people accept a quarantined step, wholly or less what was wrong of it."""
    waiting = pen.state.quarantined.get(event.table)
    if waiting is None:
        return refuse(Refusal.NOTHING_QUARANTINED, table=event.table)
    account = pen.state.ledger.account(event.table, waiting.incarnation)
    if account is None or account.standing is not Standing.ACTIVE:
        return refuse(Refusal.NOT_MEMBER, table=event.table)
    counters = account.absorbed.merged(waiting.counters)
    adjust = (-event.wrong_main_micros, -event.wrong_reserve_micros)
    mark = waiting.mark if waiting.mark.seq >= account.mark.seq else account.mark
    rescue = rescue_for(account, counters, *adjust)
    pen.record(CountersAccepted(event.table, waiting.incarnation, counters, mark, signed, *adjust, rescue))
    return None


def adjust_meter(pen: Pen, event: MeterAdjusted, signed: Signed) -> Refused | None:
    """A correction of the pools, never below zero."""
    if event.main_micros == 0 and event.reserve_micros == 0:
        return refuse(Refusal.NOTHING_CHANGES, table=event.table)
    account = _in_carousel(pen, event.table)
    if isinstance(account, Refused):
        return account
    if account.main_micros + event.main_micros < 0 or account.reserve_micros + event.reserve_micros < 0:
        return refuse(Refusal.BALANCE_TOO_LOW, table=event.table)
    pen.record(Adjusted(event.table, event.main_micros, event.reserve_micros, signed))
    return None


def reset_start(pen: Pen, event: StartValueReset, signed: Signed) -> Refused | None:
    """A new start value; the balance follows only when asked."""
    account = _in_carousel(pen, event.table)
    if isinstance(account, Refused):
        return account
    if event.start_micros < 0:
        return refuse(Refusal.BALANCE_TOO_LOW, table=event.table)
    main = event.start_micros - account.main_micros if event.meter_too else 0
    pen.record(Adjusted(event.table, main, 0, signed, event.start_micros))
    return None


def transfer(pen: Pen, event: BalanceTransferred, signed: Signed) -> Refused | None:
    """Money out of one table's pool, into another's or out of the carousel."""
    if event.target == event.table:
        return refuse(Refusal.SAME_TABLE_TWICE, table=event.table)
    account = _in_carousel(pen, event.table)
    if isinstance(account, Refused):
        return account
    target = _in_carousel(pen, event.target) if event.target is not None else None
    if isinstance(target, Refused):
        return target
    if event.micros <= 0 or event.micros > account.main_micros:
        return refuse(Refusal.BALANCE_TOO_LOW, table=event.table)
    pen.record(Adjusted(event.table, -event.micros, 0, signed, transfer=True))
    if event.target is not None:
        pen.record(Adjusted(event.target, event.micros, 0, signed, transfer=True))
    return None


def release(pen: Pen, event: PrizeReleased, signed: Signed) -> Refused | None:
    """Rule 4: the pit boss lets a held award be paid."""
    answered = pen.state.ledger.awards.get(event.name.key)
    if answered is None or not answered.held or answered.released:
        return refuse(Refusal.UNKNOWN_PRIZE, claim=event.name.key)
    pen.record(Released(event.name, signed))
    return None


def settle_award(pen: Pen, event: AwardSettled, signed: Signed) -> Refused | None:
    """Rule 2: open awards of a sealed incarnation are settled by two people; they hold no other award after."""
    if event.name.key not in pen.state.open_awards:
        return refuse(Refusal.UNKNOWN_PRIZE, claim=event.name.key)
    account = pen.state.ledger.account(event.name.table, event.name.incarnation)
    if account is not None and account.standing is Standing.ACTIVE and not account.joining:
        return refuse(Refusal.PRIZE_OPEN, table=event.name.table)
    body = {"key": event.name.key, "reason": signed.reason, "actor": signed.actor, "second": signed.second}
    pen.note("host.settled", f"settled:{event.name.key}", body)
    return None
