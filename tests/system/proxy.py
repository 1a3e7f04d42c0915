"""A TCP proxy between a daemon and its broker, in which a test stops traffic one way, both ways, or for good."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from enum import Flag, auto

HOST = "127.0.0.1"


class Way(Flag):
    """The direction of bytes, seen from the daemon."""

    OUT = auto()
    IN = auto()
    BOTH = OUT | IN


class Proxy:
    """Carries bytes to a port; what is held waits, as in a network that drops packets and is repaired later."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self._held = Way(0)
        self._changed = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()

    def hold(self, way: Way) -> None:
        """Stop the bytes of these directions; connections stay open, and new ones get no answer."""
        self._held = way

    def heal(self) -> None:
        """Let everything pass again, what was held first."""
        self._held = Way(0)
        self._changed.set()
        self._changed = asyncio.Event()

    def cut(self) -> None:
        """Close every connection there is."""
        for writer in self._writers:
            writer.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection(HOST, self.target)
            self._writers |= {writer, far_writer}
            try:
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._carry(reader, far_writer, Way.OUT))
                    tasks.create_task(self._carry(far_reader, writer, Way.IN))
            finally:
                self._writers -= {writer, far_writer}
                far_writer.close()
        writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: Way) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                while self._held & way:
                    await self._changed.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def proxy(target: int) -> AsyncIterator[Proxy]:
    """A proxy on a free port of the loopback."""
    one = Proxy(target)
    serving: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(one.serve(reader, writer))
        serving.add(task)
        task.add_done_callback(serving.discard)

    server = await asyncio.start_server(accept, HOST, 0)
    one.port = server.sockets[0].getsockname()[1]
    try:
        yield one
    finally:
        server.close()
        one.heal()
        one.cut()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
