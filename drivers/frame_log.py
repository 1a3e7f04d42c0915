"""The last raw bytes of one device, for whoever looks for a fault: kept in memory, bounded, and never written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeAlias

KEPT = 64
LONGEST = 1024
SILENCE_S = 0.2
"""What a device says by itself is told apart by its pauses."""

Keeps: TypeAlias = Callable[[bytes, Sequence[Any]], bytes]
"""What of a burst, with the frames found in it, may be kept; a device whose bytes are secret gives none of them."""


class Outcome(Enum):
    """How an exchange ended. SENT: no reply is due (a broadcast). HEARD: nobody had asked."""

    ANSWERED = "answered"
    SILENT = "silent"
    SENT = "sent"
    HEARD = "heard"


@dataclass(frozen=True, slots=True)
class Noted:
    """A request with what came back, or a burst that nobody asked for; times are the loop's seconds.

    The very same exchange again is no second entry: it is counted in `times`, and `at_s` is when it was last. `cut`
    counts bytes beyond the longest that is kept.
    """

    at_s: float
    sent: bytes
    heard: bytes
    outcome: Outcome
    first_s: float
    times: int = 1
    cut: int = 0


class FrameLog:
    """Polls repeat many times a second: counted, they leave room for the one that went wrong minutes ago."""

    def __init__(self, keeps: Keeps | None = None) -> None:
        self._keeps = keeps
        self._noted: dict[tuple[object, ...], Noted] = {}
        self._burst = bytearray()
        self._frames: list[Any] = []
        self._began_s = self._last_s = 0.0
        self._count = 0

    def asked(self, at_s: float, sent: bytes, heard: bytes, outcome: Outcome) -> None:
        """One exchange as it ended."""
        self.settle(at_s)
        cut = max(0, len(heard) - LONGEST)
        sent, heard = sent[:LONGEST], heard[:LONGEST]
        key = (sent, heard, outcome)
        was = self._noted.pop(key, None)
        if was is not None:
            self._noted[key] = replace(was, at_s=at_s, times=was.times + 1)
            return
        self._note(key, Noted(at_s, sent, heard, outcome, at_s, cut=cut))

    def hear(self, now_s: float, data: bytes, frames: Sequence[Any] = ()) -> None:
        """Bytes that nobody had asked for. They are never counted as a repetition: each is something that happened."""
        self.settle(now_s)
        if not self._burst:
            self._began_s = now_s
        self._last_s = now_s
        self._burst += data
        self._frames += frames
        if len(self._burst) >= LONGEST:
            self._close()

    def settle(self, now_s: float) -> None:
        """After a silence what was heard is one burst."""
        if self._burst and now_s - self._last_s > SILENCE_S:
            self._close()

    def newest_first(self, now_s: float) -> tuple[Noted, ...]:
        self.settle(now_s)
        return tuple(reversed(self._noted.values()))

    def _close(self) -> None:
        burst, frames = bytes(self._burst), tuple(self._frames)
        self._burst.clear()
        self._frames.clear()
        kept = burst if self._keeps is None else self._keeps(burst, frames)
        if not kept:
            return
        self._count += 1
        cut = max(0, len(kept) - LONGEST)
        self._note((self._count,), Noted(self._last_s, b"", kept[:LONGEST], Outcome.HEARD, self._began_s, cut=cut))

    def _note(self, key: tuple[object, ...], noted: Noted) -> None:
        self._noted[key] = noted
        if len(self._noted) > KEPT:
            del self._noted[next(iter(self._noted))]
