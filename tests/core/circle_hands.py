"""Circle hands that have begun, and are dealt."""

from controller.core.games.circle_state import CircleState
from controller.core.games.holdem_circle import HoldemCircle
from tests.core.circle_play import after, game, reading, seated

TABLE = game()
READ = reading()
FOUR = (10_000, 10_000, 10_000, 10_000)
DEAL = "read As Kd Qh 2c Ac Ks Qd 7d"
"""Seats 1 to 4 are dealt As Ac, Kd Ks, Qh Qd and 2c 7d: the button is at seat 4."""


def opened(table: HoldemCircle = TABLE, *stacks: int) -> CircleState:
    """Blinds of seats 1 and 2 posted, seat 3 asked."""
    return after(table, seated(table, *(stacks or FOUR)), "close_bets")


def dealt(table: HoldemCircle = READ, *stacks: int) -> CircleState:
    return after(table, opened(table, *stacks), DEAL)


def bets(state: CircleState) -> dict[int, int]:
    return dict(state.bets.in_street)
