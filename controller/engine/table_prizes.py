"""Prizes on their way to the player: verified, then paid, by the table's draws or by the carousel's awards."""

from collections.abc import Mapping
from typing import Any

from controller.core.events import (
    Envelope,
    LeaveAsked,
    PrizeAdvanced,
    PrizeCallDismissed,
    PrizePaid,
    PrizeVerified,
    TableStarted,
)
from controller.core.ledger import Entry, Posting, move
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import member
from controller.engine.ledger_records import Signed
from controller.engine.pool_causes import leave_reason
from controller.engine.table_holds import check_hold
from controller.engine.table_overrides import body_of, check_expected, in_force, postings_of
from controller.engine.table_papers import check_list
from controller.engine.table_state import PrizeStatus, TableSettings, TableState


def check_second(settings: TableSettings, envelope: Envelope, amount_minor: int) -> Refused | None:
    """A payment from the configured sum on takes two different people."""
    if amount_minor < settings.second_person_from_minor:
        return None
    if envelope.second is None:
        return refuse(Refusal.SECOND_PERSON_MISSING, amount=amount_minor)
    if envelope.second == envelope.actor:
        return refuse(Refusal.SAME_PERSON_TWICE)
    return None


def decide_verified(
    settings: TableSettings, state: TableState, envelope: Envelope, event: PrizeVerified
) -> tuple[Entry, ...] | Refused:
    """The cards of a pending prize were seen."""
    held = check_hold(state, event.prize)
    if held is not None:
        return held
    if event.prize in state.link.rows:
        own = member.verify_row(state.link, event.prize, actor=envelope.actor, second=envelope.second)
        return _with_first(envelope, "prize.verified", {"prize": event.prize}, own)
    prize = state.draw_prizes.get(event.prize)
    if prize is None:
        return refuse(Refusal.UNKNOWN_PRIZE, prize=event.prize)
    if prize.status is not PrizeStatus.PENDING:
        return refuse(Refusal.PRIZE_NOT_PENDING, prize=event.prize, status=prize.status.value)
    body = {"prize": prize.id, "hand": prize.hand, "kind": prize.kind}
    return (Entry(envelope.id, "draw.prize_verified", body, (), envelope.actor),)


def decide_paid(
    settings: TableSettings, state: TableState, envelope: Envelope, event: PrizePaid
) -> tuple[Entry, ...] | Refused:
    """A verified prize was paid by hand: payable becomes paid, once; by an override, with the house's difference."""
    held = check_hold(state, event.prize)
    if held is not None:
        return held
    row, override = state.link.rows.get(event.prize), in_force(state, event.prize)
    if row is not None:
        largest = max(row.amount_minor, override.amount_minor if override is not None else 0)
        refused = check_second(settings, envelope, largest) or check_list(settings, state, event.prize, largest)
        if refused is not None:
            return refused
        own = member.pay(state.link, event.prize, actor=envelope.actor, second=envelope.second)
        cash = row.payable_minor if override is None else override.amount_minor
        own = own if isinstance(own, Refused) else check_expected(event, cash) or own
        body = {"prize": event.prize, "hand": row.hand, "seat": row.seat, "amount_minor": cash, **body_of(override)}
        return _with_first(envelope, "prize.paid", body, own, postings_of(override, settings.minor_micros))
    prize = state.draw_prizes.get(event.prize)
    if prize is None:
        return refuse(Refusal.UNKNOWN_PRIZE, prize=event.prize)
    if prize.status is not PrizeStatus.VERIFIED:
        return refuse(Refusal.PRIZE_NOT_VERIFIED, prize=event.prize, status=prize.status.value)
    cash = prize.amount_minor if override is None else override.amount_minor
    largest = max(prize.amount_minor, cash)
    refused = check_second(settings, envelope, largest) or check_list(settings, state, event.prize, largest)
    refused = refused or check_expected(event, cash)
    if refused is not None:
        return refused
    body = {
        "prize": prize.id,
        "hand": prize.hand,
        "kind": prize.kind,
        "seat": prize.seat,
        "amount_minor": cash,
        "second": envelope.second,
        **body_of(override),
    }
    postings = move("prizes.payable", "prizes.paid", prize.amount_minor * settings.minor_micros)
    postings += postings_of(override, settings.minor_micros)
    return (Entry(envelope.id, "draw.prize_paid", body, postings, envelope.actor),)


def decide_advanced(
    settings: TableSettings, state: TableState, envelope: Envelope, event: PrizeAdvanced
) -> tuple[Entry, ...] | Refused:
    """An offline payment on a claim that the carousel has not answered (link rule 7)."""
    held = check_hold(state, member.row_of(state.link, event.hand, event.seat))
    if held is not None:
        return held
    signed = Signed(event.reason, envelope.actor, envelope.second or "")
    own = member.advance(state.link, hand=event.hand, seat=event.seat, amount_minor=event.amount_minor, signed=signed)
    body = {"hand": event.hand, "seat": event.seat, "amount_minor": event.amount_minor, "reason": event.reason}
    return _with_first(envelope, "prize.advanced", body, own)


def decide_leave(
    settings: TableSettings, state: TableState, envelope: Envelope, event: LeaveAsked
) -> tuple[Entry, ...] | Refused:
    """The table asks to leave its carousel (link rule 8): between hands, since its counters are final from here on and
    nothing that the hand in course wins could be claimed.
    """
    reason = leave_reason(event)
    if isinstance(reason, Refused):
        return reason
    own = member.leave(state.link, Signed(reason, envelope.actor, envelope.second or ""))
    if not isinstance(own, Refused) and (state.hand.credits or state.unread):
        return refuse(Refusal.HAND_HAS_BETS, hand=state.hand.number)
    return _with_first(envelope, "table.leaving", {"reason": reason}, own)


def decide_started(
    settings: TableSettings, state: TableState, envelope: Envelope, event: TableStarted
) -> tuple[Entry, ...]:
    """A start of the daemon is an entry of the member's own chain, so that two copies of a journal differ at once."""
    body = {"nonce": event.nonce, "minor_micros": settings.minor_micros}
    first = Entry(envelope.id, "table.started", body, (), envelope.actor)
    return (first, member.started(state.link, event.nonce))


def _with_first(
    envelope: Envelope,
    kind: str,
    body: Mapping[str, Any],
    own: tuple[Entry, ...] | Entry | Refused,
    postings: tuple[Posting, ...] = (),
) -> tuple[Entry, ...] | Refused:
    """The table's entry under the event's id, and the member's entries of its own chain after it."""
    if isinstance(own, Refused):
        return own
    first = Entry(envelope.id, kind, {**body, "second": envelope.second}, postings, envelope.actor)
    return (first, own) if isinstance(own, Entry) else (first, *own)


def decide_dismissed(
    settings: TableSettings, state: TableState, envelope: Envelope, event: PrizeCallDismissed
) -> tuple[Entry, ...] | Refused:
    """The called prize was none."""
    if not state.hand.prize_called:
        return refuse(Refusal.UNKNOWN_PRIZE, prize=f"hand {state.hand.number}")
    return (Entry(envelope.id, "prize.dismissed", {"hand": state.hand.number}, (), envelope.actor),)
