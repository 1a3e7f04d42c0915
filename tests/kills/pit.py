"""A pit of three daemons over Mosquitto, forked from a nursery: a carousel's host and two tables of other nodes.

Whoever of them is killed is started again at once, as a service manager does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.kills.counted import STRUCK
from tests.services import ANYBODY, Mosquitto, find_tool, free_port
from tests.system.daemon import DEADLINE_S, daemon
from tests.system.enrolment import enrol
from tests.system.nursery import Died, ForkedDaemon, Nursery
from tests.system.nursery_program import make_quick
from tests.system.people import hire
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site
from tests.system.proxy import Proxy, proxy

CAROUSEL_ID = "gran"
HOST = "host"
TABLES = ("t1", "t2")
PLACES = (HOST, *TABLES)
SIGNAGE = f"signage-{CAROUSEL_ID}"
LOOK_S = 0.1
SCREENS = {HOST: SIGNAGE, "t1": "table-t1", "t2": "table-t2"}


class Place(ForkedDaemon):
    """A node that outlives its deaths. points: where its lives write the names of the points they pass.

    strikes: the points at which it dies, each once. deaths: how often it was killed.
    """

    def __init__(self, nursery: Nursery, config: Path, points: Path, strikes: Collection[str] = ()) -> None:
        super().__init__(nursery, config, "tests.kills.counted:count_points")
        self.points = points
        self.deaths = 0
        self._strikes = frozenset(strikes)
        self._alive = asyncio.Event()

    def struck(self) -> set[str]:
        """The points at which it died."""
        lines = self.points.read_text().splitlines() if self.points.exists() else []
        return {line.removeprefix(STRUCK) for line in lines if line.startswith(STRUCK)}

    def facts(self) -> Sequence[Any]:
        return str(self.points), sorted(self._strikes - self.struck())

    async def live(self) -> None:
        """Start, and again after each death, until it ends by itself."""
        while True:
            with contextlib.suppress(Died):
                await self.start()
                self._alive.set()
            code = await self._process.wait()
            self._alive.clear()
            if code != -signal.SIGKILL:
                assert code == 0, f"{self.config} ended with {code}\n{self.log.read_text()[-3000:]}"
                return
            self.deaths += 1

    @property
    def _process(self) -> asyncio.subprocess.Process:
        assert self.process is not None
        return self.process

    async def up(self) -> None:
        """Wait until it runs."""
        async with asyncio.timeout(DEADLINE_S):
            await self._alive.wait()

    async def end(self, life: asyncio.Task[None]) -> None:
        """Ask it to end, once in each of its lives, and wait for `live` to be over."""
        asked = -1
        while not life.done():
            if asked != self.deaths and self._alive.is_set():
                asked = self.deaths
                self._process.terminate()
            await asyncio.wait([life], timeout=LOOK_S)
        await life


@dataclass
class Pit:
    """All of them, running. between: what carries t2's link. off: those switched off for good."""

    places: dict[str, Place]
    hardware: dict[str, OasisHardware]
    broker: Mosquitto
    between: Proxy
    lives: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    off: set[str] = field(default_factory=set)

    @property
    def deaths(self) -> int:
        return sum(place.deaths for place in self.places.values())

    @property
    def ended(self) -> list[asyncio.Task[None]]:
        """Lives that are over though nobody asked."""
        return [life for name, life in self.lives.items() if life.done() and name not in self.off]

    async def switch_off(self, name: str) -> None:
        """A machine that does not come back."""
        self.off.add(name)
        await self.places[name].end(self.lives[name])

    async def end(self) -> None:
        """SIGTERM to all; whoever is killed instead is started and asked once more."""
        await asyncio.gather(*(self.places[name].end(life) for name, life in self.lives.items()))


def write_sites(directory: Path, hardware: dict[str, OasisHardware], broker: int, between: int) -> dict[str, Path]:
    """The three nodes' files; broker, between: the ports to the broker, the latter of t2."""
    facts = f"accept = {json.dumps(list(TABLES))}"
    host = CAROUSEL.format(port=broker, role="host", facts=facts)
    files = {HOST: write_site(directory / HOST, free_port(), host)}
    for table in TABLES:
        member = CAROUSEL.format(port=between if table == "t2" else broker, role="member", facts="")
        section = oasis_table(table, hardware[table], CAROUSEL_ID)
        files[table] = write_site(directory / table, free_port(), member, section)
    return files


@contextlib.contextmanager
def broker_in(directory: Path) -> Iterator[Mosquitto]:
    """A broker without memory of its own, until the end."""
    executable = find_tool("mosquitto")
    assert executable is not None, "mosquitto is not installed"
    place = directory / "broker"
    place.mkdir(parents=True)
    broker = Mosquitto(executable, place, ANYBODY)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


async def found(directory: Path) -> None:
    """State directories of a carousel that was founded, and of two tables that were enrolled and have never run."""
    make_quick()
    hardware = {table: OasisHardware.new() for table in TABLES}
    with broker_in(directory) as broker:
        files = write_sites(directory, hardware, broker.port, broker.port)
        for file in files.values():
            await hire(file)
        async with daemon(files[HOST]) as founding:
            await founding.until(SIGNAGE, lambda scene: scene["meter"]["freshness"] == "fresh", "a founded carousel")
            assert await founding.stop() == 0
        for table in TABLES:
            await enrol(CAROUSEL_ID, files[HOST], table, files[table])


@contextlib.asynccontextmanager
async def pit(directory: Path, nursery: Nursery, strikes: Mapping[str, Collection[str]]) -> AsyncIterator[Pit]:
    """The pit on the state directories below a directory. strikes: by place, the points at which it dies."""
    hardware = {table: OasisHardware.new() for table in TABLES}
    async with contextlib.AsyncExitStack() as stack:
        broker = stack.enter_context(broker_in(directory))
        between = await stack.enter_async_context(proxy(broker.port))
        files = write_sites(directory, hardware, broker.port, between.port)
        for each in hardware.values():
            await stack.enter_async_context(each.running())
        places = {
            name: Place(nursery, file, directory / f"{name}.points", strikes.get(name, ()))
            for name, file in files.items()
        }
        running = Pit(places, hardware, broker, between)
        running.lives = {name: asyncio.create_task(place.live(), name=name) for name, place in places.items()}
        try:
            yield running
        finally:
            for life in running.lives.values():
                life.cancel()
            await asyncio.gather(*running.lives.values(), return_exceptions=True)
            for place in places.values():
                if place.process is not None:
                    place.process.kill()
                    await place.process.wait()
