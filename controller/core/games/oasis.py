"""Oasis poker as a table sees it: the boxes, the cards that count for the jackpot and the draws, the bank's advice."""

from controller.core.cards import Card
from controller.core.events import GameEvent
from controller.core.games import oasis_hand
from controller.core.games.banked import oasis_result
from controller.core.games.boxes import CardsRead, box_at
from controller.core.games.game import BaseResult, Box, Stage
from controller.core.games.layout import DEALER, seat_place
from controller.core.games.oasis_hand import OasisSettings, OasisState, Phase
from controller.core.games.oasis_purchase import CARDS_EACH, final_cards
from controller.core.refusal import Refused

__all__ = ["CardsRead", "Oasis", "OasisSettings", "OasisState", "Phase"]


class Oasis:
    """The game of a table; see `controller.core.games.game.Game` for what each function answers."""

    name = "oasis"

    def __init__(self, settings: OasisSettings) -> None:
        self.settings = settings

    def first_hand(self) -> OasisState:
        return OasisState()

    def next_hand(self, state: OasisState) -> OasisState:
        return OasisState()

    def undone(self, state: OasisState) -> OasisState:
        """The table holds none of the base game's chips."""
        return state

    def step(self, state: OasisState, event: GameEvent) -> OasisState | Refused:
        return oasis_hand.step(self.settings, state, event)

    def follows(self, state: OasisState) -> GameEvent | None:
        return None

    def stage(self, state: OasisState) -> Stage:
        if state.phase is Phase.BETS:
            return Stage.BETS
        return Stage.OVER if state.phase is Phase.OVER else Stage.PLAY

    def phase(self, state: OasisState) -> str:
        return state.phase.value

    def turn(self, state: OasisState) -> int | None:
        return oasis_hand.turn(state) if state.phase is Phase.DECISIONS else None

    def boxes(self, state: OasisState) -> tuple[Box, ...]:
        return tuple(
            Box(
                seat=box.seat,
                ante_minor=box.ante_minor,
                cards=final_cards(state.cards, box) or state.cards.at(seat_place(box.seat)),
                folded=box.folded,
                bought=box.bought,
                decided=box.decision is not None,
            )
            for box in state.boxes
        )

    def has_ante(self, state: OasisState, seat: int) -> bool:
        return box_at(state.boxes, seat) is not None

    def dealer(self, state: OasisState) -> tuple[Card, ...]:
        return state.cards.at(DEALER)

    def board(self, state: OasisState) -> tuple[Card, ...]:
        return ()

    def jackpot_cards(self, state: OasisState, seat: int) -> tuple[Card, ...] | None:
        """Art. 34, 51: the first five cards only."""
        cards = state.cards.at(seat_place(seat))
        return cards if len(cards) == CARDS_EACH and not self.lost_jackpot(state, seat) else None

    def lost_jackpot(self, state: OasisState, seat: int) -> bool:
        box = box_at(state.boxes, seat)
        return box is None or box.bought or (box.folded and not self.settings.folded_box_keeps_jackpot)

    def magic_cards(self, state: OasisState, seat: int) -> tuple[Card, ...]:
        """The five dealt cards, also of a buyer (art. 64); a folded box's were collected unseen."""
        box = box_at(state.boxes, seat)
        return () if box is None or box.folded else state.cards.at(seat_place(seat))

    def settlement(self, state: OasisState) -> tuple[BaseResult, ...]:
        """One result for each box whose outcome is known: all of them once every card is."""
        dealer = state.cards.at(DEALER)
        results = []
        for box in state.boxes:
            cards = final_cards(state.cards, box)
            if not box.folded and (len(dealer) < CARDS_EACH or len(cards) < CARDS_EACH):
                continue
            results.append(
                oasis_result(
                    box.seat,
                    box.ante_minor,
                    cards,
                    dealer,
                    folded=box.folded,
                    bought=box.bought,
                    pay_table=self.settings.pay_table,
                    payout_limit_minor=self.settings.payout_limit_minor,
                )
            )
        return tuple(results)

    def deadline(self, state: OasisState) -> tuple[str, int] | None:
        return None
