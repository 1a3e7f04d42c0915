"""No page of the panel scrolls sideways, hides a column or cuts an amount, on the tablets a pit has."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import expect

from controller.api.texts import catalogue
from controller.core.cards import parse_cards
from controller.core.events import AntePlaced, CardsEntered, CreditWagered, Key, KeyPressed
from tests.api.office import Office
from tests.browser.panel.conftest import Desk
from tests.browser.panel.test_panel import ASKED, PAGES

pytestmark = pytest.mark.browser

TABLETS = ((1024, 768), (1280, 800), (800, 1280))
HANDS = {
    1: "9d 8d 7d 6d 5d",
    2: "2c 2d 2h 5c 5s",
    3: "3c 3d 3h 6c 6s",
    4: "4c 4d 4h 7c 7s",
    5: "Tc Td Th 8c 8s",
    6: "Jc Jd Jh 9c 9s",
    7: "Qc Qd Qh Kc Ks",
}
"""A full table whose every box is dealt a long-named hand."""
CUT = """() => {
  const shown = (each) => each.checkVisibility() && !each.closest('.unseen');
  const text = (each) => (each.value || each.textContent).trim().slice(0, 40);
  const name = (each) => `${each.tagName.toLowerCase()} ${each.id || each.className} “${text(each)}”`;
  const found = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`page ${wide} > ${innerWidth}`);
  for (const each of document.querySelectorAll('input:not([type=radio]):not([type=checkbox]):not([type=hidden])'))
    if (shown(each) && each.scrollWidth > each.clientWidth) found.push(`cut: ${name(each)}`);
  for (const each of document.querySelectorAll('select')) {
    if (!shown(each)) continue;
    const probe = document.createElement('span');
    const style = getComputedStyle(each);
    probe.style.cssText = `position: absolute; visibility: hidden; white-space: nowrap; font: ${style.font}`;
    probe.textContent = each.selectedOptions[0]?.textContent ?? '';
    document.body.append(probe);
    const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
    if (probe.getBoundingClientRect().width > room) found.push(`cut: ${name(each)}`);
    probe.remove();
  }
  const holders = '.scroll, .box, .table-card, .chip, .amount, .bar, .queue li, .lines > div, .nav a';
  for (const each of document.querySelectorAll(holders)) {
    const hides = each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline';
    if (shown(each) && hides) found.push(`hides a side: ${name(each)}`);
  }
  for (const each of document.querySelectorAll('.box :is(.chip, .amount, .button, td, input, select)')) {
    const inner = each.getBoundingClientRect(), outer = each.closest('.box').getBoundingClientRect();
    const out = inner.right > outer.right + 0.5 || inner.left < outer.left - 0.5;
    if (shown(each) && inner.width && out) found.push(`outside its box: ${name(each)}`);
  }
  for (const strong of document.querySelectorAll('.table-card strong'))
    if (strong.offsetHeight > 40) found.push(`broken name: ${name(strong)}`);
  for (const link of document.querySelectorAll('.nav a')) {
    const bubble = link.querySelector('.bubble')?.getBoundingClientRect();
    const icon = link.querySelector('svg').getBoundingClientRect();
    const covers = bubble && bubble.left < icon.right && bubble.right > icon.left && bubble.top < icon.bottom;
    if (covers) found.push(`covered icon: ${name(link)}`);
  }
  return found;
}"""


async def full_hand(office: Office, table: str = "t1") -> None:
    """Seven boxes with credits and cards, not over."""
    for seat in HANDS:
        await office.tell(table, AntePlaced(seat))
        await office.tell(table, CreditWagered(seat, 1, manual=True))
    await office.tell(table, KeyPressed(Key.CLOSE_BETS))
    for seat, codes in HANDS.items():
        cards = parse_cards(codes)
        assert cards is not None
        await office.tell(table, CardsEntered(f"seat-{seat}", cards), "ana", "beto")


@pytest.mark.parametrize("language", ["es", "en"])
async def test_no_page_scrolls_sideways_or_cuts_an_amount(desk: Desk, pictures: Path, language: str) -> None:
    prize = (await desk.office.win())["id"]
    await full_hand(desk.office)
    ana = await desk.office.person("ana")
    asked: dict[str, Any] = (await ana.post("/api/v1/carousels/gran/start-value", ASKED)).json()
    page = await desk.person("ana", language)
    found: dict[tuple[str, int], list[str]] = {}
    for path in (*PAGES, "/table/t1/settings"):
        address = path.format(prize=quote(prize), approval=asked["approval"]).replace("hand=1", "hand=2")
        await page.goto(desk.url(address))
        await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        for width, height in TABLETS:
            await page.set_viewport_size({"width": width, "height": height})
            if faults := await page.evaluate(CUT):
                found[path, width] = faults
            name = path.split("?")[0].strip("/").replace("/", "-") or "floor"
            await page.screenshot(path=pictures / f"fits-{language}-{width}-{name}.png", full_page=True)
    assert not found, "\n".join(f"{where}: {fault}" for where, faults in found.items() for fault in faults)


@pytest.mark.parametrize("language", ["es", "en"])
async def test_the_longest_phase_stays_in_its_card(desk: Desk, language: str) -> None:
    longest = max((text for key, text in catalogue(language).texts.items() if key.startswith("phase.")), key=len)
    page = await desk.person("ana", language)
    await page.evaluate(
        "(text) => { for (const chip of document.querySelectorAll('.table-card .chip')) chip.textContent = text; }",
        longest,
    )
    for width, height in TABLETS:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(CUT) == []


async def test_what_is_well_is_not_drawn_in_the_colour_of_an_alarm(desk: Desk) -> None:
    prize = (await desk.office.win())["id"]
    page = await desk.person("ana")
    alarm = "rgb(168, 35, 28)"
    await page.goto(desk.url(f"/prizes/t1?prize={quote(prize)}"))
    await page.get_by_role("button", name="Verificar").click()
    await expect(page.locator(".alarms .ok-text .glyph").first).to_be_visible()
    ticks = await page.locator(".alarms .ok-text .glyph").evaluate_all(
        "all => all.map(each => getComputedStyle(each).color)"
    )
    assert alarm not in ticks
