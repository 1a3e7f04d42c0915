"""Ends the test of one lamp: a timer that tells the table when its seconds are over."""

import asyncio
from collections.abc import Callable

from controller.core.equipment_events import LampTestRan
from controller.core.events import Envelope
from controller.engine.table_lamps import LAMP_TEST_S
from controller.engine.table_state import TableState


class LampClock:
    """Observer of a table. A test that a restart found in the journal has its seconds once more, and then ends."""

    def __init__(self, post: Callable[[Envelope], None], new_id: Callable[[], str]) -> None:
        self._post = post
        self._new_id = new_id
        self._test = ""
        self._timer: asyncio.TimerHandle | None = None

    def show(self, state: TableState) -> None:
        """A timer for the test that is running, none for one that is over."""
        test = state.lamp_on_test.id if state.lamp_on_test is not None else ""
        if test == self._test:
            return
        self._stop()
        self._test = test
        if test:
            self._timer = asyncio.get_running_loop().call_later(LAMP_TEST_S, self._ran, test)

    async def run(self) -> None:
        """Until cancelled; the timer ends with it."""
        try:
            await asyncio.Event().wait()
        finally:
            self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ran(self, test: str) -> None:
        self._post(Envelope(self._new_id(), LampTestRan(test), "clock"))
