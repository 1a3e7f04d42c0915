"""The table's machine: every event of devices and people goes through `decide`, every stored entry through `apply`."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controller.core.circle_events import PEOPLE_EVENTS, SeatsDrawAsked
from controller.core.events import (
    AlarmAcknowledged,
    AlarmCleared,
    AlarmRaised,
    AntePlaced,
    AnteWithdrawn,
    BoxesShared,
    CardCorrected,
    CardRead,
    CardsEntered,
    ClockRan,
    CreditsSettled,
    CreditsUnread,
    CreditWagered,
    CreditWithdrawn,
    DeckReplaced,
    DeviceRemembered,
    DrawChainCommitted,
    DrawSeedRevealed,
    DrawWinnerNamed,
    Envelope,
    HandCorrected,
    HandVoided,
    JackpotBetsResumed,
    JackpotBetsStopped,
    KeyPressed,
    LeaveAsked,
    LinkStateChanged,
    PrizeAdvanced,
    PrizeCallDismissed,
    PrizePaid,
    PrizeVerified,
    SeatsClosed,
    TableStarted,
)
from controller.core.evolve import evolve
from controller.core.ledger import Entry
from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import alarms, member
from controller.engine.messages import LinkReceived
from controller.engine.table_apply import APPLIERS, with_source
from controller.engine.table_bets import (
    decide_seats_closed,
    decide_settled,
    decide_unread,
    decide_wagered,
    decide_withdrawn,
)
from controller.engine.table_decks import decide_deck
from controller.engine.table_draws import decide_chain, decide_named, decide_seed
from controller.engine.table_hand import decide_corrected, decide_game_event, decide_voided
from controller.engine.table_prizes import (
    decide_advanced,
    decide_dismissed,
    decide_leave,
    decide_paid,
    decide_started,
    decide_verified,
)
from controller.engine.table_seats import decide_seats_asked
from controller.engine.table_state import Hand, TableSettings, TableState

Decision = tuple[Entry, ...] | Refused
Decider = Callable[[TableSettings, TableState, Envelope, Any], Decision]


def _decide_stopped(
    settings: TableSettings, state: TableState, envelope: Envelope, event: JackpotBetsStopped
) -> Decision:
    if event.source in state.stops:
        return ()
    return (Entry(envelope.id, "bets.stopped", {"source": event.source, "note": event.note}, (), envelope.actor),)


def _decide_resumed(
    settings: TableSettings, state: TableState, envelope: Envelope, event: JackpotBetsResumed
) -> Decision:
    if event.source not in state.stops:
        return ()
    return (Entry(envelope.id, "bets.resumed", {"source": event.source}, (), envelope.actor),)


def _decide_link_state(
    settings: TableSettings, state: TableState, envelope: Envelope, event: LinkStateChanged
) -> Decision:
    changed = member.link_changed(state.link, event.up, envelope.id)
    return () if changed is None else (changed,)


def _decide_remembered(
    settings: TableSettings, state: TableState, envelope: Envelope, event: DeviceRemembered
) -> Decision:
    if state.devices.get(event.device) == event.memory:
        return ()
    body = {"device": event.device, "memory": dict(event.memory)}
    return (Entry(envelope.id, "device.remembered", body, (), envelope.actor),)


def _decide_alarm(settings: TableSettings, state: TableState, envelope: Envelope, event: alarms.AlarmEvent) -> Decision:
    return alarms.decide(state.alarms, envelope, event)


DECIDERS: dict[type, Decider] = {
    AlarmRaised: _decide_alarm,
    AlarmCleared: _decide_alarm,
    AlarmAcknowledged: _decide_alarm,
    DeckReplaced: decide_deck,
    AntePlaced: decide_game_event,
    AnteWithdrawn: decide_game_event,
    BoxesShared: decide_game_event,
    KeyPressed: decide_game_event,
    CardRead: decide_game_event,
    CardsEntered: decide_game_event,
    CardCorrected: decide_game_event,
    ClockRan: decide_game_event,
    **dict.fromkeys(PEOPLE_EVENTS, decide_game_event),
    SeatsDrawAsked: decide_seats_asked,
    CreditWagered: decide_wagered,
    CreditWithdrawn: decide_withdrawn,
    CreditsUnread: decide_unread,
    CreditsSettled: decide_settled,
    SeatsClosed: decide_seats_closed,
    DeviceRemembered: _decide_remembered,
    DrawChainCommitted: decide_chain,
    DrawSeedRevealed: decide_seed,
    DrawWinnerNamed: decide_named,
    HandVoided: decide_voided,
    HandCorrected: decide_corrected,
    JackpotBetsStopped: _decide_stopped,
    JackpotBetsResumed: _decide_resumed,
    LinkStateChanged: _decide_link_state,
    PrizeVerified: decide_verified,
    PrizePaid: decide_paid,
    PrizeAdvanced: decide_advanced,
    LeaveAsked: decide_leave,
    TableStarted: decide_started,
    PrizeCallDismissed: decide_dismissed,
}


class TableMachine:
    """One table with its member of a carousel, as a `Machine`."""

    def __init__(self, settings: TableSettings) -> None:
        self.settings = settings

    def first(self) -> TableState:
        """Hand 1 with its bets open, nothing contributed, the link not yet up."""
        return TableState(hand=Hand(1, self.settings.game.first_hand()), link=member.first(self.settings.member))

    def decide(self, state: TableState, envelope: Envelope, now_ms: int) -> Decision:
        """See `Machine.decide`. What a device counted is always stored, also when it is refused or changes nothing."""
        answer = self._decide(state, envelope, now_ms)
        if envelope.source is None:
            return answer
        what = {"hand": state.hand.number, "event": type(envelope.event).__name__, **_seat_of(envelope.event)}
        if isinstance(answer, Refused):
            body = {**what, "reason": answer.reason.value, "facts": dict(answer.facts)}
            answer = (Entry(envelope.id, "input.refused", body, (), envelope.actor),)
        elif not answer:
            answer = (Entry(envelope.id, "input.noted", what, (), envelope.actor),)
        first = replace(answer[0], body={**answer[0].body, "device_count": to_record(envelope.source)})
        return (first, *answer[1:])

    def _decide(self, state: TableState, envelope: Envelope, now_ms: int) -> Decision:
        event = envelope.event
        if isinstance(event, LinkReceived):
            return member.receive(state.link, event.message, now_ms)
        decider = DECIDERS.get(type(event))
        if decider is None:
            return refuse(Refusal.UNKNOWN_EVENT, event=type(event).__name__)
        return decider(self.settings, state, envelope, event)

    def apply(self, state: TableState, entry: Entry) -> TableState:
        """See `Machine.apply`; entries of the carousel belong to the member, kinds of no consequence are evidence."""
        if "device_count" in entry.body:
            state = with_source(state, entry.body["device_count"])
        applier = APPLIERS.get(entry.kind)
        if applier is not None:
            return applier(self.settings, state, entry)
        if entry.kind.startswith("link."):
            return evolve(state, link=member.apply(state.link, entry))
        return state


def _seat_of(event: object) -> dict[str, int]:
    seat = getattr(event, "seat", None)
    return {} if seat is None else {"seat": seat}
