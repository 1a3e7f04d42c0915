"""How a circle hand goes on when its bets have changed: next street, showdown, or the end (art. C 44-47, 87-90)."""

from dataclasses import replace

from controller.core.games.circle_betting import Betting, next_street, return_uncovered
from controller.core.games.circle_state import (
    AFTER_BETS,
    BETS_OF,
    BOARD_PHASES,
    CircleState,
    Clock,
    Phase,
)


def in_turn(state: CircleState) -> CircleState:
    """A seat has acted: the clock begins again."""
    return replace(state, acts=state.acts + 1, clock=Clock.ACTION)


def bets_changed(state: CircleState, betting: Betting) -> CircleState:
    """The hand after an action, a fold or a dead hand, in whatever phase it was."""
    state = in_turn(replace(state, betting=betting))
    if state.phase is Phase.SHOWDOWN:
        return state
    if betting.is_over:
        return to_showdown(state)
    if betting.turn is None and state.phase in AFTER_BETS:
        return street_closed(state)
    return state


def street_closed(state: CircleState) -> CircleState:
    """The bets of a street are complete: the next cards, or the showdown. What nobody covered goes back (art. 87)."""
    following = AFTER_BETS[state.phase]
    if following is Phase.SHOWDOWN:
        return to_showdown(state)
    state = _without_uncovered(state)
    return replace(state, phase=following, betting=next_street(state.bets))


def street_dealt(state: CircleState) -> CircleState:
    """The cards of the deal or of a street lie there: its bets begin, or, where nobody can bet, the next street."""
    street = BOARD_PHASES.get(state.phase)
    bets = Phase.PREFLOP_BETS if street is None else BETS_OF[street]
    state = in_turn(replace(state, phase=bets))
    return state if state.bets.turn is not None else street_closed(state)


def to_showdown(state: CircleState) -> CircleState:
    """Nobody bets any more: cards are turned up, or a single hand is left."""
    return replace(_without_uncovered(state), phase=Phase.SHOWDOWN)


def _without_uncovered(state: CircleState) -> CircleState:
    betting, back = return_uncovered(state.bets)
    return state if back is None else replace(state, betting=betting, returned=back)
