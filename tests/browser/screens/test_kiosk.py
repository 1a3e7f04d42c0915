"""A screen as its unit starts it: Chromium with the flags of the kiosk, before its daemon is there and after a kill."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright, expect

from tests.browser.screens.conftest import until
from tests.browser.screens.test_link import preview, screen_class
from tests.conftest import CHROMIUM_ARGUMENTS
from tests.services import HOST, free_port
from tests.tidy.source_files import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

INSTALLED = "/usr/local/share/carrusel"
OF_THE_DISPLAY = ("--ozone-platform", "--user-data-dir")
"""Flags that belong to a display and a folder of the unit's own; here Chromium draws without a display."""
START_S = 90


def flags(screen: str) -> list[str]:
    """Chromium's arguments as the unit has them, with the page that waits where it lies in the source tree."""
    text = (ROOT / "systemd" / "carrusel-kiosk.service").read_text("utf-8").replace("\\\n", " ")
    command = re.search(r"^ExecStart=.*?/usr/bin/chromium (.*)$", text, re.MULTILINE)
    assert command is not None
    told = command[1].replace("${CARRUSEL_SCREEN}", screen).replace(INSTALLED, str(ROOT / "systemd" / "kiosk"))
    return [each for each in told.split() if not each.startswith(OF_THE_DISPLAY)]


@contextlib.asynccontextmanager
async def kiosk(chromium: str, profile: Path, screen: str) -> AsyncIterator[Page]:
    """Chromium alone, started like a service and not by a test's library; looked at over its own port."""
    own = [f"--user-data-dir={profile}", "--headless=new", "--remote-debugging-port=0", *CHROMIUM_ARGUMENTS]
    nothing = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(chromium, *flags(screen), *own, stdout=nothing, stderr=nothing)
    try:
        port = profile / "DevToolsActivePort"
        async with asyncio.timeout(START_S):
            while not port.exists() or not port.read_text().split():
                await asyncio.sleep(0.1)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.connect_over_cdp(f"http://{HOST}:{port.read_text().split()[0]}")
            yield browser.contexts[0].pages[0]
            await browser.close()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@pytest.mark.promise("P15")
async def test_a_screen_that_was_there_first_waits_in_its_own_words_and_then_shows_the_table(
    tool: Callable[[str], str], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    port = free_port()
    pictures = Path(pytestconfig.cache.mkdir("screens"))
    async with kiosk(tool("chromium"), tmp_path / "profile", f"http://{HOST}:{port}/table/idle") as page:
        await expect(page.get_by_text("Esperando el controlador")).to_be_visible()
        await expect(page.locator("#address")).to_have_text(f"http://{HOST}:{port}/table/idle")
        await page.screenshot(path=pictures / "kiosk-waiting.png")
        assert await page.evaluate("document.visibilityState") == "visible"
        assert await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => drawn(true)))"), "it moves"
        assert not await page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
        for turn in range(2):
            with preview(tmp_path, port):
                await until(lambda: shown(page), lambda name: "stage-idle" in name, START_S)
                await page.screenshot(path=pictures / f"kiosk-shown-{turn}.png")
            await until(lambda: shown(page), lambda name: "stage-stale" in name, START_S)


async def shown(page: Page) -> str:
    """The screen's class; empty while the page that waits is there."""
    return await screen_class(page) if await page.locator(".screen").count() else ""
