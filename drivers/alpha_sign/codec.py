"""Packets of the Alpha Sign Communications Protocol, form 9708-8061F (2006), to and from bytes."""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from drivers.device import CodecCounters, Decoded
from drivers.resync import BAD_CHECK, MORE, NO_START, Resync, decoded

NUL, SOH, STX, ETX, EOT = b"\0", b"\x01", b"\x02", b"\x03", b"\x04"
MIN_NULS = 5
MAX_NULS = 64
MAX_PACKET = 2048
MAX_STRING = 125
PRIORITY = "0"
"""The TEXT file that takes the whole sign over."""
RESPONSE = "0"
"""Type code of everything that a sign says."""
FORBIDDEN_STRING_LABELS = frozenset("0?")

_HEAD = re.compile(rb"\x01[!-~][0-9A-Fa-f?]{2}\x02")
_CHECKSUM = re.compile(rb"[0-9A-Fa-f]{4}")
_CALL = re.compile(r"\x10(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """One file of the memory configuration (table 15): size in bytes, schedule as four characters."""

    label: str
    type: str
    lock: str
    size: int
    schedule: str

    def encode(self) -> str:
        return f"{self.label}{self.type}{self.lock}{self.size:04X}{self.schedule}"


def text_file(label: str, size: int) -> MemoryFile:
    """A TEXT file that always runs, open to the sign's own remote control."""
    return MemoryFile(label, "A", "U", size, "FFFF")


def string_file(label: str, size: int) -> MemoryFile:
    """A STRING file; ValueError for a label or a size that a sign refuses."""
    if label in FORBIDDEN_STRING_LABELS or len(label) != 1:
        raise ValueError(f"{label!r} cannot name a STRING file")
    if not 1 <= size <= MAX_STRING:
        raise ValueError(f"a STRING file has 1 to {MAX_STRING} bytes, not {size}")
    return MemoryFile(label, "B", "L", size, "0000")


@dataclass(frozen=True, slots=True)
class WriteText:
    """Command A. `position` and `mode` None is the bare write: it empties a file and releases the priority file."""

    label: str
    text: str
    position: str | None = " "
    mode: str | None = "b"

    def encode(self) -> str:
        shape = "" if self.position is None or self.mode is None else f"\x1b{self.position}{self.mode}"
        return f"A{self.label}{shape}{self.text}"

    @property
    def plain(self) -> str:
        """The text without its calls of STRING files."""
        return _CALL.sub("", self.text)

    @property
    def calls(self) -> str:
        """Labels of the STRING files that the text calls, in order."""
        return "".join(_CALL.findall(self.text))


@dataclass(frozen=True, slots=True)
class WriteString:
    """Command G, and the form in which a sign answers the reading of a STRING file."""

    label: str
    text: str

    def encode(self) -> str:
        return f"G{self.label}{self.text}"


@dataclass(frozen=True, slots=True)
class ReadString:
    """Command H."""

    label: str

    def encode(self) -> str:
        return f"H{self.label}"


@dataclass(frozen=True, slots=True)
class SetMemory:
    """Command E$: all files at once; what they held is lost. No file clears the memory."""

    files: tuple[MemoryFile, ...]

    def encode(self) -> str:
        return "E$" + "".join(file.encode() for file in self.files)


@dataclass(frozen=True, slots=True)
class Other:
    """Any other command: its code (two characters for special functions) and what follows."""

    code: str
    data: str

    def encode(self) -> str:
        return self.code + self.data


AlphaCommand: TypeAlias = WriteText | WriteString | ReadString | SetMemory | Other


@dataclass(frozen=True, slots=True)
class AlphaBlock:
    """One command between STX and ETX or EOT; the four hex digits when it was closed by a sum."""

    command: AlphaCommand
    checksum: str | None = None


@dataclass(frozen=True, slots=True)
class AlphaPacket:
    """One transmission: sign type ("Z" all, "^" BetaBrite, "0" a reply), address ("00" all), its commands."""

    type: str
    address: str
    blocks: tuple[AlphaBlock, ...]
    raw: bytes = field(default=b"", compare=False)

    @property
    def commands(self) -> tuple[AlphaCommand, ...]:
        return tuple(block.command for block in self.blocks)


def encode(
    command: AlphaCommand, type_code: str = "Z", address: str = "00", checksum: bool = False, nuls: int = 6
) -> bytes:
    """One command as a transmission; ValueError for what the protocol cannot carry."""
    body = command.encode().encode("ascii")
    if any(byte in body for byte in NUL + SOH + STX + ETX + EOT):
        raise ValueError("control characters 00h-04h cannot be sent to a sign")
    block = STX + body
    if checksum:
        block += ETX
        block += f"{sum(block) & 0xFFFF:04X}".encode()
    packet = NUL * nuls + SOH + type_code.encode("ascii") + address.encode("ascii") + block + EOT
    if len(packet) > MAX_PACKET:
        raise ValueError(f"a packet of {len(packet)} bytes is over {MAX_PACKET}")
    return packet


def read_command(data: str) -> AlphaCommand:
    """The command that the characters between STX and ETX spell; what is not known is `Other`."""
    code, rest = data[:1], data[1:]
    if code == "A" and rest[1:2] == "\x1b" and len(rest) >= 4:
        return WriteText(rest[0], rest[4:], rest[2], rest[3])
    if code == "A" and rest and rest[1:2] != "\x1b":
        return WriteText(rest[0], rest[1:], None, None)
    if code == "G" and rest:
        return WriteString(rest[0], rest[1:])
    if code == "H" and len(rest) == 1:
        return ReadString(rest)
    if data.startswith("E$"):
        return _read_memory(data[2:]) or Other("E$", data[2:])
    return Other(data[:2], data[2:]) if code in ("E", "F") else Other(code, rest)


def _read_memory(data: str) -> SetMemory | None:
    entries = [data[at : at + 11] for at in range(0, len(data), 11)]
    if any(len(e) != 11 or not re.fullmatch("[0-9A-Fa-f]{4}", e[3:7]) for e in entries):
        return None
    return SetMemory(tuple(MemoryFile(e[0], e[1], e[2], int(e[3:7], 16), e[7:]) for e in entries))


def match(data: bytes, min_nuls: int = MIN_NULS) -> int:
    """Is there a packet with good sums at the start of `data`? (see drivers.resync)"""
    body = data.lstrip(NUL)
    nuls = len(data) - len(body)
    if not body and nuls <= MAX_NULS:
        return MORE
    if not min_nuls <= nuls <= MAX_NULS or body[:1] != SOH:
        return NO_START
    end = body.find(EOT)
    inside = body[1:] if end < 0 else body[1:end]
    if not inside.isascii() or SOH in inside or NUL in inside:
        return NO_START
    if len(body) >= 5 and not _HEAD.match(body):
        return NO_START
    if end < 0:
        return MORE
    blocks = _blocks(body[:end])
    return nuls + end + 1 if blocks else BAD_CHECK


def _blocks(body: bytes) -> tuple[AlphaBlock, ...] | None:
    """The commands of SOH ... (without EOT); None when the head, a sum or a block is bad."""
    if not _HEAD.match(body):
        return None
    blocks: list[AlphaBlock] = []
    for part in body[5:].split(STX):
        data, etx, tail = part.partition(ETX)
        good = not tail or (bool(_CHECKSUM.fullmatch(tail)) and int(tail, 16) == sum(STX + data + etx) & 0xFFFF)
        if not data or not good:
            return None
        blocks.append(AlphaBlock(read_command(data.decode("ascii")), tail.decode("ascii").upper() or None))
    return tuple(blocks)


def parse(raw: bytes) -> AlphaPacket | None:
    """The packet that `raw` is (any number of leading NUL), or None."""
    body = raw.lstrip(NUL)
    if not body.endswith(EOT) or not body.isascii():
        return None
    blocks = _blocks(body[:-1])
    return AlphaPacket(chr(body[1]), body[2:4].decode("ascii"), blocks, raw) if blocks else None


class AlphaCodec:
    """Bytes to packets. Signs answer after twenty NUL, of which a line may lose some: `min_nuls` are wanted."""

    def __init__(
        self, type_code: str = "Z", address: str = "00", checksum: bool = False, min_nuls: int = MIN_NULS
    ) -> None:
        self._type_code, self._address, self._checksum, self._min_nuls = type_code, address, checksum, min_nuls
        self._resync = Resync(self._match, MAX_PACKET, gap_s=1.0)

    @property
    def counters(self) -> CodecCounters:
        return self._resync.counters

    def feed(self, data: bytes, now_s: float) -> Decoded:
        return decoded(self._resync.feed(data, now_s), parse)

    def encode(self, command: AlphaCommand) -> bytes:
        return encode(command, self._type_code, self._address, self._checksum)

    def clear(self) -> None:
        self._resync.clear()

    def _match(self, data: bytes) -> int:
        return match(data, self._min_nuls)
