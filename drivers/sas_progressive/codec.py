"""Progressive broadcasts to slot machines: long polls 80 and 86 (Montana SAS implementation guide v1.4.1).

Bytes only. On the wire the first byte goes out with the ninth bit set, which needs mark/space parity hardware.
"""

from dataclasses import dataclass
from typing import TypeAlias

from drivers.device import CodecCounters, Decoded
from drivers.resync import BAD_CHECK, MORE, NO_START, Resync, decoded

ONE_LEVEL = 0x80
MANY_LEVELS = 0x86
LEVEL_BYTES = 6
ONE_LEVEL_BYTES = 11
MAX_LEVELS = 32
MAX_FRAME = 3 + 1 + LEVEL_BYTES * MAX_LEVELS + 2
MAX_CENTS = 10**10 - 1


@dataclass(frozen=True, slots=True)
class LevelAmount:
    """LP80: one level of one group; amount in cents, `address` 0 speaks to all machines."""

    address: int
    group: int
    level: int
    cents: int


@dataclass(frozen=True, slots=True)
class LevelAmounts:
    """LP86: several levels of one group as (level, cents)."""

    address: int
    group: int
    levels: tuple[tuple[int, int], ...]


SasFrame: TypeAlias = LevelAmount | LevelAmounts


def crc16_kermit(data: bytes) -> int:
    """CRC-16/KERMIT (reflected 1021h, start 0); SAS sends the low byte first."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0x8408 if crc & 1 else crc >> 1
    return crc


def to_bcd(cents: int) -> bytes:
    """Ten decimal digits in five bytes; ValueError outside 0 .. 99 999 999.99."""
    if not 0 <= cents <= MAX_CENTS:
        raise ValueError(f"a SAS amount has ten digits, {cents} does not fit")
    return bytes.fromhex(f"{cents:010d}")


def from_bcd(raw: bytes) -> int | None:
    """The number that the digits spell, None when a half byte is above 9."""
    digits = raw.hex()
    return int(digits) if digits.isdigit() else None


def encode(frame: SasFrame) -> bytes:
    """The poll with its CRC; ValueError on what the protocol cannot say."""
    if isinstance(frame, LevelAmount):
        body = bytes((frame.address, ONE_LEVEL, frame.group, frame.level)) + to_bcd(frame.cents)
    else:
        if not 1 <= len(frame.levels) <= MAX_LEVELS:
            raise ValueError(f"LP86 carries 1 to {MAX_LEVELS} levels, not {len(frame.levels)}")
        data = bytes((frame.group,)) + b"".join(bytes((level,)) + to_bcd(cents) for level, cents in frame.levels)
        body = bytes((frame.address, MANY_LEVELS, len(data))) + data
    return body + crc16_kermit(body).to_bytes(2, "little")


def frame_length(data: bytes) -> int:
    """Length that the poll at the start of `data` announces; `MORE` or `NO_START` as in drivers.resync."""
    if len(data) < 2:
        return MORE
    if data[1] == ONE_LEVEL:
        return ONE_LEVEL_BYTES
    if data[1] != MANY_LEVELS:
        return NO_START
    if len(data) < 3:
        return MORE
    levels, rest = divmod(data[2] - 1, LEVEL_BYTES)
    return 3 + data[2] + 2 if rest == 0 and 1 <= levels <= MAX_LEVELS else NO_START


def match(data: bytes) -> int:
    """Is there a poll with a good CRC at the start of `data`? (see drivers.resync)"""
    length = frame_length(data)
    if length > len(data):
        return MORE
    if length <= 0:
        return length
    good = crc16_kermit(data[: length - 2]) == int.from_bytes(data[length - 2 : length], "little")
    return length if good else BAD_CHECK


def parse(raw: bytes) -> SasFrame | None:
    """The poll that `raw` is; None when the CRC is bad or an amount is no decimal number."""
    if match(raw) != len(raw):
        return None
    if raw[1] == ONE_LEVEL:
        cents = from_bcd(raw[4:9])
        return None if cents is None else LevelAmount(raw[0], raw[2], raw[3], cents)
    levels = [(raw[at], from_bcd(raw[at + 1 : at + LEVEL_BYTES])) for at in range(4, len(raw) - 2, LEVEL_BYTES)]
    known = tuple((level, cents) for level, cents in levels if cents is not None)
    return LevelAmounts(raw[0], raw[3], known) if len(known) == len(levels) else None


class SasCodec:
    """A captured line to progressive polls; everything else on it is junk here."""

    def __init__(self) -> None:
        self._resync = Resync(self._match, MAX_FRAME)

    @property
    def counters(self) -> CodecCounters:
        return self._resync.counters

    def feed(self, data: bytes, now_s: float) -> Decoded:
        return decoded(self._resync.feed(data, now_s), parse)

    def encode(self, command: SasFrame) -> bytes:
        return encode(command)

    def clear(self) -> None:
        self._resync.clear()

    def _match(self, data: bytes) -> int:
        length = match(data)
        return BAD_CHECK if length > 0 and parse(data[:length]) is None else length
