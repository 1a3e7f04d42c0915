"""A simulated ccTalk coin acceptor on a pseudo-terminal, written from the specification and not from our codec."""

from __future__ import annotations

import asyncio

from drivers.simulator import SimLine

GAP_S = 0.05
_COIN_INHIBITED = 2
_INFO = {246: b"SIM", 245: b"Coin Acceptor", 244: b"TK-100"}


class Sim:
    """Sixteen coin positions, an event counter and a buffer of five. Alone it makes its own line; else it joins `line`.

    After power-on it refuses every coin (mask 0) and its counter is 0. `refused` headers are answered by NAK.
    """

    def __init__(
        self,
        address: int = 2,
        *,
        line: SimLine | None = None,
        serial: int = 1234567,
        crc: bool = False,
        echo: bool = True,
    ) -> None:
        self.address = address
        self.serial = serial
        self.line = line or SimLine(echo=echo)
        self.line.attach(self)
        self.refused: set[int] = set()
        self.unknown: set[int] = set()
        self.busy = 0
        self.silent = False
        self.taken: list[int] = []
        self.counter = 0
        self.mask = 0
        self.accepting = True
        self._events: list[tuple[int, int]] = []
        self._crc = crc
        self._buffer = bytearray()
        self._heard_s = 0.0
        self._boot_until_s = 0.0

    @property
    def path(self) -> str:
        return self.line.path

    async def run(self) -> None:
        await self.line.run()

    def insert(self, coin: int, path: int = 1) -> bool:
        """A coin falls in; False when it is given back (refused, or no power)."""
        if self._heard_s < self._boot_until_s:
            return False
        if not (self.accepting and self.mask >> (coin - 1) & 1):
            self.happen(_COIN_INHIBITED)
            return False
        self.taken.append(coin)
        self._push(coin, path)
        return True

    def happen(self, code: int) -> None:
        """A fault or status event."""
        self._push(0, code)

    def power_cycle(self, off_s: float = 0.3) -> None:
        """Counter and buffer empty, all coins refused, silent for `off_s`."""
        self.reset()
        self._boot_until_s = asyncio.get_running_loop().time() + off_s

    def reset(self) -> None:
        """As after power-on, without the pause."""
        self.counter, self.mask, self.accepting = 0, 0, True
        self._events.clear()
        self._buffer.clear()

    def _push(self, first: int, second: int) -> None:
        self.counter = 1 if self.counter == 255 else self.counter + 1
        self._events.insert(0, (first, second))
        del self._events[5:]

    def receive(self, data: bytes, now_s: float) -> bytes:
        """A message ends by its length; a pause over 50 ms drops what came before."""
        if now_s - self._heard_s > GAP_S:
            self._buffer.clear()
        self._heard_s = now_s
        self._buffer += data
        if now_s < self._boot_until_s or self.silent:
            self._buffer.clear()
            return b""
        if len(self._buffer) < 5 or len(self._buffer) < self._buffer[1] + 5:
            return b""
        size = self._buffer[1] + 5
        message = bytes(self._buffer[:size])
        self._buffer.clear()
        if message[0] != self.address or message != self._closed(message[0], message[2], message[3], message[4:-1]):
            return b""
        answer = self._answer(message[3], message[4:-1])
        return b"" if answer is None else self._closed(1, self.address, answer[0], answer[1])

    def _closed(self, to: int, sender: int, header: int, data: bytes) -> bytes:
        if not self._crc:
            total = to + len(data) + sender + header + sum(data)
            return bytes([to, len(data), sender, header, *data, (256 - total % 256) % 256])
        crc = 0
        for byte in bytes([to, len(data), header]) + data:
            for bit in range(7, -1, -1):
                top = crc >> 15 ^ (byte >> bit & 1)
                crc = (crc << 1) & 0xFFFF ^ (0x1021 if top else 0)
        return bytes([to, len(data), crc % 256, header, *data, crc // 256])

    def _answer(self, header: int, data: bytes) -> tuple[int, bytes] | None:
        if header in self.unknown:
            return None
        if self.busy > 0:
            self.busy -= 1
            return 6, b""
        if header in self.refused:
            return 5, b""
        if header in _INFO:
            return 0, _INFO[header]
        if header == 254:
            return 0, b""
        if header == 242:
            return 0, bytes([self.serial % 256, self.serial // 256 % 256, self.serial // 65536 % 256])
        if header == 231 and len(data) == 2:
            self.mask = data[0] + 256 * data[1]
            return 0, b""
        if header == 230:
            return 0, bytes([self.mask % 256, self.mask // 256])
        if header == 228 and len(data) == 1:
            self.accepting = data[0] % 2 == 1
            return 0, b""
        if header == 227:
            return 0, bytes([self.accepting])
        if header == 229:
            pairs = [*self._events, *[(0, 0)] * 5][:5]
            return 0, bytes([self.counter, *[value for pair in pairs for value in pair]])
        if header == 249:
            return 0, bytes([2, 20])
        if header == 1:
            self.reset()
            return 0, b""
        return None
