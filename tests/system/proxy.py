"""A TCP proxy between a daemon and its broker: a test stops, slows or loses what passes, or strands connections."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from enum import Flag, auto

HOST = "127.0.0.1"
PUBLISH = 3


class Way(Flag):
    """The direction of bytes, seen from the daemon."""

    OUT = auto()
    IN = auto()
    BOTH = OUT | IN


class Proxy:
    """Carries MQTT packets to a port; what is held waits, as in a network that drops frames and is repaired later."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.lost = 0
        self._held = Way(0)
        self._losing = Way(0)
        self._delay_s = 0.0
        self._changed = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._stranded: set[asyncio.StreamWriter] = set()

    def hold(self, way: Way) -> None:
        """Stop the bytes of these directions; connections stay open, and new ones get no answer."""
        self._held = way

    def lose(self, way: Way) -> None:
        """Let every message of these directions vanish, although the connection stands; `lost` counts them."""
        self._losing = way

    def slow(self, seconds: float) -> None:
        """Let each packet take so long."""
        self._delay_s = seconds

    def strand(self) -> None:
        """Both ends believe in connections that lead nowhere from now on; new ones are carried."""
        self._stranded |= self._writers

    def heal(self) -> None:
        """Let everything pass again, what was held first."""
        self._held = self._losing = Way(0)
        self._delay_s = 0.0
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
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                packet = await _packet(reader)
                while self._held & way:
                    await self._changed.wait()
                if self._delay_s:
                    await asyncio.sleep(self._delay_s)
                if self._losing & way and packet[0] >> 4 == PUBLISH:
                    self.lost += 1
                elif writer not in self._stranded:
                    writer.write(packet)
                    await writer.drain()
        if writer not in self._stranded:
            writer.close()


async def _packet(reader: asyncio.StreamReader) -> bytes:
    """One MQTT packet: type, length in groups of seven bits, and so many bytes (MQTT 3.1.1, 2.2)."""
    header = await reader.readexactly(1)
    length = shift = 0
    while True:
        byte = await reader.readexactly(1)
        header += byte
        length |= (byte[0] & 0x7F) << shift
        shift += 7
        if not byte[0] & 0x80:
            return header + await reader.readexactly(length)


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
