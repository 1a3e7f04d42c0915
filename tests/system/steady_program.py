"""`carrusel` as it is, on a clock that stands still while the machine does not let it run:
`python -m tests.system.steady_program run …`.

A machine that stops everybody for seconds makes a plain daemon believe, when it goes on, that its devices and its host
were silent meanwhile: it then refuses bets and reads no keys, as it should. Tests of something else go without that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any

from controller.__main__ import main
from controller.rooms import table_room
from tests.steady_loop import SteadyLoop, running_s


class PatientLoop(SteadyLoop):
    """Counts at most a quarter of a second of any time in which the machine looked away: no silence at all."""

    step_s = 0.25


def run(node: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=PatientLoop) as runner:
        runner.run(node)


def be_steady() -> None:
    """Let this process's loop, and its end of a carousel's link, go by such a clock."""
    asyncio.run = run  # type: ignore[assignment]  # only in this process
    table_room.time = SimpleNamespace(monotonic=running_s)  # type: ignore[assignment]  # only in this process


if __name__ == "__main__":
    be_steady()
    main()
