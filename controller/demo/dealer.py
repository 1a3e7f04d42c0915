"""A dealer of the demo: touches the simulated hardware, and waits for what the table then shows."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from controller.core.events import CreditsSettled, Envelope, HandVoided, VoidReason
from controller.core.games.game import Stage
from controller.demo.hardware import TableHands
from controller.demo.people import FIRST, SECOND
from controller.engine.table_bets import bets_open
from controller.engine.table_state import TableState
from controller.rooms import TableRoom, new_id

WAIT_S = 20.0
TRIES = 5
CARD_S = 0.06
BETWEEN_S = 1.5
PLAYER_S = 0.4
"""A player takes so long to put a credit down, or to say what he does."""
FIRST_HANDS = 2
"""Played quickly, so that there is soon something to see."""

log = logging.getLogger(__name__)


class DealerStuck(Exception):
    """The table did not show what a dealer waited for."""


@dataclass
class Dealer:
    """One table's dealer. `between_s`: the pause after a hand; `decided` waits while cards are disputed.

    `wait_s`: how long the table may take to show what was done at it.
    """

    room: TableRoom
    hands: TableHands
    decided: Callable[[], Awaitable[None]]
    between_s: float = BETWEEN_S
    wait_s: float = WAIT_S
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

    async def until(self, what: str, true: Callable[[TableState], bool], tries: int = 1) -> None:
        """Wait for a committed state, or for one of several tries; DealerStuck names what did not come."""
        try:
            async with asyncio.timeout(self.wait_s / tries):
                await self._changed_to(true)
        except TimeoutError as late:
            hand = self.state.hand
            raise DealerStuck(
                f"{self.room.table.id}, hand {hand.number}, phase {self.game.phase(hand.game)}: no {what}"
            ) from late

    async def _changed_to(self, true: Callable[[TableState], bool]) -> None:
        while not true(self.state):
            self._changed.clear()
            await self._changed.wait()

    async def press_until(self, key: str, what: str, true: Callable[[TableState], bool]) -> None:
        """Press a key until the table shows its effect: a short press may fall between two polls of a busy machine."""
        for _ in range(TRIES):
            if true(self.state):
                return
            await self.hands.press(key)
            with contextlib.suppress(DealerStuck):
                await self.until(what, true, TRIES)
        await self.until(what, true)

    async def bet(self, seats: list[int]) -> None:
        """Players put their credits down, one to three each."""
        for seat in seats:
            most = 1 if self.level else min(3, self.room.settings.jackpot.max_credits)
            for credits in range(1, 2 + secrets.randbelow(most)):
                await self.think()
                await self._put(seat, partial(_has_credits, seat=seat, credits=credits))

    async def _put(self, seat: int, seen: Callable[[TableState], bool]) -> None:
        """A credit that the table shows. While people have stopped the jackpot, or its host is away, nobody bets."""
        while not seen(self.state):
            await self._changed_to(lambda state: not self._stopped(state))
            try:
                await self._put_down(seat, seen)
            except DealerStuck:
                if not self._stopped(self.state):
                    raise

    def _stopped(self, state: TableState) -> bool:
        return self.game.stage(state.hand.game) is Stage.BETS and not bets_open(self.room.settings, state)

    async def _put_down(self, seat: int, seen: Callable[[TableState], bool]) -> None:
        """A chip whose sensor was not looked at in time is put down once more."""
        await self.hands.put_credit(seat)
        if self.level:
            with contextlib.suppress(DealerStuck):
                await self.until("credit", seen, TRIES)
                return
            await self.hands.lift_credits(seat)
            await self.hands.put_credit(seat)
        await self.until("credit", seen)

    @property
    def level(self) -> bool:
        return any(each.mode == "level" for each in self.room.table.inputs)

    async def think(self) -> None:
        """A player makes up his mind."""
        await asyncio.sleep(PLAYER_S)

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
        """Mano terminada; the chips are collected; the next hand is open. A dealer who has called somebody waits."""
        number = self.state.hand.number
        await self.decided()
        await self.press_until("hand_over", "next hand", lambda state: state.hand.number > number)
        await self.hands.lift_credits()
        self.played += 1
        await asyncio.sleep(self.between_s if self.played > FIRST_HANDS else BETWEEN_S)

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
        await self.hands.lift_credits()
        await asyncio.sleep(BETWEEN_S)

    def some_seats(self) -> list[int]:
        """Three to five seats that take part in this hand."""
        seats = list(self.room.settings.seats)
        count = 3 + secrets.randbelow(3)
        while len(seats) > count:
            seats.pop(secrets.randbelow(len(seats)))
        return seats


def _has_credits(state: TableState, seat: int, credits: int) -> bool:
    return state.hand.credits.get(seat, 0) >= credits
