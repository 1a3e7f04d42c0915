"""A test of the lamps: between hands every lamp is lit until people end it, or the first bet does."""

from controller.core.equipment_events import LampTestSwitched
from controller.core.events import Envelope
from controller.core.evolve import evolve
from controller.core.games.game import Stage
from controller.core.ledger import Entry
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.table_state import TableSettings, TableState


def decide_lamps(
    settings: TableSettings, state: TableState, envelope: Envelope, event: LampTestSwitched
) -> tuple[Entry, ...] | Refused:
    """A lamp says that a bet is registered, so none is lit for a test while there are bets."""
    if event.on == state.lamp_test:
        return ()
    hand = state.hand
    if event.on and (hand.credits or settings.game.stage(hand.game) is not Stage.BETS):
        return refuse(Refusal.LAMPS_IN_USE, hand=hand.number)
    return (Entry(envelope.id, "lamps.test", {"on": event.on}, (), envelope.actor),)


def apply_lamps(settings: TableSettings, state: TableState, entry: Entry) -> TableState:
    return evolve(state, lamp_test=entry.body["on"])
