"""The wall clock against the one that never jumps: money and order follow neither, but people read dates."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from controller.core.events import AlarmRaised

CLOCK_JUMPED = "clock_jumped"
LOOK_S = 1.0
JUMP_MS = 10_000
"""A time service that corrects less than this does what it is for."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ClockWatch:
    """Tells a jump once; its alarm stands until a person has seen to it, since slips and reports may bear wrong dates.

    post: hands an event to the machines. last_ms: wall clock of the newest entry that an earlier run stored, 0 without
    one: a machine whose clock forgot the time while it was off stands before it.
    """

    def __init__(
        self,
        post: Callable[[object], None],
        wall_ms: Callable[[], int],
        mono_ms: Callable[[], int],
        last_ms: int = 0,
    ) -> None:
        self._post = post
        self._wall_ms = wall_ms
        self._mono_ms = mono_ms
        self._last_ms = last_ms
        self._offset_ms: int | None = None

    def look(self) -> None:
        """Compare both clocks with what they said before; at the first look, with the newest entry."""
        wall_ms, mono_ms = self._wall_ms(), self._mono_ms()
        if self._offset_ms is None:
            went_back = wall_ms < self._last_ms - JUMP_MS
            expected_ms = self._last_ms if went_back else wall_ms
        else:
            expected_ms = self._offset_ms + mono_ms
        self._offset_ms = wall_ms - mono_ms
        if abs(wall_ms - expected_ms) > JUMP_MS:
            self._post(AlarmRaised(CLOCK_JUMPED, "clock", f"{moment(expected_ms)} -> {moment(wall_ms)}"))

    async def run(self) -> None:
        """Look once a second until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_S)


def moment(wall_ms: int) -> str:
    """UTC to the second; clocks may say what no calendar has."""
    try:
        return (_EPOCH + timedelta(seconds=wall_ms // 1000)).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError:
        return f"{wall_ms} ms"
