"""Table states to the feed: which draw is being revealed, which payment has just been made, and the confirmations."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from controller.adapters.game_clock import deadlines_of
from controller.adapters.scene_prizes import all_prizes
from controller.adapters.scene_table import Moment, TableFace, fresh, table_scene
from controller.engine.table_state import TableState
from display.feed import Feed
from display.scene import screen_id

REVEAL_S = {"carta_magica": 7.0, "jugador_afortunado": 8.0}
"""Back, turn and hold of a draw (design, Motion); the result itself is journaled before any of it."""
PAID_S = 20.0
CONFIRM_S = 1.0


class TableScreens:
    """Observer of one table. Timers only choose among scenes of the same state; they never change what is true."""

    def __init__(self, face: TableFace, feed: Feed, wall_ms: Callable[[], int], head_seq: Callable[[], int]) -> None:
        self._face = face
        self._deadlines = deadlines_of(face.settings.game)
        self._feed = feed
        self._wall_ms = wall_ms
        self._head_seq = head_seq
        self._state: TableState | None = None
        self._moment = Moment(0)
        self._paid: frozenset[str] = frozenset()
        self._revealed_hand = 0
        self._timers: list[asyncio.TimerHandle] = []
        self.screen = f"table-{face.table.id}"
        feed.declare(self.screen)

    def show(self, state: TableState) -> None:
        """A committed state: start a reveal or a paid stamp where one is due, and hand the scene to the feed."""
        first = self._state is None
        self._state = state
        self._notice_clocks(state)
        self._notice_paid(state, first)
        self._notice_draws(state, first)
        self._push()

    async def run(self) -> None:
        """Tell the screens every second that the newest scene still holds, as long as it does."""
        try:
            while True:
                await asyncio.sleep(CONFIRM_S)
                if self._state is not None and fresh(self._state.link):
                    self._feed.confirm(self.screen, self._wall_ms())
        finally:
            for timer in self._timers:
                timer.cancel()

    def _push(self) -> None:
        if self._state is None:
            return
        self._moment = replace(self._moment, now_ms=self._wall_ms())
        scene = table_scene(self._face, self._state, self._moment)
        self._feed.show(screen_id(scene), scene)

    def _notice_clocks(self, state: TableState) -> None:
        running = self._deadlines(state.hand.game)
        since = {each.id: self._moment.since_ms.get(each.id, self._wall_ms()) for each in running}
        self._moment = replace(self._moment, since_ms=since)

    def _notice_paid(self, state: TableState, first: bool) -> None:
        paid = frozenset(prize.id for prize in all_prizes(state) if prize.status == "paid")
        new = paid - self._paid
        self._paid = paid
        if not new or first:
            return
        self._moment = replace(
            self._moment,
            paid_rows=tuple(sorted(new)),
            paid_at_ms=self._wall_ms(),
            journal_seq=self._head_seq(),
        )
        self._later(PAID_S, lambda: self._set(paid_rows=()))

    def _notice_draws(self, state: TableState, first: bool) -> None:
        hand = state.hand
        if not hand.draws or self._revealed_hand == hand.number:
            if not hand.draws:
                self._moment = replace(self._moment, revealing=None)
            return
        self._revealed_hand = hand.number
        if first:
            return
        delay = 0.0
        for result in hand.draws:
            if not result.outcome:
                continue
            self._later(delay, self._reveal(hand.number, result.kind))
            delay += REVEAL_S[result.kind]
        self._later(delay, self._reveal(hand.number, None))

    def _reveal(self, hand: int, kind: str | None) -> Callable[[], None]:
        def start() -> None:
            if self._state is not None and self._state.hand.number == hand:
                self._set(revealing=kind)

        return start

    def _set(self, **changes: object) -> None:
        self._moment = replace(self._moment, **changes)  # type: ignore[arg-type]  # fields of Moment by name
        self._push()

    def _later(self, delay_s: float, do: Callable[[], None]) -> None:
        now = asyncio.get_running_loop().time()
        self._timers = [timer for timer in self._timers if timer.when() > now]
        self._timers.append(asyncio.get_running_loop().call_later(delay_s, do))
