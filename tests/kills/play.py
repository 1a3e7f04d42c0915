"""Plays a chapter from what the one before left, counting its points or killed at one of them, and reads the books."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.core.ledger import balances
from tests.kills.counted import BETWEEN, NOTE
from tests.kills.hands import Table
from tests.kills.pit import PLACES, TABLES, Pit, found, pit
from tests.kills.story import CHAPTERS, Chapter
from tests.system.books import Books, check_books
from tests.system.nursery import Nursery

DEADLINE_S = 1500.0
READY = f"{NOTE}ready"
OVER = f"{NOTE}over"
COUNTED_KINDS = (
    "credit.wagered",
    "bets.closed",
    "draw.made",
    "draw.prize",
    "draw.prize_paid",
    "hand.over",
    "hand.void",
    "hand.corrected",
    "link.claimed",
    "prize.verified",
    "prize.paid",
    "ledger.joined",
    "ledger.award",
    "ledger.void",
    "ledger.adjustment",
    "ledger.seal",
    "ledger.settled",
    "shift.closed",
)
"""What happened as often as people did it, however often somebody was killed meanwhile."""


@dataclass(frozen=True)
class Point:
    """number: from 1 in the order of the story. place: whose daemon dies there. name: as `counted` names it."""

    number: int
    chapter: int
    place: str
    name: str


@dataclass(frozen=True)
class Played:
    """How a chapter ended. told: what must be the same however it was interrupted. struck: place and name."""

    told: dict[str, Any]
    struck: frozenset[tuple[str, str]]


def keep(directory: Path, to: Path) -> None:
    """The state directories of a pit that has ended."""
    for place in PLACES:
        shutil.copytree(directory / place / "state", to / place / "state")


async def begin(base: Path) -> None:
    """What the first chapter begins with, in `base/0`."""
    workshop = base / "found"
    workshop.mkdir(parents=True)
    await found(workshop)
    keep(workshop, base / "0")
    shutil.rmtree(workshop)


async def play(
    directory: Path, nursery: Nursery, base: Path, chapters: Sequence[int], strikes: Sequence[Point] = ()
) -> Played:
    """These chapters one after the other in a new directory, from what `base` has of the first of them."""
    by_place = {place: [point.name for point in strikes if point.place == place] for place in PLACES}
    for place in PLACES:
        shutil.copytree(base / str(chapters[0]) / place / "state", directory / place / "state")
    async with asyncio.timeout(DEADLINE_S), pit(directory, nursery, by_place) as running:
        for table, box in CHAPTERS[chapters[0]].chips:
            running.hardware[table].boxes.set_level(box - 1, True)
        telling = asyncio.create_task(_tell(running, [CHAPTERS[number] for number in chapters]))
        while not telling.done():
            lives = [life for life in running.lives.values() if not life.done()]
            await asyncio.wait([telling, *lives], return_when=asyncio.FIRST_COMPLETED)
            if running.ended and not telling.done():
                telling.cancel()
                await asyncio.gather(*running.ended)
                raise AssertionError("a daemon ended by itself")
        screens = await telling
        await running.end()
        struck = {(place, name) for place, node in running.places.items() for name in node.struck()}
    return Played(told(directory, CHAPTERS[chapters[-1]], screens), frozenset(struck))


async def _tell(running: Pit, chapters: Sequence[Chapter]) -> dict[str, Any]:
    """Tell them, and look at the tables at the end."""
    for name in PLACES:
        await running.places[name].up()
    for name in TABLES:
        await Table(running, name).ready()
    _mark(running, READY)
    for chapter in chapters:
        await chapter.tell(running)
        for name in PLACES:
            if name not in running.off:
                await Table(running, name).meter(chapter.amount)
    _mark(running, OVER)
    found = {}
    for name in TABLES:
        if name in running.off:
            continue
        scene = await Table(running, name).scene()
        found[name] = {"hand": scene["hand_number"], "phase": scene["phase"]["current"], "seats": scene["seats"]}
    return found


def _mark(running: Pit, what: str) -> None:
    """Note in the list of points where the chapter itself begins and ends."""
    for place in running.places.values():
        with place.points.open("a") as points:
            points.write(f"{what}\n")


def told(directory: Path, chapter: Chapter, screens: dict[str, Any]) -> dict[str, Any]:
    """The books of a pit that has ended, checked, and what of them must not depend on where somebody died."""
    books = check_books(*(directory / place / "state" for place in PLACES), at_rest=chapter.rest)
    assert books.figures == {"gran": chapter.amount}, books.figures
    (ledger,) = books.ledgers
    return {
        "figures": books.figures,
        "awards": books.awards,
        "paid": dict(sorted(books.paid.items())),
        "told": dict(sorted(ledger.told.items())),
        "kinds": {name: _kinds(books, name) for name in sorted(books.entries)},
        "balances": {name: dict(sorted(balances(entries).items())) for name, entries in sorted(books.entries.items())},
        "screens": screens,
    }


def _kinds(books: Books, journal: str) -> dict[str, int]:
    kinds = books.kinds(journal)
    return {kind: kinds[kind] for kind in COUNTED_KINDS if kinds[kind]}


def points_of(directory: Path, chapter: int) -> list[tuple[str, str]]:
    """Place and name of each point that an unbroken chapter passed; of starts and ends only the first and the last."""
    first, last = chapter == 0, chapter == len(CHAPTERS) - 1
    passed = []
    for place in PLACES:
        lines = (directory / f"{place}.points").read_text().splitlines()
        begin, end = lines.index(READY), lines.index(OVER)
        lines = lines[0 if first else begin : len(lines) if last else end]
        passed += [(place, line.split(BETWEEN)[0]) for line in lines if not line.startswith(NOTE)]
    return passed
