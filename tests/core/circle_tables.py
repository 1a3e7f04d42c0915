"""Circle tables between hands: who sits there, hands that everybody folds, button and blinds."""

from controller.core.circle_events import PlayerSeated
from controller.core.games.circle_state import CircleState
from controller.core.games.holdem_circle import HoldemCircle
from tests.core.circle_play import after, game

TABLE = game()


def folded(table: HoldemCircle, state: CircleState) -> CircleState:
    """A hand in which everybody folds to the big blind; ready for the next."""
    state = after(table, state, "close_bets")
    while table.turn(state) is not None:
        state = after(table, state, "fold")
    return after(table, state, "hand_over", "next")


def placed(state: CircleState) -> tuple[int, int | None, int]:
    positions = state.table.positions
    assert positions is not None
    return positions.button, positions.small_blind, positions.big_blind


def at_seats(table: HoldemCircle, *seats: int, stack: int = 10_000) -> CircleState:
    return after(table, table.first_hand(), *(PlayerSeated(seat, stack) for seat in seats))
