"""The demo's Oasis and Hold'em Bonus tables: the cards of a hand, and what the players choose."""

import secrets
from functools import partial
from typing import Any

from controller.demo.dealer import Dealer
from controller.demo.deck import STRAIGHT_FLUSH, shuffled, stacked
from controller.engine.table_state import TableState

STACKED_HAND = 2
"""The hand of each table in which the demo's straight flush falls."""


def _turn_is_past(state: TableState, game: Any, seat: int) -> bool:
    return bool(game.turn(state.hand.game) != seat)


def _is_out(state: TableState, game: Any, seat: int) -> bool:
    return bool(game.lost_jackpot(state.hand.game, seat))


async def play_oasis(dealer: Dealer) -> None:
    """A hand of Oasis: five cards each, the bank last; most play, some fold, some buy a card."""
    seats = dealer.some_seats()
    await dealer.bet(seats)
    await dealer.close()
    if dealer.state.hand.number == STACKED_HAND:
        winner = len(seats) // 2
        deck = stacked(STRAIGHT_FLUSH, tuple(range(winner * 5, winner * 5 + 5)))
    else:
        deck = shuffled()
    dealt = 5 * (len(seats) + 1)
    await dealer.deal(deck[:dealt])
    await dealer.until("decisions", lambda state: dealer.game.turn(state.hand.game) is not None)
    rest = deck[dealt:]
    for seat in seats:
        chance = 0 if dealer.state.hand.number == STACKED_HAND else secrets.randbelow(10)
        decided = partial(_turn_is_past, game=dealer.game, seat=seat)
        await dealer.think()
        await dealer.press_until("fold" if chance == 9 else "play", "decision", decided)
        if chance == 8:
            await dealer.press_until("buy", "bought card", partial(_is_out, game=dealer.game, seat=seat))
            await dealer.deal([rest.pop(0)])
    await dealer.end()


async def play_holdem_bonus(dealer: Dealer) -> None:
    """A hand of Hold'em Bonus: two rounds of one card, the flop for twice the ante, turn and river for one."""
    seats = dealer.some_seats()
    await dealer.bet(seats)
    await dealer.close()
    deck = shuffled()
    dealt = 2 * (len(seats) + 1)
    await dealer.deal(deck[:dealt])
    board = [deck[dealt : dealt + 4], deck[dealt + 4 : dealt + 6], deck[dealt + 6 : dealt + 8]]
    for keys, cards in zip((("play",), ("bet", "check"), ("bet", "check")), board, strict=True):
        await dealer.until("question", lambda state: dealer.game.turn(state.hand.game) is not None)
        for seat in seats:
            key = keys[secrets.randbelow(len(keys))]
            await dealer.think()
            await dealer.press_until(key, "answer", partial(_turn_is_past, game=dealer.game, seat=seat))
        await dealer.deal(cards)
    await dealer.end()
