"""What a captured byte stream says, frame by frame, with noise and damage named; for `devices decode` and for tests."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import drivers.alpha_sign.explain as alpha
import drivers.cctalk_coin.explain as cctalk
import drivers.dcon_io.explain as dcon
import drivers.line_reader.explain as tags
import drivers.modbus_rtu_io.explain as modbus
import drivers.sas_progressive.explain as sas
from drivers.alpha_sign.codec import AlphaCodec
from drivers.capture import Direction, Item, joined
from drivers.cctalk_coin.codec import CcTalkCodec, Check
from drivers.dcon_io.codec import REPLY_LEADS, REQUEST_LEADS, DconCodec
from drivers.device import Codec
from drivers.line_reader.codec import LineCodec, TagCodec
from drivers.modbus_rtu_io.codec import RtuCodec
from drivers.sas_progressive.codec import SasCodec

PROTOCOLS = ("modbus_rtu", "dcon", "cctalk", "alpha", "stx", "line", "sas")
_LONGEST_SPLIT_PROOF = 512

HEX = re.compile("[0-9a-fA-F]+")


class CaptureError(ValueError):
    """The question cannot be answered: unknown protocol, bytes that are no hex, a row of another shape."""


@dataclass(frozen=True, slots=True)
class DecodedStream:
    """A whole capture. `frames` are named fields as people read them, damaged frames among them (`valid` false).

    `junk` is every byte that belongs to no good frame and is no echo; `echo` is what the host heard of itself.
    `items` is the same in the order of the line, noise included.
    """

    protocol: str
    frames: list[dict[str, Any]]
    junk: bytes
    echo: bytes
    items: tuple[Item, ...]


def decode_stream(
    protocol: str, data: bytes, direction: str | None = None, state: Mapping[str, Any] | None = None
) -> DecodedStream:
    """Explain `data`. Without a direction both are tried. `state` is what a device's state machine knew before it.

    Never fails on bytes; CaptureError for an unknown protocol or direction.
    """
    way = _direction(direction)
    items = _read(protocol, data, way, state)
    if way in (Direction.HOST_TO_DEVICE, Direction.DEVICE_TO_HOST) and not any(item.good for item in items):
        both = _read(protocol, data, None, state)
        items = both if any(item.good for item in both) else items
    if way is not Direction.RECEIVED_LINE:
        frames = [frame for item in items for frame in item.frames]
        return DecodedStream(protocol, frames, joined(items), b"", tuple(items))
    frames = list(_answers(protocol, data, items))
    echo = b"".join(item.raw for item in items if _is_echo(item))
    return DecodedStream(protocol, frames, joined(items), echo, tuple(items))


def decode_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a row with `protocol`, `bytes_hex` and maybe `direction` and `expect.state_before`.

    The answer is {"frames": [...], "junk_hex": "..."}, with "echo_hex" where the host heard itself.
    """
    protocol, text = row.get("protocol"), row.get("bytes_hex")
    if not isinstance(protocol, str) or not isinstance(text, str):
        raise CaptureError("a row needs protocol and bytes_hex as texts")
    direction, expect = row.get("direction"), row.get("expect")
    state = expect.get("state_before") if isinstance(expect, Mapping) else None
    state = row.get("state_before") if state is None else state
    if state is not None and not _is_state(state):
        raise CaptureError("state_before needs last_counter as a number or null")
    decoded = decode_stream(protocol, from_hex(text), direction, state)
    return to_answer(decoded)


def decode_line(protocol: str, line: str) -> dict[str, Any]:
    """Answer one line of many: hex, or a row as JSON (its own `protocol` wins); never fails on what it says.

    What cannot be answered is {"error": "bad_line", "detail": why}.
    """
    try:
        if not line.lstrip().startswith("{"):
            return to_answer(decode_stream(protocol, from_hex(line)))
        row = json.loads(line)
        return decode_row({"protocol": protocol, **row})
    except (CaptureError, ValueError, RecursionError) as problem:
        return {"error": "bad_line", "detail": str(problem)}


def to_answer(decoded: DecodedStream) -> dict[str, Any]:
    """The decoded capture as plain JSON values."""
    answer: dict[str, Any] = {"frames": decoded.frames, "junk_hex": decoded.junk.hex().upper()}
    if decoded.echo:
        answer["echo_hex"] = decoded.echo.hex().upper()
    return answer


def from_hex(text: str) -> bytes:
    """Bytes from hex digits with or without blanks, commas, colons, dashes or 0x; CaptureError otherwise."""
    plain = text
    for sign in (",", ":", "-", "0x", "0X", "\\x"):
        plain = plain.replace(sign, " ")
    found = bytearray()
    for number, part in enumerate(plain.split(), 1):
        try:
            found += bytes.fromhex(f"0{part}" if len(part) == 1 else part)
        except ValueError:
            fault = "an odd number of digits" if not HEX.sub("", part) else f"'{HEX.sub('', part)[0]}' is no hex digit"
            raise CaptureError(f"part {number} of the bytes, '{part[:40]}': {fault}") from None
    return bytes(found)


@dataclass(frozen=True, slots=True)
class Explained:
    """A frame, damaged frame or run of noise: where it begins, its bytes in hex, who sent it, what it means.

    sender: `host`, `device`, or empty where the bytes do not say.
    """

    offset: int
    shown: str
    sender: str
    meaning: str


def explain(decoded: DecodedStream) -> list[Explained]:
    """Each part of a capture, in order."""
    parts: list[Explained] = []
    offset = 0
    for item in decoded.items:
        shown = item.raw.hex(" ").upper()
        sender = {True: "host", False: "device", None: ""}[item.from_host]
        if item.frames:
            parts += [Explained(offset, shown, sender, _words(frame)) for frame in item.frames]
        else:
            parts.append(Explained(offset, shown, "", f"noise, {len(item.raw)} bytes"))
        offset += len(item.raw)
    return parts


def _words(frame: Mapping[str, Any]) -> str:
    if frame.get("valid") is False:
        return f"damaged ({frame['reason']})"
    return ", ".join(f"{key}={value!r}" for key, value in frame.items() if key != "valid" or value is not True)


def _direction(direction: str | None) -> Direction | None:
    if direction is None:
        return None
    try:
        return Direction(direction)
    except ValueError as problem:
        raise CaptureError(f"direction is one of {', '.join(Direction)}, not {direction!r}") from problem


def _is_state(state: Any) -> bool:
    if not isinstance(state, Mapping):
        return False
    last = state.get("last_counter")
    return last is None or (isinstance(last, int) and not isinstance(last, bool) and 0 <= last <= 0xFFFF)


def _read(protocol: str, data: bytes, way: Direction | None, state: Mapping[str, Any] | None) -> list[Item]:
    match protocol:
        case "modbus_rtu":
            return modbus.read(data, way)
        case "dcon":
            return dcon.read(data, way, state)
        case "cctalk":
            return cctalk.read(data, way, state)
        case "alpha":
            return alpha.read(data)
        case "stx":
            return tags.read(data)
        case "line":
            return tags.read_lines(data)
        case "sas":
            return sas.read(data)
    raise CaptureError(f"protocol is one of {', '.join(PROTOCOLS)}, not {protocol!r}")


def _is_echo(item: Item) -> bool:
    return item.good and item.from_host is True


def _answers(protocol: str, data: bytes, items: Sequence[Item]) -> Iterator[dict[str, Any]]:
    """Replies with the echo that came before each; an echo that nothing answered is told as such."""
    replies = sum(item.good and not _is_echo(item) for item in items)
    proof = {"split_anywhere": splits_agree(protocol, data)} if len(data) <= _LONGEST_SPLIT_PROOF else {}
    echo: Item | None = None
    for item in items:
        if _is_echo(item):
            echo = item
            continue
        heard = {"echo_hex": echo.raw.hex().upper()} if echo else {}
        for frame in item.frames:
            if not item.good:
                yield frame
                continue
            yield {**frame, **heard, "frames": replies, "frame_hex": item.raw.hex().upper(), **proof}
        if item.good:
            echo = None
    if echo is not None and not replies:
        silent = {"valid": False, "reason": "no reply", "reply": "none", "host_action": "time out, then retry"}
        yield {**silent, "echo_hex": echo.raw.hex().upper(), "frames": 0}


def splits_agree(protocol: str, data: bytes) -> bool:
    """Cut anywhere in two, the driver's codec finds the same frames (proved by doing it)."""

    def frames(make: Callable[[], Codec], *parts: bytes) -> list[Any]:
        codec = make()
        return [frame for part in parts for frame in codec.feed(part, 0.0).frames]

    for make in _CODECS[protocol]:
        whole = frames(make, data)
        if any(frames(make, data[:at], data[at:]) != whole for at in range(1, len(data))):
            return False
    return True


_CODECS: Mapping[str, tuple[Callable[[], Codec], ...]] = {
    "modbus_rtu": (lambda: RtuCodec(replies=True, requests=True),),
    "dcon": (lambda: DconCodec(checksum=False, leads=REPLY_LEADS + REQUEST_LEADS),),
    "cctalk": (lambda: CcTalkCodec(Check.SUM8), lambda: CcTalkCodec(Check.CRC16)),
    "alpha": (AlphaCodec,),
    "stx": (lambda: TagCodec(check=None),),
    "line": (LineCodec,),
    "sas": (SasCodec,),
}
