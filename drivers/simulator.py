"""Simulated serial lines: devices behind real pseudo-terminals, with faults on the way, and ports that come and go."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import os
import tty
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

READ_SIZE = 4096


@dataclass(slots=True)
class Faults:
    """What goes wrong with a chunk of bytes on its way; rates per thousand, drawn from a stream fixed by `seed`.

    `silent` swallows all; `bytewise` sends single bytes; `delay_s` is before each chunk, `byte_gap_s` between bytes.
    """

    silent: bool = False
    bytewise: bool = False
    delay_s: float = 0.0
    byte_gap_s: float = 0.0
    drop_chunk: int = 0
    drop_byte: int = 0
    flip_bit: int = 0
    noise: int = 0
    repeat: int = 0
    cut: int = 0
    seed: int = 1


class Mangler:
    """Applies `faults`, which may be changed at any time; the same seed and bytes give the same damage."""

    def __init__(self, faults: Faults | None = None) -> None:
        self.faults = faults or Faults()
        self._drawn = 0

    def mangle(self, data: bytes) -> list[bytes]:
        """The pieces to send instead of `data`."""
        faults = self.faults
        if faults.silent or not data or self._hit(faults.drop_chunk):
            return []
        if self._hit(faults.cut):
            data = data[: self._draw() % len(data)]
        damaged = bytearray()
        for byte in data:
            if self._hit(faults.drop_byte):
                continue
            damaged.append(byte ^ (1 << self._draw() % 8) if self._hit(faults.flip_bit) else byte)
        out = bytes(damaged)
        if self._hit(faults.noise):
            junk = bytes(self._draw() % 256 for _ in range(1 + self._draw() % 8))
            out = junk + out if self._draw() % 2 else out + junk
        if self._hit(faults.repeat):
            out += out
        return [bytes([byte]) for byte in out] if faults.bytewise else [out] if out else []

    def _hit(self, per_thousand: int) -> bool:
        return per_thousand > 0 and self._draw() % 1000 < per_thousand

    def _draw(self) -> int:
        self._drawn += 1
        digest = hashlib.sha256(f"{self.faults.seed}/{self._drawn}".encode()).digest()
        return int.from_bytes(digest[:4], "big")


class Pty:
    """A pseudo-terminal in raw mode; the program under test opens `path`. `link` is a stable name pointing to it."""

    def __init__(self, link: str | None = None) -> None:
        self._link = link
        self._open()

    @property
    def path(self) -> str:
        """The name to open: the link if there is one, else the node."""
        return self._link or self.node

    @property
    def plugged(self) -> bool:
        return self.master >= 0

    def _open(self) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        self.node = os.ttyname(self._slave)
        if self._link is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._link)
            os.symlink(self.node, self._link)

    def unplug(self) -> None:
        """The adapter is pulled: the node vanishes, and so does its by-id link."""
        if not self.plugged:
            return
        if self._link is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._link)
        os.close(self._slave)
        os.close(self.master)
        self.master = self._slave = -1

    def replug(self) -> None:
        """The adapter is back, mostly as another node; a link is re-pointed, and held descriptors stay dead."""
        held = self.node
        self.unplug()
        with _occupied(held):
            self._open()


@contextlib.contextmanager
def _occupied(node: str) -> Iterator[None]:
    """Keeps the freed number of a pseudo-terminal busy, so that the next one gets another name."""
    taken: list[int] = []
    try:
        for _ in range(64):
            master, slave = os.openpty()
            taken += [master, slave]
            if os.ttyname(slave) == node:
                break
            if len(taken) > 8:
                break
        yield
    finally:
        for fd in taken:
            os.close(fd)


class SimDevice(Protocol):
    """A simulated device on a line: hears everything, answers what is for it."""

    def receive(self, data: bytes, now_s: float) -> bytes: ...


class SimLine:
    """A line with its devices. `echo`: the host hears itself. Start `run` as a task; `unplug` and `replug` at will."""

    def __init__(self, link: str | None = None, *, echo: bool = False, faults: Faults | None = None) -> None:
        self._link = link
        self._pty: Pty | None = None
        self.echo = echo
        self.mangler = Mangler(faults)
        self.heard = bytearray()
        self._devices: list[SimDevice] = []
        self._wake = asyncio.Event()

    @property
    def pty(self) -> Pty:
        """Made at first use."""
        if self._pty is None:
            self._pty = Pty(self._link)
        return self._pty

    @property
    def path(self) -> str:
        return self.pty.path

    @property
    def faults(self) -> Faults:
        return self.mangler.faults

    @faults.setter
    def faults(self, faults: Faults) -> None:
        self.mangler.faults = faults

    def attach(self, device: SimDevice) -> None:
        self._devices.append(device)

    def unplug(self) -> None:
        if self.pty.plugged:
            asyncio.get_running_loop().remove_reader(self.pty.master)
        self.pty.unplug()
        self._wake.set()

    def replug(self) -> None:
        self.unplug()
        self.pty.replug()
        self._wake.set()

    async def run(self) -> None:
        """Serve until cancelled; the port is unplugged at the end."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                self._wake.clear()
                if not self.pty.plugged:
                    await self._wake.wait()
                    continue
                loop.add_reader(self.pty.master, self._wake.set)
                data = read_some(self.pty.master)
                if data:
                    await self._serve(data)
                else:
                    await self._wake.wait()
        finally:
            self.unplug()

    async def say(self, data: bytes) -> None:
        """Send bytes that nobody asked for, through the same faults."""
        if self.faults.delay_s:
            await asyncio.sleep(self.faults.delay_s)
        for piece in self.mangler.mangle(data):
            if not self.pty.plugged:
                return
            write_some(self.pty.master, piece)
            if self.faults.byte_gap_s or self.faults.bytewise:
                await asyncio.sleep(self.faults.byte_gap_s)

    async def _serve(self, data: bytes) -> None:
        self.heard += data
        del self.heard[:-READ_SIZE]
        if self.echo:
            write_some(self.pty.master, data)
        now_s = asyncio.get_running_loop().time()
        for device in self._devices:
            reply = device.receive(data, now_s)
            if reply:
                await self.say(reply)


def read_some(fd: int) -> bytes:
    """What is there to read now; nothing if the other side is not open."""
    try:
        return os.read(fd, READ_SIZE)
    except BlockingIOError:
        return b""
    except OSError as problem:
        if problem.errno in (errno.EIO, errno.EBADF):
            return b""
        raise


def write_some(fd: int, data: bytes) -> None:
    """Write what fits; a full line loses the rest, as a real one does."""
    try:
        os.write(fd, data)
    except BlockingIOError:
        return
    except OSError as problem:
        if problem.errno not in (errno.EIO, errno.EBADF):
            raise


def loop_time_s() -> float:
    """The running loop's time, 0 where there is none (a simulated device driven by hand)."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return 0.0
