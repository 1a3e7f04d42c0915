"""Dealers of the demo: they play hands by touching the simulated hardware, and wait for what the table then shows."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from controller.core.events import CreditsSettled, Envelope, HandVoided, VoidReason
from controller.core.games.game import Stage
from controller.demo.circle_dealer import play_holdem_circle
from controller.demo.deck import STRAIGHT_FLUSH, shuffled, stacked
from controller.demo.hardware import TableHands
from controller.demo.people import FIRST, SECOND
from controller.engine.table_bets import bets_open
from controller.engine.table_state import TableState
from controller.rooms import TableRoom, new_id

WAIT_S = 20.0
TRIES = 5
CARD_S = 0.06
STACKED_HAND = 2
"""The hand of each table in which the demo's straight flush falls."""


log = logging.getLogger(__name__)


class DealerStuck(Exception):
    """The table did not show what a dealer waited for."""


@dataclass
class Dealer:
    """One table's dealer. `pace` stretches the pauses between hands; `deals` says what a hand needs of the hardware."""

    room: TableRoom
    hands: TableHands
    pace_s: float = 1.0
    played: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def watch(self) -> None:
        """Wake up at every commit of the table."""
        self.room.runner.observe(lambda state: self._changed.set())

    @property
    def state(self) -> TableState:
        return self.room.runner.state

    @property
    def game(self) -> Any:
        return self.room.settings.game

    async def until(self, what: str, true: Callable[[TableState], bool], wait_s: float = WAIT_S) -> None:
        """Wait for a committed state; DealerStuck names what did not come."""
        try:
            async with asyncio.timeout(wait_s):
                while not true(self.state):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError as late:
            hand = self.state.hand
            raise DealerStuck(
                f"{self.room.table.id}, hand {hand.number}, phase {self.game.phase(hand.game)}: no {what}"
            ) from late

    async def press_until(self, key: str, what: str, true: Callable[[TableState], bool]) -> None:
        """Press a key until the table shows its effect: a short press may fall between two polls of a busy machine."""
        for _ in range(TRIES):
            if true(self.state):
                return
            await self.hands.press(key)
            with contextlib.suppress(DealerStuck):
                await self.until(what, true, WAIT_S / TRIES)
        await self.until(what, true)

    async def bet(self, seats: list[int]) -> None:
        """Players put their credits down, one to three each."""
        await self.until("open jackpot bets", lambda state: bets_open(self.room.settings, state))
        for seat in seats:
            most = 1 if self.level else min(3, self.room.settings.jackpot.max_credits)
            for credits in range(1, 2 + secrets.randbelow(most)):
                await self.hands.put_credit(seat)
                await self.until("credit", partial(_has_credits, seat=seat, credits=credits))

    @property
    def level(self) -> bool:
        return any(each.mode == "level" for each in self.room.table.inputs)

    async def close(self) -> None:
        """No va más, and the draws of the hand."""
        closed = "no va más"
        await self.press_until("close_bets", closed, lambda state: self.game.stage(state.hand.game) is not Stage.BETS)
        await self.until("draw", lambda state: not state.hand.draw_pending)

    async def deal(self, cards: Sequence[str]) -> None:
        """Cards pass the reader one by one, at a dealer's speed."""
        for card in cards:
            await self.hands.show_card(card)
            await asyncio.sleep(CARD_S)

    async def end(self) -> None:
        """Mano terminada; the chips are collected; the next hand is open."""
        number = self.state.hand.number
        await self.press_until("hand_over", "next hand", lambda state: state.hand.number > number)
        self.hands.lift_credits()
        self.played += 1
        await asyncio.sleep(self.pace_s)

    async def run(self, play: Callable[["Dealer"], Any]) -> None:
        """Hand after hand until cancelled. What a dealer cannot get on with, the pit bosses void, as in a pit."""
        while True:
            try:
                await play(self)
            except DealerStuck as stuck:
                log.warning("%s: the hand is void", stuck)
                await self.void(str(stuck))

    async def void(self, why: str) -> None:
        """Two pit bosses void the hand in course and settle what a sensor could not read as no bets."""
        submit = self.room.runner.submit
        hand = self.state.hand.number
        await submit(Envelope(new_id(), HandVoided(VoidReason.DEVICE_FAULT, why, hand), FIRST, SECOND))
        for unread in self.state.unread:
            await submit(Envelope(new_id(), CreditsSettled(unread, 0), FIRST, SECOND))
        self.hands.lift_credits()
        await asyncio.sleep(self.pace_s)

    def some_seats(self) -> list[int]:
        """Three to five seats that take part in this hand."""
        seats = list(self.room.settings.seats)
        count = 3 + secrets.randbelow(3)
        while len(seats) > count:
            seats.pop(secrets.randbelow(len(seats)))
        return seats


def _has_credits(state: TableState, seat: int, credits: int) -> bool:
    return state.hand.credits.get(seat, 0) >= credits


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
            await dealer.press_until(key, "answer", partial(_turn_is_past, game=dealer.game, seat=seat))
        await dealer.deal(cards)
    await dealer.end()


PLAYS: dict[str, Callable[[Dealer], Any]] = {
    "oasis": play_oasis,
    "holdem-bonus": play_holdem_bonus,
    "holdem-circle": play_holdem_circle,
}
