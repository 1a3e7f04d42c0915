"""The daemon as a process of its own, its screens read over HTTP, its hardware simulated in the test's process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from inspect import isawaitable
from pathlib import Path
from typing import Any

import httpx

from controller.adapters.control_client import DaemonJournal

REPOSITORY = Path(__file__).parents[2]
DEADLINE_S = 120.0
LOOK_S = 0.02
STEADY = ("-m", "tests.system.steady_program")


class Daemon:
    """`carrusel run` on a configuration file; started, killed and started again on the same state.

    environment: variables of the process beside those of the tests. program: what Python runs as `carrusel`.
    """

    def __init__(
        self, config: Path, environment: Mapping[str, str] | None = None, program: Sequence[str] = STEADY
    ) -> None:
        self.config = config
        self.environment = environment or {}
        self.program = program
        self.process: asyncio.subprocess.Process | None = None
        self.screens = ""
        self.panel = ""
        self.log = config.with_suffix(".log")

    @property
    def state(self) -> Path:
        """Its state directory, as `write_site` places it."""
        return self.config.with_name("state")

    async def start(self) -> None:
        """Start and wait for its first lines, which name the addresses of screens and panel."""
        await self.launch()
        self.screens = await self._address(b"screens at ")
        self.panel = await self._address(b"panel at ")

    async def launch(self) -> None:
        """Start the process and wait for nothing."""
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                *self.program,
                "run",
                "--config",
                str(self.config),
                cwd=REPOSITORY,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "LC_ALL": "en_US.UTF-8", **self.environment},
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )

    async def _address(self, before: bytes) -> str:
        assert self.process is not None and self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), DEADLINE_S)
        assert line.startswith(before), f"{line!r}\n{self.log.read_text()}"
        return line.decode().split()[-1]

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    async def ended(self) -> int:
        """Its exit code, once it ends by itself."""
        assert self.process is not None
        return await asyncio.wait_for(self.process.wait(), DEADLINE_S)

    async def kill(self) -> None:
        """SIGKILL: nothing is said, nothing is flushed."""
        self.send(signal.SIGKILL)
        await self.ended()

    async def stop(self) -> int:
        """SIGTERM, and the exit code."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.terminate()
        return await self.ended()

    async def scenes(self, screen: str) -> AsyncIterator[dict[str, Any]]:
        """The scenes of a screen as they come."""
        timeout = httpx.Timeout(DEADLINE_S)
        address = f"{self.screens}/feed/{screen}"
        async with httpx.AsyncClient(timeout=timeout) as client, client.stream("GET", address) as response:
            response.raise_for_status()
            event = ""
            async for line in response.aiter_lines():
                if line.startswith("event:"):
                    event = line.removeprefix("event:").strip()
                elif line.startswith("data:") and event == "scene":
                    yield json.loads(line.removeprefix("data:"))["scene"]

    async def until(
        self, screen: str, true: Callable[[dict[str, Any]], bool], what: str, deadline_s: float = DEADLINE_S
    ) -> dict[str, Any]:
        """The first scene for which something is true; names what did not come, with the last scene and the log."""
        last: dict[str, Any] = {}
        try:
            async with asyncio.timeout(deadline_s):
                async for scene in self.scenes(screen):
                    last = scene
                    if true(scene):
                        return scene
        except TimeoutError:
            pass
        tail = self.log.read_text()[-3000:]
        raise AssertionError(f"{screen}: no {what}; last scene {json.dumps(last)[:2000]}\n{tail}")

    async def entries(self, journal: str) -> list[dict[str, Any]]:
        """Entries of a journal that it holds, asked of it while it runs; its simulated devices answer meanwhile."""
        return await asyncio.to_thread(lambda: list(DaemonJournal(self.state, journal).entries(1, None)))

    async def said(self, text: str) -> None:
        """Wait until its log holds a text."""
        await soon(lambda: text in self.log.read_text(), f"{text} in {self.log}")


@contextlib.asynccontextmanager
async def daemon(
    config: Path, environment: Mapping[str, str] | None = None, program: Sequence[str] = STEADY
) -> AsyncIterator[Daemon]:
    running = Daemon(config, environment, program)
    try:
        await running.start()
        yield running
    finally:
        if running.process is not None and running.process.returncode is None:
            running.process.kill()
            await running.process.wait()


async def soon(
    true: Callable[[], bool] | Callable[[], Awaitable[bool]], what: str, deadline_s: float = DEADLINE_S
) -> None:
    """Wait for something that can be looked at, or asked for, again and again."""
    try:
        async with asyncio.timeout(deadline_s):
            while True:
                answer = true()
                if await answer if isawaitable(answer) else answer:
                    return
                await asyncio.sleep(LOOK_S)
    except TimeoutError:
        raise AssertionError(f"not within {deadline_s} s: {what}") from None
