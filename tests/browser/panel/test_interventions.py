"""What people changed in a shift, read on its page on the tablets a pit has."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.api.test_interventions import intervene
from tests.browser.panel.conftest import Desk, faults_of
from tests.browser.panel.test_fits import CUT, TABLETS

pytestmark = pytest.mark.browser


@pytest.mark.requirement("R82")
async def test_a_shifts_interventions_are_read_on_a_tablet(desk: Desk, axe_source: str, pictures: Path) -> None:
    await intervene(desk.office)
    page = await desk.person("ana")
    await page.goto(desk.url("/shift?shift=1"))
    told = page.locator("#interventions")
    await expect(told.locator("tbody tr")).to_have_count(5)
    await expect(told).to_contain_text("Corrección de una falla · corrected reading")
    assert await faults_of(page, axe_source) == []
    for width, height in TABLETS:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(CUT) == [], width
        await told.screenshot(path=pictures / f"interventions-{width}.png")
    await told.locator('a[href^="/journal"]').first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Libro")
