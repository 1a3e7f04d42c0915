"""A simulated Modbus RTU module on a pseudo-terminal, written from the manual and not from our codec."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from drivers.simulator import SimLine, loop_time_s

SILENCE_S = 0.05
MODE_START = 0x1000
_ILLEGAL_FUNCTION, _ILLEGAL_ADDRESS, _ILLEGAL_VALUE, _BUSY = 1, 2, 3, 6


def _crc_table() -> tuple[int, ...]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0xA001 if value & 1 else 0)
        table.append(value)
    return tuple(table)


_TABLE = _crc_table()


def _with_crc(data: bytes) -> bytes:
    crc = 0xFFFF
    for byte in data:
        crc = (crc >> 8) ^ _TABLE[(crc ^ byte) & 0xFF]
    return data + bytes([crc & 0xFF, crc >> 8])


class Sim:
    """Eight inputs with counters, eight outputs with modes. Alone it makes its own line; else it joins `line`."""

    def __init__(
        self,
        unit: int = 1,
        *,
        line: SimLine | None = None,
        modes: Sequence[int] = (0,) * 8,
        counters: Sequence[int] = (0,) * 8,
        counter_start: int = 0,
    ) -> None:
        self.unit = unit
        self.line = line or SimLine()
        self.line.attach(self)
        self.levels = [False] * 8
        self.modes = list(modes)
        self.counters = list(counters)
        self.silent = False
        self.busy = 0
        self.served = 0
        self._counter_start = counter_start
        self._coils = [False] * 8
        self._boot_until_s = 0.0
        self._buffer = bytearray()
        self._heard_s = 0.0

    @property
    def path(self) -> str:
        return self.line.path

    @property
    def outputs(self) -> tuple[bool, ...]:
        """What the lamps show: the coil, or the input that drives it (mode 1)."""
        return tuple(self.levels[i] if self.modes[i] == 1 else coil for i, coil in enumerate(self._coils))

    async def run(self) -> None:
        await self.line.run()

    def set_level(self, number: int, on: bool) -> None:
        """A rising edge also counts, unless the module has no power."""
        powered = max(self._heard_s, loop_time_s()) >= self._boot_until_s
        if powered and on and not self.levels[number]:
            self.counters[number] = (self.counters[number] + 1) % 65536
        self.levels[number] = on

    def press(self, number: int, duration_s: float = 0.12) -> None:
        """One pulse of `duration_s`."""
        self.set_level(number, True)
        asyncio.get_running_loop().call_later(duration_s, self.set_level, number, False)

    def power_cycle(self, off_s: float = 0.2) -> None:
        """Outputs off, counters zero, silent for `off_s`."""
        self._coils = [False] * 8
        self.counters = [0] * 8
        self._buffer.clear()
        self._boot_until_s = max(self._heard_s, loop_time_s()) + off_s

    def receive(self, data: bytes, now_s: float) -> bytes:
        """A frame ends by silence; what does not begin with a whole good frame is not answered."""
        if now_s - self._heard_s > SILENCE_S:
            self._buffer.clear()
        self._heard_s = now_s
        self._buffer += data
        if self.silent or now_s < self._boot_until_s:
            return b""
        size = self._size()
        if size is None or len(self._buffer) < size:
            return b""
        frame = bytes(self._buffer[:size])
        del self._buffer[:size]
        if _with_crc(frame[:-2]) != frame or frame[0] not in (0, self.unit):
            self._buffer.clear()
            return b""
        self.served += 1
        reply = self._answer(frame[1], frame[2:-2])
        return b"" if frame[0] == 0 else _with_crc(bytes([self.unit]) + reply)

    def _size(self) -> int | None:
        if len(self._buffer) < 8:
            return None
        return 9 + self._buffer[6] if self._buffer[1] in (15, 16) else 8

    def _answer(self, function: int, body: bytes) -> bytes:
        address, value = body[0] << 8 | body[1], body[2] << 8 | body[3]
        if self.busy > 0:
            self.busy -= 1
            return bytes([function | 0x80, _BUSY])
        if function in (1, 2):
            return self._read_bits(function, address, value)
        if function in (3, 4):
            return self._read_registers(function, address, value)
        if function == 5:
            return self._write_coil(address, value, body)
        if function == 6:
            return self._write_mode(address, value, body)
        if function == 15:
            return self._write_coils(address, value, body)
        return bytes([function | 0x80, _ILLEGAL_FUNCTION])

    def _read_bits(self, function: int, start: int, count: int) -> bytes:
        bits = list(self.outputs) if function == 1 else self.levels
        if not 1 <= count <= 2000:
            return bytes([function | 0x80, _ILLEGAL_VALUE])
        if start + count > len(bits):
            return bytes([function | 0x80, _ILLEGAL_ADDRESS])
        packed = 0
        for i, on in enumerate(bits[start : start + count]):
            packed |= on << i
        data = packed.to_bytes((count + 7) // 8, "little")
        return bytes([function, len(data)]) + data

    def _read_registers(self, function: int, start: int, count: int) -> bytes:
        if function == 3 and start >= MODE_START and start + count <= MODE_START + 8:
            values = self.modes[start - MODE_START : start - MODE_START + count]
        elif self._counter_start <= start and start + count <= self._counter_start + 8:
            values = self.counters[start - self._counter_start : start - self._counter_start + count]
        else:
            return bytes([function | 0x80, _ILLEGAL_ADDRESS])
        return bytes([function, 2 * count]) + b"".join(v.to_bytes(2, "big") for v in values)

    def _write_coil(self, address: int, value: int, body: bytes) -> bytes:
        if value not in (0, 0xFF00):
            return bytes([0x85, _ILLEGAL_VALUE])
        if address >= 8:
            return bytes([0x85, _ILLEGAL_ADDRESS])
        self._coils[address] = value == 0xFF00
        return bytes([5]) + body

    def _write_mode(self, address: int, value: int, body: bytes) -> bytes:
        if not MODE_START <= address < MODE_START + 8:
            return bytes([0x86, _ILLEGAL_ADDRESS])
        if value > 3:
            return bytes([0x86, _ILLEGAL_VALUE])
        self.modes[address - MODE_START] = value
        return bytes([6]) + body

    def _write_coils(self, start: int, count: int, body: bytes) -> bytes:
        if start + count > 8:
            return bytes([0x8F, _ILLEGAL_ADDRESS])
        packed = int.from_bytes(body[5:], "little")
        for i in range(count):
            self._coils[start + i] = bool(packed >> i & 1)
        return bytes([15]) + body[:4]
