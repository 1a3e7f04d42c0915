"""QR codes as one SVG path, made where the scene is made, so that a screen only draws it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import segno


@dataclass(frozen=True, slots=True)
class Qr:
    """What a code says, its modules a side, and its dark modules as an SVG path.

    Who draws it leaves four more modules blank on every side (ISO/IEC 18004).
    """

    says: str
    size: int
    path: str


@lru_cache(maxsize=64)
def qr_of(says: str) -> Qr:
    """A code with medium error correction, as small as the text allows."""
    rows = segno.make_qr(says, error="m").matrix
    runs = [run for y, row in enumerate(rows) for run in _runs(y, bytes(row))]
    return Qr(says, len(rows), "".join(runs))


def _runs(y: int, row: bytes) -> list[str]:
    """Neighbouring dark modules of a row as one rectangle each."""
    runs = []
    x = 0
    while x < len(row):
        end = x
        while end < len(row) and row[end]:
            end += 1
        if end > x:
            runs.append(f"M{x} {y}h{end - x}v1H{x}z")
        x = end + 1
    return runs
