"""Frames found in a byte stream with noise: after a bad check one byte is dropped and the scan goes on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from drivers.device import CodecCounters, Decoded

MORE = 0
NO_START = -1
BAD_CHECK = -2

Match = Callable[[bytes], int]
"""Looks at the start of the bytes given: the frame's length, `MORE`, `NO_START` or `BAD_CHECK`. It never raises."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A whole frame (`is_frame`) or one run of bytes that belong to none."""

    is_frame: bool
    raw: bytes


@dataclass(slots=True)
class Resync:
    """Cuts a stream into frames and junk. At most `max_frame` bytes wait for their end.

    `match` decides on a prefix alone, so any split of the same bytes gives the same frames. A silence longer
    than `gap_s` seconds (when given) ends what waits: a frame never spans it.
    """

    match: Match
    max_frame: int
    gap_s: float | None = None
    counters: CodecCounters = field(default_factory=CodecCounters)
    _buffer: bytearray = field(default_factory=bytearray)
    _last_at_s: float | None = None

    def feed(self, data: bytes, now_s: float) -> list[Piece]:
        """Take bytes received at `now_s`; empty data only lets time pass."""
        found: list[Piece] = []
        if self.gap_s is not None and self._last_at_s is not None and now_s - self._last_at_s > self.gap_s:
            found += self.end()
        if data:
            self._last_at_s = now_s
            self._buffer += data
            self._scan(found, at_end=False)
        return found

    def end(self) -> list[Piece]:
        """Nothing more will come: what waits is searched for whole frames, the rest is junk."""
        found: list[Piece] = []
        if self._buffer:
            self.counters.short += 1
            self._scan(found, at_end=True)
        self._last_at_s = None
        return found

    def clear(self) -> None:
        """Forget what waits."""
        if self._buffer:
            self.counters.short += 1
            self.counters.junk_bytes += len(self._buffer)
            self._buffer.clear()
        self._last_at_s = None

    def _scan(self, found: list[Piece], at_end: bool) -> None:
        data = bytes(self._buffer)
        start = at = 0
        while at < len(data):
            length = self.match(data[at : at + self.max_frame])
            if length > 0:
                self._add_junk(found, data[start:at])
                found.append(Piece(True, data[at : at + length]))
                self.counters.frames += 1
                start = at = at + length
            elif length == MORE and len(data) - at < self.max_frame and not at_end:
                break
            else:
                self.counters.bad_check += length == BAD_CHECK
                at += 1
        self._add_junk(found, data[start:at])
        del self._buffer[:at]

    def _add_junk(self, found: list[Piece], raw: bytes) -> None:
        if raw:
            self.counters.junk_bytes += len(raw)
            found.append(Piece(False, raw))


def decoded(pieces: Sequence[Piece], parse: Callable[[bytes], Any]) -> Decoded:
    """The contract's answer: each frame parsed, all junk in one."""
    frames = [parse(piece.raw) for piece in pieces if piece.is_frame]
    return Decoded(frames, b"".join(piece.raw for piece in pieces if not piece.is_frame))
