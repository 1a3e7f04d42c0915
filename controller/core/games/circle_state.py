"""A hand of the circle game: its phases, its cards in the order of the deal, its bets, its payment."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from controller.core.cards import Card
from controller.core.games.circle_betting import BOARD_CARDS, Betting, Street
from controller.core.games.circle_showdown import Payout
from controller.core.games.circle_table import CircleTable
from controller.core.games.layout import BOARD, Layout, seat_place

HOLE_CARDS = 2
VOIDED = "void"
"""Place of board cards shown too early or too many (art. 63-64)."""


class Phase(Enum):
    """BETS: between hands; players come, go, rest and rebuy, jackpot bets are open. DEAL: two cards to each.
    FLOP, TURN, RIVER: a card is burned and the board grows. *_BETS: the seats are asked in turn.
    SHOWDOWN: cards are turned up. OVER: paid."""

    BETS = "bets"
    DEAL = "preflop"
    PREFLOP_BETS = "preflop_bets"
    FLOP = "flop"
    FLOP_BETS = "flop_bets"
    TURN = "turn"
    TURN_BETS = "turn_bets"
    RIVER = "river"
    RIVER_BETS = "river_bets"
    SHOWDOWN = "showdown"
    OVER = "over"


STREET_OF = {
    Phase.DEAL: Street.PREFLOP,
    Phase.PREFLOP_BETS: Street.PREFLOP,
    Phase.FLOP: Street.FLOP,
    Phase.FLOP_BETS: Street.FLOP,
    Phase.TURN: Street.TURN,
    Phase.TURN_BETS: Street.TURN,
    Phase.RIVER: Street.RIVER,
    Phase.RIVER_BETS: Street.RIVER,
}
BETS_OF = {
    Street.PREFLOP: Phase.PREFLOP_BETS,
    Street.FLOP: Phase.FLOP_BETS,
    Street.TURN: Phase.TURN_BETS,
    Street.RIVER: Phase.RIVER_BETS,
}
BOARD_PHASES = {Phase.FLOP: Street.FLOP, Phase.TURN: Street.TURN, Phase.RIVER: Street.RIVER}
AFTER_BETS = {
    Phase.PREFLOP_BETS: Phase.FLOP,
    Phase.FLOP_BETS: Phase.TURN,
    Phase.TURN_BETS: Phase.RIVER,
    Phase.RIVER_BETS: Phase.SHOWDOWN,
}


class Clock(Enum):
    """Art. 50: the time to act, then the seconds that the dealer counts aloud."""

    ACTION = "action"
    LAST_SECONDS = "last_seconds"


@dataclass(frozen=True, slots=True)
class CircleState:
    """A hand, and the table as it was when the hand began.

    before: the table to go back to when the hand is void. dealt: seats that get cards, in order. acts: counts what
    restarts the clock. dead: missed blinds in the pot; missed: who paid them. mucked: who does not show (art. 71).
    told: the showdown as people told it. returned: the uncovered part and whose it was. back: between hands, the table
    that a void of the hand just paid goes back to; None where its chips are no longer there.
    """

    table: CircleTable = field(default_factory=CircleTable)
    before: CircleTable | None = None
    back: CircleTable | None = None
    phase: Phase = Phase.BETS
    dealt: tuple[int, ...] = ()
    betting: Betting | None = None
    cards: Layout = field(default_factory=Layout)
    dead: int = 0
    missed: Mapping[int, int] = field(default_factory=dict)
    acts: int = 0
    clock: Clock = Clock.ACTION
    mucked: frozenset[int] = frozenset()
    told: tuple[tuple[int, ...], ...] = ()
    returned: tuple[int, int] | None = None
    payout: Payout | None = None
    sanctions: tuple[tuple[int, str, str], ...] = ()

    @property
    def bets(self) -> Betting:
        """The bets of a hand that has begun."""
        assert self.betting is not None, "no bets between hands"
        return self.betting


def dealing_order(state: CircleState) -> tuple[tuple[str, int], ...]:
    """Two rounds of one card, from the seat left of the button (art. 44)."""
    return tuple((seat_place(seat), cards) for cards in range(1, HOLE_CARDS + 1) for seat in state.dealt)


def board_order(state: CircleState, burns_seen: bool) -> tuple[tuple[str, int], ...]:
    """A burned card where the reader sees it, then the board's cards (art. 45-47)."""
    street = BOARD_PHASES[state.phase]
    board = (BOARD, BOARD_CARDS[street])
    return ((burn_place(street), 1), board) if burns_seen else (board,)


def burn_place(street: Street) -> str:
    """Place of the card burned before a street."""
    return f"burn/{street.value}"


def redealt(state: CircleState, dealt: tuple[int, ...]) -> CircleState:
    """The cards read so far laid out over another order of seats: an absent one was dealt to (art. 62)."""
    read = [state.cards.at(place)[number - 1] for place, number in dealing_order(state) if _has(state, place, number)]
    fresh = replace(state, dealt=dealt)
    cards = Layout(corrections=state.cards.corrections)
    for card, (place, _) in zip(read, dealing_order(fresh), strict=False):
        cards = cards.with_cards(place, (*cards.at(place), card))
    return replace(fresh, cards=cards)


def _has(state: CircleState, place: str, number: int) -> bool:
    return len(state.cards.at(place)) >= number


def hole_cards(state: CircleState, seat: int) -> tuple[Card, ...]:
    """The two cards of a seat, none while one is unknown."""
    cards = state.cards.at(seat_place(seat))
    return cards if len(cards) == HOLE_CARDS else ()
