"""A hand of Oasis as a table of phases and events: antes, deal, decisions, bought cards, showdown (art. O 1-46)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from controller.core.events import (
    AntePlaced,
    AnteWithdrawn,
    BoxesShared,
    CardCorrected,
    CardRead,
    CardsEntered,
    GameEvent,
    Key,
    KeyPressed,
)
from controller.core.games import transitions
from controller.core.games.banked import OASIS_PAY_TABLE
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
    DEALER,
    Layout,
    correct_card,
    enter_cards,
    first_incomplete,
    is_complete,
    read_in_order,
    seat_place,
)
from controller.core.games.oasis_purchase import CARDS_EACH, can_sell_to, enter_box_cards, read_bought_card
from controller.core.hands import Category
from controller.core.refusal import Refusal, Refused, refuse


class Phase(Enum):
    """BETS: antes may be put down. DEAL: a reader sees the cards go out. DECISIONS: the boxes are asked.
    SHOWDOWN: a reader sees the cards turned up. OVER: settled, nothing but a correction changes it."""

    BETS = "bets"
    DEAL = "deal"
    DECISIONS = "decisions"
    SHOWDOWN = "showdown"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class OasisSettings:
    """A table's figures: seats clockwise from the dealer's left, limits of the ante in minor units."""

    seats: tuple[int, ...]
    minimum_minor: int
    maximum_minor: int
    pay_table: Mapping[Category, int] = field(default_factory=lambda: OASIS_PAY_TABLE)
    payout_limit_minor: int | None = None
    cards_read: CardsRead = CardsRead.NONE
    folded_box_keeps_jackpot: bool = False


@dataclass(frozen=True, slots=True)
class OasisState:
    """One hand. `blind`: boxes whose player sees another of his boxes (art. 71); `cards`: dealt cards at `seat-N` and
    `dealer`, a bought card at `seat-N/in`, the one given for it at `seat-N/out`."""

    phase: Phase = Phase.BETS
    boxes: tuple[BankedBox, ...] = ()
    cards: Layout = field(default_factory=Layout)
    blind: tuple[int, ...] = ()


Answer = OasisState | Refused


def step(settings: OasisSettings, state: OasisState, event: GameEvent) -> Answer:
    """The state after one event; a pair of phase and event outside the table is refused by name."""
    return transitions.step(TRANSITIONS, "oasis", settings, state, event)


def turn(state: OasisState) -> int | None:
    """The first box clockwise that has not decided (art. 28)."""
    return next((box.seat for box in state.boxes if box.decision is None), None)


def _place_ante(settings: OasisSettings, state: OasisState, event: AntePlaced) -> Answer:
    boxes = place_ante(state.boxes, event, settings.seats, settings.minimum_minor, settings.maximum_minor)
    return boxes if isinstance(boxes, Refused) else replace(state, boxes=boxes)


def _withdraw_ante(settings: OasisSettings, state: OasisState, event: AnteWithdrawn) -> Answer:
    boxes = withdraw_ante(state.boxes, event)
    return boxes if isinstance(boxes, Refused) else replace(state, boxes=boxes)


def _close_bets(settings: OasisSettings, state: OasisState, event: KeyPressed) -> Answer:
    """No va más (art. 26)."""
    if not state.boxes:
        return refuse(Refusal.NO_BOX_IN_PLAY)
    return replace(state, phase=Phase.DEAL if settings.cards_read is CardsRead.DEAL else Phase.DECISIONS)


def _share_boxes(settings: OasisSettings, state: OasisState, event: BoxesShared) -> Answer:
    for seat in (*event.seats, event.seen):
        box = box_at(state.boxes, seat)
        if box is None or event.seen not in event.seats:
            return refuse(Refusal.SEAT_NOT_IN_HAND, seat=seat)
        if box.bought and seat != event.seen:
            return refuse(Refusal.ALREADY_BOUGHT, seat=seat)
    others = tuple(seat for seat in state.blind if seat not in event.seats)
    return replace(state, blind=tuple(sorted((*others, *(seat for seat in event.seats if seat != event.seen)))))


def _dealing_order(state: OasisState) -> tuple[tuple[str, int], ...]:
    """Five to each box clockwise, the bank last (art. 26)."""
    return (*((seat_place(box.seat), CARDS_EACH) for box in state.boxes), (DEALER, CARDS_EACH))


def _showdown_order(state: OasisState) -> tuple[tuple[str, int], ...]:
    """The bank's cards first, then those of each box still in, clockwise (art. 40)."""
    boxes = ((_shown_place(box), CARDS_EACH) for box in played_boxes(state.boxes))
    return ((DEALER, CARDS_EACH), *boxes)


def _shown_place(box: BankedBox) -> str:
    return f"{seat_place(box.seat)}/final" if box.bought else seat_place(box.seat)


def _after_deal(state: OasisState) -> OasisState:
    dealt = state.phase is Phase.DEAL and is_complete(state.cards, _dealing_order(state))
    return replace(state, phase=Phase.DECISIONS) if dealt else state


def _read_dealt_card(settings: OasisSettings, state: OasisState, event: CardRead) -> Answer:
    cards = read_in_order(state.cards, event.card, _dealing_order(state))
    return cards if isinstance(cards, Refused) else _after_deal(replace(state, cards=cards))


def _deal_without_reader(settings: OasisSettings, state: OasisState, event: KeyPressed) -> Answer:
    """The dealer says the deal is done though the reader has not seen all of it: a card it missed has shifted the
    others to wrong boxes, so nothing it read is kept, and the hand goes on as at a table without a reader."""
    return replace(state, phase=Phase.DECISIONS, cards=Layout(corrections=state.cards.corrections))


def _read_later_card(settings: OasisSettings, state: OasisState, event: CardRead) -> Answer:
    """During the decisions a reader sees bought cards, or, where it stands at the showdown, the first card of that."""
    if settings.cards_read is CardsRead.SHOWDOWN:
        asked = turn(state)
        if asked is not None:
            return refuse(Refusal.DECISION_MISSING, seat=asked)
        return _read_shown_card(settings, replace(state, phase=Phase.SHOWDOWN), event)
    cards = read_bought_card(state.cards, state.boxes, event.card)
    return cards if isinstance(cards, Refused) else replace(state, cards=cards)


def _read_shown_card(settings: OasisSettings, state: OasisState, event: CardRead) -> Answer:
    cards = read_in_order(state.cards, event.card, _showdown_order(state))
    return cards if isinstance(cards, Refused) else replace(state, cards=cards)


def _play(settings: OasisSettings, state: OasisState, event: KeyPressed) -> Answer:
    boxes = decide(state.boxes, turn(state), event, Decision.PLAY)
    return boxes if isinstance(boxes, Refused) else replace(state, boxes=boxes)


def _fold(settings: OasisSettings, state: OasisState, event: KeyPressed) -> Answer:
    boxes = decide(state.boxes, turn(state), event, Decision.FOLD)
    return boxes if isinstance(boxes, Refused) else replace(state, boxes=boxes)


def _buy(settings: OasisSettings, state: OasisState, event: KeyPressed) -> Answer:
    """One card for the price of the ante, after the bet is down (art. 31-33, 36, 71); no seat = the box asked last."""
    last = next((box.seat for box in reversed(state.boxes) if box.decision is not None), None)
    seat = last if event.seat is None else event.seat
    box = box_at(state.boxes, seat)
    if box is None or seat is None:
        return refuse(Refusal.SEAT_NOT_IN_HAND, seat=seat or 0)
    refused = can_sell_to(state.boxes, state.blind, box, event.amount_minor)
    return refused or replace(state, boxes=with_box(state.boxes, replace(box, bought=True)))


def _enter(settings: OasisSettings, state: OasisState, event: CardsEntered) -> Answer:
    box = next((box for box in state.boxes if seat_place(box.seat) == event.place), None)
    if event.place == DEALER:
        cards = enter_cards(state.cards, DEALER, event.cards, CARDS_EACH)
    elif box is not None:
        cards = enter_box_cards(state.cards, box, event.cards)
    else:
        return refuse(Refusal.SEAT_NOT_IN_HAND, place=event.place)
    return cards if isinstance(cards, Refused) else _after_deal(replace(state, cards=cards))


def _correct(settings: OasisSettings, state: OasisState, event: CardCorrected) -> Answer:
    cards = correct_card(state.cards, event.place, event.old, event.new)
    return cards if isinstance(cards, Refused) else replace(state, cards=cards)


def _hand_over(settings: OasisSettings, state: OasisState, event: KeyPressed) -> Answer:
    """Art. 46. Where cards were read or entered, each place must hold all of its cards or none."""
    asked = turn(state)
    if asked is not None:
        return refuse(Refusal.DECISION_MISSING, seat=asked)
    refused = first_incomplete(state.cards, _dealing_order(state)) or first_incomplete(
        state.cards, _showdown_order(state)
    )
    return refused or replace(state, phase=Phase.OVER)


TRANSITIONS: transitions.Transitions[OasisSettings, OasisState] = {
    (Phase.BETS, AntePlaced): _place_ante,
    (Phase.BETS, AnteWithdrawn): _withdraw_ante,
    (Phase.BETS, BoxesShared): _share_boxes,
    (Phase.BETS, Key.CLOSE_BETS): _close_bets,
    (Phase.DEAL, CardRead): _read_dealt_card,
    (Phase.DEAL, CardsEntered): _enter,
    (Phase.DEAL, CardCorrected): _correct,
    (Phase.DEAL, BoxesShared): _share_boxes,
    (Phase.DEAL, Key.DEAL): _deal_without_reader,
    (Phase.DECISIONS, CardRead): _read_later_card,
    (Phase.DECISIONS, CardsEntered): _enter,
    (Phase.DECISIONS, CardCorrected): _correct,
    (Phase.DECISIONS, BoxesShared): _share_boxes,
    (Phase.DECISIONS, Key.PLAY): _play,
    (Phase.DECISIONS, Key.FOLD): _fold,
    (Phase.DECISIONS, Key.BUY): _buy,
    (Phase.DECISIONS, Key.HAND_OVER): _hand_over,
    (Phase.SHOWDOWN, CardRead): _read_shown_card,
    (Phase.SHOWDOWN, CardsEntered): _enter,
    (Phase.SHOWDOWN, CardCorrected): _correct,
    (Phase.SHOWDOWN, Key.HAND_OVER): _hand_over,
    (Phase.OVER, CardCorrected): _correct,
}
