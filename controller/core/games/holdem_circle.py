"""Texas Hold'em circle game as a table sees it: players, cards that count, pots and payments, clocks (art. C 1-96)."""

from controller.core.cards import Card
from controller.core.events import GameEvent
from controller.core.games import circle_hand, circle_undo
from controller.core.games.circle_betting import BOARD_CARDS, Street
from controller.core.games.circle_showdown import reason_of
from controller.core.games.circle_state import CircleState, Clock, Phase, hole_cards
from controller.core.games.circle_table import CircleSettings, after_hand, after_void, plan
from controller.core.games.circle_undo import before_paid
from controller.core.games.game import BaseResult, Box, Deadline, Stage
from controller.core.games.layout import BOARD
from controller.core.pots import Pot, build_pots
from controller.core.refusal import Refused

__all__ = ["CircleSettings", "CircleState", "HoldemCircle"]

MINUTE_S = 60


class HoldemCircle:
    """The game of a table; see `controller.core.games.game.Game` for what each function answers."""

    name = "holdem-circle"

    def __init__(self, settings: CircleSettings) -> None:
        self.settings = settings

    def first_hand(self) -> CircleState:
        return CircleState()

    def next_hand(self, state: CircleState) -> CircleState:
        """A paid hand moves chips; a void one goes back to the table before it, and is dealt again (art. 61)."""
        if state.phase is not Phase.OVER:
            return CircleState(table=state.table if state.before is None else after_void(state.before))
        assert state.payout is not None, "a hand is over when it is paid"
        paid = after_hand(self.settings, state.table, dict(state.payout.stacks))
        return CircleState(table=paid, back=before_paid(state))

    def undone(self, state: CircleState) -> CircleState | Refused:
        """Stakes and winnings go back, and the button: the hand is dealt again (art. 61)."""
        return circle_undo.undone(state)

    def step(self, state: CircleState, event: GameEvent) -> CircleState | Refused:
        return circle_hand.step(self.settings, state, event)

    def follows(self, state: CircleState) -> GameEvent | None:
        return circle_hand.follows(state)

    def stage(self, state: CircleState) -> Stage:
        if state.phase is Phase.BETS:
            return Stage.BETS
        return Stage.OVER if state.phase is Phase.OVER else Stage.PLAY

    def phase(self, state: CircleState) -> str:
        return state.phase.value

    def turn(self, state: CircleState) -> int | None:
        return circle_hand.turn(state)

    def boxes(self, state: CircleState) -> tuple[Box, ...]:
        """Every seated player; folded: he is not, or no longer, in the hand that is played."""
        in_hand = state.phase is not Phase.BETS
        return tuple(
            Box(
                seat=each.seat,
                cards=hole_cards(state, each.seat),
                folded=in_hand and not self._live(state, each.seat),
                stack_minor=self.stack(state, each.seat),
            )
            for each in state.table.players
        )

    def has_ante(self, state: CircleState, seat: int) -> bool:
        """Whether the seat plays the hand, or, between hands, will: the condition of its jackpot bet (reading C-g)."""
        if state.betting is not None:
            return seat in state.betting.stacks
        planned = plan(self.settings, state.table)
        return not isinstance(planned, Refused) and seat in planned.playing

    def dealer(self, state: CircleState) -> tuple[Card, ...]:
        return ()

    def board(self, state: CircleState) -> tuple[Card, ...]:
        return state.cards.at(BOARD)

    def jackpot_cards(self, state: CircleState, seat: int) -> tuple[Card, ...] | None:
        """The two hole cards with the flop, or with the whole board (reading B-b)."""
        hole, board = hole_cards(state, seat), state.cards.at(BOARD)
        need = BOARD_CARDS[Street.FLOP if self.settings.hole_and_flop else Street.RIVER]
        if not hole or len(board) < need or self.lost_jackpot(state, seat):
            return None
        return (*hole, *board[:need])

    def lost_jackpot(self, state: CircleState, seat: int) -> bool:
        """A folded hand loses its jackpot bet (reading O-i); so does one that is not shown (art. 71)."""
        if state.betting is None:
            return False
        if seat not in state.betting.stacks:
            return True
        return not self._live(state, seat) and not self.settings.folded_box_keeps_jackpot

    def magic_cards(self, state: CircleState, seat: int) -> tuple[Card, ...]:
        """The two hole cards; a folded hand's go to the discard unseen (reading O-q)."""
        return hole_cards(state, seat) if self._live(state, seat) else ()

    def settlement(self, state: CircleState) -> tuple[BaseResult, ...]:
        """What each seat put in, with the blinds it had missed, and won, once the pots are paid."""
        if state.payout is None:
            return ()
        betting, won = state.bets, state.payout.won
        rows = []
        for seat in sorted(betting.stacks):
            put, got = betting.put[seat] + state.missed.get(seat, 0), won.get(seat, 0)
            reason = reason_of(betting, seat, got, hole_cards(state, seat), state.cards.at(BOARD), state.mucked)
            rows.append(BaseResult(seat, reason, got - put, (("put", -put), ("won", got))))
        return tuple(rows)

    def deadline(self, state: CircleState) -> tuple[str, int] | None:
        """The clock of the seat that is asked to act (art. 50)."""
        if circle_hand.turn(state) is None:
            return None
        first = state.clock is Clock.ACTION
        seconds = self.settings.action_seconds if first else self.settings.countdown_seconds
        return circle_hand.clock_id(state), seconds

    def deadlines(self, state: CircleState) -> tuple[Deadline, ...]:
        """The clock of the turn, and the running minute of the game, from its first hand on (art. 14, 50)."""
        running = []
        asked = self.deadline(state)
        if asked is not None:
            running.append(Deadline(*asked))
        if state.table.hands and not state.table.ended and state.table.hands_left is None:
            running.append(Deadline(circle_hand.minute_id(state), MINUTE_S))
        return tuple(running)

    def stack(self, state: CircleState, seat: int) -> int:
        """Chips that lie before a player now, in minor units."""
        if state.payout is not None and seat in state.payout.stacks:
            return state.payout.stacks[seat]
        if state.betting is not None and seat in state.betting.stacks:
            return state.betting.stacks[seat]
        player = state.table.player(seat)
        return 0 if player is None else player.stack

    def lost_hand(self, state: CircleState, seat: int) -> bool:
        """Whether a seat of the hand has folded, or does not show its cards."""
        return state.betting is not None and seat in state.betting.stacks and not self._live(state, seat)

    def pots(self, state: CircleState) -> tuple[Pot, ...]:
        """The pots as the dealer has put them together: bets of the street in course lie before their players (58).

        So do the blinds while cards are dealt: unequal as they are, they make no side pot; only an all-in does (80).
        """
        betting = state.betting
        if betting is None:
            return ()
        if circle_hand.turn(state) is None and state.phase is not Phase.DEAL:
            return build_pots(betting.put, betting.folded, state.dead)
        collected = {seat: chips - betting.in_street[seat] for seat, chips in betting.put.items()}
        return build_pots(collected, betting.folded, state.dead)

    def _live(self, state: CircleState, seat: int) -> bool:
        betting = state.betting
        return (
            betting is not None and seat in betting.stacks and seat not in betting.folded and seat not in state.mucked
        )
