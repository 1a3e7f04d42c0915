"""A captured Modbus RTU line explained, requests and replies."""

from typing import Any

from drivers.capture import Direction, Item, name_junk
from drivers.modbus_rtu_io.codec import EXCEPTION_BUSY, Frame, RtuCodec, crc16
from drivers.resync import MORE, NO_START

_SILENT = {"reply": "none", "host_action": "time out, then retry"}
_FUNCTIONS = frozenset((*range(1, 9), 11, 12, *range(15, 18), 20, 21, 22, 23, 24, 43))
_MULTIPLE_REGISTERS = 16


def read(data: bytes, direction: Direction | None) -> list[Item]:
    """All of a capture in order. Noise in front of a request makes a device stay silent: no pause parts the two."""
    items: list[Item] = []
    junk = b""
    for raw, frame in _pieces(data, direction):
        if frame is None:
            junk += raw
            continue
        items += _name(junk, direction)
        fields = describe(frame)
        if not frame.is_reply and (junk or frame.unit == 0) and direction is Direction.HOST_TO_DEVICE:
            fields |= _SILENT if junk else {"reply": "none"}
        items.append(Item(raw, (fields,), True, _from_host(frame, items, direction)))
        junk = b""
    return items + _name(junk, direction)


def describe(frame: Frame) -> dict[str, Any]:
    """One frame as named fields; an exception but "busy" means that the configuration does not fit the device."""
    fields = frame.describe()
    if frame.exception is not None and frame.exception != EXCEPTION_BUSY:
        fields["host_action"] = "configuration fault"
    return fields


def _pieces(data: bytes, direction: Direction | None) -> list[tuple[bytes, Frame | None]]:
    """Byte by byte, so that junk and frames stay in the order of the line."""
    codec = RtuCodec(
        replies=direction is not Direction.HOST_TO_DEVICE, requests=direction is not Direction.DEVICE_TO_HOST
    )
    pieces: list[tuple[bytes, Frame | None]] = []
    for at in range(len(data)):
        found = codec.feed(data[at : at + 1], 0.0)
        pieces += [(found.junk, None)] if found.junk else []
        pieces += [(frame.raw, frame) for frame in found.frames]
    return [*pieces, (codec.pending, None)]


def _from_host(frame: Frame, before: list[Item], direction: Direction | None) -> bool:
    """Writes are answered by the same or alike bytes: on a line that echoes, the first of two is the request."""
    if direction in (Direction.HOST_TO_DEVICE, Direction.DEVICE_TO_HOST):
        return direction is Direction.HOST_TO_DEVICE
    if frame.raw[1] not in (5, 6):
        return not frame.is_reply
    return not (before and before[-1].raw == frame.raw and before[-1].from_host)


def _name(run: bytes, direction: Direction | None) -> list[Item]:
    """Frames of functions that the driver does not use, damaged frames, noise."""
    if not run:
        return []
    if _other(run):
        fields = {"valid": True, "unit": run[0], "function": run[1] & 0x7F, "data_hex": run[2:-2].hex().upper()}
        return [Item(run, (fields | _detail(run, direction),), True)]
    to_host = direction in (None, Direction.DEVICE_TO_HOST, Direction.RECEIVED_LINE)
    to_device = direction is not Direction.DEVICE_TO_HOST
    items: list[Item] = []

    def announce(data: bytes) -> int:
        lengths = [_announced(data, reply) for reply, wanted in ((False, to_device), (True, to_host)) if wanted]
        exact = next((length for length in lengths if length == len(data)), None)
        return max(lengths) if exact is None else exact

    for item in name_junk(run, announce):
        silent = item.frames and direction is Direction.HOST_TO_DEVICE
        items.append(Item(item.raw, (item.frames[0] | _SILENT,)) if silent else item)
    return items


def _other(run: bytes) -> bool:
    return 4 <= len(run) <= 256 and run[1] & 0x7F in _FUNCTIONS and crc16(run[:-2]) == run[-2:]


def _detail(run: bytes, direction: Direction | None) -> dict[str, Any]:
    if run[1] & 0x80 and len(run) == 5:
        return {
            "exception": run[2],
            "host_action": "retry later" if run[2] == EXCEPTION_BUSY else "configuration fault",
        }
    if run[1] != _MULTIPLE_REGISTERS or len(run) < 8:
        return {}
    start, count = int.from_bytes(run[2:4], "big"), int.from_bytes(run[4:6], "big")
    if len(run) == 8:
        return {"start": start, "count": count}
    words = [int.from_bytes(run[at : at + 2], "big") for at in range(7, len(run) - 3, 2)]
    return {"start": start, "count": count, "registers": words}


def _announced(data: bytes, reply: bool) -> int:
    """Length of the frame that begins here, by its function code."""
    if len(data) < 2:
        return NO_START
    function = data[1]
    if reply and function & 0x80:
        return 5 if function & 0x7F in _FUNCTIONS else NO_START
    if function not in (1, 2, 3, 4, 5, 6, 15, 16):
        return NO_START
    if reply and function <= 4:
        return MORE if len(data) < 3 else data[2] + 5
    if not reply and function >= 15:
        return MORE if len(data) < 7 else data[6] + 9
    return 8
