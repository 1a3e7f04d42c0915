"""Captured tags and lines explained."""

import re

from drivers.capture import Item, damaged, name_junk, scan
from drivers.line_reader.codec import DIGITS, HEX, MAX_LINE, MAX_TAG, STX, match_tag, parse_tag
from drivers.resync import MORE, NO_START

_LINE = re.compile(rb"(?P<front>[^\x20-\x7e\r\n]*)(?P<text>[^\r\n]*)(?P<end>\r\n|\r|\n|\Z)")


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


def read_lines(data: bytes) -> list[Item]:
    """All of a capture in order, as the driver takes lines: one with a byte that is no text is damaged to its end."""
    items: list[Item] = []
    for found in _LINE.finditer(data):
        front, text, end = found["front"], found["text"], found["end"]
        if not text:
            items += [Item(found[0])] if found[0] else []
            continue
        items += [Item(front)] if front else []
        items.append(_line(text, end))
    return items


def _line(text: bytes, end: bytes) -> Item:
    raw = text + end
    if len(text) > MAX_LINE:
        return damaged(raw, "long", False)
    if not all(0x20 <= byte < 0x7F for byte in text):
        return damaged(raw, "no text", False)
    if not end:
        return damaged(raw, "short", False)
    return Item(raw, ({"valid": True, "line": text.decode("ascii")},), True, False)
