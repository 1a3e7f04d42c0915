"""DCON lines (ICP DAS I-7000 and kin): bytes to frames and back, without I/O.

Sources: ICP DAS I-7000 DIO manual B1.2 pp. 30-52, Measurement Computing CB-7000 DIO manual pp. 26-43, ICP DAS M-7084
manual p. 28 (checksum). Lead character, two hex digits of address, text, [two hex digits of checksum], CR.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from drivers.device import CodecCounters, Decoded

MAX_LINE = 64
REPLY_LEADS = "!>?"
REQUEST_LEADS = "$#%@~"
_CR = 0x0D


def checksum_of(text: str) -> str:
    """Sum of the characters mod 256 as two upper-case hex digits (M-7084 manual p. 28)."""
    return f"{sum(text.encode('ascii')) % 256:02X}"


@dataclass(frozen=True, slots=True)
class Frame:
    """One line; `text` has its lead character but neither checksum nor CR."""

    text: str
    checksum: bool
    raw: bytes

    @property
    def lead(self) -> str:
        return self.text[0]

    @property
    def is_reply(self) -> bool:
        return self.lead in REPLY_LEADS

    @property
    def address(self) -> str:
        """The two characters after the lead ("" on the bare `>` and `!`, and no address on `>(data)` lines)."""
        return self.text[1:3]

    def describe(self) -> dict[str, Any]:
        """The frame as named fields, for people and captures."""
        whole = self.text + (checksum_of(self.text) if self.checksum else "")
        named: dict[str, Any] = {"text": whole, "valid": True, "checksum": self.checksum}
        if len(self.text) < 3:
            return {**named, "ok": True} if self.lead == ">" else {**named, "ok": False, "error": "ignored"}
        if self.lead == ">":
            return {**named, "data": self.text[1:]}
        named["address"] = self.address
        return named | (_reply_fields(self.text) if self.is_reply else _request_fields(self.text))


def _reply_fields(text: str) -> dict[str, Any]:
    body = text[3:]
    if text[0] == "?":
        return {"error": "invalid command"}
    if not body:
        return {"ok": True}
    if body in ("0", "1"):
        return {"reset": body == "1"}
    if re.fullmatch(r"[0-9]{5}", body):
        return {"counter": int(body)}
    if re.fullmatch(r"[0-9A-F]{6}", body):
        return {"type": body[0:2], "baud_code": body[2:4], "format": body[4:6]}
    if re.fullmatch(r"[0-9A-F]{2}", body):
        return {"status": body}
    return {"data": text[1:]}


def _request_fields(text: str) -> dict[str, Any]:
    lead, body = text[0], text[3:]
    if lead == "#" and re.fullmatch(r"[0-9A-F]", body):
        return {"channel": int(body, 16)}
    if lead == "#" and len(body) == 4:
        return {"group": body[:2], "data": body[2:]}
    if lead == "~" and re.fullmatch(r"3[01][0-9A-F]{2}", body):
        return {"enable": body[1] == "1", "timeout_s": int(body[2:], 16) / 10}
    return {"command": body} if body else {}


@dataclass(frozen=True, slots=True)
class Command:
    """A request as text without checksum, "$012" for instance."""

    text: str


class DconCodec:
    """Finds lines in received bytes. With `checksum` on, a line whose checksum is wrong is dropped and counted.

    A line begins at the last lead character before its CR, since no text contains one: noise before it costs nothing.
    """

    def __init__(self, *, checksum: bool, leads: str = REPLY_LEADS) -> None:
        self.counters = CodecCounters()
        self.checksum = checksum
        self._leads = leads.encode("ascii")
        self._line = bytearray()

    def feed(self, data: bytes, now_s: float) -> Decoded:
        frames: list[Frame] = []
        junk = bytearray()
        for byte in data:
            if byte == _CR:
                frame = self._close()
                if frame is None:
                    junk += self._line + b"\r"
                else:
                    frames.append(frame)
                self._line.clear()
            elif byte in self._leads:
                junk += self._line
                self._line[:] = bytes([byte])
            elif not self._line or not 0x20 <= byte < 0x7F or len(self._line) >= MAX_LINE:
                junk += self._line + bytes([byte])
                self._line.clear()
            else:
                self._line.append(byte)
        self.counters.frames += len(frames)
        self.counters.junk_bytes += len(junk)
        return Decoded(tuple(frames), bytes(junk))

    def encode(self, command: Command) -> bytes:
        text = command.text + (checksum_of(command.text) if self.checksum else "")
        return text.encode("ascii") + b"\r"

    def clear(self) -> None:
        if self._line:
            self.counters.short += 1
            self.counters.junk_bytes += len(self._line)
            self._line.clear()

    @property
    def pending(self) -> bytes:
        """What was received of a line that is not complete."""
        return bytes(self._line)

    def _close(self) -> Frame | None:
        if not self._line:
            return None
        text = self._line.decode("ascii")
        raw = bytes(self._line) + b"\r"
        if not self.checksum:
            return Frame(text, False, raw)
        if len(text) < 3 or checksum_of(text[:-2]) != text[-2:]:
            self.counters.bad_check += 1
            return None
        return Frame(text[:-2], True, raw)
