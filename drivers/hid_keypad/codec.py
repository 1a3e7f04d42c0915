"""Linux input events of a keypad to pressed keys (kernel Documentation/input/event-codes.rst and input.h)."""

import struct
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NoReturn, TypeAlias

from drivers.device import CodecCounters, Decoded, DriverError

EVENT = struct.Struct("llHHi")
"""struct input_event as the running kernel hands it out: seconds, microseconds, type, code, value."""


class Type(IntEnum):
    """Kinds of input events used here."""

    SYN = 0
    KEY = 1


SYN_REPORT = 0
SYN_DROPPED = 3
PRESSED = 1

KEYS = {
    **{code: digit for digit, code in zip("1234567890", range(2, 12), strict=True)},
    **dict(zip((71, 72, 73, 75, 76, 77, 79, 80, 81, 82), "7894561230", strict=True)),
    28: "enter",
    96: "enter",
    1: "clear",
    111: "clear",
    14: "back",
    12: "-",
    74: "-",
    78: "+",
    55: "*",
    98: "/",
    52: ".",
    83: ".",
    **{code: f"f{number}" for number, code in enumerate(range(59, 69), start=1)},
}
"""Key codes of input-event-codes.h: main digits, numeric pad, and what a keypad may have beside them."""


@dataclass(frozen=True, slots=True)
class KeyDown:
    """A key went down. Its name is kept out of texts: it may be a digit of a PIN."""

    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class EntryLost:
    """The kernel dropped events: what was typed so far is not to be trusted."""


KeypadFrame: TypeAlias = KeyDown | EntryLost


class KeypadCodec:
    """Records to frames. Repeats (value 2), releases, other keys and other kinds of events say nothing.

    After SYN_DROPPED all is ignored up to the next SYN_REPORT, as the kernel asks.
    """

    def __init__(self) -> None:
        self.counters = CodecCounters()
        self._buffer = bytearray()
        self._dropping = False

    def feed(self, data: bytes, now_s: float) -> Decoded:
        self._buffer += data
        whole = len(self._buffer) - len(self._buffer) % EVENT.size
        records = bytes(self._buffer[:whole])
        del self._buffer[:whole]
        frames = [frame for record in EVENT.iter_unpack(records) if (frame := self._read(*record[2:])) is not None]
        self.counters.frames += len(frames)
        return Decoded(frames)

    def encode(self, command: object) -> NoReturn:
        raise DriverError("a keypad takes no bytes")

    def clear(self) -> None:
        """A half record cannot be completed after a loss."""
        self.counters.short += bool(self._buffer)
        self.counters.junk_bytes += len(self._buffer)
        self._buffer.clear()
        self._dropping = False

    def _read(self, kind: int, code: int, value: int) -> KeypadFrame | None:
        if self._dropping:
            self._dropping = not (kind == Type.SYN and code == SYN_REPORT)
            return None
        if kind == Type.SYN and code == SYN_DROPPED:
            self._dropping = True
            return EntryLost()
        if kind == Type.KEY and value == PRESSED and code in KEYS:
            return KeyDown(KEYS[code])
        return None
