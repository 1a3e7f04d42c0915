"""Daemons that start in a moment: forked from a process that has imported everything (see `nursery_program`)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.system.daemon import DEADLINE_S, REPOSITORY, Daemon

ENDED = b"ended "


class Nursery:
    """The process from which daemons are forked."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket

    async def run(self, config: Path, log: Path, before: str, facts: Sequence[Any]) -> Forked:
        """A daemon of that file. before: `module:function` that is called in its process first; facts: with these."""
        reader, writer = await asyncio.open_unix_connection(self.socket)
        wish = {"config": str(config), "log": str(log), "before": before, "facts": list(facts)}
        writer.write(json.dumps(wish).encode())
        line = await reader.readline()
        return Forked(int(line.split()[1]), reader, writer)


@contextlib.asynccontextmanager
async def nursery(directory: Path) -> AsyncIterator[Nursery]:
    """One that is ready; directory: where its socket lies, which no other nursery has."""
    socket = directory / "nursery"
    socket.unlink(missing_ok=True)
    command = (sys.executable, "-m", "tests.system.nursery_program", str(socket))
    process = await asyncio.create_subprocess_exec(
        *command, cwd=REPOSITORY, env={**os.environ, "LC_ALL": "en_US.UTF-8"}, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        yield Nursery(socket)
    finally:
        process.kill()
        await process.wait()


@dataclass
class Forked:
    """A daemon that was forked for us, as `asyncio.subprocess.Process` shows one."""

    pid: int
    stdout: asyncio.StreamReader
    writer: asyncio.StreamWriter
    returncode: int | None = None

    def send_signal(self, number: signal.Signals) -> None:
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        while self.returncode is None:
            line = await self.stdout.readline()
            assert line, "the nursery is gone"
            self.heed(line)
        return self.returncode

    def heed(self, line: bytes) -> None:
        """A line of its output; the last one tells how it ended."""
        if line.startswith(ENDED):
            self.returncode = int(line.split()[1])
            self.writer.close()


class ForkedDaemon(Daemon):
    """One of them, killed and started as any other. See `Nursery.run` for before and facts."""

    def __init__(self, nursery: Nursery, config: Path, before: str, *facts: Any) -> None:
        super().__init__(config)
        self._nursery = nursery
        self._before = before
        self._facts = facts

    def facts(self) -> Sequence[Any]:
        """What the function is told at the next start."""
        return self._facts

    async def launch(self) -> None:
        forked = await self._nursery.run(self.config, self.log, self._before, self.facts())
        self.process = forked  # type: ignore[assignment]  # all of a process that is asked of it

    async def _address(self, before: bytes) -> str:
        assert isinstance(self.process, Forked)
        line = await asyncio.wait_for(self.process.stdout.readline(), DEADLINE_S)
        self.process.heed(line)
        if self.process.returncode is not None:
            raise Died(f"{self.config} ended with {self.process.returncode}\n{self.log.read_text()[-3000:]}")
        assert line.startswith(before), f"{line!r}\n{self.log.read_text()}"
        return line.decode().split()[-1]


class Died(AssertionError):
    """A daemon ended before it had said where it listens."""
