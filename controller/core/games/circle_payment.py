"""The showdown of a circle hand and its payment (art. C 71-75, 80-82, 90-96)."""

from dataclasses import replace

from controller.core.games.circle_betting import BOARD_CARDS, Betting, Street, fold
from controller.core.games.circle_showdown import pay_out
from controller.core.games.circle_state import CircleState, Phase, hole_cards
from controller.core.games.circle_table import CircleSettings
from controller.core.games.layout import BOARD, seat_place
from controller.core.hands import strength
from controller.core.refusal import Refusal, Refused, refuse

Answer = CircleState | Refused


def muck(state: CircleState, seat: int | None) -> Answer:
    """A player who need not show gives up his cards (art. 71); not the last one."""
    live = [each for each in state.bets.live if each not in state.mucked]
    if seat is None or seat not in live:
        return refuse(Refusal.SEAT_NOT_IN_HAND, seat=seat or 0)
    if len(live) == 1:
        return refuse(Refusal.NO_BOX_IN_PLAY)
    return replace(state, mucked=state.mucked | {seat})


def told(state: CircleState, ranking: tuple[tuple[int, ...], ...]) -> Answer:
    """The showdown as people saw it: every seat that shows, once (art. 72-74)."""
    seats = [seat for group in ranking for seat in group]
    live = [seat for seat in state.bets.live if seat not in state.mucked]
    if sorted(seats) != sorted(live):
        missing = next((seat for seat in (*live, *seats) if (seat in live) != (seat in seats)), seats[0])
        return refuse(Refusal.SEAT_NOT_IN_HAND, seat=missing)
    return replace(state, told=ranking)


def hand_over(settings: CircleSettings, state: CircleState) -> Answer:
    """The pots are paid and the hand is over; the cards speak, where they are known (art. 74)."""
    strengths = _strengths(state)
    if isinstance(strengths, Refused):
        return strengths
    betting = without_mucked(state)
    return replace(state, phase=Phase.OVER, payout=pay_out(betting, strengths, settings.rake, state.dead))


def without_mucked(state: CircleState) -> Betting:
    """Bets in which those who do not show are folded; the uncovered part has gone back before."""
    betting = state.bets
    for seat in state.mucked:
        if seat not in betting.folded:
            betting = fold(betting, seat)
    return betting


def _strengths(state: CircleState) -> dict[int, int] | Refused:
    live = [seat for seat in state.bets.live if seat not in state.mucked]
    if len(live) == 1:
        return {live[0]: 0}
    if state.told:
        return {seat: -place for place, group in enumerate(state.told) for seat in group}
    board = state.cards.at(BOARD)
    need = BOARD_CARDS[Street.RIVER]
    if len(board) < need:
        return refuse(Refusal.CARDS_MISSING, place=BOARD, cards=len(board), need=need)
    for seat in live:
        if not hole_cards(state, seat):
            have = len(state.cards.at(seat_place(seat)))
            return refuse(Refusal.CARDS_MISSING, place=seat_place(seat), cards=have, need=2)
    return {seat: strength((*hole_cards(state, seat), *board)) for seat in live}
