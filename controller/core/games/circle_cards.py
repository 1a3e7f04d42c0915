"""Cards of a circle hand as they are read, entered and corrected, with the dealer's mistakes (art. C 45-47, 61-64)."""

from collections.abc import Sequence
from dataclasses import replace

from controller.core.cards import Card
from controller.core.games.boxes import CardsRead
from controller.core.games.circle_betting import BOARD_CARDS, STREETS, Street
from controller.core.games.circle_course import street_dealt
from controller.core.games.circle_showdown import show_order
from controller.core.games.circle_state import (
    BOARD_PHASES,
    HOLE_CARDS,
    STREET_OF,
    VOIDED,
    CircleState,
    Phase,
    board_order,
    burn_place,
    dealing_order,
    redealt,
)
from controller.core.games.circle_table import CircleSettings
from controller.core.games.layout import (
    BOARD,
    Layout,
    add_card,
    correct_card,
    enter_cards,
    is_complete,
    read_in_order,
    seat_place,
)
from controller.core.pots import clockwise_from
from controller.core.refusal import Refusal, Refused, refuse

Answer = CircleState | Refused


def read_hole(state: CircleState, card: Card) -> Answer:
    """The next card of the deal."""
    cards = read_in_order(state.cards, card, dealing_order(state))
    return cards if isinstance(cards, Refused) else _after_deal(replace(state, cards=cards))


def absent_dealt(settings: CircleSettings, state: CircleState, seat: int) -> Answer:
    """A seat that does not play is dealt to as if it did; its cards are collected after the deal (art. 62)."""
    if seat not in settings.seats:
        return refuse(Refusal.UNKNOWN_SEAT, seat=seat)
    if seat in state.dealt:
        return refuse(Refusal.ALREADY_DECIDED, seat=seat)
    dealt = clockwise_from(state.bets.button, (*state.dealt, seat))
    return _after_deal(redealt(state, dealt))


def read_board(settings: CircleSettings, state: CircleState, card: Card) -> Answer:
    """The burned card where the reader sees it, then the board."""
    order = board_order(state, settings.cards_read is CardsRead.DEAL)
    cards = read_in_order(state.cards, card, order)
    return cards if isinstance(cards, Refused) else _after_board(replace(state, cards=cards))


def read_early(settings: CircleSettings, state: CircleState, card: Card) -> Answer:
    """A board card that should not be seen yet.

    Before anybody has acted in the street it is one too many: the first is the next burned card, the others are void
    (art. 64). After that it was shown before the bets were over: it is void and another takes its place (art. 63).
    """
    street = STREET_OF[state.phase]
    place = VOIDED
    if street not in (Street.PREFLOP, Street.RIVER) and not state.bets.last:
        following = burn_place(STREETS[STREETS.index(street) + 1])
        place = VOIDED if state.cards.at(following) else following
    cards = add_card(state.cards, place, card)
    return cards if isinstance(cards, Refused) else replace(state, cards=cards)


def read_shown(state: CircleState, card: Card) -> Answer:
    """Cards turned up at the showdown, in its order, where they were not read at the deal (art. 71)."""
    order = ((BOARD, BOARD_CARDS[Street.RIVER]), *((seat_place(seat), HOLE_CARDS) for seat in shown_seats(state)))
    cards = read_in_order(state.cards, card, order if not state.bets.is_over else ())
    return cards if isinstance(cards, Refused) else replace(state, cards=cards)


def shown_seats(state: CircleState) -> tuple[int, ...]:
    """Who turns up his cards, in order: not those who muck."""
    return tuple(seat for seat in show_order(state.bets) if seat not in state.mucked)


def deal_without_reader(state: CircleState) -> Answer:
    """The dealer says that the cards lie there though no reader has seen all of them.

    A hole card that was missed has shifted the others, so nothing of that deal is kept; a street is whole or unread.
    """
    if state.phase is Phase.DEAL:
        return street_dealt(replace(state, cards=Layout(corrections=state.cards.corrections)))
    street = BOARD_PHASES[state.phase]
    have, need = len(state.cards.at(BOARD)), BOARD_CARDS[street]
    if BOARD_CARDS[STREETS[STREETS.index(street) - 1]] < have < need:
        return refuse(Refusal.CARDS_MISSING, place=BOARD, cards=have, need=need)
    return street_dealt(state)


def enter(state: CircleState, place: str, cards: Sequence[Card]) -> Answer:
    """Cards of a seat or of the board as people enter them."""
    if place == BOARD:
        street = STREET_OF.get(state.phase, Street.RIVER)
        if street is Street.PREFLOP:
            return refuse(Refusal.WRONG_PHASE, place=BOARD, phase=state.phase.value)
        entered = enter_cards(state.cards, BOARD, cards, BOARD_CARDS[street])
    elif place in [seat_place(seat) for seat in state.dealt]:
        entered = enter_cards(state.cards, place, cards, HOLE_CARDS)
    else:
        return refuse(Refusal.SEAT_NOT_IN_HAND, place=place)
    return entered if isinstance(entered, Refused) else _after_board(_after_deal(replace(state, cards=entered)))


def correct(state: CircleState, place: str, old: Card, new: Card) -> Answer:
    """A misread card, with its trace."""
    cards = correct_card(state.cards, place, old, new)
    return cards if isinstance(cards, Refused) else replace(state, cards=cards)


def _after_deal(state: CircleState) -> CircleState:
    places = [(seat_place(seat), HOLE_CARDS) for seat in state.dealt]
    return street_dealt(state) if state.phase is Phase.DEAL and is_complete(state.cards, places) else state


def _after_board(state: CircleState) -> CircleState:
    street = BOARD_PHASES.get(state.phase)
    if street is None or len(state.cards.at(BOARD)) != BOARD_CARDS[street]:
        return state
    return street_dealt(state)
