"""The devices page in a real Chromium: a device's frames follow the line, are held still to be read, and go on."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.api.office import until
from tests.api.wired import Wired, wired_office
from tests.browser.panel.conftest import Desk, faults_of
from tests.browser.panel.test_fits import CUT, TABLETS

pytestmark = pytest.mark.browser


@pytest_asyncio.fixture
async def plugged(tmp_path: Path, chromium: Browser) -> AsyncIterator[tuple[Desk, Wired]]:
    """The office with its hardware, and the browsers at it."""
    async with wired_office(tmp_path) as wired:
        await wired.up()
        one = Desk(wired.office, chromium)
        yield one, wired
        for context in one.contexts:
            await context.close()
        assert not one.troubles, one.troubles


async def test_frames_follow_the_line_and_stand_still_when_asked(
    plugged: tuple[Desk, Wired], pictures: Path, axe_source: str
) -> None:
    desk, wired = plugged
    page = await desk.person("tomas")
    await page.get_by_role("link", name="Equipos").click()
    await page.get_by_role("link", name="Tramas de caja").click()
    listed = page.locator("#frames-list")
    await expect(listed).to_contain_text("función 2 (leer entradas)")
    await expect(listed).to_contain_text("veces desde")
    assert await faults_of(page, axe_source) == []

    await page.locator("#frames-pause").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#frames-pause")).to_have_text("Seguir")
    stood = await listed.inner_text()
    wired.module.silent = True
    link = page.get_by_role("row", name="caja").first
    await expect(link).to_contain_text("sin respuesta", timeout=60_000)
    assert await listed.inner_text() == stood, "the rest of the page goes on, what is being read stands"
    await page.screenshot(path=pictures / "frames-held.png", full_page=True)
    await page.keyboard.press("Enter")
    await expect(page.locator("#frames-stand")).to_be_hidden()
    await expect(listed).to_contain_text("sin respuesta", timeout=60_000)
    await page.screenshot(path=pictures / "frames.png", full_page=True)
    await page.keyboard.press("Escape")
    await expect(page.locator("#frames")).to_have_count(0)


async def test_a_card_of_an_open_hand_is_withheld_on_the_page_until_it_ends(
    plugged: tuple[Desk, Wired], pictures: Path
) -> None:
    desk, wired = plugged
    page = await desk.person("ana")
    await page.goto(desk.url("/devices?table=t1&device=zapato"))
    await expect(page.get_by_text("Todavía no pasó nada")).to_be_visible()
    await wired.office.deal(seat=3)
    await wired.shoe.read_line("CARD 9h")
    await expect(page.get_by_text("Oculta hasta que termine la mano")).to_be_visible(timeout=60_000)
    await page.screenshot(path=pictures / "frames-withheld.png", full_page=True)
    await wired.end_hand()
    await expect(page.locator("#frames-list")).to_contain_text("43 41 52 44 20 39 68", timeout=60_000)
    await expect(page.locator("#frames-list")).to_contain_text("renglón CARD 9h")


@pytest.mark.parametrize("size", TABLETS, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_frames_fit_a_tablet(plugged: tuple[Desk, Wired], size: tuple[int, int], pictures: Path) -> None:
    desk, _ = plugged
    page = await desk.person("tomas", viewport={"width": size[0], "height": size[1]})
    await page.goto(desk.url("/devices?table=t1&device=caja"))
    await expect(page.locator("#frames-list")).to_contain_text("leer entradas")
    assert await page.evaluate(CUT) == []
    await page.screenshot(path=pictures / f"frames-{size[0]}.png", full_page=True)


async def test_one_lamp_is_tested_by_keyboard(plugged: tuple[Desk, Wired], pictures: Path, axe_source: str) -> None:
    desk, wired = plugged
    page = await desk.person("tomas", viewport={"width": 1024, "height": 768})
    await page.goto(desk.url("/devices"))
    await page.locator("#lamp-of-t1 summary").focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Casilla 2, fuera del progresivo").focus()
    lit = asyncio.create_task(until(lambda: wired.module.outputs[2], "the module's coil is on", 60))
    said = page.get_by_text("Encendida para mirarla: casilla 2, fuera del progresivo")
    await asyncio.gather(page.keyboard.press("Enter"), expect(said).to_be_visible())
    await lit
    await page.screenshot(path=pictures / "lamp-test.png", full_page=True)
    assert await faults_of(page, axe_source) == []
    assert await page.evaluate(CUT) == []
    await expect(page.get_by_text("Encendida para mirarla")).to_be_hidden(timeout=60_000)
    await wired.office.deal()
    await page.get_by_role("button", name="Casilla 1, apuesta aceptada").click()
    await expect(page.get_by_role("alert").filter(has_text="Las lámparas se prueban entre manos")).to_be_visible()
    desk.troubles.clear()  # the browser notes the 409 itself
