"""A captured ccTalk line explained: who speaks, what is asked, what a credit reply adds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from drivers.capture import Direction, Item, name_junk, scan
from drivers.cctalk_coin.codec import (
    HOST,
    MAX_FRAME,
    CcTalkFrame,
    Check,
    CoinEvent,
    Header,
    match,
    parse,
    read_credit,
)
from drivers.resync import MORE, NO_START

_CREDIT_BYTES = 11
_ANSWERS = {Header.REPLY, Header.NAK, Header.BUSY}


@dataclass(slots=True)
class _Line:
    """What the frames so far have told: the header last asked, and the event counter if it is known."""

    state: Mapping[str, Any] | None
    asked: int | None = None
    last: int | None = None


def read(data: bytes, direction: Direction | None, state: Mapping[str, Any] | None) -> list[Item]:
    """All of a capture. `state` may hold `last_counter` (None: never read) and `reset_seen`, as known before it."""
    checks = _checks(data, direction)
    line = _Line(state, last=None if state is None else state.get("last_counter"))
    items: list[Item] = []
    for piece in scan(data, lambda raw: _match(raw, checks, direction), MAX_FRAME):
        frame = _parse(piece.raw, checks) if piece.is_frame else None
        if frame is not None:
            items.append(Item(piece.raw, (_describe(frame, direction, line),), True, _from_host(frame, direction)))
        else:
            items += _loose(piece.raw, direction, line)
    return items


def _checks(data: bytes, direction: Direction | None) -> tuple[Check, ...]:
    """The line's mode is the one that explains most bytes; both are tried together only when that explains more."""
    options = ((Check.SUM8,), (Check.CRC16,), (Check.SUM8, Check.CRC16))

    def explained(checks: tuple[Check, ...]) -> int:
        pieces = scan(data, lambda raw: _match(raw, checks, direction), MAX_FRAME)
        return sum(len(piece.raw) for piece in pieces if piece.is_frame)

    return max(options, key=explained)


def _parse(raw: bytes, checks: tuple[Check, ...]) -> CcTalkFrame | None:
    return next((frame for check in checks if (frame := parse(raw, check))), None)


def _match(data: bytes, checks: tuple[Check, ...], direction: Direction | None) -> int:
    """A good frame between the host and a device; noise seldom looks like one."""
    answers = [match(data, check) if _plausible(data, check, direction) else NO_START for check in checks]
    return next((answer for answer in answers if answer > 0), max(answers))


def _plausible(data: bytes, check: Check, direction: Direction | None) -> bool:
    """Could the bytes so far be a request of host 1 or an answer to it? Too few bytes: yes."""
    if len(data) < 4:
        to_host = data[0] == HOST
        return (
            direction is None
            or direction is Direction.RECEIVED_LINE
            or to_host is (direction is Direction.DEVICE_TO_HOST)
        )
    crc = check is Check.CRC16
    is_answer = data[0] == HOST and data[3] in _ANSWERS and (crc or data[2] > HOST)
    is_request = data[0] != HOST and data[3] not in _ANSWERS and (crc or data[2] == HOST)
    if direction is Direction.DEVICE_TO_HOST:
        return is_answer
    return is_request if direction is Direction.HOST_TO_DEVICE else is_answer or is_request


def _loose(run: bytes, direction: Direction | None, line: _Line) -> list[Item]:
    """Bytes without a plausible frame: one frame of other addresses exactly, or damage and noise by name."""
    frame = _parse(run, (Check.SUM8, Check.CRC16))
    if frame is not None and frame.dst != frame.src and any(run):
        return [Item(run, (_describe(frame, direction, line),), True, _from_host(frame, direction))]

    def announce(data: bytes) -> int:
        if not _plausible(data, Check.SUM8, direction):
            return NO_START
        if len(data) >= 4:
            return data[1] + 5
        cut = (len(data) >= 2 and data[0] == HOST) or (len(data) == 3 and data[2] == HOST)
        return MORE if cut else NO_START

    return name_junk(run, announce)


def _from_host(frame: CcTalkFrame, direction: Direction | None) -> bool:
    if direction is Direction.HOST_TO_DEVICE:
        return True
    return direction is not Direction.DEVICE_TO_HOST and frame.dst != HOST


def _describe(frame: CcTalkFrame, direction: Direction | None, line: _Line) -> dict[str, Any]:
    named: dict[str, Any] = {"valid": True, "checksum": frame.check.value}
    if frame.crc is not None:
        named["crc"] = f"{frame.crc:04X}"
    named["dst"] = frame.dst
    if frame.src is not None:
        named["src"] = frame.src
    named |= {"header": frame.header, "data_hex": frame.data.hex().upper()}
    if _from_host(frame, direction):
        line.asked = frame.header
        return named | _request(frame)
    asked, line.asked = line.asked, None
    return named | _reply(frame, asked, line)


def _request(frame: CcTalkFrame) -> dict[str, Any]:
    if frame.header == Header.MODIFY_MASTER_INHIBIT and len(frame.data) == 1:
        return {"accept": bool(frame.data[0] & 1)}
    if frame.header == Header.MODIFY_INHIBIT_MASK and len(frame.data) == 2:
        return {"coins": _coins(frame.data)}
    return {}


def _reply(frame: CcTalkFrame, asked: int | None, line: _Line) -> dict[str, Any]:
    if frame.header in (Header.NAK, Header.BUSY):
        return {"meaning": "nak" if frame.header == Header.NAK else "busy"}
    data = frame.data
    if not data:
        return {"meaning": "ack"}
    if asked == Header.REQUEST_MASTER_INHIBIT and len(data) == 1:
        return {"accept": bool(data[0] & 1)}
    if asked == Header.REQUEST_INHIBIT_MASK and len(data) == 2:
        return {"coins": _coins(data)}
    printable = len(data) >= 2 and all(0x20 <= byte < 0x7F for byte in data)
    known = asked == Header.READ_CREDIT or (line.state is not None and "last_counter" in line.state)
    if len(data) == _CREDIT_BYTES and (known or (asked is None and not printable)):
        return _credit(data, line)
    return {"text": data.decode("ascii")} if printable else {}


def _coins(mask: bytes) -> list[int]:
    bits = int.from_bytes(mask, "little")
    return [coin for coin in range(1, 17) if bits >> (coin - 1) & 1]


def _credit(data: bytes, line: _Line) -> dict[str, Any]:
    last, counter = line.last, data[0]
    reset_seen = line.state is not None and bool(line.state.get("reset_seen"))
    line.last, line.state = counter, None
    if last is None:
        return {"counter": counter, "baseline": True, "events": [], "lost_min": 0, "lost_max": 0}
    credit = read_credit(data, last)
    if reset_seen or credit is None or credit.reset:
        lost = {"lost_min": counter, "lost_max": None}
        return {"counter": counter, "device_reset": True, "baseline": True, "events": [], **lost}
    return {
        "counter": counter,
        "events": [_event(event) for event in credit.events],
        "lost_min": credit.lost,
        "lost_max": credit.lost,
    }


def _event(event: CoinEvent) -> dict[str, Any]:
    if event.coin:
        return {"kind": "coin", "coin": event.coin, "path": event.path}
    return {"kind": "event", "code": event.code}
