"""A simulated keypad: the kernel's records over a pseudo-terminal, read by the same codec and driver."""

from __future__ import annotations

import struct

from drivers.simulator import SimLine

_CODES = {
    "1": 79,
    "2": 80,
    "3": 81,
    "4": 75,
    "5": 76,
    "6": 77,
    "7": 71,
    "8": 72,
    "9": 73,
    "0": 82,
    "enter": 96,
    "clear": 1,
}


class Sim:
    """Presses keys of a numeric pad; alone it makes its own line."""

    def __init__(self, *, line: SimLine | None = None) -> None:
        self.line = line or SimLine()
        self.line.attach(self)

    @property
    def path(self) -> str:
        return self.line.path

    async def run(self) -> None:
        await self.line.run()

    def receive(self, data: bytes, now_s: float) -> bytes:
        """A keypad does not listen."""
        return b""

    def has_key(self, key: str) -> bool:
        return key in _CODES

    async def press(self, *keys: str, repeats: int = 0) -> None:
        """Each key goes down, maybe repeats, and comes up, with a report after each."""
        for key in keys:
            for value in (1, *[2] * repeats, 0):
                await self._say((4, 4, 0x70059), (1, _CODES[key], value), (0, 0, 0))

    async def lose(self, *keys: str) -> None:
        """The kernel's buffer overflowed while these keys were pressed."""
        await self._say((0, 3, 0), *((1, _CODES[key], 1) for key in keys), (0, 0, 0))

    async def _say(self, *records: tuple[int, int, int]) -> None:
        await self.line.say(b"".join(struct.pack("llHHi", 1_700_000_000, 5, *record) for record in records))
