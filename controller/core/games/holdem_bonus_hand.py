"""A hand of Texas Hold'em Bonus as a table of phases and events: antes, deal, bets, board, showdown (art. B 9-11)."""

from dataclasses import dataclass, field, replace
from enum import Enum

from controller.core.events import (
    AntePlaced,
    AnteWithdrawn,
    CardCorrected,
    CardRead,
    CardsEntered,
    GameEvent,
    Key,
    KeyPressed,
)
from controller.core.games import transitions
from controller.core.games.boxes import (
    BankedBox,
    CardsRead,
    Decision,
    box_at,
    decide,
    place_ante,
    played_boxes,
    with_box,
    withdraw_ante,
)
from controller.core.games.layout import (
    BOARD,
    DEALER,
    Layout,
    correct_card,
    enter_cards,
    first_incomplete,
    is_complete,
    read_in_order,
    seat_place,
)
from controller.core.hands import Category
from controller.core.refusal import Refusal, Refused, refuse

HOLE_CARDS = 2
FLOP_CARDS = 3
BOARD_CARDS = 5


class BonusCards(Enum):
    """Reading B-b: which cards count for the bonus."""

    BEST_OF_SEVEN = "best_of_seven"
    HOLE_AND_FLOP = "hole_and_flop"


class Phase(Enum):
    """BETS: antes may be put down. DEAL: a reader sees the two rounds. FLOP_BETS: the boxes fold or bet twice the ante.
    FLOP, TURN, RIVER: a card is burned and the board grows. TURN_BETS, RIVER_BETS: the boxes bet an ante or check.
    SHOWDOWN: cards are turned up. OVER: settled, nothing but a correction changes it."""

    BETS = "bets"
    DEAL = "deal"
    FLOP_BETS = "flop_bets"
    FLOP = "flop"
    TURN_BETS = "turn_bets"
    TURN = "turn"
    RIVER_BETS = "river_bets"
    RIVER = "river"
    SHOWDOWN = "showdown"
    OVER = "over"


AFTER_BOARD = {Phase.FLOP: Phase.TURN_BETS, Phase.TURN: Phase.RIVER_BETS, Phase.RIVER: Phase.SHOWDOWN}
AFTER_BETS = {Phase.FLOP_BETS: Phase.FLOP, Phase.TURN_BETS: Phase.TURN, Phase.RIVER_BETS: Phase.RIVER}
BOARD_IN = {Phase.FLOP: FLOP_CARDS, Phase.TURN: FLOP_CARDS + 1, Phase.RIVER: BOARD_CARDS}
"""Cards on the board at the end of each of its phases."""


@dataclass(frozen=True, slots=True)
class HoldemBonusSettings:
    """A table's figures: seats clockwise from the dealer's left, limits of the ante in minor units.

    A reader at the deal sees burned cards too; one at the showdown sees the board and what is turned up.
    """

    seats: tuple[int, ...]
    minimum_minor: int
    maximum_minor: int
    ante_pays_from: Category = Category.STRAIGHT
    cards_read: CardsRead = CardsRead.NONE
    bonus_cards: BonusCards = BonusCards.BEST_OF_SEVEN
    folded_box_keeps_jackpot: bool = False


@dataclass(frozen=True, slots=True)
class HoldemBonusState:
    """One hand; cards at `seat-N`, `dealer`, `board`, and the burned ones at `burn/1`, `burn/2`, `burn/3`."""

    phase: Phase = Phase.BETS
    boxes: tuple[BankedBox, ...] = ()
    cards: Layout = field(default_factory=Layout)


Settings = HoldemBonusSettings
Answer = HoldemBonusState | Refused


def step(settings: Settings, state: HoldemBonusState, event: GameEvent) -> Answer:
    """The state after one event; a pair of phase and event outside the table is refused by name."""
    return transitions.step(TRANSITIONS, "holdem-bonus", settings, state, event)


def turn(state: HoldemBonusState) -> int | None:
    """The first box, left to right, that has not answered in this round of bets."""
    match state.phase:
        case Phase.FLOP_BETS:
            return next((box.seat for box in state.boxes if box.decision is None), None)
        case Phase.TURN_BETS:
            return next((box.seat for box in played_boxes(state.boxes) if box.turn_bet is None), None)
        case Phase.RIVER_BETS:
            return next((box.seat for box in played_boxes(state.boxes) if box.river_bet is None), None)
        case _:
            return None


def _place_ante(settings: Settings, state: HoldemBonusState, event: AntePlaced) -> Answer:
    boxes = place_ante(state.boxes, event, settings.seats, settings.minimum_minor, settings.maximum_minor)
    return boxes if isinstance(boxes, Refused) else replace(state, boxes=boxes)


def _withdraw_ante(settings: Settings, state: HoldemBonusState, event: AnteWithdrawn) -> Answer:
    boxes = withdraw_ante(state.boxes, event)
    return boxes if isinstance(boxes, Refused) else replace(state, boxes=boxes)


def _close_bets(settings: Settings, state: HoldemBonusState, event: KeyPressed) -> Answer:
    """Art. 9: at least one player."""
    if not state.boxes:
        return refuse(Refusal.NO_BOX_IN_PLAY)
    return replace(state, phase=Phase.DEAL if settings.cards_read is CardsRead.DEAL else Phase.FLOP_BETS)


def _dealing_order(state: HoldemBonusState) -> tuple[tuple[str, int], ...]:
    """Two rounds of one card to each box left to right, the dealer last in each (art. 10)."""
    places = (*(seat_place(box.seat) for box in state.boxes), DEALER)
    return tuple((place, cards) for cards in range(1, HOLE_CARDS + 1) for place in places)


def _board_order(settings: Settings, phase: Phase) -> tuple[tuple[str, int], ...]:
    """A burned card, where the reader sees it, then the cards of the board."""
    street = list(AFTER_BOARD).index(phase) + 1
    board = (BOARD, BOARD_IN[phase])
    return ((f"burn/{street}", 1), board) if settings.cards_read is CardsRead.DEAL else (board,)


def _showdown_order(state: HoldemBonusState) -> tuple[tuple[str, int], ...]:
    """The dealer turns up his two cards, then opens the boxes from the last one down (art. 11)."""
    boxes = ((seat_place(box.seat), HOLE_CARDS) for box in reversed(played_boxes(state.boxes)))
    return ((DEALER, HOLE_CARDS), *boxes)


def _after_deal(state: HoldemBonusState) -> HoldemBonusState:
    complete = state.phase is Phase.DEAL and is_complete(state.cards, _dealing_order(state)[-len(state.boxes) - 1 :])
    return replace(state, phase=Phase.FLOP_BETS) if complete else state


def _after_board(state: HoldemBonusState) -> HoldemBonusState:
    need = BOARD_IN.get(state.phase)
    complete = need is not None and len(state.cards.at(BOARD)) == need
    return replace(state, phase=AFTER_BOARD[state.phase]) if complete else state


def _after_bets(state: HoldemBonusState) -> HoldemBonusState:
    """The next phase once the last box has answered; without a box in play there is no board."""
    if turn(state) is not None:
        return state
    return replace(state, phase=AFTER_BETS[state.phase] if played_boxes(state.boxes) else Phase.SHOWDOWN)


def _read_dealt_card(settings: Settings, state: HoldemBonusState, event: CardRead) -> Answer:
    cards = read_in_order(state.cards, event.card, _dealing_order(state))
    return cards if isinstance(cards, Refused) else _after_deal(replace(state, cards=cards))


def _deal_without_reader(settings: Settings, state: HoldemBonusState, event: KeyPressed) -> Answer:
    """The dealer says the deal is done though the reader has not seen all of it: a card it missed has shifted the
    others to wrong boxes, so nothing it read is kept."""
    return replace(state, phase=Phase.FLOP_BETS, cards=Layout(corrections=state.cards.corrections))


def _read_board_card(settings: Settings, state: HoldemBonusState, event: CardRead) -> Answer:
    cards = read_in_order(state.cards, event.card, _board_order(settings, state.phase))
    return cards if isinstance(cards, Refused) else _after_board(replace(state, cards=cards))


def _board_without_reader(settings: Settings, state: HoldemBonusState, event: KeyPressed) -> Answer:
    """The street is on the table and nobody reads it; cards that were read must be all of the street's."""
    have, before = len(state.cards.at(BOARD)), BOARD_IN[state.phase] - (3 if state.phase is Phase.FLOP else 1)
    if have > before:
        return refuse(Refusal.CARDS_MISSING, place=BOARD, cards=have, need=BOARD_IN[state.phase])
    return replace(state, phase=AFTER_BOARD[state.phase])


def _read_folding_card(settings: Settings, state: HoldemBonusState, event: CardRead) -> Answer:
    """Art. 8: a box that folds shows its two cards; a reader of shown cards sees them before the dealer's key."""
    asked = turn(state)
    if settings.cards_read is not CardsRead.SHOWDOWN or asked is None:
        return refuse(Refusal.CARDS_COMPLETE, card=event.card)
    cards = read_in_order(state.cards, event.card, ((seat_place(asked), HOLE_CARDS),))
    return cards if isinstance(cards, Refused) else replace(state, cards=cards)


def _read_shown_card(settings: Settings, state: HoldemBonusState, event: CardRead) -> Answer:
    cards = read_in_order(state.cards, event.card, _showdown_order(state))
    return cards if isinstance(cards, Refused) else replace(state, cards=cards)


def _play(settings: Settings, state: HoldemBonusState, event: KeyPressed) -> Answer:
    """The flop bet of twice the ante (art. 9f, 11)."""
    return _decided(state, event, Decision.PLAY)


def _fold(settings: Settings, state: HoldemBonusState, event: KeyPressed) -> Answer:
    """The ante is lost (art. 11)."""
    return _decided(state, event, Decision.FOLD)


def _decided(state: HoldemBonusState, event: KeyPressed, decision: Decision) -> Answer:
    # Art. 8: the cards of a box that folds are shown to be two before they go to the discard.
    refused = first_incomplete(state.cards, [(seat_place(box.seat), HOLE_CARDS) for box in state.boxes])
    if refused is not None:
        return refused
    boxes = decide(state.boxes, turn(state), event, decision)
    return boxes if isinstance(boxes, Refused) else _after_bets(replace(state, boxes=boxes))


def _bet(settings: Settings, state: HoldemBonusState, event: KeyPressed) -> Answer:
    """An optional bet of the ante's amount (art. 11)."""
    return _answered(state, event, True)


def _check(settings: Settings, state: HoldemBonusState, event: KeyPressed) -> Answer:
    return _answered(state, event, False)


def _answered(state: HoldemBonusState, event: KeyPressed, bets: bool) -> Answer:
    asked = turn(state)
    seat = asked if event.seat is None else event.seat
    box = box_at(state.boxes, seat)
    if box is None or seat is None:
        return refuse(Refusal.SEAT_NOT_IN_HAND, seat=seat or 0)
    if box.folded:
        return refuse(Refusal.BOX_FOLDED, seat=seat)
    if seat != asked:
        answered = box.turn_bet if state.phase is Phase.TURN_BETS else box.river_bet
        reason = Refusal.NOT_YOUR_TURN if answered is None else Refusal.ALREADY_DECIDED
        return refuse(reason, seat=seat, turn=asked or 0)
    if bets and event.amount_minor not in (None, box.ante_minor):
        return refuse(Refusal.BET_WRONG_AMOUNT, seat=seat, amount=event.amount_minor, exact=box.ante_minor)
    on_turn = state.phase is Phase.TURN_BETS
    done = replace(box, turn_bet=bets) if on_turn else replace(box, river_bet=bets)
    return _after_bets(replace(state, boxes=with_box(state.boxes, done)))


def _enter(settings: Settings, state: HoldemBonusState, event: CardsEntered) -> Answer:
    boxes = [seat_place(box.seat) for box in state.boxes]
    if event.place == BOARD:
        need = BOARD_IN.get(state.phase, BOARD_CARDS if state.phase is Phase.SHOWDOWN else 0)
        if need == 0:
            return refuse(Refusal.WRONG_PHASE, place=BOARD, phase=state.phase.value)
        cards = enter_cards(state.cards, BOARD, event.cards, need)
    elif event.place == DEALER or event.place in boxes:
        cards = enter_cards(state.cards, event.place, event.cards, HOLE_CARDS)
    else:
        return refuse(Refusal.SEAT_NOT_IN_HAND, place=event.place)
    return cards if isinstance(cards, Refused) else _after_board(_after_deal(replace(state, cards=cards)))


def _correct(settings: Settings, state: HoldemBonusState, event: CardCorrected) -> Answer:
    cards = correct_card(state.cards, event.place, event.old, event.new)
    return cards if isinstance(cards, Refused) else replace(state, cards=cards)


def _hand_over(settings: Settings, state: HoldemBonusState, event: KeyPressed) -> Answer:
    """Where cards were read or entered, each place must hold all of its cards or none."""
    places = [(seat_place(box.seat), HOLE_CARDS) for box in state.boxes]
    refused = first_incomplete(state.cards, [(DEALER, HOLE_CARDS), *places, (BOARD, BOARD_CARDS)])
    return refused or replace(state, phase=Phase.OVER)


_IN_PLAY = [phase for phase in Phase if phase not in (Phase.BETS, Phase.OVER)]
TRANSITIONS: transitions.Transitions[HoldemBonusSettings, HoldemBonusState] = {
    (Phase.BETS, AntePlaced): _place_ante,
    (Phase.BETS, AnteWithdrawn): _withdraw_ante,
    (Phase.BETS, Key.CLOSE_BETS): _close_bets,
    (Phase.DEAL, CardRead): _read_dealt_card,
    (Phase.DEAL, Key.DEAL): _deal_without_reader,
    (Phase.FLOP_BETS, CardRead): _read_folding_card,
    (Phase.FLOP_BETS, Key.PLAY): _play,
    (Phase.FLOP_BETS, Key.FOLD): _fold,
    **{(phase, CardRead): _read_board_card for phase in AFTER_BOARD},
    **{(phase, Key.DEAL): _board_without_reader for phase in AFTER_BOARD},
    **{(phase, Key.BET): _bet for phase in (Phase.TURN_BETS, Phase.RIVER_BETS)},
    **{(phase, Key.CHECK): _check for phase in (Phase.TURN_BETS, Phase.RIVER_BETS)},
    (Phase.SHOWDOWN, CardRead): _read_shown_card,
    (Phase.SHOWDOWN, Key.HAND_OVER): _hand_over,
    **{(phase, CardsEntered): _enter for phase in _IN_PLAY},
    **{(phase, CardCorrected): _correct for phase in (*_IN_PLAY, Phase.OVER)},
}
