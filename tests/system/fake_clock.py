"""A wall clock of its own for a running daemon, which a test moves while it runs (libfaketime)."""

from __future__ import annotations

import os
from pathlib import Path

LIBRARY = "faketime/libfaketimeMT.so.1"
ROOT = Path("/usr/lib")
TEN_YEARS_D = 3653


class FakeClock:
    """The library in `environment` reads the file at every look at the wall clock; the one that never jumps is real."""

    def __init__(self, directory: Path) -> None:
        self._file = directory / "clock"
        self.jump_to(0)

    @property
    def environment(self) -> dict[str, str]:
        """For the daemon's process."""
        found = [*ROOT.glob(LIBRARY), *ROOT.glob(f"*/{LIBRARY}")]
        assert found, "the faketime package brings its library"
        return {
            "LD_PRELOAD": str(found[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }

    def jump_to(self, days: int) -> None:
        """From now on the daemon's clock is so many days off the true time."""
        written = self._file.with_suffix(".new")
        written.write_text(f"{days:+d}d\n")
        os.replace(written, self._file)
