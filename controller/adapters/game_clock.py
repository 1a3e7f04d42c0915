"""The clocks a game asks for: timers that tell the table when a deadline of its state is reached (art. C 14, 50)."""

import asyncio
from collections.abc import Callable
from typing import Any

from controller.core.events import ClockRan, Envelope
from controller.core.games.game import Deadline, Game
from controller.core.games.holdem_circle import HoldemCircle
from controller.engine.table_state import TableState


def deadlines_of(game: Game) -> Callable[[Any], tuple[Deadline, ...]]:
    """The deadlines of a game's states; only the circle game has clocks."""
    return game.deadlines if isinstance(game, HoldemCircle) else lambda state: ()


class GameClock:
    """Observer of a table: every deadline of the newest state has one timer, counted from when it was first seen.

    game: the game of a state, by the settings in force there.

    After a restart a deadline begins again: nobody loses time to an outage.
    """

    def __init__(
        self,
        game: Callable[[TableState], Game],
        post: Callable[[Envelope], None],
        new_id: Callable[[], str],
    ) -> None:
        self._game = game
        self._post = post
        self._new_id = new_id
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def show(self, state: TableState) -> None:
        """Set timers for new deadlines, and forget those that the state no longer knows."""
        deadlines = deadlines_of(self._game(state))(state.hand.game)
        wanted = {each.id: each.seconds for each in deadlines}
        for id in self._timers.keys() - wanted.keys():
            self._timers.pop(id).cancel()
        for id, seconds in wanted.items():
            if id not in self._timers:
                self._timers[id] = asyncio.get_running_loop().call_later(seconds, self._ran, id)

    @property
    def running(self) -> tuple[str, ...]:
        """Ids of the deadlines whose time has not come."""
        return tuple(id for id, timer in self._timers.items() if timer.when() > asyncio.get_running_loop().time())

    async def run(self) -> None:
        """Until cancelled; the timers end with it."""
        try:
            await asyncio.Event().wait()
        finally:
            for timer in self._timers.values():
                timer.cancel()

    def _ran(self, id: str) -> None:
        self._post(Envelope(self._new_id(), ClockRan(id), "clock"))
