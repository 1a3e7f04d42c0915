"""`make soak`: two tables and their host as whole daemons over Mosquitto, hand after hand, for as long as one likes.

Memory, open files, threads and waiting events of each daemon are read every half minute; what the last third of the
time has more than the third before it must be next to nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from tests.kills.pit import CAROUSEL_ID, PLACES, TABLES, broker_in, found, write_sites
from tests.system.books import check_books
from tests.system.daemon import DEADLINE_S, Daemon, soon
from tests.system.dealing import NOTHING, STRAIGHT_FLUSH, Dealer
from tests.system.people import Panel, panel
from tests.system.pit_files import OasisHardware

EVERY_S = 30.0
MOST_GROWTH_MB = 8.0
MOST_MORE = 2
"""Files and threads that may be open at one moment and not at another."""
PRIZE_EVERY = 25
"""Hands between two straight flushes of a table."""
OPEN = ("pending", "verified", "held")
PAYING_S = 0.2
SEATS = 7
MOST_BOXES = 3
"""Never one of the hand before, whose chip a sensor may not have missed yet."""
SIDE_HANDS = ("3c 5s 8h 9c Jc", "3d 5h 8s 9s Jd")


@dataclass(frozen=True)
class Sample:
    """What a daemon holds at a moment. mb: resident. queue: events that wait at all of its runners."""

    mb: float
    files: int
    threads: int
    queue: int


class Watched(Daemon):
    """A daemon with what was read of it."""

    def __init__(self, config: Path) -> None:
        super().__init__(config)
        self.samples: list[Sample] = []

    @property
    def name(self) -> str:
        return self.config.parent.name

    async def read(self) -> str:
        """One sample more; as people read it."""
        assert self.process is not None
        place = Path(f"/proc/{self.process.pid}")
        mb = int((place / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
        async with httpx.AsyncClient(timeout=DEADLINE_S) as client:
            lines = (await client.get(f"{self.panel}/metrics")).text.splitlines()
        queue = sum(int(float(line.split()[-1])) for line in lines if line.startswith("carrusel_runner_queue{"))
        last = Sample(mb, len(os.listdir(place / "fd")), len(os.listdir(place / "task")), queue)
        self.samples.append(last)
        return f"{self.name}: {last.mb:.1f} MB, {last.files} files, {last.threads} threads, {last.queue} waiting"

    def is_flat(self) -> bool:
        """Whether the last third of the samples has no more than the third before it; says so."""
        third = len(self.samples) // 3
        before, after = self.samples[third : 2 * third], self.samples[2 * third :]
        if not before:
            print(f"{self.name}: too short to tell")
            return False
        mb = [statistics.median(each.mb for each in part) for part in (before, after)]
        files = [max(each.files for each in part) for part in (before, after)]
        threads = [max(each.threads for each in part) for part in (before, after)]
        queue = max(each.queue for each in after)
        print(
            f"{self.name}: {mb[0]:.1f} to {mb[1]:.1f} MB, {files[0]} to {files[1]} files, "
            f"{threads[0]} to {threads[1]} threads, at most {queue} events waiting"
        )
        more = (files[1] - files[0], threads[1] - threads[0])
        return mb[1] - mb[0] <= MOST_GROWTH_MB and max(more) <= MOST_MORE


@contextlib.asynccontextmanager
async def pit(directory: Path) -> AsyncIterator[tuple[list[Watched], list[Dealer]]]:
    """The daemons, and a dealer at each table."""
    await found(directory / "found")
    for place in PLACES:
        (directory / place).mkdir()
        (directory / "found" / place / "state").rename(directory / place / "state")
    hardware = {table: OasisHardware.new() for table in TABLES}
    async with contextlib.AsyncExitStack() as stack:
        broker = stack.enter_context(broker_in(directory))
        files = write_sites(directory, hardware, broker.port, broker.port)
        for each in hardware.values():
            await stack.enter_async_context(each.running())
        places = {name: Watched(file) for name, file in files.items()}
        try:
            for place in places.values():
                await place.start()
            yield list(places.values()), [Dealer(places[name], name, hardware[name]) for name in TABLES]
        finally:
            for place in places.values():
                if place.process is not None and place.process.returncode is None:
                    place.process.kill()
                    await place.process.wait()


def is_beyond(scene: dict[str, Any], hand: int) -> bool:
    return bool(scene["hand_number"] > hand and scene["meter"]["freshness"] == "fresh")


@dataclass
class People:
    """Who pay what was won at any table, and let go at the host what was held meanwhile. One prize after the other."""

    host: Daemon
    dealers: list[Dealer]
    _paying: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def pay(self, winner: Dealer, hand: int) -> None:
        """Once the straight flush of a hand is awarded, until nothing of any table is open."""
        async with panel(winner.node) as ana:
            await soon(partial(_is_answered, ana, winner.table, hand), "the award")
        async with self._paying, contextlib.AsyncExitStack() as stack:
            at_host = await stack.enter_async_context(panel(self.host))
            panels = {each.table: await stack.enter_async_context(panel(each.node)) for each in self.dealers}
            while any([await ana.prizes(table, *OPEN) for table, ana in panels.items()]):
                for table, ana in panels.items():
                    await ana.pay_all(table)
                for held in (await at_host.get(f"/carousels/{CAROUSEL_ID}"))["held"]:
                    why = {"claim": held["claim"], "reason": "seen at the table"}
                    await at_host.post(f"/carousels/{CAROUSEL_ID}/release", why)
                await asyncio.sleep(PAYING_S)


async def _is_answered(ana: Panel, table: str, hand: int) -> bool:
    prizes = await ana.prizes(table, *OPEN, "paid")
    return any(prize["category"] == "straight_flush" and prize["hand"] == hand for prize in prizes)


async def play(dealer: Dealer, people: People, until_s: float) -> int:
    """Hands of one to three boxes with both draws, and now and then a prize that two people pay; how many."""
    hand = 0
    while True:
        await dealer.node.until(dealer.screen, partial(is_beyond, hand=hand), "the next hand")
        await dealer.hardware.ready()
        if time.monotonic() >= until_s:
            return hand
        hand += 1
        boxes = sorted(1 + (MOST_BOXES * hand + step) % SEATS for step in range(1 + hand % MOST_BOXES))
        wins = hand % PRIZE_EVERY == 0
        hands = [STRAIGHT_FLUSH if wins else NOTHING, *SIDE_HANDS]
        await dealer.play(*boxes, hands=" ".join(hands[: len(boxes)]))
        if wins:
            await people.pay(dealer, hand)


async def soak(directory: Path, minutes: float) -> int:
    async with pit(directory) as (places, dealers):
        end_s = time.monotonic() + 60 * minutes
        people = People(places[0], dealers)
        playing = [asyncio.create_task(play(dealer, people, end_s)) for dealer in dealers]
        while not all(each.done() for each in playing):
            await asyncio.wait(playing, timeout=EVERY_S)
            print("  ".join([await place.read() for place in places]), flush=True)
        hands = sum([await each for each in playing])
        assert [await place.stop() for place in places] == [0] * len(places)
    books = check_books(*(directory / place / "state" for place in PLACES))
    entries = sum(map(len, books.entries.values()))
    print(f"{hands} hands in {minutes:g} minutes, {len(books.paid)} prizes paid, {entries} entries, books checked")
    flat = [place.is_flat() for place in places]
    return int(not all(flat))


def main() -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=".") as directory:
        return asyncio.run(soak(Path(directory).resolve(), asked.minutes))


if __name__ == "__main__":
    sys.exit(main())
