"""A captured Modbus RTU line explained, requests and replies."""

from typing import Any

from drivers.capture import Direction, Item, name_junk, scan
from drivers.modbus_rtu_io.codec import EXCEPTION_BUSY, MAX_FRAME, Frame, RtuCodec, crc16
from drivers.resync import BAD_CHECK, MORE, NO_START

_SILENT = {"reply": "none", "host_action": "time out, then retry"}
_FUNCTIONS = frozenset((*range(1, 9), 11, 12, *range(15, 18), 20, 21, 22, 23, 24, 43))
_MULTIPLE_REGISTERS = 16


def read(data: bytes, direction: Direction | None) -> list[Item]:
    """All of a capture in order. Noise in front of a request makes a device stay silent: no pause parts the two."""
    kinds = _kinds(direction)
    items: list[Item] = []
    noisy = False
    for piece in scan(data, lambda raw: _match(raw, kinds), MAX_FRAME):
        frame = _frame(piece.raw, kinds) if piece.is_frame else None
        if frame is None:
            items += _name(piece.raw, kinds, direction)
            noisy = not piece.is_frame
            continue
        fields = describe(frame)
        if not frame.is_reply and (noisy or frame.unit == 0) and direction is Direction.HOST_TO_DEVICE:
            fields |= _SILENT if noisy else {"reply": "none"}
        items.append(Item(piece.raw, (fields,), True, _from_host(frame, items, direction)))
        noisy = False
    return items


def describe(frame: Frame) -> dict[str, Any]:
    """One frame as named fields; an exception but "busy" means that the configuration does not fit the device."""
    fields = frame.describe()
    if frame.exception is not None and frame.exception != EXCEPTION_BUSY:
        fields["host_action"] = "configuration fault"
    return fields


def _kinds(direction: Direction | None) -> tuple[bool, ...]:
    """What to look for: requests (False), replies (True)."""
    if direction is Direction.HOST_TO_DEVICE:
        return (False,)
    return (True,) if direction is Direction.DEVICE_TO_HOST else (False, True)


def _match(data: bytes, kinds: tuple[bool, ...]) -> int:
    """The longest frame with a good CRC; a reply can look like a request that ends one byte earlier."""
    lengths = [_announced(data, reply) for reply in kinds]
    good = [n for n in lengths if 4 <= n <= len(data) and crc16(data[: n - 2]) == data[n - 2 : n]]
    return max(good, default=BAD_CHECK)


def _frame(raw: bytes, kinds: tuple[bool, ...]) -> Frame | None:
    """The frame as the driver's codec reads it; None for functions that it does not know."""
    for reply in kinds:
        frames = RtuCodec(replies=reply, requests=not reply).feed(raw, 0.0).frames
        if len(frames) == 1 and frames[0].raw == raw:
            found: Frame = frames[0]
            return found
    return None


def _from_host(frame: Frame, before: list[Item], direction: Direction | None) -> bool:
    """Writes are answered by the same or alike bytes: on a line that echoes, the first of two is the request."""
    if direction in (Direction.HOST_TO_DEVICE, Direction.DEVICE_TO_HOST):
        return direction is Direction.HOST_TO_DEVICE
    if frame.raw[1] not in (5, 6):
        return not frame.is_reply
    return not (before and before[-1].raw == frame.raw and before[-1].from_host)


def _name(run: bytes, kinds: tuple[bool, ...], direction: Direction | None) -> list[Item]:
    """Frames of functions that the driver does not use, damaged frames, noise."""
    if _other(run):
        fields = {"valid": True, "unit": run[0], "function": run[1] & 0x7F, "data_hex": run[2:-2].hex().upper()}
        return [Item(run, (fields | _detail(run),), True)]

    def announce(data: bytes) -> int:
        lengths = [_announced(data, reply) for reply in kinds]
        return len(data) if len(data) in lengths else max(lengths)

    named = name_junk(run, announce)
    if direction is not Direction.HOST_TO_DEVICE:
        return named
    return [Item(item.raw, (item.frames[0] | _SILENT,)) if item.frames else item for item in named]


def _other(run: bytes) -> bool:
    return 4 <= len(run) <= 256 and run[1] & 0x7F in _FUNCTIONS and crc16(run[:-2]) == run[-2:]


def _detail(run: bytes) -> dict[str, Any]:
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
