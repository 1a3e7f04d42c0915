"""A hall of screens: a feed served on the loopback, one Chromium for all, a clock the test turns."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import uvicorn
from playwright.async_api import Browser, Page, async_playwright

from display.draws import DrawRecords
from display.feed import Feed
from display.pages import ScreenSettings, build_app
from display.scene import Screen, TableScreen
from tests.browser.conftest import PATIENCE_MS
from tests.conftest import CHROMIUM_ARGUMENTS
from tests.services import HOST, free_port

LANDSCAPE = {"width": 1920, "height": 1080}
PORTRAIT = {"width": 1080, "height": 1920}
DEADLINE_S = PATIENCE_MS / 1000


class _Server(uvicorn.Server):
    """Leaves the signals of the process alone: it runs inside the test's own loop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass
class Hall:
    """The feed that a test shows scenes on, and the pages it opened."""

    feed: Feed
    port: int
    browser: Browser
    troubles: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    pages: list[Page] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"http://{HOST}:{self.port}{path}"

    def show(self, scene: Screen) -> int:
        """Put a scene on the screen of this name: `table-x`, `signage-x`."""
        if isinstance(scene, TableScreen):
            return self.feed.show("table-x", replace(scene, table_id="x"))
        return self.feed.show("signage-x", replace(scene, carousel_id="x"))

    async def open(
        self,
        kind: str,
        *,
        language: str = "es",
        still: bool = False,
        clock: bool = False,
        viewport: dict[str, int] | None = None,
        path: str = "",
    ) -> Page:
        """Open the screen, or another `path`.

        `still` asks for reduced motion; with `clock` the page's time stands until it is turned.
        """
        context = await self.browser.new_context(
            viewport=viewport or LANDSCAPE,  # type: ignore[arg-type]  # the library's own typed dict
            reduced_motion="reduce" if still else "no-preference",
        )
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda line: self.troubles.append(line.text) if line.type == "error" else None)
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))
        self.pages.append(page)
        if clock:
            await stopped(page)
        await page.goto(self.url(path or f"/{kind}/x?lang={language}"))
        return page

    async def shown(self, page: Page, version: int) -> None:
        """Wait until the page has taken that version in."""
        await until(lambda: page.evaluate("Number(document.documentElement.dataset.version ?? 0)"), at_least(version))


async def stopped(page: Page) -> None:
    """From the next page on its time stands, until `page.clock` turns it. The machine may take an hour to stop it."""
    await page.clock.install(time="2026-07-08T23:42:00Z")
    await page.clock.pause_at("2026-07-09T00:42:01Z")


def at_least(number: int) -> Callable[[Any], bool]:
    return lambda value: value is not None and value >= number


async def until(ask: Callable[[], Awaitable[Any]], holds: Callable[[Any], bool], deadline_s: float = DEADLINE_S) -> Any:
    """Ask again and again until the answer holds."""
    end_s = time.monotonic() + deadline_s
    while True:
        answer = await ask()
        if holds(answer):
            return answer
        assert time.monotonic() < end_s, f"still {answer!r} after {deadline_s} s"
        await asyncio.sleep(0.02)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def screens_browser(tool: Callable[[str], str]) -> AsyncIterator[Browser]:
    """One Chromium for all tests of screens."""
    executable = tool("chromium")
    async with async_playwright() as playwright:
        arguments = [*CHROMIUM_ARGUMENTS, "--run-all-compositor-stages-before-draw"]
        browser = await playwright.chromium.launch(executable_path=executable, args=arguments)
        yield browser
        await browser.close()


@contextlib.asynccontextmanager
async def served(
    browser: Browser,
    feed: Feed,
    settings: ScreenSettings,
    port: int | None = None,
    draws: DrawRecords | None = None,
) -> AsyncIterator[Hall]:
    """Serve a feed on the loopback while the block runs; `port` to come back where a server was before."""
    port = port or free_port()
    config = uvicorn.Config(
        build_app(feed, settings, draws),
        host=HOST,
        port=port,
        log_config=None,
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve())

    async def started() -> bool:
        return server.started

    await until(started, bool)
    hall = Hall(feed, port, browser)
    try:
        yield hall
    finally:
        for page in hall.pages:
            await page.context.close()
        server.should_exit = True
        await serving
        assert not hall.troubles, hall.troubles
        assert hall.hosts <= {f"{HOST}:{port}"}, "a request left the host"


@pytest_asyncio.fixture(loop_scope="session")
async def hall(screens_browser: Browser) -> AsyncIterator[Hall]:
    """A hall with the product's own heartbeat. Errors in a page, or a request to another host, fail the test."""
    async with served(screens_browser, Feed(), ScreenSettings()) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def silent_hall(screens_browser: Browser) -> AsyncIterator[Hall]:
    """A hall whose feed says nothing between scenes, so that a page's clock alone decides when it is stale."""
    async with served(screens_browser, Feed(heartbeat_s=3600), ScreenSettings()) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def patient_hall(screens_browser: Browser) -> AsyncIterator[Hall]:
    """A hall whose screens wait long for a word, for tests that turn the page's clock faster than beats come."""
    async with served(screens_browser, Feed(), ScreenSettings(stale_after_ms=600_000)) as one:
        yield one


@pytest.fixture(scope="session")
def artifacts(pytestconfig: pytest.Config) -> Path:
    """Where screenshots are kept for people to look at (pytest's cache); they decide no test."""
    return Path(pytestconfig.cache.mkdir("screens"))
