"""Tags between STX and ETX, and lines of text, as readers, shoes and shufflers send them.

Tags: ID-12LA data sheet and the RDM6300 format. Lines: any of CR, LF, CRLF ends one.
"""

from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Literal

from drivers.device import CodecCounters, Decoded
from drivers.resync import BAD_CHECK, MORE, NO_START, Resync, decoded

STX, ETX, CR, LF = 2, 3, 13, 10
DIGITS = 12
MAX_TAG = 1 + DIGITS + 2 + 1
MAX_LINE = 256
PART_S = 0.2
HEX = frozenset(b"0123456789ABCDEFabcdef")

TagCheck = Literal["xor", "sum"]


@dataclass(frozen=True, slots=True)
class TagFrame:
    """One tag as sent: two hex digits of version, eight of number, two of check, all upper case.

    Makers close it with the XOR or with the sum of the five bytes; `valid_xor` and `valid_sum` tell which one fits.
    """

    version: str
    tag: str
    check: str
    valid_xor: bool
    valid_sum: bool
    raw: bytes


@dataclass(frozen=True, slots=True)
class LineFrame:
    """One line of printable ASCII without its end."""

    text: str
    raw: bytes


def encode_tag(number: bytes, check: TagCheck = "xor", crlf: bool = False) -> bytes:
    """Five bytes (version and number) as a reader sends them."""
    if len(number) != 5:
        raise ValueError(f"a tag has 5 bytes, not {len(number)}")
    total = reduce(xor, number) if check == "xor" else sum(number) & 0xFF
    digits = number.hex().upper() + f"{total:02X}"
    return bytes((STX,)) + digits.encode() + (b"\r\n" if crlf else b"") + bytes((ETX,))


def match_tag(data: bytes) -> int:
    """Is there a tag at the start of `data`, whatever its check? (see drivers.resync)"""
    if data[0] != STX:
        return NO_START
    digits = data[1 : 1 + DIGITS]
    if not HEX.issuperset(digits):
        return NO_START
    tail = data[1 + DIGITS : MAX_TAG]
    if tail[:1] == bytes((ETX,)):
        return 1 + DIGITS + 1
    wanted = bytes((CR, LF, ETX))
    if not wanted.startswith(tail):
        return NO_START
    return MAX_TAG if tail == wanted else MORE


def parse_tag(raw: bytes) -> TagFrame | None:
    """The tag that `raw` is, or None."""
    if len(raw) < 1 + DIGITS + 1 or match_tag(raw) != len(raw):
        return None
    digits = raw[1 : 1 + DIGITS].decode("ascii").upper()
    number, check = bytes.fromhex(digits[:10]), int(digits[10:], 16)
    fits_xor, fits_sum = reduce(xor, number) == check, sum(number) & 0xFF == check
    return TagFrame(digits[:2], digits[2:10], digits[10:], fits_xor, fits_sum, raw)


class TagCodec:
    """Bytes to tags whose check fits (`check` None: any); a part older than 200 ms is junk."""

    def __init__(self, check: TagCheck | None = "xor", part_s: float | None = PART_S) -> None:
        self.check = check
        self._resync = Resync(self._match, MAX_TAG, part_s)

    @property
    def counters(self) -> CodecCounters:
        return self._resync.counters

    def feed(self, data: bytes, now_s: float) -> Decoded:
        return decoded(self._resync.feed(data, now_s), parse_tag)

    def encode(self, command: bytes) -> bytes:
        """Five bytes as this reader would send them."""
        return encode_tag(command, self.check or "xor")

    def clear(self) -> None:
        self._resync.clear()

    def _match(self, data: bytes) -> int:
        length = match_tag(data)
        if length <= 0 or self.check is None:
            return length
        tag = parse_tag(data[:length])
        fits = tag is not None and (tag.valid_xor if self.check == "xor" else tag.valid_sum)
        return length if fits else BAD_CHECK


class LineCodec:
    """Bytes to lines of at most 256 bytes; a part older than 200 ms is junk.

    A byte that is no printable ASCII spoils its line up to the end, as does a length over 256: the rest of a damaged
    line is never taken for a line of its own. In front of a line such bytes are only junk (line glitches, STX).
    The second character of CRLF ends nothing.
    """

    def __init__(self, part_s: float | None = PART_S) -> None:
        self.counters = CodecCounters()
        self._part_s = part_s
        self._buffer = bytearray()
        self._spoilt = False
        self._last_at_s: float | None = None

    def feed(self, data: bytes, now_s: float) -> Decoded:
        frames: list[LineFrame] = []
        junk = bytearray()
        self._expire(now_s, junk)
        if data:
            self._last_at_s = now_s
        for byte in data:
            if byte in (CR, LF):
                self._close(byte, frames, junk)
                continue
            printable = 0x20 <= byte < 0x7F
            if self._buffer and (not printable or len(self._buffer) >= MAX_LINE):
                self._spoilt = True
            if printable and not self._spoilt:
                self._buffer.append(byte)
                continue
            self._drop(junk)
            junk.append(byte)
        self.counters.junk_bytes += len(junk)
        return Decoded(frames, bytes(junk))

    def encode(self, command: str) -> bytes:
        """A line as a device would send it."""
        return command.encode("ascii") + b"\r\n"

    def clear(self) -> None:
        self.counters.short += bool(self._buffer)
        self.counters.junk_bytes += len(self._buffer)
        self._buffer.clear()
        self._spoilt = False

    def _expire(self, now_s: float, junk: bytearray) -> None:
        """A part that waited too long is dropped; what follows a silence starts a new line."""
        late = self._part_s is not None and self._last_at_s is not None and now_s - self._last_at_s > self._part_s
        if late:
            self.counters.short += bool(self._buffer)
            self._drop(junk)
            self._spoilt = False

    def _close(self, end: int, frames: list[LineFrame], junk: bytearray) -> None:
        if self._spoilt:
            self.counters.bad_check += 1
            junk.append(end)
        elif self._buffer:
            raw = bytes(self._buffer)
            frames.append(LineFrame(raw.decode("ascii"), raw + bytes((end,))))
            self.counters.frames += 1
            self._buffer.clear()
        self._spoilt = False

    def _drop(self, junk: bytearray) -> None:
        junk += self._buffer
        self._buffer.clear()
