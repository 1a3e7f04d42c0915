"""Which deck a hand is dealt from, and its replacement when a count is wrong (art. O 10, 14, 24)."""

from controller.core.equipment_events import DeckReplaced
from controller.core.events import Envelope
from controller.core.ledger import Entry
from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import alarms
from controller.engine.table_state import TableSettings, TableState

WRONG_CARD_COUNT = "wrong_card_count"


def decks_in_use(settings: TableSettings, state: TableState) -> tuple[str, ...]:
    """Ids of the decks at the table: the configured ones, or what has taken their place."""
    return tuple(_current(state, deck) for deck in settings.decks)


def _current(state: TableState, deck: str) -> str:
    while deck in state.decks_replaced:
        deck = state.decks_replaced[deck]
    return deck


def deck_of_hand(settings: TableSettings, state: TableState) -> str:
    """The deck of the hand in course: the only one, or one after the other by the hand's number; "" where none is
    configured."""
    decks = decks_in_use(settings, state)
    if not decks:
        return ""
    return decks[(state.hand.number - 1) % len(decks)] if settings.decks_alternate else decks[0]


def decide_deck(
    settings: TableSettings, state: TableState, envelope: Envelope, event: DeckReplaced
) -> tuple[Entry, ...] | Refused:
    """A person takes a deck out and brings another; a deck that was taken out never comes back.

    What asked for it, a wrong count, is over by that in the same commit.
    """
    if event.old not in decks_in_use(settings, state):
        return refuse(Refusal.UNKNOWN_DECK, deck=event.old)
    used = {*settings.decks, *state.decks_replaced, *state.decks_replaced.values()}
    if not event.new or event.new in used:
        return refuse(Refusal.DECK_USED, deck=event.new)
    receipt = to_record(event.receipt) if event.receipt is not None else {}
    body = {"hand": state.hand.number, "old": event.old, "new": event.new, "reason": event.reason, "receipt": receipt}
    replaced = Entry(envelope.id, "deck.replaced", body, (), envelope.actor)
    over = [alarm for alarm in state.alarms.values() if alarm.code == WRONG_CARD_COUNT]
    return (
        replaced,
        *(
            Entry(
                f"{envelope.id}/alarm-{number}",
                alarms.CLEARED,
                {"code": alarm.code, "source": alarm.source, "raised": alarm.entry, "why": f"deck {event.new}"},
                (),
                envelope.actor,
            )
            for number, alarm in enumerate(over, 1)
        ),
    )
