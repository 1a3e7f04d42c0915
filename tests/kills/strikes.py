"""Which points there are, which of them were struck and how it went, kept in a directory so that a run can go on."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import shutil
import time
import traceback
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.kills import play
from tests.kills.pit import PLACES
from tests.kills.play import Played, Point
from tests.kills.story import CHAPTERS
from tests.services import is_alive
from tests.system.daemon import REPOSITORY
from tests.system.nursery import Nursery, nursery

TRIES = 2
"""A point whose name a run does not pass, as messages were coalesced otherwise, is tried so often."""
SAME, OTHER, UNMET = "same", "other", "unmet"


@dataclass
class Shop:
    """A directory: `base` holds what each chapter begins with, `points.json` and `told.json` the unbroken story,
    `results.jsonl` one line for each point that was struck, `claims` who works on which.
    """

    directory: Path
    points: list[Point] = field(default_factory=list)
    unbroken: list[dict[str, Any]] = field(default_factory=list)

    @property
    def base(self) -> Path:
        return self.directory / "base"

    @property
    def results_file(self) -> Path:
        return self.directory / "results.jsonl"

    async def prepare(self) -> None:
        """Count the points, unless that was done before."""
        if not (self.directory / "points.json").exists():
            shutil.rmtree(self.directory, ignore_errors=True)
            self.directory.mkdir(parents=True)
            await self._count()
        self.points = [Point(**row) for row in json.loads((self.directory / "points.json").read_text())]
        self.unbroken = json.loads((self.directory / "told.json").read_text())

    async def _count(self) -> None:
        """Play the story once without a strike."""
        await play.begin(self.base)
        points: list[Point] = []
        unbroken = []
        async with nursery(self.directory) as forked:
            for number in range(len(CHAPTERS)):
                with workshop(self.directory, f"unbroken-{number}") as place:
                    played = await play.play(place, forked, self.base, [number])
                    play.keep(place, self.base / str(number + 1))
                    for where, name in play.points_of(place, number):
                        points.append(Point(len(points) + 1, number, where, name))
                unbroken.append(played.told)
        (self.directory / "told.json").write_text(json.dumps(unbroken))
        (self.directory / "points.json").write_text(json.dumps([asdict(each) for each in points]))

    def results(self) -> dict[int, dict[str, Any]]:
        """The newest result of each point."""
        if not self.results_file.exists():
            return {}
        rows = [json.loads(line) for line in self.results_file.read_text().splitlines()]
        return {row["number"]: row for row in rows}

    def forget(self, numbers: Collection[int]) -> None:
        """Let these be struck again."""
        kept = [row for number, row in self.results().items() if number not in numbers]
        self.results_file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept))
        for number in numbers:
            (self.directory / "claims" / str(number)).unlink(missing_ok=True)

    def claim(self, point: Point) -> bool:
        """Whether a group that begins with a point is ours to strike: nobody has, and nobody who lives is at it."""
        place = self.directory / "claims" / str(point.number)
        place.parent.mkdir(exist_ok=True)
        for _ in range(2):
            with contextlib.suppress(FileExistsError):
                with place.open("x") as mine:
                    mine.write(str(os.getpid()))
                return True
            with contextlib.suppress(FileNotFoundError):
                if point.number in self.results() or is_alive(int(place.read_text() or "0")):
                    return False
                place.unlink()
        return False

    def note(self, result: dict[str, Any]) -> None:
        """One line, whole, whoever else writes."""
        with self.results_file.open("ab", buffering=0) as file:
            file.write(json.dumps(result, ensure_ascii=False).encode() + b"\n")

    async def strike(self, group: Sequence[Point], forked: Nursery, *, whole: bool = False) -> list[dict[str, Any]]:
        """Die at these points of one chapter, go on, and end as the unbroken story did: a result for each of them.

        A group that ends otherwise is taken apart, each of its points alone; so is what of it was not met. whole: on to
        the end of the evening.
        """
        begun_s = time.monotonic()
        together = [point.number for point in group]
        struck, trouble = await self._play(group, forked, whole=whole)
        results = []
        for point in group:
            outcome = SAME if (point.place, point.name) in struck else UNMET
            row = {**asdict(point), "together": together, "outcome": OTHER if trouble else outcome, "trouble": trouble}
            results.append({**row, "seconds": round((time.monotonic() - begun_s) / len(group), 1)})
        if len(group) == 1:
            return results
        alone = [point for point, row in zip(group, results, strict=True) if row["outcome"] != SAME]
        again = [row for point in alone for row in await self.strike_alone(point, forked, whole=whole)]
        for row in again:
            row["trouble"] = row["trouble"] or trouble
        return [row for row in results if row["outcome"] == SAME] + again

    async def strike_alone(self, point: Point, forked: Nursery, *, whole: bool = False) -> list[dict[str, Any]]:
        """One point, and again while it is not met."""
        results: list[dict[str, Any]] = []
        for _ in range(TRIES):
            results = await self.strike([point], forked, whole=whole)
            if results[0]["outcome"] != UNMET:
                break
        return results

    async def _play(
        self, group: Sequence[Point], forked: Nursery, *, whole: bool
    ) -> tuple[frozenset[tuple[str, str]], str]:
        """Where somebody died, and what is not as in the unbroken story."""
        first = group[0].chapter
        chapters = list(range(first, len(CHAPTERS) if whole else first + 1))
        with workshop(self.directory, f"points-{group[0].number}-{len(group)}") as place:
            try:
                played = await play.play(place, forked, self.base, chapters, group)
            except BaseException as trouble:
                if isinstance(trouble, KeyboardInterrupt | asyncio.CancelledError):
                    raise
                self._keep_trouble(place, group)
                return frozenset(), traceback.format_exc()
            differs = self._differs(played, chapters[-1])
            if differs:
                self._keep_trouble(place, group)
            return played.struck, differs

    def _differs(self, played: Played, chapter: int) -> str:
        """What is not as in the unbroken story."""
        told = json.loads(json.dumps(played.told))
        wanted = self.unbroken[chapter]
        return "\n".join(f"{key}: {told[key]} instead of {wanted[key]}" for key in wanted if told[key] != wanted[key])

    def _keep_trouble(self, place: Path, group: Sequence[Point]) -> None:
        """The journals and logs of what failed, to be looked at."""
        kept = self.directory / "troubles" / "-".join(str(point.number) for point in group)
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(place, kept, ignore=shutil.ignore_patterns("*.sock"))


@contextlib.contextmanager
def workshop(directory: Path, name: str) -> Iterator[Path]:
    """A directory for one play, gone after it."""
    place = directory / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place)


def fingerprint() -> str:
    """What decides which points there are and what must become of them: the program and the story."""
    sources = [path for room in ("controller", "drivers") for path in (REPOSITORY / room).rglob("*.py")]
    sources += [Path(__file__).with_name(name) for name in ("story.py", "counted.py")]
    hashed = hashlib.sha256()
    for path in sorted(sources):
        hashed.update(path.read_bytes())
    return hashed.hexdigest()[:12]


def chosen(points: Sequence[Point], every: int, seed: int) -> list[Point]:
    """Every so many of them, spread over the whole story; seed: which of the `every` selections."""
    return list(points[seed % every :: every])


def grouped(points: Sequence[Point], deaths: int) -> list[list[Point]]:
    """Points that are struck in one play: of one chapter, and of each place at most `deaths`, far from one another."""
    groups = []
    for number in range(len(CHAPTERS)):
        by_place = [[p for p in points if p.chapter == number and p.place == place] for place in PLACES]
        plays = max(-(-len(each) // deaths) for each in by_place)
        groups += [[point for each in by_place for point in each[play::plays]] for play in range(plays)]
    return [group for group in groups if group]
