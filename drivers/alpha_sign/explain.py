"""A captured sign line explained: packets, their commands, and what a sign would refuse to read."""

from collections.abc import Iterator
from typing import Any

from drivers.alpha_sign.codec import (
    EOT,
    ETX,
    MAX_PACKET,
    NUL,
    RESPONSE,
    SOH,
    AlphaBlock,
    AlphaPacket,
    Other,
    ReadString,
    SetMemory,
    WriteString,
    WriteText,
    match,
    parse,
)
from drivers.capture import Item, damaged, scan

_LABELLED = frozenset("BIJ")


def read(data: bytes) -> list[Item]:
    """All of a capture in order. A host packet with fewer than five NUL in front is damaged: no sign locks on."""
    items: list[Item] = []
    for piece in scan(data, match, MAX_PACKET):
        packet = parse(piece.raw) if piece.is_frame else None
        items += [_item(packet, piece.raw)] if packet else _name_junk(piece.raw)
    return items


def _item(packet: AlphaPacket, raw: bytes) -> Item:
    return Item(raw, tuple(_describe(packet, block) for block in packet.blocks), True, packet.type != RESPONSE)


def _name_junk(run: bytes) -> Iterator[Item]:
    """Noise, then what begins with SOH (and the NUL before it): cut, a bad sum, or too short a lead-in."""
    at = 0
    while at < len(run):
        start = run.find(SOH, at)
        lead = len(run) if start < 0 else at + len(run[at:start].rstrip(NUL))
        if lead > at:
            yield Item(run[at:lead])
        if start < 0:
            return
        end, again = run.find(EOT, start), run.find(SOH, start + 1)
        if end >= 0 and not start < again < end:
            at = end + 1
            yield _unlocked(run[lead:at])
        else:
            at = len(run) if again < 0 else max(start + 1, len(run[:again].rstrip(NUL)))
            yield damaged(run[lead:at], "short")


def _unlocked(raw: bytes) -> Item:
    """A whole packet that `match` refused."""
    packet = parse(raw)
    if packet is None:
        return damaged(raw, "checksum" if ETX in raw and raw.isascii() else "syntax")
    return _item(packet, raw) if packet.type == RESPONSE else damaged(raw, "preamble", from_host=True)


def _describe(packet: AlphaPacket, block: AlphaBlock) -> dict[str, Any]:
    named = {"valid": True, "type": packet.type, "address": packet.address, **_command(block)}
    return {**named, "checksum": block.checksum}


def _command(block: AlphaBlock) -> dict[str, Any]:
    match block.command:
        case WriteText(label, _, position, mode) as text:
            named: dict[str, Any] = {"command": "A", "label": label}
            if position is not None:
                named |= {"position": position, "mode": mode}
            named["text"] = text.plain
            return {**named, "calls_string": text.calls} if text.calls else named
        case WriteString(label, content):
            return {"command": "G", "label": label, "text": content}
        case ReadString(label):
            return {"command": "H", "label": label}
        case SetMemory(files):
            entries = [
                {"label": f.label, "type": f.type, "lock": f.lock, "size": f.size, "schedule": f.schedule}
                for f in files
            ]
            return {"command": "E$", "files": entries}
        case Other(code, data) if code in _LABELLED and data:
            return {"command": code, "label": data[0], **({"data": data[1:]} if data[1:] else {})}
        case Other(code, data):
            return {"command": code, "data": data}
