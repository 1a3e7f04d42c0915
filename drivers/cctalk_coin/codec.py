"""ccTalk frames to and from bytes, and what a credit reply says (ccTalk Generic Specification 4.7)."""

from binascii import crc_hqx
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from drivers.device import CodecCounters, Decoded
from drivers.resync import BAD_CHECK, MORE, NO_START, Resync, decoded

HOST = 1
MAX_FRAME = 260
GAP_S = 0.05
EVENT_BUFFER = 5


class Check(StrEnum):
    """How a line's frames are closed: a simple sum, or CRC-16/XMODEM with the low byte in the source's place."""

    SUM8 = "sum8"
    CRC16 = "crc16"


class Header(IntEnum):
    """The commands and replies used here (ccTalk 4.7, part 3)."""

    REPLY = 0
    RESET = 1
    NAK = 5
    BUSY = 6
    COIN_ID = 184
    REQUEST_MASTER_INHIBIT = 227
    MODIFY_MASTER_INHIBIT = 228
    READ_CREDIT = 229
    REQUEST_INHIBIT_MASK = 230
    MODIFY_INHIBIT_MASK = 231
    SERIAL_NUMBER = 242
    PRODUCT_CODE = 244
    EQUIPMENT_CATEGORY = 245
    MANUFACTURER = 246
    POLL_PRIORITY = 249
    SIMPLE_POLL = 254


class FaultClass(StrEnum):
    """What an event code asks of the table: nothing, a technician, the inspector, or the player's patience."""

    NOTE = "note"
    HARDWARE = "hardware"
    FRAUD = "fraud"
    RETURN_LEVER = "return_lever"


@dataclass(frozen=True, slots=True)
class CcTalkFrame:
    """One ccTalk message; `src` is None in CRC mode, where its place holds half of the check."""

    dst: int
    header: int
    data: bytes
    src: int | None
    check: Check = Check.SUM8
    crc: int | None = None
    raw: bytes = field(default=b"", compare=False)


@dataclass(frozen=True, slots=True)
class CoinEvent:
    """One entry of the event buffer: a coin (1-16) on a sorter path, or a fault code with `coin` 0."""

    coin: int
    path: int
    code: int


@dataclass(frozen=True, slots=True)
class Credit:
    """What is new in a credit reply; `lost` events left the five-event buffer unread."""

    counter: int
    events: tuple[CoinEvent, ...]
    lost: int
    reset: bool = False


def crc16_xmodem(data: bytes) -> int:
    """CRC-16/XMODEM (polynomial 1021h, start 0)."""
    return crc_hqx(data, 0)


def encode(dst: int, header: int, data: bytes = b"", src: int = HOST, check: Check = Check.SUM8) -> bytes:
    """One message as bytes; data is at most 255 bytes."""
    if len(data) > 255:
        raise ValueError(f"ccTalk data has at most 255 bytes, not {len(data)}")
    if check is Check.CRC16:
        crc = crc16_xmodem(bytes((dst, len(data), header)) + data)
        return bytes((dst, len(data), crc & 0xFF, header)) + data + bytes((crc >> 8,))
    body = bytes((dst, len(data), src, header)) + data
    return body + bytes((-sum(body) & 0xFF,))


def parse(raw: bytes, check: Check) -> CcTalkFrame | None:
    """The message that `raw` is in that mode, or None. Five zeros fit both checks: nobody answers the broadcast."""
    if len(raw) < 5 or len(raw) != raw[1] + 5 or not any(raw):
        return None
    dst, _, third, header = raw[:4]
    data = raw[4:-1]
    if check is Check.SUM8:
        return CcTalkFrame(dst, header, data, third, raw=raw) if sum(raw) & 0xFF == 0 else None
    crc = crc16_xmodem(raw[:2] + raw[3:-1])
    if (third, raw[-1]) != (crc & 0xFF, crc >> 8):
        return None
    return CcTalkFrame(dst, header, data, None, check, crc, raw)


def match(data: bytes, check: Check, only_dst: int | None = None, max_data: int = 255) -> int:
    """Is there a message at the start of `data`? (see drivers.resync)"""
    if only_dst is not None and data[0] != only_dst:
        return NO_START
    if len(data) >= 2 and data[1] > max_data:
        return NO_START
    if len(data) < 2 or len(data) < data[1] + 5:
        return MORE
    length = data[1] + 5
    return length if parse(data[:length], check) else BAD_CHECK


class CcTalkCodec:
    """Bytes of one line to messages for `only_dst` (None: all); a silence over `gap_s` ends a half message.

    With `max_data` below 184 what is left of a damaged echo (the host's 1, then a header) is no head that waits.
    """

    def __init__(
        self,
        check: Check = Check.SUM8,
        only_dst: int | None = None,
        max_data: int = 255,
        gap_s: float | None = GAP_S,
    ) -> None:
        self.check = check
        self._only_dst, self._max_data = only_dst, max_data
        self._resync = Resync(self._match, MAX_FRAME, gap_s)

    @property
    def counters(self) -> CodecCounters:
        return self._resync.counters

    def feed(self, data: bytes, now_s: float) -> Decoded:
        return decoded(self._resync.feed(data, now_s), self._parse)

    def end(self) -> Decoded:
        """The line fell silent: whole messages inside what waits, and junk."""
        return decoded(self._resync.end(), self._parse)

    def encode(self, command: CcTalkFrame) -> bytes:
        """The message in the mode of this line, from the host when it names no source."""
        src = HOST if command.src is None else command.src
        return encode(command.dst, command.header, command.data, src, self.check)

    def clear(self) -> None:
        self._resync.clear()

    def _match(self, data: bytes) -> int:
        return match(data, self.check, self._only_dst, self._max_data)

    def _parse(self, raw: bytes) -> CcTalkFrame | None:
        return parse(raw, self.check)


def read_credit(data: bytes, last: int) -> Credit | None:
    """What a reply to 229 adds to counter `last`; None when it is not 11 bytes long.

    The counter runs 0 (only after a reset), 1 ... 255, 1. Five pairs follow, newest first; events come out oldest
    first. Of n > 5 new events, n - 5 are lost. Counter 0 after a counter above 0 is a reset.
    """
    if len(data) != 1 + 2 * EVENT_BUFFER:
        return None
    counter = data[0]
    if counter == 0:
        return Credit(0, (), 0, reset=last != 0)
    new = counter - last if counter >= last else 255 - last + counter
    pairs = [(data[at], data[at + 1]) for at in range(1, 2 * min(new, EVENT_BUFFER), 2)]
    events = tuple(CoinEvent(a, b, 0) if a else CoinEvent(0, 0, b) for a, b in reversed(pairs))
    return Credit(counter, events, max(0, new - EVENT_BUFFER))


_FRAUD = frozenset((*range(16, 21), *range(22, 26), 34, 40))
_NOTES = frozenset((0, 1, 2, 3, *range(8, 13)))


def classify(code: int) -> FaultClass:
    """What an event code means (ccTalk 4.7, coin acceptor error codes); an unknown code counts as hardware."""
    if code == 254:
        return FaultClass.RETURN_LEVER
    if code in _NOTES or 128 <= code <= 159:
        return FaultClass.NOTE
    return FaultClass.FRAUD if code in _FRAUD else FaultClass.HARDWARE
