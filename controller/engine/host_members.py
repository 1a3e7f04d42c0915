"""A host and the people: joins, seals, accepted steps, adjustments, releases; always two persons and a reason."""

from controller.core.causes import PoolCause, PoolChange
from controller.core.events import Envelope
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import pool_causes
from controller.engine.host_events import (
    AwardSettled,
    BalanceTransferred,
    MemberAccepted,
    MemberRekeyed,
    MemberSealed,
    MeterAdjusted,
    PrizeReleased,
    StartValueReset,
    StepAccepted,
)
from controller.engine.host_fold import Pen
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_ceiling import rescue_for, returned
from controller.engine.ledger_fold import check_incarnation
from controller.engine.ledger_profiles import unfit_terms
from controller.engine.ledger_records import (
    Adjusted,
    Counters,
    CountersAccepted,
    JoinAsked,
    Joined,
    OverflowAccepted,
    Profile,
    Rekeyed,
    Released,
    Sealed,
    Signed,
)
from controller.engine.ledger_state import Account, Answered, Standing
from controller.engine.member_claims import check_two_people
from controller.engine.payment_records import Settled


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
    refused = _unfit(profile, pen.state.settings.minor_micros)
    if refused is not None:
        return refused
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


def _unfit(profile: Profile, minor: int) -> Refused | None:
    """Why nobody can sign a profile: it says less than what people read of it, or contradicts itself."""
    start, ceiling = profile.start_micros, profile.ceiling_micros
    for micros in (start, ceiling or 0):
        if micros % minor:  # two people read minor units, and sign what they read
            return refuse(Refusal.AMOUNT_NOT_WHOLE, table=profile.table, micros=micros)
    if ceiling is not None and start > ceiling:
        return refuse(Refusal.START_ABOVE_CEILING, start=start // minor, ceiling=ceiling // minor)
    return unfit_terms(profile.table, profile.prizes, profile.bound_micros, ceiling)


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
    if not event.seen_switched_off:
        return refuse(Refusal.NOT_SWITCHED_OFF, table=event.table)
    pen.record(Sealed(event.table, account.profile.incarnation, account.absorbed, signed))
    finish_joins(pen)
    return None


def rekey_member(pen: Pen, event: MemberRekeyed, signed: Signed) -> Refused | None:
    """Messages of the table count under the new key from this record on, and under the old one no more."""
    account = _account(pen, event.table)
    if isinstance(account, Refused):
        return account
    if account.standing is Standing.SEALED and not account.joining:
        return refuse(Refusal.INCARNATION_SEALED, table=event.table)
    if account.profile.key == event.key:
        return refuse(Refusal.NOTHING_CHANGES, table=event.table)
    pen.record(Rekeyed(event.table, account.profile.incarnation, event.key, signed))
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
    refused = _check_wrong(pen, account, counters, event)
    if refused is not None:
        return refused
    adjust = (-event.wrong_main_micros, -event.wrong_reserve_micros)
    mark = waiting.mark if waiting.mark.seq >= account.mark.seq else account.mark
    overflow = returned(account, counters, event.wrong_main_micros)
    rescue = rescue_for(account, counters, *adjust, overflow)
    table, incarnation = event.table, waiting.incarnation
    if overflow:
        pen.record(OverflowAccepted(table, incarnation, counters, mark, signed, *adjust, rescue, overflow))
    else:
        pen.record(CountersAccepted(table, incarnation, counters, mark, signed, *adjust, rescue))
    return None


def _check_wrong(pen: Pen, account: Account, counters: Counters, event: StepAccepted) -> Refused | None:
    """No more of a step can be wrong than stands of it: what was reversed of it meanwhile has left the pools."""
    minor = pen.state.settings.minor_micros
    for wrong, step in (
        (event.wrong_main_micros, counters.net_main_micros - account.absorbed.net_main_micros),
        (event.wrong_reserve_micros, counters.net_reserve_micros - account.absorbed.net_reserve_micros),
    ):
        if not 0 <= wrong <= max(step, 0):
            return refuse(Refusal.WRONG_ABOVE_STEP, table=event.table, most=max(step, 0) // minor)
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
    refused = _check_ceiling(pen, account, event.main_micros)
    if refused is not None:
        return refused
    closed = event.cause is PoolCause.CLOSED_JACKPOT  # another jackpot's money, and none of the house
    pen.record(Adjusted(event.table, event.main_micros, event.reserve_micros, signed, transfer=closed))
    return None


def _check_ceiling(pen: Pen, account: Account, raised: int) -> Refused | None:
    """People say to the centavo what the meter gets, so what passes the ceiling is refused, not put elsewhere."""
    ceiling, minor = account.profile.ceiling_micros, pen.state.settings.minor_micros
    meter = account.main_micros + raised
    if raised <= 0 or ceiling is None or meter <= ceiling:
        return None
    return refuse(
        Refusal.METER_ABOVE_CEILING, table=account.profile.table, meter=meter // minor, ceiling=ceiling // minor
    )


def reset_start(pen: Pen, event: StartValueReset, signed: Signed) -> Refused | None:
    """A new start value; the balance follows only when asked."""
    account = _in_carousel(pen, event.table)
    if isinstance(account, Refused):
        return account
    if event.start_micros < 0:
        return refuse(Refusal.BALANCE_TOO_LOW, table=event.table)
    ceiling, minor = account.profile.ceiling_micros, pen.state.settings.minor_micros
    if ceiling is not None and event.start_micros > ceiling:
        return refuse(Refusal.START_ABOVE_CEILING, start=event.start_micros // minor, ceiling=ceiling // minor)
    main = event.start_micros - account.main_micros if event.meter_too else 0
    if main == 0 and event.start_micros == account.start_micros:
        return refuse(Refusal.NOTHING_CHANGES, table=event.table)
    if main < 0:
        refused = pool_causes.check(event.cause, PoolChange.LOWER)
        if refused is not None:
            return refused
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
    refused = None if target is None else _check_ceiling(pen, target, event.micros)
    if refused is not None:
        return refused
    pen.record(Adjusted(event.table, -event.micros, 0, signed, transfer=True))
    if event.target is not None:
        pen.record(Adjusted(event.target, event.micros, 0, signed, transfer=True))
    return None


def release(pen: Pen, event: PrizeReleased, signed: Signed) -> Refused | None:
    """Rule 4: the pit boss lets a held award be paid."""
    answered = pen.state.ledger.awards.get(event.name.key)
    if answered is None or not answered.held or answered.released:
        return refuse(Refusal.UNKNOWN_PRIZE, claim=event.name.key)
    if event.expected_minor not in (None, amount_of(answered)):
        return refuse(Refusal.APPROVAL_DIFFERS, claim=event.name.key, amount=amount_of(answered))
    pen.record(Released(event.name, signed))
    return None


def amount_of(answered: Answered) -> int:
    """All that an award gives, in minor units."""
    return sum(row.amount_minor for row in answered.granted.rows)


def settle_award(pen: Pen, event: AwardSettled, signed: Signed) -> Refused | None:
    """Rule 2: open awards of a sealed incarnation are settled by two people; they hold no other award after."""
    if event.name.key not in pen.state.open_awards:
        return refuse(Refusal.UNKNOWN_PRIZE, claim=event.name.key)
    account = pen.state.ledger.account(event.name.table, event.name.incarnation)
    if account is not None and account.standing is Standing.ACTIVE and not account.joining:
        return refuse(Refusal.PRIZE_OPEN, table=event.name.table)
    if not event.seen_switched_off:
        return refuse(Refusal.NOT_SWITCHED_OFF, table=event.name.table)
    pen.record(Settled(event.name.key, signed))
    return None
