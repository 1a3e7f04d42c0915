"""An advance in the browser: the link is lost, a claim waits, two people pay a part of it at the table."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.api.test_offline import win_cut_off
from tests.browser.panel.conftest import Desk
from tests.browser.panel.test_panel import approve

pytestmark = pytest.mark.browser


async def test_a_prize_is_advanced_while_the_link_is_down(
    desk: Desk, pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await desk.person("ana")
    hand = await win_cut_off(desk.office, monkeypatch)
    await page.goto(desk.url("/prizes"))
    form = page.locator(f"#advance-t1-{hand}-3")
    await form.locator("summary").click()
    await expect(form.get_by_text("A lo sumo $ 100.00")).to_be_visible()
    await page.screenshot(path=pictures / "advance-prizes.png", full_page=True)
    await page.locator(f"#claim-t1-{hand}-3").click()
    await form.locator("summary").click()
    await form.get_by_label("importe").fill("60.000")
    await form.get_by_label("Motivo").fill("el jugador se retira")
    await page.screenshot(path=pictures / "advance-table.png", full_page=True)
    await form.get_by_role("button", name="Pedir aprobación").click()
    await page.wait_for_url("**/approvals/ap-*")
    await expect(page.get_by_role("row", name="Adelanto de premio")).to_contain_text("60.000,00")
    await page.screenshot(path=pictures / "advance-approval.png", full_page=True)
    await approve(page)
    (row,) = desk.office.node.tables["t1"].runner.state.link.rows.values()
    assert (row.status.value, row.paid_minor) == ("claimed", 6_000_000)
    await page.goto(desk.url(f"/prizes/t1?prize={row.id}"))
    await form.locator("summary").click()
    await expect(form.get_by_text("Ya se adelantaron $ 60.000,00.")).to_be_visible()
    await page.screenshot(path=pictures / "advance-prize.png", full_page=True)
