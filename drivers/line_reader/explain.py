"""Captured tags explained."""

from drivers.capture import Item, name_junk, scan
from drivers.line_reader.codec import DIGITS, HEX, MAX_TAG, STX, match_tag, parse_tag
from drivers.resync import MORE, NO_START


def read(data: bytes) -> list[Item]:
    """All of a capture in order; a tag that fits neither check is damaged."""
    items: list[Item] = []
    for piece in scan(data, match_tag, MAX_TAG):
        tag = parse_tag(piece.raw) if piece.is_frame else None
        if tag is None:
            items += name_junk(piece.raw, _announce)
            continue
        good = tag.valid_xor or tag.valid_sum
        fields = {
            "version": tag.version,
            "tag": tag.tag,
            "check": tag.check,
            "valid": {"xor": tag.valid_xor, "sum": tag.valid_sum},
        }
        items.append(Item(piece.raw, (fields if good else {**fields, "reason": "checksum"},), good, False))
    return items


def _announce(data: bytes) -> int:
    """A tag that was cut: STX and fewer hex digits than it should have."""
    digits = data[1:]
    return MORE if data[0] == STX and len(digits) <= DIGITS and HEX.issuperset(digits) else NO_START
