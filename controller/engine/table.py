"""The table's machine: every event of devices and people goes through `decide`, every stored entry through `apply`."""

from collections.abc import Callable
from typing import Any

import msgspec

from controller.core.circle_events import PEOPLE_EVENTS, SeatsDrawAsked
from controller.core.draw_events import DrawOutsideSet, DrawPoolMoved, DrawSourceBack, DrawSourceFailed
from controller.core.equipment_events import DeckReplaced, LampTested, LampTestRan, LampTestSwitched
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
    DeviceRemembered,
    DrawChainCommitted,
    DrawSeedRevealed,
    DrawWinnerNamed,
    Envelope,
    HandCorrected,
    HandVoided,
    HistoryContradicted,
    JackpotBetsResumed,
    JackpotBetsStopped,
    KeyPressed,
    LeaveAsked,
    LinkSilent,
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
from controller.core.prize_events import (
    PrizeChecked,
    PrizeHoldReleased,
    PrizeOverridden,
    PrizePutOnHold,
    SlipCopied,
    SlipIssued,
    SlipVoided,
)
from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.restored import RestoredSettled
from controller.engine import alarms, member, table_overrides, table_papers, table_settings
from controller.engine.draw_source import decide_back, decide_failed, decide_outside
from controller.engine.messages import LinkReceived
from controller.engine.settings_values import Read
from controller.engine.table_apply import APPLIERS, ReplayBroken, with_source
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
from controller.engine.table_holds import decide_hold
from controller.engine.table_lamps import decide_lamp, decide_lamp_ran, decide_lamps
from controller.engine.table_papers import decide_checked, decide_copied, decide_issued, decide_slip_voided
from controller.engine.table_pools import decide_pool_moved
from controller.engine.table_prizes import (
    decide_advanced,
    decide_dismissed,
    decide_leave,
    decide_paid,
    decide_started,
    decide_verified,
)
from controller.engine.table_restored import decide_restored
from controller.engine.table_seats import decide_seats_asked
from controller.engine.table_state import Hand, TableSettings, TableState

OF_A_HAND = frozenset({"hand.void", "hand.corrected"})
"""Entries that may be about the last hand, by the settings that it was played by."""
MOST_KNOWN = 50
"""Settings that are kept read; a table that changes them more often than it restarts reads them again."""

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
    return (Entry(envelope.id, "bets.resumed", {"source": event.source, "note": event.note}, (), envelope.actor),)


def _decide_link_state(
    settings: TableSettings, state: TableState, envelope: Envelope, event: LinkStateChanged
) -> Decision:
    changed = member.link_changed(state.link, event.up, envelope.id)
    return () if changed is None else (changed,)


def _decide_link_silent(settings: TableSettings, state: TableState, envelope: Envelope, event: LinkSilent) -> Decision:
    silent = member.link_silent(state.link, event.minutes, envelope.id)
    return () if silent is None else (silent,)


def _decide_contradicted(
    settings: TableSettings, state: TableState, envelope: Envelope, event: HistoryContradicted
) -> Decision:
    stopped = member.contradicted(state.link, event.seq, event.chain, envelope.id)
    return () if stopped is None else (stopped,)


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
    LampTestSwitched: decide_lamps,
    LampTested: decide_lamp,
    LampTestRan: decide_lamp_ran,
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
    DrawSourceFailed: decide_failed,
    DrawSourceBack: decide_back,
    DrawOutsideSet: decide_outside,
    DrawPoolMoved: decide_pool_moved,
    HandVoided: decide_voided,
    RestoredSettled: decide_restored,
    HandCorrected: decide_corrected,
    JackpotBetsStopped: _decide_stopped,
    JackpotBetsResumed: _decide_resumed,
    HistoryContradicted: _decide_contradicted,
    LinkSilent: _decide_link_silent,
    LinkStateChanged: _decide_link_state,
    PrizeVerified: decide_verified,
    PrizeChecked: decide_checked,
    SlipIssued: decide_issued,
    SlipCopied: decide_copied,
    SlipVoided: decide_slip_voided,
    PrizeOverridden: table_overrides.decide_overridden,
    PrizePutOnHold: decide_hold,
    PrizeHoldReleased: decide_hold,
    PrizePaid: decide_paid,
    PrizeAdvanced: decide_advanced,
    LeaveAsked: decide_leave,
    TableStarted: decide_started,
    PrizeCallDismissed: decide_dismissed,
}


class TableMachine:
    """One table with its member of a carousel, as a `Machine`.

    settings: as the daemon was started; what the journal notes of the file and of people's changes goes before them.
    read: settings as canonical JSON to plain ones, ValueError for what are none; absent where a journal has none.
    """

    def __init__(self, settings: TableSettings, read: Read | None = None) -> None:
        self.settings = settings
        self._read = read
        self._known: dict[str, TableSettings] = {"": settings}

    def settings_of(self, state: TableState) -> TableSettings:
        """The settings in force: those of the hand in course."""
        return self.read(state.hand.settings)

    def read(self, text: str) -> TableSettings:
        """The settings of a canonical text; ValueError for what are none."""
        found = self._known.get(text)
        if found is None:
            if self._read is None:
                raise ReplayBroken("a journal with settings of its own, and nothing that reads them")
            if len(self._known) > MOST_KNOWN:
                self._known = {"": self.settings}
            found = self._known[text] = self._read(text)
        return found

    def first(self) -> TableState:
        """Hand 1 with its bets open, nothing contributed, the link not yet up."""
        return TableState(hand=Hand(1, self.settings.game.first_hand()), link=member.first(self.settings.member))

    def decide(self, state: TableState, envelope: Envelope, now_ms: int) -> Decision:
        """See `Machine.decide`. What a device counted is always stored, also when it is refused or changes nothing.

        In the same commit, so that nothing comes between: overrides and slips whose prize has changed are over, and
        settings whose moment has come take effect.
        """
        answer = self._decide(state, envelope, now_ms)
        if envelope.source is not None:
            answer = _with_source(state, envelope, answer)
        if isinstance(answer, Refused) or not answer:
            return answer
        of_settings = state.book.pending is not None or type(envelope.event) in table_settings.DECIDERS
        open_slips, overridden = table_papers.open_slips(state, answer), table_overrides.waiting(state, answer)
        if not of_settings and not open_slips and not overridden:
            return answer
        after = self._folded(state, answer)
        ended = table_overrides.ended(state, after, overridden, answer)
        after = self._folded(after, ended)
        outdated = table_papers.outdated(after, open_slips)
        return (*answer, *ended, *outdated, *table_settings.take_effect(self.read, after))

    def _folded(self, state: TableState, entries: tuple[Entry, ...]) -> TableState:
        for entry in entries:
            state = self.apply(state, entry)
        return state

    def _decide(self, state: TableState, envelope: Envelope, now_ms: int) -> Decision:
        event = envelope.event
        if isinstance(event, LinkReceived):
            return member.receive(state.link, event.message, now_ms)
        of_settings = table_settings.DECIDERS.get(type(event))
        if of_settings is not None:
            return of_settings(self.read, state, envelope, event)
        decider = DECIDERS.get(type(event))
        if decider is None:
            return refuse(Refusal.UNKNOWN_EVENT, event=type(event).__name__)
        number = event.hand if isinstance(event, HandVoided | HandCorrected) else None
        return decider(self._of_hand(state, number), state, envelope, event)

    def apply(self, state: TableState, entry: Entry) -> TableState:
        """See `Machine.apply`; entries of the carousel belong to the member, kinds of no consequence are evidence."""
        if "device_count" in entry.body:
            state = with_source(state, entry.body["device_count"])
        applier = APPLIERS.get(entry.kind)
        if applier is not None:
            number = entry.body["hand"] if entry.kind in OF_A_HAND else None
            return applier(self._of_hand(state, number), state, entry)
        if entry.kind.startswith("link."):
            return evolve(state, link=member.apply(state.link, entry))
        if entry.kind in table_settings.APPLIERS:
            return table_settings.apply(self.read, state, entry)
        return state

    def _of_hand(self, state: TableState, number: int | None) -> TableSettings:
        """What a hand is played by: the last one, when it is named, by what was in force then."""
        if number is not None and state.last is not None and number == state.last.number:
            return self.read(state.last.settings)
        return self.read(state.hand.settings)


def _with_source(state: TableState, envelope: Envelope, answer: Decision) -> Decision:
    """The answer to what a device counted, as at least one entry that holds the count."""
    assert envelope.source is not None, "the caller has looked"
    what = {"hand": state.hand.number, "event": type(envelope.event).__name__, **_seat_of(envelope.event)}
    if isinstance(answer, Refused):
        body = {**what, "reason": answer.reason.value, "facts": dict(answer.facts)}
        answer = (Entry(envelope.id, "input.refused", body, (), envelope.actor),)
    elif not answer:
        answer = (Entry(envelope.id, "input.noted", what, (), envelope.actor),)
    first = msgspec.structs.replace(answer[0], body={**answer[0].body, "device_count": to_record(envelope.source)})
    return (first, *answer[1:])


def _seat_of(event: object) -> dict[str, int]:
    seat = getattr(event, "seat", None)
    return {} if seat is None else {"seat": seat}
