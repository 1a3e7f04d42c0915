"""Texas Hold'em Bonus as a table sees it: the boxes, the cards that count for the bonus and the draws, the advice."""

from controller.core.cards import Card
from controller.core.events import GameEvent
from controller.core.games import holdem_bonus_hand
from controller.core.games.banked import bonus_result
from controller.core.games.boxes import CardsRead, box_at
from controller.core.games.game import BaseResult, Box, Stage
from controller.core.games.holdem_bonus_hand import (
    BOARD_CARDS,
    FLOP_CARDS,
    HOLE_CARDS,
    BonusCards,
    HoldemBonusSettings,
    HoldemBonusState,
    Phase,
)
from controller.core.games.layout import BOARD, DEALER, seat_place
from controller.core.refusal import Refused

__all__ = ["BonusCards", "CardsRead", "HoldemBonus", "HoldemBonusSettings", "HoldemBonusState", "Phase"]


class HoldemBonus:
    """The game of a table; see `controller.core.games.game.Game` for what each function answers."""

    name = "holdem-bonus"

    def __init__(self, settings: HoldemBonusSettings) -> None:
        self.settings = settings

    def first_hand(self) -> HoldemBonusState:
        return HoldemBonusState()

    def next_hand(self, state: HoldemBonusState) -> HoldemBonusState:
        return HoldemBonusState()

    def undone(self, state: HoldemBonusState) -> HoldemBonusState:
        """The table holds none of the base game's chips."""
        return state

    def step(self, state: HoldemBonusState, event: GameEvent) -> HoldemBonusState | Refused:
        return holdem_bonus_hand.step(self.settings, state, event)

    def follows(self, state: HoldemBonusState) -> GameEvent | None:
        return None

    def stage(self, state: HoldemBonusState) -> Stage:
        if state.phase is Phase.BETS:
            return Stage.BETS
        return Stage.OVER if state.phase is Phase.OVER else Stage.PLAY

    def phase(self, state: HoldemBonusState) -> str:
        return state.phase.value

    def turn(self, state: HoldemBonusState) -> int | None:
        return holdem_bonus_hand.turn(state)

    def boxes(self, state: HoldemBonusState) -> tuple[Box, ...]:
        return tuple(
            Box(
                seat=box.seat,
                ante_minor=box.ante_minor,
                cards=state.cards.at(seat_place(box.seat)),
                folded=box.folded,
                decided=box.decision is not None,
            )
            for box in state.boxes
        )

    def has_ante(self, state: HoldemBonusState, seat: int) -> bool:
        return box_at(state.boxes, seat) is not None

    def dealer(self, state: HoldemBonusState) -> tuple[Card, ...]:
        return state.cards.at(DEALER)

    def board(self, state: HoldemBonusState) -> tuple[Card, ...]:
        return state.cards.at(BOARD)

    def jackpot_cards(self, state: HoldemBonusState, seat: int) -> tuple[Card, ...] | None:
        """Art. 13: whatever the dealer holds; the best five of all seven, or the two and the flop (reading B-b)."""
        hole, board = state.cards.at(seat_place(seat)), state.cards.at(BOARD)
        is_seven = self.settings.bonus_cards is BonusCards.BEST_OF_SEVEN
        need = BOARD_CARDS if is_seven else FLOP_CARDS
        if len(hole) < HOLE_CARDS or len(board) < need or self.lost_jackpot(state, seat):
            return None
        return (*hole, *board[:need])

    def lost_jackpot(self, state: HoldemBonusState, seat: int) -> bool:
        """Reading B-c: a folded box loses its bonus."""
        box = box_at(state.boxes, seat)
        return box is None or (box.folded and not self.settings.folded_box_keeps_jackpot)

    def magic_cards(self, state: HoldemBonusState, seat: int) -> tuple[Card, ...]:
        """The two hole cards, also of a folded box, which had to show them (art. 8, reading O-q)."""
        return state.cards.at(seat_place(seat))

    def settlement(self, state: HoldemBonusState) -> tuple[BaseResult, ...]:
        """One result for each box whose outcome is known: all of them once every card is."""
        dealer, board = state.cards.at(DEALER), state.cards.at(BOARD)
        results = []
        for box in state.boxes:
            hole = state.cards.at(seat_place(box.seat))
            known = (len(dealer), len(hole), len(board)) == (HOLE_CARDS, HOLE_CARDS, BOARD_CARDS)
            if not box.folded and not known:
                continue
            results.append(
                bonus_result(
                    box.seat,
                    box.ante_minor,
                    hole,
                    dealer,
                    board,
                    folded=box.folded,
                    turn_bet=box.turn_bet is True,
                    river_bet=box.river_bet is True,
                    ante_pays_from=self.settings.ante_pays_from,
                )
            )
        return tuple(results)

    def deadline(self, state: HoldemBonusState) -> tuple[str, int] | None:
        return None
