"""A real Chromium at the panel of a real node: whoever logs in, and what the browser complained about."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page

from tests.api.office import PINS, Clock, Office, open_office
from tests.browser.conftest import PATIENCE_MS

TABLET = {"width": 1280, "height": 800}


@dataclass
class Desk:
    """The office and the browsers at it."""

    office: Office
    browser: Browser
    troubles: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    contexts: list[BrowserContext] = field(default_factory=list)

    async def page(self, viewport: dict[str, int] | None = None) -> Page:
        """A browser of its own, with no cookie."""
        context = await self.browser.new_context(viewport=viewport or TABLET)  # type: ignore[arg-type]  # typed dict
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda line: self.troubles.append(line.text) if line.type == "error" else None)
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))
        return page

    async def person(self, login: str, language: str = "es", viewport: dict[str, int] | None = None) -> Page:
        """A page at the floor, logged in by keyboard alone."""
        page = await self.page(viewport)
        await page.goto(f"{self.office.base}/login?lang={language}")
        await page.keyboard.type(login)
        await page.keyboard.press("Tab")
        await page.keyboard.type(PINS[login])
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"{self.office.base}/")
        return page

    def url(self, path: str) -> str:
        return self.office.base + path


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The wall clock of the nodes that the test opens."""
    return Clock().installed(monkeypatch)


@pytest_asyncio.fixture
async def desk(tmp_path: Path, chromium: Browser) -> AsyncIterator[Desk]:
    """A page's error or a request to another host fails the test."""
    async with open_office(tmp_path) as office:
        one = Desk(office, chromium)
        yield one
        for context in one.contexts:
            await context.close()
        assert not one.troubles, one.troubles
        assert one.hosts <= {office.base.removeprefix("http://")}, "a request left the host"


@pytest.fixture(scope="session")
def pictures(pytestconfig: pytest.Config) -> Path:
    """Where screenshots are kept for people to look at; they decide no test."""
    return Path(pytestconfig.cache.mkdir("panel"))


async def faults_of(page: Page, axe_source: str) -> list[str]:
    """Accessibility violations of the page as it is."""
    await page.evaluate(axe_source)
    result: dict[str, Any] = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for violation in result["violations"]
        for node in violation["nodes"][:2]
    ]
