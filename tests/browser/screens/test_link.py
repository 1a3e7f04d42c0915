"""A screen says within three seconds that it does not know, and finds its way back by itself."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from display.feed import HEARTBEAT_S, Feed
from display.pages import ScreenSettings
from display.samples import oasis_tables, signage
from display.samples.edges import edge_tables
from tests.browser.screens.conftest import Hall, at_least, served, stopped, until
from tests.services import HOST, Process, accepts_connections, free_port

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TABLES = oasis_tables()
FAULT = edge_tables()["fault"]
PROMISE_MS = 3_000


async def screen_class(page: Page) -> str:
    return await page.get_attribute(".screen", "class") or ""


@pytest.mark.requirement("R52")
@pytest.mark.promise("P15")
async def test_a_screen_closes_its_shutters_within_three_seconds_of_the_last_word(silent_hall: Hall) -> None:
    silent_hall.show(TABLES["hand"])
    page = await silent_hall.open("table", clock=True)
    await silent_hall.shown(page, 1)
    await page.clock.run_for(2_300)
    assert "stage-hand" in await screen_class(page)
    await page.clock.run_for(PROMISE_MS - 2_300)
    assert "stage-stale" in await screen_class(page)
    words = await page.inner_text(".screen")
    assert "Dato sin confirmar desde las" in words
    assert "importe no disponible" in words
    assert not re.search(r"\d", await page.inner_html(".odometer .reel"))
    assert "Decide ahora" not in words
    assert await page.locator(".marks").count() == 0
    assert set(await page.locator(".seat .words b").all_inner_texts()) == {"Sin dato"}


@pytest.mark.promise("P15")
async def test_a_sign_closes_its_shutters_within_three_seconds(silent_hall: Hall) -> None:
    silent_hall.show(signage()["pending"])
    page = await silent_hall.open("signage", clock=True)
    await silent_hall.shown(page, 1)
    assert "51.906.240" in await page.inner_text(".screen")
    await page.clock.run_for(PROMISE_MS)
    words = await page.inner_text(".screen")
    assert "Importe no disponible" in words
    assert not re.search(r"\d", await page.inner_html(".odometer .reel"))
    assert "51.906.240" not in words


async def test_out_of_service_is_stronger_than_stale(silent_hall: Hall) -> None:
    silent_hall.show(TABLES["closed"])
    page = await silent_hall.open("table", clock=True)
    await silent_hall.shown(page, 1)
    await page.clock.run_for(PROMISE_MS)
    assert "stage-out_of_service" in await screen_class(page)


@pytest.mark.promise("P15")
async def test_a_stale_amount_takes_no_turn_with_the_message_of_a_fault(silent_hall: Hall) -> None:
    silent_hall.show(FAULT)
    page = await silent_hall.open("table", clock=True)
    await silent_hall.shown(page, 1)
    for _ in range(4):
        await page.clock.run_for(PROMISE_MS)
        assert "stage-out_of_service" in await screen_class(page)
        assert await page.locator(".odometer").count() == 0


async def test_a_stale_royal_is_paper_no_longer(silent_hall: Hall) -> None:
    silent_hall.show(TABLES["royal"])
    page = await silent_hall.open("table", clock=True)
    await silent_hall.shown(page, 1)
    await page.clock.run_for(PROMISE_MS)
    assert "stage-stale" in await screen_class(page)
    assert "51.906.240" not in await page.inner_text(".screen")


WATCH_BEATS = """
window.beats = 0;
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (kind, heard) {
  listen.call(this, kind, (event) => { heard(event); window.beats += kind === "beat"; });
};
"""


async def beats(page: Page) -> int:
    """How many the page has heard; it needs WATCH_BEATS."""
    return int(await page.evaluate("window.beats"))


async def hear_beats(page: Page, count: int = 1) -> None:
    """Wait until the page has taken in so many beats more."""
    wanted = await beats(page) + count
    await until(lambda: beats(page), at_least(wanted))


async def closes_in_time(page: Page, shut: str) -> None:
    """Of the page's time, which stands but for this, no more passes after the last word than is promised."""
    while True:
        heard = await beats(page)
        await page.clock.run_for(PROMISE_MS)
        if shut in await screen_class(page):
            return
        assert await beats(page) > heard, "no word was on its way when the server went"


async def test_a_screen_stays_fresh_while_beats_come(screens_browser: Browser) -> None:
    """As long as a beat is heard each second of the page's time, which stands between them."""
    assert HEARTBEAT_S * 2 * 1000 <= ScreenSettings().stale_after_ms < PROMISE_MS, "a beat may be lost"
    async with served(screens_browser, Feed(heartbeat_s=0.05), ScreenSettings()) as hall:
        hall.show(TABLES["hand"])
        page = await hall.open("table", path="/")
        await page.add_init_script(WATCH_BEATS)
        await stopped(page)
        await page.goto(hall.url("/table/x"))
        await hall.shown(page, 1)
        changes = "new MutationObserver(() => window.classes.push(document.querySelector('.screen').className))"
        await page.evaluate(
            f"window.classes = []; {changes}.observe(document.querySelector('.screen'), {{ attributes: true }})"
        )
        for _ in range(3 * PROMISE_MS // 1000):
            await hear_beats(page)
            await page.clock.run_for(HEARTBEAT_S * 1000)
        assert "stage-hand" in await screen_class(page)
        assert not [one for one in await page.evaluate("window.classes") if "stage-stale" in one]


async def test_before_the_first_scene_a_screen_waits_with_closed_shutters(hall: Hall) -> None:
    hall.feed.declare("table-x")
    page = await hall.open("table")
    await until(lambda: page.inner_text(".screen"), lambda words: "Esperando datos de la mesa" in words)
    assert await page.locator(".odometer.closed").count() == 1
    await hall.shown(page, hall.show(TABLES["idle"]))
    assert "stage-idle" in await screen_class(page)


async def test_a_restarted_daemon_that_knows_nothing_yet_is_not_believed(screens_browser: Browser) -> None:
    """The beats of a new daemon do not confirm a scene of the old one."""
    context = await screens_browser.new_context()
    page = await context.new_page()
    await page.add_init_script(WATCH_BEATS)
    async with served(screens_browser, Feed(), ScreenSettings()) as before:
        before.show(TABLES["hand"])
        await page.goto(before.url("/table/x"))
        await before.shown(page, 1)
    silent = Feed()
    silent.declare("table-x")
    async with served(screens_browser, silent, ScreenSettings(), before.port) as after:

        async def connected() -> int:
            return silent.subscribers

        await until(connected, bool)
        await until(lambda: screen_class(page), lambda name: "stage-stale" in name)
        await hear_beats(page, 3)
        assert "stage-stale" in await screen_class(page)
        after.show(TABLES["idle"])
        await until(lambda: screen_class(page), lambda name: "stage-idle" in name)
        await context.close()


@contextmanager
def preview(directory: Path, port: int) -> Iterator[Process]:
    process = Process("preview", directory)
    command = [sys.executable, "-m", "display.preview", "--host", HOST, "--port", str(port)]
    root = Path(__file__).parents[3]
    process.launch(["env", f"PYTHONPATH={root}", *command], ready=lambda: accepts_connections(port))
    try:
        yield process
    finally:
        process.end(signal.SIGKILL)


@pytest.mark.promise("P15")
async def test_screens_come_back_by_themselves_after_the_server_was_killed(
    screens_browser: Browser, tmp_path: Path
) -> None:
    port = free_port()
    context = await screens_browser.new_context()
    table, sign = await context.new_page(), await context.new_page()

    async def both() -> tuple[str, str]:
        return await screen_class(table), await screen_class(sign)

    for page in (table, sign):
        await page.add_init_script(WATCH_BEATS)
        await stopped(page)
    with preview(tmp_path, port):
        await table.goto(f"http://{HOST}:{port}/table/idle")
        await sign.goto(f"http://{HOST}:{port}/signage/fresh")
        await until(both, lambda names: "stage-idle" in names[0] and "state-fresh" in names[1])
    await closes_in_time(table, "stage-stale")
    await closes_in_time(sign, "state-closed")
    for page in (table, sign):
        await page.clock.resume()
    with preview(tmp_path, port):
        await until(both, lambda names: "stage-idle" in names[0] and "state-fresh" in names[1])
    await context.close()


@pytest.mark.promise("P15")
async def test_a_server_that_hangs_without_closing_is_noticed_too(screens_browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    context = await screens_browser.new_context()
    page = await context.new_page()
    await page.add_init_script(WATCH_BEATS)
    await stopped(page)
    with preview(tmp_path, port) as server:
        await page.goto(f"http://{HOST}:{port}/table/idle")
        await until(lambda: screen_class(page), lambda name: "stage-idle" in name)
        server.send(signal.SIGSTOP)
        await closes_in_time(page, "stage-stale")
        await page.clock.resume()
        server.send(signal.SIGCONT)
        await until(lambda: screen_class(page), lambda name: "stage-idle" in name)
    await context.close()


@pytest.mark.requirement("R41", "R42")
async def test_a_second_screen_shows_each_step_at_once(patient_hall: Hall) -> None:
    """No screen asks at intervals: while their time stands still each step comes to both of them."""
    patient_hall.show(signage()["fresh"])
    screens = [await patient_hall.open("signage", still=True, clock=True) for _ in range(2)]
    for name, words in {"pending": "PENDIENTE", "paid": "PAGADO", "fresh": "Último premio"}.items():
        version = patient_hall.show(signage()[name])
        for screen in screens:
            await patient_hall.shown(screen, version)
            assert words in await screen.inner_text(".screen")


WATCH_DRUMS = """
window.amounts = [];
new MutationObserver(() => {
  const shown = document.querySelector(".odometer")?.dataset.shown;
  if (shown !== undefined && window.amounts.at(-1) !== shown) window.amounts.push(shown);
}).observe(document, { attributes: true, childList: true, subtree: true });
"""


@pytest.mark.requirement("R41")
@pytest.mark.promise("P15")
async def test_a_sign_that_was_off_shows_the_truth_at_once_and_nothing_older(hall: Hall) -> None:
    hall.show(signage()["fresh"])
    page = await hall.open("signage")
    await hall.shown(page, 1)
    await page.goto("about:blank")
    hall.show(signage()["pending"])
    newest = hall.show(signage()["paid"])
    await page.add_init_script(WATCH_DRUMS)
    await page.goto(hall.url("/signage/x"))
    await hall.shown(page, newest)
    assert await page.evaluate("window.amounts") == ["20000000"]
    words = await page.inner_text(".screen")
    assert "PAGADO" in words
    assert "PENDIENTE" not in words
