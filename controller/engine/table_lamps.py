"""Tests of the lamps between hands: all until people end it, or one for a few seconds; the first bet ends both."""

from controller.core.equipment_events import LampTested, LampTestRan, LampTestSwitched
from controller.core.events import Envelope
from controller.core.evolve import evolve
from controller.core.games.game import Stage
from controller.core.ledger import Entry
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.table_state import LampOnTest, TableSettings, TableState

LAMP_TEST_S = 5
"""How long one lamp is lit: time to look up from the panel to the table."""


def decide_lamps(
    settings: TableSettings, state: TableState, envelope: Envelope, event: LampTestSwitched
) -> tuple[Entry, ...] | Refused:
    """A lamp says that a bet is registered, so none is lit for a test while there are bets."""
    if event.on == state.lamp_test:
        return ()
    if event.on and _in_use(settings, state):
        return refuse(Refusal.LAMPS_IN_USE, hand=state.hand.number)
    return (Entry(envelope.id, "lamps.test", {"on": event.on}, (), envelope.actor),)


def decide_lamp(
    settings: TableSettings, state: TableState, envelope: Envelope, event: LampTested
) -> tuple[Entry, ...] | Refused:
    """The same for one lamp; another one that is being tested gives way to it."""
    if event.seat not in settings.seats:
        return refuse(Refusal.UNKNOWN_SEAT, seat=event.seat)
    if _in_use(settings, state):
        return refuse(Refusal.LAMPS_IN_USE, hand=state.hand.number)
    return (Entry(envelope.id, "lamps.tested", {"seat": event.seat, "lamp": event.lamp}, (), envelope.actor),)


def decide_lamp_ran(
    settings: TableSettings, state: TableState, envelope: Envelope, event: LampTestRan
) -> tuple[Entry, ...] | Refused:
    """Nothing where a bet, or another test, has ended it already."""
    if state.lamp_on_test is None or state.lamp_on_test.id != event.test:
        return ()
    return (Entry(envelope.id, "lamps.test_ran", {"test": event.test}, (), envelope.actor),)


def _in_use(settings: TableSettings, state: TableState) -> bool:
    hand = state.hand
    return bool(hand.credits) or settings.game.stage(hand.game) is not Stage.BETS


def apply_lamps(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    """One test at a time: what was tested before is over."""
    match entry.kind:
        case "lamps.test":
            return evolve(state, lamp_test=entry.body["on"], lamp_on_test=None)
        case "lamps.tested":
            tested = LampOnTest(entry.id, entry.body["seat"], entry.body["lamp"])
            return evolve(state, lamp_test=False, lamp_on_test=tested)
    return evolve(state, lamp_on_test=None)
