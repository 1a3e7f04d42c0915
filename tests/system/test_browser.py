"""A real browser on a real daemon: table screen and signage through a hand with a straight flush, to the stamp."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from tests.services import Mosquitto, free_port
from tests.system.books import check_books
from tests.system.daemon import DEADLINE_S, daemon
from tests.system.dealing import SHARE, START, STRAIGHT_FLUSH, Dealer
from tests.system.people import hire, panel
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.broker, pytest.mark.browser]

WORDS = """() => [document.body.innerText, ...[...document.querySelectorAll("[aria-label]")].map(
    (each) => each.getAttribute("aria-label"))].join(" ").toLowerCase()"""


def pesos(minor: int) -> str:
    """As an Argentine reads it, without the centavos: 1000200 centavos are 10.002."""
    return f"{minor // 100:,}".replace(",", ".")


async def shows(page: Page, *words: str) -> None:
    """Wait until the page shows or says all of these words, whatever their case."""
    text = ""
    try:
        async with asyncio.timeout(DEADLINE_S):
            while not all(word in text for word in words):
                text = str(await page.evaluate(WORDS))
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"never {words}; it says {text[:1500]!r}") from None


async def test_table_and_sign_in_a_browser_through_a_straight_flush(
    tmp_path: Path, mosquitto: Mosquitto, chromium: Browser
) -> None:
    one, two = OasisHardware.new(), OasisHardware.new()
    carousel = CAROUSEL.format(port=mosquitto.port, role="host", facts="")
    config = write_site(tmp_path, free_port(), carousel, oasis_table("t1", one, "gran"), oasis_table("t2", two, "gran"))
    await hire(config)
    troubles: list[str] = []
    async with one.running(), two.running(), daemon(config) as node:
        context = await chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
        context.set_default_timeout(DEADLINE_S * 1000)
        table, sign = await context.new_page(), await context.new_page()
        for page in (table, sign):
            page.on("pageerror", lambda error: troubles.append(str(error)))
        await table.goto(f"{node.screens}/table/t1")
        await sign.goto(f"{node.screens}/signage/gran")
        for page in (table, sign):
            await shows(page, pesos(2 * START))
        await one.ready()
        dealer = Dealer(node, "t1", one)
        await dealer.bet(3)
        lit = table.locator(".token.jackpot .number")
        await lit.first.wait_for()
        assert await lit.all_inner_texts() == ["3"]
        await dealer.close()
        await shows(table, "carta mágica", "jugador afortunado")
        whole = 2 * START + SHARE
        for page in (table, sign):
            await shows(page, pesos(whole))
        await dealer.deal(STRAIGHT_FLUSH, 3)
        await dealer.end()
        prize = whole // 10
        for page in (table, sign):
            await shows(page, "pendiente", pesos(prize))
        async with panel(node) as ana:
            assert await ana.pay_all("t1") >= prize
        await asyncio.gather(shows(table, "pagado"), shows(sign, pesos(whole - prize)))
        await context.close()
        assert await node.stop() == 0
    assert not troubles
    assert list(check_books(node.state).paid.values()) == [prize]
