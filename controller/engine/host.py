"""The carousel host as a machine: what tables send, what people do, and the ledger that answers both."""

from dataclasses import dataclass

from controller.core.events import Envelope
from controller.core.ledger import Entry
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import alarms, host_claims, host_closing, host_members, host_promotion, pool_causes
from controller.engine.host_events import (
    AwardSettled,
    BalanceTransferred,
    CarouselFounded,
    ClosedDisposed,
    ClosingAsked,
    ClosingDayCame,
    HostPromoted,
    HostStarted,
    MemberAccepted,
    MemberRekeyed,
    MemberSealed,
    MeterAdjusted,
    OrphansAssigned,
    PeopleEvent,
    PrizeReleased,
    StartValueReset,
    StepAccepted,
    TableExcluded,
)
from controller.engine.host_fold import Pen, apply
from controller.engine.host_outbox import meter, outbox
from controller.engine.host_state import HostSettings, HostState, Phase, first
from controller.engine.machine import Folding, replay
from controller.engine.messages import (
    Claimed,
    Counter,
    LinkReceived,
    Message,
    Received,
    Report,
    Status,
)

__all__ = ["HostMachine", "HostSettings", "HostState", "Phase", "meter", "outbox"]


@dataclass(frozen=True, slots=True)
class HostMachine(Folding[HostState]):
    """`decide` and `apply` of one carousel's host; `outbox(state, …)` says what the tables must hear."""

    settings: HostSettings

    def first(self) -> HostState:
        """A host without a ledger."""
        return first(self.settings)

    def decide(self, state: HostState, envelope: Envelope, now_ms: int) -> tuple[Entry, ...] | Refused:
        """Entries of one event. now_ms decides nothing: order is that of the ledger, never of a clock (P7)."""
        _, entries, refused = self.decide_folded(state, envelope, now_ms)
        return entries if refused is None else refused

    def decide_folded(
        self, state: HostState, envelope: Envelope, now_ms: int
    ) -> tuple[HostState, tuple[Entry, ...], Refused | None]:
        """See `Folding.decide_folded`."""
        event = envelope.event
        if isinstance(event, alarms.AlarmEvent):
            told = alarms.decide(state.alarms, envelope, event)
            return (state, (), told) if isinstance(told, Refused) else (replay(self, told, state), told, None)
        if isinstance(event, LinkReceived):
            pen = Pen(state)
            refused = received(pen, event.message)
        elif isinstance(event, ClosingDayCame):
            pen = Pen(state, envelope.id)
            refused = host_members.check_serving(state) or host_closing.day_came(pen, event)
        elif isinstance(event, HostStarted):
            pen = Pen(state, envelope.id)
            host_promotion.start(pen, event)
            refused = None
        else:
            pen = Pen(state, envelope.id, envelope.actor)
            refused = people(pen, envelope)
        return pen.state, tuple(pen.entries), None if pen.entries else refused

    def apply(self, state: HostState, entry: Entry) -> HostState:
        """The state after one entry of the host's journal."""
        return apply(state, entry)


def received(pen: Pen, message: Message) -> Refused | None:
    """One table's message: authority first, then what it says."""
    if not isinstance(message, Counter | Status | Claimed | Received | Report):
        return refuse(Refusal.NOT_FOR_HOST)
    refused = host_promotion.check_authority(pen, message)
    if refused is not None:
        return refused
    if isinstance(message, Report):
        return host_promotion.reported(pen, message)
    refused = host_members.check_serving(pen.state)
    if refused is not None:
        return refused
    match message:
        case Counter():
            return host_claims.counter(pen, message)
        case Claimed():
            return host_claims.claimed(pen, message)
        case Received():
            return host_claims.acknowledged(pen, message)
    return None


def people(pen: Pen, envelope: Envelope) -> Refused | None:
    """An act of people: two persons and a reason first, then authority, then the act."""
    event: PeopleEvent = envelope.event  # type: ignore[assignment]  # the other kinds are handled before
    signed = host_members.signed_by(envelope, event.reason)
    if isinstance(signed, Refused):
        return signed
    caused = pool_causes.with_cause(event, signed)
    if isinstance(caused, Refused):
        return caused
    signed = caused
    match event:
        case CarouselFounded():
            return host_promotion.found(pen, event, signed)
        case HostPromoted():
            return host_promotion.promote(pen, event, signed)
        case TableExcluded():
            return host_promotion.exclude(pen, event, signed)
    refused = host_members.check_serving(pen.state)
    if refused is not None:
        return refused
    match event:
        case MemberAccepted():
            return host_members.accept_member(pen, event, signed)
        case MemberSealed():
            return host_members.seal_member(pen, event, signed)
        case MemberRekeyed():
            return host_members.rekey_member(pen, event, signed)
        case StepAccepted():
            return host_members.accept_step(pen, event, signed)
        case MeterAdjusted():
            return host_members.adjust_meter(pen, event, signed)
        case StartValueReset():
            return host_members.reset_start(pen, event, signed)
        case BalanceTransferred():
            return host_members.transfer(pen, event, signed)
        case ClosingAsked():
            return host_closing.announce(pen, event, signed)
        case ClosedDisposed():
            return host_closing.dispose(pen, event, signed)
        case OrphansAssigned():
            return host_closing.assign(pen, event, signed)
        case PrizeReleased():
            return host_members.release(pen, event, signed)
        case AwardSettled():
            return host_members.settle_award(pen, event, signed)
