"""What two people sign when a table is let in, or its node has another key, read on the tablets a pit has."""

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from controller.api.texts import fingerprint_text
from controller.core.records import to_record
from tests.api.acts import REASON, approved
from tests.browser.panel.conftest import Desk, faults_of
from tests.browser.panel.test_fits import CUT, TABLETS

pytestmark = pytest.mark.browser


async def test_a_whole_key_is_read_beside_what_is_signed(desk: Desk, axe_source: str, pictures: Path) -> None:
    office, carla = desk.office, await desk.office.person("carla")
    profile: dict[str, Any] = to_record(office.node.tables["t2"].profile(office.node.config, office.node.key))
    end = {"table": "t2", "seen_switched_off": True, "reason": REASON}
    assert (await approved(office, await carla.post("/api/v1/carousels/gran/seal", end))).status_code == 200
    anew = {"profile": {**profile, "incarnation": "ab" * 16}, "reason": REASON}
    enrol = (await carla.post("/api/v1/carousels/gran/members", anew)).json()["approval"]
    other = {"table": "t1", "key": "c4" * 32, "reason": REASON}
    rekey = (await carla.post("/api/v1/carousels/gran/rekey", other)).json()["approval"]
    page = await desk.person("carla")
    for place, key in (
        (f"/approvals/{enrol}", profile["key"]),
        (f"/approvals/{rekey}", "c4" * 32),
        ("/table/t1/terms", profile["key"]),
    ):
        await page.goto(desk.url(place))
        await expect(page.locator("main")).to_contain_text(fingerprint_text(key))
        assert await faults_of(page, axe_source) == [], place
        for width, height in TABLETS:
            await page.set_viewport_size({"width": width, "height": height})
            assert await page.evaluate(CUT) == [], (place, width)
            name = place.strip("/").replace("/", "-").partition("-ap-")[0] + f"-{key[:2]}-{width}.png"
            await page.screenshot(path=pictures / f"signed-{name}", full_page=True)
