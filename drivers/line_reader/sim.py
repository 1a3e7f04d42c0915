"""A simulated reader on a pseudo-terminal: tags that repeat while they are near, and lines."""

from __future__ import annotations

import asyncio
from typing import Literal

from drivers.simulator import SimLine

REPEAT_S = 0.05


class Sim:
    """Says what it is told to; alone it makes its own line."""

    def __init__(self, *, line: SimLine | None = None, check: Literal["xor", "sum"] = "xor", end: str = "\r\n") -> None:
        self.line = line or SimLine()
        self.line.attach(self)
        self.silent = False
        self._check = check
        self._end = end

    @property
    def path(self) -> str:
        return self.line.path

    async def run(self) -> None:
        await self.line.run()

    def receive(self, data: bytes, now_s: float) -> bytes:
        """A reader does not listen."""
        return b""

    async def read_line(self, text: str) -> None:
        """One line: a scanned code, a dealt card, a status."""
        await self._say(text.encode("ascii") + self._end.encode("ascii"))

    async def read_tag(self, version: int, number: int, times: int = 1) -> None:
        """A tag comes near and stays for so many repeats."""
        body = [version, *number.to_bytes(4, "big")]
        check = 0
        for value in body:
            check = check ^ value if self._check == "xor" else (check + value) % 256
        text = "".join(f"{value:02X}" for value in [*body, check])
        for turn in range(times):
            if turn:
                await asyncio.sleep(REPEAT_S)
            await self._say(b"\x02" + text.encode("ascii") + b"\x03")

    async def _say(self, data: bytes) -> None:
        if not self.silent:
            await self.line.say(data)
