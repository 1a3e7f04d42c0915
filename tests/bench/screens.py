"""Ratio of the feed: 500 screens told scene after scene, beside bare sse-starlette sending the same text."""

import asyncio
import contextlib
import resource
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from functools import partial

import uvicorn
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from display.feed import Feed
from display.pages import ScreenSettings, build_app
from display.samples import oasis_tables
from display.scene import Amount, TableScreen, to_json
from tests.services import HOST, free_port

SCREENS = 500
SCENES = 40
ROUNDS = 2
LEAST = 0.5
PATH = "/feed/table-x"


class Server(uvicorn.Server):
    """Runs inside the measurement's own loop and leaves its signals alone."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Bare:
    """What anybody would write first: an event that wakes the streams, each encoding the text for itself."""

    def __init__(self) -> None:
        self.version = 0
        self.text = ""
        self.changed = asyncio.Event()
        self.app = Starlette(routes=[Route(PATH, self.answer)])

    def show(self, text: str) -> None:
        self.version += 1
        self.text = text
        self.changed.set()
        self.changed = asyncio.Event()

    async def answer(self, _: Request) -> Response:
        return EventSourceResponse(self.stream())

    async def stream(self) -> AsyncIterator[dict[str, str]]:
        seen = 0
        while True:
            while seen == self.version:
                await self.changed.wait()
            seen = self.version
            yield {"event": "scene", "data": self.text}


class Audience:
    """The screens: plain sockets that count the scenes they were told."""

    def __init__(self) -> None:
        self.told = [0] * SCREENS
        self.waiting = 0
        self.all_told = asyncio.Event()

    async def listen(self, port: int, screen: int) -> None:
        reader, writer = await asyncio.open_connection(HOST, port, limit=1 << 20)
        writer.write(f"GET {PATH} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        try:
            while line := await reader.readline():
                if line.startswith(b"event: scene"):
                    self.told[screen] += 1
                    self.waiting -= 1
                    if self.waiting == 0:
                        self.all_told.set()
        finally:
            writer.close()

    async def round(self, show: Callable[[], object]) -> None:
        """Show one scene and wait until every screen has it."""
        self.waiting = SCREENS
        self.all_told.clear()
        show()
        async with asyncio.timeout(60):
            await self.all_told.wait()


def scene(number: int) -> TableScreen:
    idle = oasis_tables()["hand"]
    assert idle.meter is not None
    return replace(idle, table_id="x", meter=replace(idle.meter, amount=Amount.of(number)))


def show_bare(bare: Bare, number: int) -> None:
    bare.show(to_json(scene(number)))


def show_ours(feed: Feed, number: int) -> None:
    feed.show("table-x", scene(number))


async def delivered_per_s(app: ASGIApp, show: Callable[[int], object]) -> float:
    port = free_port()
    server = Server(uvicorn.Config(app, host=HOST, port=port, log_config=None, lifespan="off", backlog=SCREENS))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    audience = Audience()
    listening: list[asyncio.Task[None]] = []
    audience.waiting = SCREENS
    show(1)
    for screen in range(SCREENS):
        listening.append(asyncio.create_task(audience.listen(port, screen)))
        if screen % 50 == 49:
            await asyncio.sleep(0.05)
    async with asyncio.timeout(60):
        await audience.all_told.wait()
    start = time.perf_counter()
    for number in range(2, SCENES + 2):
        await audience.round(partial(show, number))
    elapsed = time.perf_counter() - start
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    server.should_exit = True
    await serving
    return SCREENS * SCENES / elapsed


async def measure() -> dict[str, float]:
    """Best of some rounds, in scenes delivered per second on this machine, and their ratio."""
    ours, bare = [], []
    for _ in range(ROUNDS):
        plain, feed = Bare(), Feed()
        bare.append(await delivered_per_s(plain.app, partial(show_bare, plain)))
        ours.append(await delivered_per_s(build_app(feed, ScreenSettings()), partial(show_ours, feed)))
    return {"feed": max(ours), "bare": max(bare), "ratio": max(ours) / max(bare)}


def main() -> int:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4 * SCREENS), hard), hard))
    figures = asyncio.run(measure())
    print(
        f"{SCREENS} screens, feed {figures['feed']:,.0f} scenes/s, bare sse-starlette {figures['bare']:,.0f} scenes/s"
    )
    print(f"ratio {figures['ratio']:.2f} (at least {LEAST})")
    return 0 if figures["ratio"] >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
