"""A captured byte stream cut into good frames, damaged ones and noise, nothing left out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from drivers.resync import MORE, Match, Piece


class Direction(StrEnum):
    """Where a capture was taken; RECEIVED_LINE is what a host receives that may hear its own requests."""

    HOST_TO_DEVICE = "host_to_device"
    DEVICE_TO_HOST = "device_to_host"
    RECEIVED_LINE = "received_line"


@dataclass(frozen=True, slots=True)
class Item:
    """A stretch of the capture: the frames in it as named fields (good ones or a damaged one), none for noise."""

    raw: bytes
    frames: tuple[dict[str, Any], ...] = ()
    good: bool = False
    from_host: bool | None = None


_LONGEST = 300
_FRAME_BONUS = 4  # of equal length, more frames explain better than one
Announce = Callable[[bytes], int]
"""How long the frame at the start would be, whatever its check; `MORE` when it is too short to tell, or `NO_START`."""


def damaged(raw: bytes, reason: str, from_host: bool | None = None) -> Item:
    """A frame that the host must not believe, and why: "checksum", "short" or another word."""
    return Item(raw, ({"valid": False, "reason": reason},), False, from_host)


def scan(data: bytes, match: Match, max_frame: int) -> list[Piece]:
    """The whole capture in order; each byte is in exactly one piece.

    A driver takes the first frame that fits; here the reading that explains most bytes wins, so that a frame which
    noise makes by chance does not hide a true one.
    """
    worth = [0] * (len(data) + 1)
    length_at = [0] * len(data)
    for at in range(len(data) - 1, -1, -1):
        worth[at] = worth[at + 1]
        length = match(data[at : at + max_frame])
        if length > 0 and worth[at + length] + length + _FRAME_BONUS >= worth[at]:
            worth[at], length_at[at] = worth[at + length] + length + _FRAME_BONUS, length
    pieces: list[Piece] = []
    start = at = 0
    while at < len(data):
        if not length_at[at]:
            at += 1
            continue
        pieces += [Piece(False, data[start:at])] if at > start else []
        pieces.append(Piece(True, data[at : at + length_at[at]]))
        start = at = at + length_at[at]
    return [*pieces, Piece(False, data[start:])] if start < len(data) else pieces


def name_junk(run: bytes, announce: Announce) -> list[Item]:
    """Tell noise from a frame with a bad check and from one that was cut.

    A frame whose announced length ends with the run explains it best; else one at its very start; a head whose end is
    missing is a cut frame.
    """
    items: list[Item] = []
    while run:
        first = max(0, len(run) - _LONGEST)
        exact = next((at for at in range(first, len(run)) if announce(run[at:]) == len(run) - at), None)
        if exact is not None:
            return [*items, *([Item(run[:exact])] if exact else []), damaged(run[exact:], "checksum")]
        length = announce(run[:_LONGEST])
        if length < 0:
            return [*items, Item(run)]
        if length == MORE or length > len(run):
            return [*items, damaged(run, "short")]
        items.append(damaged(run[:length], "checksum"))
        run = run[length:]
    return items


def joined(items: Sequence[Item]) -> bytes:
    """All bytes that belong to no good frame, in order."""
    return b"".join(item.raw for item in items if not item.good)
