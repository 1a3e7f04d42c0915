"""Clock jumps of ten years either way, under a whole hand with its prize: the same money in the same order."""

from __future__ import annotations

import asyncio
import itertools
import time
from pathlib import Path

import pytest

from controller import rooms
from controller.adapters.journal import Journal
from controller.config.model import Config
from tests.system.test_kill_points import Strike, check, config, in_directory, whole_hand

pytestmark = [pytest.mark.system, pytest.mark.promise("P7")]

__all__ = ["config"]

TEN_YEARS_MS = 10 * 365 * 24 * 3600 * 1000


PLAYED = ("credit.", "bets.", "game.", "draw.made", "hand.")


def order(directory: Path) -> list[tuple[str, str]]:
    """What was played at the table, in the journal's order; whether the draws hit is chance."""
    with Journal.open(directory / "table-t1.db", create=False) as journal:
        entries = [stored.entry for stored in journal.entries()]
    return [(entry.kind, str(entry.body.get("event"))) for entry in entries if entry.kind.startswith(PLAYED)]


def walls(directory: Path) -> list[int]:
    """What the clock said at each entry."""
    with Journal.open(directory / "table-t1.db", create=False) as journal:
        return [each.wall_ms for each in journal.entries()]


def test_a_hand_under_a_clock_that_jumps(config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(whole_hand(in_directory(config, tmp_path / "steady"), Strike()))
    jumps = itertools.cycle((0, TEN_YEARS_MS, -TEN_YEARS_MS, 1, -1))
    monkeypatch.setattr(rooms, "wall_ms", lambda: time.time_ns() // 1_000_000 + next(jumps))
    asyncio.run(whole_hand(in_directory(config, tmp_path / "jumping"), Strike()))
    for place in ("steady", "jumping"):
        check(tmp_path / place)
    assert len(order(tmp_path / "steady")) > 20
    assert order(tmp_path / "jumping") == order(tmp_path / "steady")
    seen = walls(tmp_path / "jumping")
    assert max(seen) - min(seen) > TEN_YEARS_MS, "the clock did jump"
