"""Modbus RTU frames: bytes to replies or requests and back, without I/O.

Sources: Modbus Application Protocol v1.1b3 (function codes, ch. 6-7), Modbus over Serial Line v1.02 (frame and CRC,
ch. 2.5). The 3.5-character silence cannot be seen through USB, so a frame is found by the length that its function code
implies and by its CRC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from drivers.device import CodecCounters, Decoded

MAX_FRAME = 256
EXCEPTION_BUSY = 6
_EXCEPTIONS = range(1, 12)
_READ_BITS = (1, 2)
_READ_REGISTERS = (3, 4)
_KNOWN = frozenset({1, 2, 3, 4, 5, 6, 15})


class Function(IntEnum):
    """Function codes used here (Application Protocol ch. 6)."""

    READ_COILS = 1
    READ_INPUTS = 2
    READ_HOLDING = 3
    READ_INPUT_REGISTERS = 4
    WRITE_COIL = 5
    WRITE_REGISTER = 6
    WRITE_COILS = 15


def crc16(data: bytes) -> bytes:
    """CRC-16/MODBUS of `data`, low byte first as on the line (Serial Line ch. 2.5.1.2)."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0xA001 if crc & 1 else crc >> 1
    return crc.to_bytes(2, "little")


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame with a good CRC; `body` is what stands between function code and CRC."""

    unit: int
    function: int
    body: bytes
    is_reply: bool
    raw: bytes
    exception: int | None = None

    def bits(self) -> tuple[bool, ...]:
        """Bits of a FC01/02 reply or a FC15 request, lowest address first, padded to whole bytes."""
        packed = self.body[1:] if self.is_reply else self.body[5:]
        return tuple(bool(byte >> bit & 1) for byte in packed for bit in range(8))

    def registers(self) -> tuple[int, ...]:
        """Registers of a FC03/04 reply."""
        packed = self.body[1:]
        return tuple(int.from_bytes(packed[i : i + 2], "big") for i in range(0, len(packed) - 1, 2))

    def word(self, index: int) -> int:
        """The index-th 16-bit word of the body (start address, count or value)."""
        return int.from_bytes(self.body[2 * index : 2 * index + 2], "big")

    def describe(self) -> dict[str, Any]:
        """The frame as named fields, for people and captures."""
        named: dict[str, Any] = {"valid": True, "unit": self.unit, "function": self.function}
        if self.exception is not None:
            action = "retry later" if self.exception == EXCEPTION_BUSY else "check the configuration"
            return {**named, "exception": self.exception, "host_action": action}
        if self.function == Function.WRITE_COIL:
            return {**named, "address": self.word(0), "value": self.word(1) == 0xFF00}
        if self.function == Function.WRITE_REGISTER:
            return {**named, "address": self.word(0), "value": self.word(1)}
        if self.is_reply and self.function in _READ_BITS:
            return {**named, "on": [i for i, bit in enumerate(self.bits()) if bit]}
        if self.is_reply and self.function in _READ_REGISTERS:
            return {**named, "registers": list(self.registers())}
        named |= {"start": self.word(0), "count": self.word(1)}
        if self.function == Function.WRITE_COILS and not self.is_reply:
            named["on"] = [i for i, bit in enumerate(self.bits()) if bit]
        return named


@dataclass(frozen=True, slots=True)
class ReadBits:
    """FC01 or FC02: `count` coils or inputs from `start`."""

    unit: int
    function: Function
    start: int
    count: int


@dataclass(frozen=True, slots=True)
class ReadRegisters:
    """FC03 or FC04: `count` registers from `start`."""

    unit: int
    function: Function
    start: int
    count: int


@dataclass(frozen=True, slots=True)
class WriteCoil:
    """FC05: one coil; the reply equals the request."""

    unit: int
    address: int
    value: bool


@dataclass(frozen=True, slots=True)
class WriteRegister:
    """FC06: one holding register; the reply equals the request."""

    unit: int
    address: int
    value: int


@dataclass(frozen=True, slots=True)
class WriteCoils:
    """FC15: coils from `start`."""

    unit: int
    start: int
    values: Sequence[bool]


RtuCommand = ReadBits | ReadRegisters | WriteCoil | WriteRegister | WriteCoils


def encode(command: RtuCommand) -> bytes:
    """The request frame of `command`."""
    match command:
        case ReadBits(unit, function, start, count) | ReadRegisters(unit, function, start, count):
            body = bytes([unit, function]) + _words(start, count)
        case WriteCoil(unit, address, value):
            body = bytes([unit, Function.WRITE_COIL]) + _words(address, 0xFF00 if value else 0)
        case WriteRegister(unit, address, value):
            body = bytes([unit, Function.WRITE_REGISTER]) + _words(address, value)
        case WriteCoils(unit, start, values):
            packed = sum(1 << i for i, on in enumerate(values) if on).to_bytes((len(values) + 7) // 8, "little")
            body = bytes([unit, Function.WRITE_COILS]) + _words(start, len(values)) + bytes([len(packed)]) + packed
    return body + crc16(body)


def _words(*values: int) -> bytes:
    return b"".join(value.to_bytes(2, "big") for value in values)


class RtuCodec:
    """Finds frames in received bytes, one byte at a time, so that no split can change the answer.

    A head that cannot start a frame is dropped. A head whose frame is complete but has a bad CRC loses one byte. While
    a head still waits for its length, a complete good frame behind it wins: a stray byte costs no later frame.
    """

    def __init__(self, *, replies: bool = True, requests: bool = False) -> None:
        self.counters = CodecCounters()
        self._kinds = tuple(kind for kind, wanted in ((False, requests), (True, replies)) if wanted)
        self._buffer = bytearray()

    def feed(self, data: bytes, now_s: float) -> Decoded:
        frames: list[Frame] = []
        junk = bytearray()
        for byte in data:
            self._buffer.append(byte)
            self._drop_false_heads(junk)
            found = self._frame_ending_here()
            if found is not None:
                start, frame = found
                junk += self._buffer[:start]
                self._buffer.clear()
                frames.append(frame)
        self.counters.frames += len(frames)
        self.counters.junk_bytes += len(junk)
        return Decoded(tuple(frames), bytes(junk))

    def encode(self, command: RtuCommand) -> bytes:
        return encode(command)

    def clear(self) -> None:
        if self._buffer:
            self.counters.short += 1
            self.counters.junk_bytes += len(self._buffer)
            self._buffer.clear()

    @property
    def pending(self) -> bytes:
        """What was received of a frame that is not complete."""
        return bytes(self._buffer)

    def _drop_false_heads(self, junk: bytearray) -> None:
        while self._buffer:
            lengths = [_length(self._buffer, 0, is_reply) for is_reply in self._kinds]
            possible = [length for length in lengths if length != 0]
            if any(length < 0 or length > len(self._buffer) for length in possible):
                return
            if any(_checked(self._buffer, 0, length) for length in possible):
                return
            if possible:
                self.counters.bad_check += 1
            junk.append(self._buffer.pop(0))

    def _frame_ending_here(self) -> tuple[int, Frame] | None:
        end = len(self._buffer)
        for start in range(max(0, end - MAX_FRAME), end - 3):
            for is_reply in self._kinds:
                if _length(self._buffer, start, is_reply) == end - start and _checked(self._buffer, start, end - start):
                    return start, _frame(bytes(self._buffer[start:end]), is_reply)
        return None


def _length(buffer: bytearray, start: int, is_reply: bool) -> int:
    """Length of the frame that would begin at `start`; -1: not enough bytes to tell; 0: no frame begins so."""
    have = len(buffer) - start
    if have < 2:
        return -1
    function = buffer[start + 1]
    if is_reply and function & 0x80:
        if function & 0x7F not in _KNOWN:
            return 0
        return -1 if have < 3 else 5 if buffer[start + 2] in _EXCEPTIONS else 0
    if function not in _KNOWN:
        return 0
    if is_reply and function in (*_READ_BITS, *_READ_REGISTERS):
        if have < 3:
            return -1
        size = buffer[start + 2]
        whole = size > 0 and size <= 250 and (function in _READ_BITS or size % 2 == 0)
        return size + 5 if whole else 0
    if not is_reply and function == Function.WRITE_COILS:
        if have < 7:
            return -1
        size = buffer[start + 6]
        count = int.from_bytes(buffer[start + 4 : start + 6], "big")
        return size + 9 if 0 < size <= 246 and size == (count + 7) // 8 else 0
    return 8


def _checked(buffer: bytearray, start: int, length: int) -> bool:
    end = start + length
    return crc16(bytes(buffer[start : end - 2])) == bytes(buffer[end - 2 : end])


def _frame(raw: bytes, is_reply: bool) -> Frame:
    function = raw[1]
    if function & 0x80:
        return Frame(raw[0], function & 0x7F, raw[2:-2], True, raw, exception=raw[2])
    return Frame(raw[0], function, raw[2:-2], is_reply, raw)
