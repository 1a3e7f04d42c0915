"""A simulated DCON module on a pseudo-terminal, written from the manuals and not from our codec."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from drivers.simulator import SimLine, loop_time_s


class Sim:
    """Seven inputs with counters and latches, eight outputs, host watchdog. Alone it makes its own line."""

    def __init__(
        self,
        address: int = 1,
        *,
        line: SimLine | None = None,
        model: str = "7050",
        checksum: bool = False,
        outputs_first: bool = True,
        inputs: int = 7,
    ) -> None:
        self.address = address
        self.line = line or SimLine()
        self.line.attach(self)
        self.model = model
        self.checksum = checksum
        self.levels = [False] * inputs
        self.counters = [0] * inputs
        self.latched = [[False] * inputs, [False] * inputs]
        self.silent = False
        self.was_reset = True
        self.tripped = False
        self.on_request: Callable[[str], None] | None = None
        self._outputs = [False] * 8
        self._outputs_first = outputs_first
        self._guard_s: float | None = None
        self._host_seen_s = 0.0
        self._boot_until_s = 0.0
        self._now_s = 0.0
        self._line_buffer = b""

    @property
    def path(self) -> str:
        return self.line.path

    @property
    def outputs(self) -> tuple[bool, ...]:
        """What the lamps show now: the safe value, all off, once the watchdog has tripped."""
        self._look_at_guard(max(self._now_s, loop_time_s()))
        return tuple(self._outputs)

    async def run(self) -> None:
        await self.line.run()

    def set_level(self, number: int, on: bool) -> None:
        """A rising edge counts and sets latch 1, a falling one latch 0, unless the module is without power."""
        powered = max(self._now_s, loop_time_s()) >= self._boot_until_s
        if powered and on != self.levels[number]:
            self.latched[1 if on else 0][number] = True
            if on:
                self.counters[number] = (self.counters[number] + 1) % 65536
        self.levels[number] = on

    def press(self, number: int, duration_s: float = 0.12) -> None:
        """One pulse of `duration_s`."""
        self.set_level(number, True)
        asyncio.get_running_loop().call_later(duration_s, self.set_level, number, False)

    def power_cycle(self, off_s: float = 0.2) -> None:
        """Outputs off, counters and latches cleared, the reset flag set, silent for `off_s`."""
        count = len(self.levels)
        self._outputs = [False] * 8
        self.counters = [0] * count
        self.latched = [[False] * count, [False] * count]
        self.was_reset = True
        self._guard_s = None
        self._line_buffer = b""
        self._boot_until_s = max(self._now_s, loop_time_s()) + off_s

    def receive(self, data: bytes, now_s: float) -> bytes:
        """Lines end with CR; syntax errors and other addresses are met with silence."""
        self._now_s = now_s
        *lines, self._line_buffer = (self._line_buffer + data).split(b"\r")
        self._line_buffer = self._line_buffer[-80:]
        if self.silent or now_s < self._boot_until_s:
            return b""
        self._look_at_guard(now_s)
        return b"".join(self._one(line.decode("latin-1")) for line in lines)

    def _one(self, text: str) -> bytes:
        if self.checksum:
            text, check = text[:-2], text[-2:]
            if f"{sum(map(ord, text)) & 0xFF:02X}" != check:
                return b""
        if text == "~**":
            self._host_seen_s = self._now_s
            return b""
        mine = f"{self.address:02X}"
        if len(text) < 3 or text[1:3] != mine:
            return b""
        if self.on_request is not None:
            self.on_request(text)
        reply = self._answer(text[0], text[3:])
        if reply is None:
            return b""
        check = f"{sum(map(ord, reply)) & 0xFF:02X}" if self.checksum else ""
        return (reply + check + "\r").encode("latin-1")

    def _answer(self, lead: str, rest: str) -> str | None:
        good, bad = f"!{self.address:02X}", f"?{self.address:02X}"
        if lead == "$":
            return self._dollar(rest, good, bad)
        if lead == "#" and len(rest) == 1:
            channel = int(rest, 16)
            return f"{good}{self.counters[channel]:05d}" if channel < len(self.counters) else bad
        if lead == "#" and len(rest) == 4:
            return self._write(rest, bad)
        if lead == "@" and not rest:
            return ">" + self._both(self._packed(self.levels))
        if lead == "~":
            return self._guard(rest, good, bad)
        return bad

    def _dollar(self, rest: str, good: str, bad: str) -> str:
        if rest == "2":
            return f"{good}4006{0x40 if self.checksum else 0:02X}"
        if rest == "M":
            return good + self.model
        if rest == "5":
            flag, self.was_reset = self.was_reset, False
            return f"{good}{int(flag)}"
        if rest == "6":
            return "!" + self._both(self._packed(self.levels)) + "00"
        if rest in ("L0", "L1"):
            return "!" + self._both(self._packed(self.latched[int(rest[1])])) + "00"
        if rest == "C":
            self.latched = [[False] * len(self.levels), [False] * len(self.levels)]
            return good
        return bad

    def _write(self, rest: str, bad: str) -> str:
        if self.tripped:
            return "!"
        group, value = rest[:2], int(rest[2:], 16)
        if group == "00":
            self._outputs = [bool(value >> i & 1) for i in range(8)]
            return ">"
        if group[0] == "1" and value in (0, 1) and int(group[1]) < 8:
            self._outputs[int(group[1])] = bool(value)
            return ">"
        return bad

    def _guard(self, rest: str, good: str, bad: str) -> str:
        if rest == "0":
            return f"{good}{(0x80 if self._guard_s else 0) | (0x04 if self.tripped else 0):02X}"
        if rest == "1":
            self.tripped = False
            return good
        if len(rest) == 4 and rest[0] == "3":
            self._guard_s = int(rest[2:], 16) / 10 if rest[1] == "1" else None
            self._host_seen_s = self._now_s
            return good
        return bad

    def _look_at_guard(self, now_s: float) -> None:
        if self._guard_s is not None and now_s - self._host_seen_s > self._guard_s:
            self.tripped, self._guard_s = True, None
            self._outputs = [False] * 8

    def _both(self, inputs: int) -> str:
        outputs = self._packed(self._outputs)
        return f"{outputs:02X}{inputs:02X}" if self._outputs_first else f"{inputs:02X}{outputs:02X}"

    @staticmethod
    def _packed(bits: list[bool]) -> int:
        packed = 0
        for i, on in enumerate(bits):
            packed |= on << i
        return packed
