"""Captured progressive broadcasts explained."""

from typing import Any

from drivers.capture import Item, damaged, name_junk, scan
from drivers.sas_progressive.codec import (
    MANY_LEVELS,
    MAX_FRAME,
    ONE_LEVEL,
    LevelAmount,
    SasFrame,
    frame_length,
    match,
    parse,
)


def read(data: bytes) -> list[Item]:
    """All of a capture in order; a good CRC around an amount that is no decimal number is damage too."""
    items: list[Item] = []
    for piece in scan(data, match, MAX_FRAME):
        if not piece.is_frame:
            items += name_junk(piece.raw, frame_length)
            continue
        frame = parse(piece.raw)
        if frame is None:
            items.append(damaged(piece.raw, "amount", from_host=True))
        else:
            items.append(Item(piece.raw, (describe(frame, piece.raw),), True, True))
    return items


def describe(frame: SasFrame, raw: bytes) -> dict[str, Any]:
    """One poll as named fields; amounts in cents."""
    if isinstance(frame, LevelAmount):
        return {
            "valid": True,
            "address": frame.address,
            "command": ONE_LEVEL,
            "group": frame.group,
            "level": frame.level,
            "cents": frame.cents,
        }
    return {
        "valid": True,
        "address": frame.address,
        "command": MANY_LEVELS,
        "length": raw[2],
        "group": frame.group,
        "levels": [list(level) for level in frame.levels],
    }
