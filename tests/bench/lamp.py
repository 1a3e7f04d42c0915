"""Ratio of one bet's journey: chip on the sensor → durable → lamp lit, beside a bare pseudo-terminal echo and a commit.

Both are taken in turn in one run, on the same loop and disk. The module is polled without a pause, and without the
silence that a real line keeps between two frames, as the echo keeps none: at the defaults (9600 baud, a poll every
30 ms, two equal samples, 5 ms of silence, three times on the way) the line's own time hides the rest.
"""

import asyncio
import os
import sqlite3
import sys
import tempfile
import time
import tty
from collections.abc import Sequence
from pathlib import Path

from controller.config import load
from controller.main import opened
from drivers import modbus_rtu_io
from drivers.modbus_rtu_io.sim import Sim
from drivers.simulator import read_some, write_some
from tests.services import free_port
from tests.system.pit_files import OasisHardware, oasis_table, write_site

SAMPLES = 200
MOST = 3.0
DEADLINE_S = 30.0


class Echo:
    """A byte through a pseudo-terminal to a peer in the same loop, and back."""

    def __init__(self) -> None:
        self.near, self.far = os.openpty()
        for end in (self.near, self.far):
            tty.setraw(end)
            os.set_blocking(end, False)
        self.back = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self.far, lambda: write_some(self.far, read_some(self.far)))
        loop.add_reader(self.near, self._arrived)

    def _arrived(self) -> None:
        read_some(self.near)
        self.back.set()

    async def measure_s(self) -> float:
        start = time.perf_counter()
        self.back.clear()
        write_some(self.near, b"\x01\x02\x00\x00\x00\x08\x79\xcc")
        await self.back.wait()
        return time.perf_counter() - start


def commit_s(connection: sqlite3.Connection) -> float:
    """One row, durable."""
    start = time.perf_counter()
    connection.execute("INSERT INTO rows (text) VALUES (?)", ("x" * 400,))
    connection.commit()
    return time.perf_counter() - start


class Lamps:
    """A module whose lamps are waited for as it hears of them: who looked again and again would keep the interpreter
    from the journal's thread."""

    def __init__(self, module: Sim) -> None:
        self._module, self._receive, self._heard = module, module.receive, asyncio.Event()
        module.receive = self._hear  # type: ignore[method-assign]  # as a wire would be tapped

    def _hear(self, data: bytes, now_s: float) -> bytes:
        reply = self._receive(data, now_s)
        self._heard.set()
        return reply

    async def measure_s(self, seat: int, on: bool) -> float:
        """From the chip's move to the lamp's."""
        start = time.perf_counter()
        self._module.set_level(seat, on)
        async with asyncio.timeout(DEADLINE_S):
            while self._module.outputs[seat] != on:
                self._heard.clear()
                await self._heard.wait()
        return time.perf_counter() - start


def p99_ms(samples: Sequence[float]) -> float:
    return sorted(samples)[len(samples) * 99 // 100] * 1000


async def measure(directory: Path) -> float:
    hardware = OasisHardware.new()
    defaults = oasis_table("t1", hardware)
    section = defaults.replace("settings = { ", "settings = { poll_s = 0.001, gap_s = 0.0, debounce = 1, ", 1)
    assert section != defaults, "the module is polled at its defaults"
    modbus_rtu_io.PORT_DEFAULTS = {"turnaround_s": 0.0}  # type: ignore[attr-defined]  # of a line, which is not here
    config = load(write_site(directory, free_port(), section))
    bare = sqlite3.connect(directory / "bare.db")
    bare.execute("PRAGMA synchronous=FULL")
    bare.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)")
    echo, module = Echo(), Lamps(hardware.boxes)
    lamps, echoes, commits = [], [], []
    async with hardware.running():
        with opened(config) as node:
            serving = asyncio.create_task(node.run())
            async with asyncio.timeout(DEADLINE_S):
                while not hardware.boxes.served or not node.tables["t1"].runner.state.link.link_up:
                    await asyncio.sleep(0.05)
            await module.measure_s(0, True)
            await module.measure_s(0, False)
            for _ in range(SAMPLES):
                lamps.append(await module.measure_s(2, True))
                await module.measure_s(2, False)
                echoes.append(await echo.measure_s())
                commits.append(commit_s(bare))
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
    least = p99_ms(echoes) + p99_ms(commits)
    ratio = p99_ms(lamps) / least
    print(f"chip to lamp p99 {p99_ms(lamps):.2f} ms, echo {p99_ms(echoes):.2f} ms + commit {p99_ms(commits):.2f} ms")
    print(f"ratio {ratio:.2f} (at most {MOST})")
    return ratio


def main() -> int:
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=".") as directory:
        return int(asyncio.run(measure(Path(directory))) > MOST)


if __name__ == "__main__":
    sys.exit(main())
