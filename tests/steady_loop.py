"""An event loop whose clock stands still while the machine does not let it run."""

import asyncio
import selectors
import time
from typing import Any

STEP_S = 0.002


class SteadyLoop(asyncio.SelectorEventLoop):
    """From one look at its clock to the next, time goes on by what has passed, and by `step_s` at most.

    On a machine that is busy, or stops everybody for seconds, a plain loop finds the time-outs of both ends of a line
    overdue together, though nobody was silent. Here a wait of a second is a second in which answers could have come.
    """

    step_s = STEP_S

    def __init__(self) -> None:
        self._steps = _Steps(self.step_s)
        super().__init__(self._steps)

    def time(self) -> float:
        return self._steps.look()

    def leap(self, seconds: float) -> None:
        """As if the machine had stood still for so long and the clock had not."""
        self._steps.now_s += seconds


class _Steps(selectors.DefaultSelector):
    def __init__(self, step_s: float) -> None:
        super().__init__()
        self._step_s = step_s
        self.now_s = self._looked_s = time.monotonic()

    def look(self) -> float:
        looked_s = time.monotonic()
        self.now_s += min(looked_s - self._looked_s, self._step_s)
        self._looked_s = looked_s
        return self.now_s

    def select(self, timeout: float | None = None) -> Any:
        until_s = float("inf") if timeout is None else self.look() + timeout
        while True:
            ready = super().select(max(0.0, min(until_s - self.now_s, self._step_s)))
            if self.look() >= until_s or ready:
                return ready


def running_s() -> float:
    """The running loop's time; the machine's where none runs."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return time.monotonic()
