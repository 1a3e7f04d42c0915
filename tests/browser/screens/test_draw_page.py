"""The players' page in a real browser: it makes the draws again by itself, and says so when a record lies."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from controller.core.draws import JUGADOR_AFORTUNADO, DrawContext, draw_number
from display.draws import DrawOutcome, DrawRecord
from display.feed import Feed
from display.pages import ScreenSettings
from display.qr import qr_of
from display.samples import oasis_tables
from tests.browser.screens.conftest import Hall, served
from tests.display.drawn import Told, records

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
PHONE = {"width": 390, "height": 844}
HAND = 18_342
GREEN, RED = "rgb(23, 96, 63)", "rgb(168, 35, 28)"


@pytest.fixture
def told() -> Told:
    return Told(records())


@pytest_asyncio.fixture(loop_scope="session")
async def booth(screens_browser: Browser, told: Told) -> AsyncIterator[Hall]:
    """Screens with the draws of table 4. A page's error, or a request to another host, fails the test."""
    async with served(screens_browser, Feed(), ScreenSettings(), draws=told) as one:
        yield one


async def opened(booth: Hall, path: str, viewport: dict[str, int] | None = None) -> Page:
    page = await booth.open("draw", path=path, viewport=viewport or PHONE)
    await page.wait_for_selector("#verdict.holds, #verdict.fails")
    return page


async def marks(page: Page, which: str) -> list[str]:
    """What is ticked ("holds") or crossed ("fails") on the page, by name."""
    found: list[str] = await page.eval_on_selector_all(
        f".check.{which}", "all => all.map(one => one.dataset.check ?? 'hand')"
    )
    return sorted(found)


async def colours(page: Page, selector: str, of: str = "color") -> set[str]:
    """The colours that its elements are painted in."""
    found: list[str] = await page.eval_on_selector_all(selector, f"all => all.map(one => getComputedStyle(one).{of})")
    return set(found)


@pytest.mark.requirement("R101")
@pytest.mark.promise("P14")
@pytest.mark.parametrize(
    ("language", "verdict"), [("es", "El sorteo cierra."), ("en", "The draw is right.")], ids=["es", "en"]
)
async def test_a_phone_makes_the_draw_again_and_ticks_every_step(
    booth: Hall, artifacts: Path, language: str, verdict: str
) -> None:
    page = await opened(booth, f"/draw/4/{HAND}?lang={language}")
    assert verdict in await page.inner_text("#verdict")
    assert await marks(page, "fails") == []
    steps = ["carta_magica", "chain", "commitment", "jugador_afortunado", "list"]
    assert await marks(page, "holds") == sorted(steps + ["hand"] * 5)
    assert await colours(page, ".check.holds") == {GREEN}
    assert await colours(page, "#verdict", "backgroundColor") == {GREEN}
    await page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")
    await page.screenshot(path=artifacts / f"draw-hand-{language}.png", full_page=True)


@pytest.mark.parametrize("language", ["es", "en"])
async def test_the_last_draws_are_ticked_one_by_one(booth: Hall, artifacts: Path, language: str) -> None:
    page = await opened(booth, f"/draw/4?lang={language}")
    assert await marks(page, "holds") == ["hand"] * 7
    await page.screenshot(path=artifacts / f"draw-table-{language}.png", full_page=True)
    await page.click(f"[data-hand='{HAND}'] a")
    await page.wait_for_selector("#verdict.holds")
    assert page.url.endswith(f"/draw/4/{HAND}?lang={language}")


def _with(record: DrawRecord, **changes: Any) -> DrawRecord:
    return replace(record, **changes)


def _lied_card(record: DrawRecord) -> DrawRecord:
    return _with(record, outcomes=(replace(record.outcomes[0], result="As"), record.outcomes[1]))


def _lied_seat(record: DrawRecord) -> DrawRecord:
    other = "1" if record.outcomes[1].result != "1" else "2"
    return _with(record, outcomes=(record.outcomes[0], replace(record.outcomes[1], result=other)))


def _left_out(record: DrawRecord) -> DrawRecord:
    """A box with a jackpot bet is not among the positions, though the number is drawn rightly from the rest."""
    rest = (1, 3, 4, 5, 6, 7)
    context = DrawContext(
        record.site, record.table, record.incarnation, record.hand, JUGADOR_AFORTUNADO, record.list_hash
    )
    seat = rest[draw_number(bytes.fromhex(record.seed), context, len(rest))]
    return _with(record, outcomes=(record.outcomes[0], DrawOutcome(JUGADOR_AFORTUNADO, str(seat), rest)))


LIES = {
    "card": (_lied_card, ["carta_magica"]),
    "seat": (_lied_seat, ["jugador_afortunado"]),
    "position left out": (_left_out, ["jugador_afortunado"]),
    "list": (lambda r: _with(r, boxes=(replace(r.boxes[0], credits=4), *r.boxes[1:])), ["list"]),
    "list and hash": (lambda r: _with(r, list_hash="00" * 32), ["carta_magica", "jugador_afortunado", "list"]),
    "hand": (lambda r: _with(r, site="otra"), ["carta_magica", "jugador_afortunado"]),
    "commitment": (lambda r: _with(r, commitment="00" * 32), ["chain", "commitment"]),
    "seed": (lambda r: _with(r, seed="11" * 32), ["carta_magica", "commitment", "jugador_afortunado"]),
    "no seed": (lambda r: _with(r, seed="xyz"), ["carta_magica", "commitment", "jugador_afortunado"]),
    "drawn twice": (lambda r: _with(r, outcomes=(*r.outcomes, r.outcomes[0])), []),
}


@pytest.mark.promise("P14")
@pytest.mark.parametrize("name", LIES)
async def test_a_record_that_lies_gets_a_red_cross(booth: Hall, told: Told, artifacts: Path, name: str) -> None:
    lie, crossed = LIES[name]
    first, *rest = told.draws.records
    told.draws = replace(told.draws, records=(lie(first), *rest))
    page = await opened(booth, f"/draw/4/{HAND}")
    assert sorted(set(await marks(page, "fails"))) == crossed
    assert "Algo no coincide." in await page.inner_text("#verdict")
    assert (await colours(page, ".check.fails")) <= {RED}
    assert await colours(page, "#verdict", "backgroundColor") == {RED}
    assert await colours(page, ".check.holds") <= {GREEN}
    await page.screenshot(path=artifacts / "draw-cross.png")
    page = await opened(booth, "/draw/4")
    assert await marks(page, "fails") == ["hand"]
    assert await page.get_attribute(f"[data-hand='{HAND}'] .check.fails", "data-check") == "hand"
    assert "Un sorteo no coincide." in await page.inner_text("#verdict")


@pytest.mark.promise("P14")
async def test_a_gap_in_the_chain_is_crossed(booth: Hall, told: Told) -> None:
    first, second, *rest = told.draws.records
    told.draws = replace(told.draws, records=(first, replace(second, index=second.index + 1), *rest))
    page = await opened(booth, "/draw/4")
    assert await page.get_attribute(f"[data-hand='{HAND}'] .check", "class") == "check fails"


async def test_the_pages_own_hashes_are_those_of_the_standard(booth: Hall) -> None:
    page = await opened(booth, "/draw/4")
    inputs = [
        b"",
        b"abc",
        *(bytes(at % 251 for at in range(length)) for length in (55, 56, 63, 64, 65, 119, 120, 1000)),
    ]
    keys = [b"", b"k" * 31, b"k" * 64, b"k" * 65]
    made = await page.evaluate(
        """async ([inputs, keys]) => {
            const { fromHex, hmacSha256, sha256, toHex } = await import("/static/sha256.js");
            return [
                inputs.map((one) => toHex(sha256(fromHex(one)))),
                keys.flatMap((key) => inputs.map((one) => toHex(hmacSha256(fromHex(key), fromHex(one))))),
            ];
        }""",
        [[one.hex() for one in inputs], [key.hex() for key in keys]],
    )
    assert made[0] == [hashlib.sha256(one).hexdigest() for one in inputs]
    assert made[1] == [hmac.new(key, one, "sha256").hexdigest() for key in keys for one in inputs]


async def test_the_pages_numbers_are_those_of_the_rule_for_every_size(booth: Hall) -> None:
    page = await opened(booth, "/draw/4")
    context = DrawContext("puerto ñ", "4", "5f", 7, "carta_magica", "ab", "viento 31°")
    sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 51, 52, 63, 64, 65, 1000]
    seeds = [hashlib.sha256(bytes([number])).digest() for number in range(12)]
    record = {"site": context.site, "table": "4", "incarnation": "5f", "hand": 7, "list_hash": "ab"}
    made = await page.evaluate(
        """async ([record, seeds, sizes]) => {
            const { tries } = await import("/static/draw_rule.js");
            const { fromHex } = await import("/static/sha256.js");
            const last = (seed, size) => tries(fromHex(seed), record, "carta_magica", size).at(-1).number;
            return seeds.map((seed) => sizes.map((size) => last(seed, size)));
        }""",
        [record | {"outside": context.outside}, [seed.hex() for seed in seeds], sizes],
    )
    assert made == [[draw_number(seed, context, size) for size in sizes] for seed in seeds]


@pytest.mark.parametrize("width", [320, 390, 1280])
async def test_nothing_runs_out_of_the_page(booth: Hall, width: int) -> None:
    for path in (f"/draw/4/{HAND}?lang=en", f"/draw/4/{HAND}", "/draw/4"):
        page = await opened(booth, path, {"width": width, "height": 800})
        await page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("path", [f"/draw/4/{HAND}", "/draw/4", f"/draw/4/{HAND}?lang=en"])
async def test_no_accessibility_rule_is_broken(booth: Hall, told: Told, axe_source: str, path: str) -> None:
    for lie in (False, True):
        if lie:
            told.draws = replace(told.draws, records=(_lied_card(told.draws.records[0]), *told.draws.records[1:]))
        page = await opened(booth, path)
        await page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")
        await page.evaluate(axe_source)
        result = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        assert [
            f"{violation['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
            for violation in result["violations"]
            for node in violation["nodes"][:2]
        ] == []


async def test_no_code_stands_beside_a_draw_that_is_still_to_be_revealed(hall: Hall) -> None:
    tables = oasis_tables()
    hall.show(tables["bets"])
    page = await hall.open("table")
    await hall.shown(page, 1)
    await hall.shown(page, hall.show(tables["checked"]))
    assert await page.locator(".draw.carta").count() == 1
    assert await page.locator(".draw-check").count() == 0


async def test_a_table_turned_on_in_mid_hand_shows_the_code_at_once(hall: Hall) -> None:
    hall.show(oasis_tables()["checked"])
    page = await hall.open("table")
    await hall.shown(page, 1)
    box = await page.locator(".draw-check svg").bounding_box()
    assert box is not None
    assert box["width"] == box["height"] == 250
    assert await page.get_attribute(".draw-check path", "d") == qr_of("https://mesas.casino.example/draw/4/18342").path
