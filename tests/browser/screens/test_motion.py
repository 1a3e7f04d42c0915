"""What moves and what never does: drums, the turned card, the wheel, and a scene that arrives in mid-animation."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from display.feed import Feed
from display.pages import ScreenSettings
from display.samples import circle_tables, oasis_tables
from display.samples.edges import edge_tables
from display.samples.story import CARD_MARK, LUCKY_MARK
from display.scene import (
    Amount,
    CartaMagica,
    FallReason,
    JugadorAfortunado,
    MeterFall,
    Notice,
    NoticeCode,
    OtherPrize,
    PrizeState,
    TableScreen,
)
from display.texts import amount_text
from tests.browser.screens.conftest import Hall, served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TABLES = oasis_tables()
FRAME_MS = 40


def with_meter(minor: int, entry: int | None = None, scene: TableScreen = TABLES["hand"]) -> TableScreen:
    assert scene.meter is not None
    fall = None if entry is None else MeterFall(entry, FallReason.AWARD)
    meter = replace(scene.meter, amount=Amount.of(minor), as_of_ms=scene.meter.as_of_ms + (entry or 0), fall=fall)
    return replace(scene, meter=meter)


async def drums(page: Page) -> int | None:
    """What the drums show now; None behind shutters."""
    shown = await page.get_attribute(".odometer", "data-shown")
    return None if shown is None else int(shown)


async def film(page: Page, ms: int) -> list[int | None]:
    """Turn the page's clock and look at every frame."""
    frames = []
    for _ in range(0, ms, FRAME_MS):
        await page.clock.run_for(FRAME_MS)
        frames.append(await drums(page))
    return frames


async def test_drums_climb_without_going_back_and_stop_at_the_amount(patient_hall: Hall) -> None:
    patient_hall.show(with_meter(4_823_761_540))
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    assert await drums(page) == 4_823_761_540, "at the start the value is simply there"
    await patient_hall.shown(page, patient_hall.show(with_meter(4_824_136_540)))
    frames = await film(page, 1_000)
    assert frames == sorted(frames, key=lambda frame: frame or 0)
    assert frames[0] is not None
    assert 4_824_136_540 - 99 <= frames[0] < 4_824_136_540, "far amounts jump to within 99, then turn"
    assert len(set(frames)) > 5, "it turns, it does not jump"
    assert frames[-1] == 4_824_136_540


async def test_a_new_amount_waits_for_the_turn_and_only_the_newest_is_turned_to(patient_hall: Hall) -> None:
    patient_hall.show(with_meter(1_000))
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    await patient_hall.shown(page, patient_hall.show(with_meter(1_050)))
    await film(page, 400)
    for minor in (1_060, 1_070, 1_080):
        await patient_hall.shown(page, patient_hall.show(with_meter(minor)))
    frames = await film(page, 1_600)
    assert frames == sorted(frames, key=lambda frame: frame or 0)
    assert 1_050 in frames
    assert frames[-1] == 1_080


@pytest.mark.requirement("R47")
async def test_drums_go_back_once_for_a_recorded_payment_and_say_why(patient_hall: Hall) -> None:
    patient_hall.show(with_meter(900_000))
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    as_of = await page.get_attribute(".odometer", "data-as-of")
    await patient_hall.shown(page, patient_hall.show(with_meter(750_000, entry=91_204)))
    frames = await film(page, 1_200)
    assert None not in frames
    assert frames == sorted(frames, key=lambda frame: -(frame or 0))
    assert await page.get_attribute(".odometer", "data-as-of") == as_of, "the older as-of stands until the drums rest"
    assert (await film(page, 1_400))[-1] == 750_000
    assert await page.get_attribute(".odometer", "data-as-of") != as_of
    assert "premio en otra mesa (registro 91.204)" in await page.inner_text(".notices")
    await page.clock.run_for(21_000)
    assert await page.inner_text(".notices") == ""


async def test_a_lower_amount_without_a_recorded_fall_is_cut_behind_shutters(patient_hall: Hall) -> None:
    patient_hall.show(with_meter(900_000))
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    await patient_hall.shown(page, patient_hall.show(with_meter(750_000)))
    assert await drums(page) is None
    frames = [frame for frame in await film(page, 600) if frame is not None]
    assert set(frames) == {750_000}


async def test_a_pending_prize_splits_the_amount_by_a_cut(patient_hall: Hall) -> None:
    patient_hall.show(TABLES["hand"])
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    await patient_hall.shown(page, patient_hall.show(TABLES["pending"]))
    assert await drums(page) == 4_341_722_886
    assert set(await film(page, 800)) == {4_341_722_886}


def amounts(seed: str) -> list[dict[str, Any]]:
    """A run of scenes' amounts from a seeded stream: small and large rises, recorded falls, falls of unknown cause."""
    minor, entry, steps = 1_000_000, 1, []
    for byte in hashlib.sha256(seed.encode()).digest():
        kind, size = byte % 8, byte * byte + 1
        if kind < 6:
            minor += size if kind < 4 else size * 1_000
        else:
            minor -= min(minor // 2, size * 7)
            entry += kind == 6
        steps.append({"amount": str(minor), "fell": entry, "wait": byte * 5})
    return steps


def split_at_shutters(frames: list[list[int] | None]) -> list[list[list[int]]]:
    """Runs of frames [shown, as-of] between closed shutters: across a cut the drums did not turn."""
    runs: list[list[list[int]]] = [[]]
    for frame in frames:
        if frame is None:
            runs.append([])
        else:
            runs[-1].append(frame)
    return runs


@pytest.mark.requirement("R47")
@pytest.mark.promise("P15")
async def test_no_run_of_amounts_ever_makes_the_drums_count_back_or_show_too_much(patient_hall: Hall) -> None:
    """Property: digits fall only for a recorded entry, and are never above the ledger at the shown as-of."""
    patient_hall.show(TABLES["idle"])
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    for number in range(8):
        await page.evaluate(NEW_DRUMS)
        await run_of_amounts(page, amounts(f"run {number}"))


NEW_DRUMS = """async () => {
  const { Odometer } = await import("/static/odometer.js");
  const drums = new Odometer({ size: 5, room: 90, language: "es" });
  document.body.append(drums.element);
  window.seen = [];
  const look = () => {
    const { shown, asOf } = drums.element.dataset;
    window.seen.push(shown === undefined ? null : [Number(shown), Number(asOf)]);
  };
  new MutationObserver(look).observe(drums.element, { attributes: true });
  window.tell = ([step, index]) => {
    window.seen.length = 0;
    const { amount, fell } = step;
    const meter = { amount, digits: amount.length, as_of_ms: index, fall: { entry: fell } };
    drums.show(meter, { symbol: "$", decimals: 2 });
  };
  window.rest = () => drums.element.dataset.shown;
}"""


async def run_of_amounts(page: Page, steps: list[dict[str, Any]]) -> None:
    entry: int = 1
    low: int | None = None  # the amount of a recorded fall that the drums may still be turning back to
    for index, step in enumerate(steps):
        if step["fell"] != entry:
            entry, low = step["fell"], int(step["amount"])
        await page.evaluate("(step) => window.tell(step)", [step, index])
        await page.clock.run_for(step["wait"])
        for run in split_at_shutters(await page.evaluate("window.seen")):
            for shown, as_of in run:
                assert shown <= int(steps[as_of]["amount"]), f"{shown} as of step {as_of}"
            for (before, _), (after, _) in pairwise(run):
                assert after >= before or low is not None, f"{before} -> {after} at {step}"
                low = None if after == low else low
    await page.clock.run_for(4_000)
    assert await page.evaluate("window.rest()") == steps[-1]["amount"]


async def test_what_comes_and_goes_under_the_amount_never_moves_it(patient_hall: Hall) -> None:
    """Idle, bets, the hand (first: its draws are no news), a stop, notices: the drums stand at one height and size."""
    scenes = oasis_tables() | edge_tables()
    patient_hall.feed.declare("table-x")
    page = await patient_hall.open("table", still=True)
    for names in (
        ("hand", "idle", "bets", "stopped", "lost", "stale", "idle-notices", "hand-notices", "stopped-notices"),
        ("idle-checked", "bets-checked", "checked", "notices"),
    ):
        places = set()
        for name in names:
            await patient_hall.shown(page, patient_hall.show(scenes[name]))
            box = await page.locator(".odometer").bounding_box()
            assert box is not None
            places.add((round(box["y"]), round(box["height"])))
        assert len(places) == 1, (names, places)


@pytest.mark.requirement("R45")
async def test_on_a_fault_the_message_takes_turns_with_an_amount_that_is_known(patient_hall: Hall) -> None:
    patient_hall.show(edge_tables()["fault"])
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    for _ in range(2):
        assert await page.locator(".odometer").count() == 0
        assert "Consulte al croupier" in await page.inner_text(".stage")
        assert "importe no disponible" in await page.inner_text(".prizes")
        await page.clock.run_for(6_000)
        assert await drums(page) == 4_823_761_540
        assert "falla en un equipo" in await page.inner_text(".stage")
        assert "hoy $\u00a04.823.761,54" in await page.inner_text(".prizes")
        await page.clock.run_for(6_000)
    await page.clock.run_for(6_000)
    await patient_hall.shown(page, patient_hall.show(TABLES["idle"]))
    assert await stage_of(page) == "idle"
    assert await drums(page) == 4_823_761_540


@pytest.mark.requirement("R45")
async def test_on_a_fault_an_amount_that_is_not_known_never_has_its_turn(patient_hall: Hall) -> None:
    patient_hall.show(TABLES["closed"])
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    for _ in range(4):
        await page.clock.run_for(3_500)
        assert await page.locator(".odometer").count() == 0


@pytest.mark.parametrize("name", ["carta", "lucky"])
async def test_a_draw_is_revealed_only_at_the_end_of_its_motion(patient_hall: Hall, name: str) -> None:
    patient_hall.show(TABLES["bets"])
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    await patient_hall.shown(page, patient_hall.show(TABLES[name]))
    await page.clock.run_for(700)
    assert await page.locator(".concealed").count() == 1
    assert "Gana" not in await page.inner_text(".stage")
    if name == "lucky":
        assert "Afortunado" not in await page.inner_text(".seats")
        assert await page.locator(".stop.chosen").count() == 0
    await page.clock.run_for(3_000)
    assert await page.locator(".concealed").count() == 0
    if name == "lucky":
        assert await page.inner_text(".stop.chosen") == "4"
        top = await page.evaluate("Math.min(...[...document.querySelectorAll('.stop')].map((one) => one.offsetTop))")
        assert await page.evaluate("document.querySelector('.stop.chosen').offsetTop") == top
        assert "Afortunado" in await page.inner_text(".seats")


async def test_draws_of_a_hand_are_revealed_one_after_the_other_then_the_hand_is_shown(patient_hall: Hall) -> None:
    plain = replace(TABLES["hand"], carta_magica=None, jugador_afortunado=None)
    patient_hall.show(plain)
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    drawn = replace(plain, carta_magica=CARD_MARK, jugador_afortunado=LUCKY_MARK)
    await patient_hall.shown(page, patient_hall.show(drawn))
    assert await stage_of(page) == "carta_magica"
    await page.clock.run_for(2_000)
    assert "Jugador Afortunado" not in await page.inner_text(".stage")
    await patient_hall.shown(
        page, patient_hall.show(replace(drawn, notices=(Notice(NoticeCode.JACKPOT_CLOSED_AT_SEATS, (3,)),)))
    )
    assert await stage_of(page) == "carta_magica", "a phase does not take the stage from a draw"
    await page.clock.run_for(5_200)
    assert await stage_of(page) == "jugador_afortunado"
    await page.clock.run_for(8_200)
    assert await stage_of(page) == "hand"
    assert "Dama de corazones" in await page.inner_text(".marks")
    assert "Casilla 4 · $ 100.000" in (await page.inner_text(".marks")).replace("\u00a0", " ")


async def test_a_reveal_goes_on_when_the_scene_puts_the_same_draw_on_stage(patient_hall: Hall) -> None:
    """The marks come with the hand, a moment later the stage: one turn of the card, ended by the scenes alone."""
    plain = replace(TABLES["hand"], carta_magica=None, jugador_afortunado=None)
    patient_hall.show(plain)
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    drawn = replace(plain, carta_magica=CARD_MARK, jugador_afortunado=LUCKY_MARK)
    await patient_hall.shown(page, patient_hall.show(drawn))
    await page.clock.run_for(100)
    carta = replace(drawn, stage=CartaMagica(CARD_MARK.card, LUCKY_MARK.amount))
    await patient_hall.shown(page, patient_hall.show(carta))
    await page.clock.run_for(700)
    assert await page.locator(".concealed").count() == 1, "the card is still turning"
    await page.clock.run_for(900)
    assert await page.locator(".concealed").count() == 0
    assert "Afortunado" not in await page.inner_text(".seats")
    await page.clock.run_for(20_000)
    assert await stage_of(page) == "carta_magica", "the scene says how long"
    lucky = replace(drawn, stage=JugadorAfortunado((1, 2, 4, 5, 7), 4, 4, LUCKY_MARK.amount))
    await patient_hall.shown(page, patient_hall.show(lucky))
    await page.clock.run_for(500)
    assert await page.locator(".concealed").count() == 1
    await page.clock.run_for(3_000)
    await patient_hall.shown(page, patient_hall.show(drawn))
    assert await stage_of(page) == "hand"


async def test_won_rows_are_marked_and_a_closed_tables_seats_are_closed(patient_hall: Hall) -> None:
    unmarked = tuple(replace(row, mark=None) for row in TABLES["pending"].prizes)
    patient_hall.show(replace(TABLES["pending"], prizes=unmarked))
    page = await patient_hall.open("table", still=True)
    await patient_hall.shown(page, 1)
    marked = page.locator(".row.marked")
    assert await marked.evaluate_all("rows => rows.map((row) => row.dataset.category)") == ["straight_flush"]
    await patient_hall.shown(page, patient_hall.show(replace(TABLES["closed"], seats=TABLES["hand"].seats)))
    assert set(await page.locator(".seat .words b").all_inner_texts()) == {"Cerrada"}


@pytest.mark.requirement("R42")
async def test_a_prize_in_mid_animation_wins_at_once(patient_hall: Hall) -> None:
    patient_hall.show(TABLES["bets"])
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    await patient_hall.shown(page, patient_hall.show(TABLES["lucky"]))
    await page.clock.run_for(600)
    await patient_hall.shown(page, patient_hall.show(TABLES["pending"]))
    assert await stage_of(page) == "prize_pending"
    assert await page.locator(".concealed").count() == 0
    assert "Gana 10 %" in (await page.inner_text(".seats")).replace("\u00a0", " ")
    await page.clock.run_for(9_000)
    assert await stage_of(page) == "prize_pending"


async def test_a_prize_ends_a_queue_of_draws(patient_hall: Hall) -> None:
    plain = replace(TABLES["hand"], carta_magica=None, jugador_afortunado=None)
    patient_hall.show(plain)
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    await patient_hall.shown(
        page, patient_hall.show(replace(plain, carta_magica=CARD_MARK, jugador_afortunado=LUCKY_MARK))
    )
    await page.clock.run_for(300)
    await patient_hall.shown(page, patient_hall.show(TABLES["pending"]))
    assert await stage_of(page) == "prize_pending"
    await patient_hall.shown(page, patient_hall.show(TABLES["hand"]))
    assert await stage_of(page) == "hand"


async def test_a_screen_that_comes_late_shows_results_without_ceremony(patient_hall: Hall) -> None:
    patient_hall.show(TABLES["lucky"])
    page = await patient_hall.open("table", clock=True)
    await patient_hall.shown(page, 1)
    assert await page.locator(".concealed").count() == 0
    assert await page.inner_text(".stop.chosen") == "4"
    late = await patient_hall.open("table", clock=True)
    await patient_hall.shown(late, patient_hall.show(TABLES["hand"]))
    assert await stage_of(late) == "hand"


async def test_reduced_motion_has_no_turns_and_no_wheel(patient_hall: Hall) -> None:
    patient_hall.show(with_meter(1_000))
    page = await patient_hall.open("table", clock=True, still=True)
    await patient_hall.shown(page, 1)
    await patient_hall.shown(page, patient_hall.show(with_meter(5_000)))
    assert await drums(page) == 5_000
    await patient_hall.shown(page, patient_hall.show(with_meter(4_000, entry=7)))
    assert await drums(page) == 4_000
    await patient_hall.shown(page, patient_hall.show(TABLES["bets"]))
    await patient_hall.shown(page, patient_hall.show(TABLES["lucky"]))
    assert await page.locator(".concealed").count() == 0
    assert await page.inner_text(".stop.chosen") == "4"


async def test_another_tables_prize_is_told_in_words(patient_hall: Hall) -> None:
    other = OtherPrize("7", "straight_flush", Amount.of(391_200_456), PrizeState.PENDING)
    patient_hall.show(replace(TABLES["idle"], other_prizes=(other,)))
    page = await patient_hall.open("table", still=True)
    await patient_hall.shown(page, 1)
    assert "Mesa 7" in await page.inner_text(".notices")


async def test_both_languages_of_the_page_write_amounts_as_the_server_does(patient_hall: Hall) -> None:
    patient_hall.show(TABLES["idle"])
    page = await patient_hall.open("table", still=True)
    await patient_hall.shown(page, 1)
    currency = TABLES["idle"].currency
    for minor in ("0", "7", "99", "100", "123456", "99999999", "100000000", "4823761540", "9" * 21):
        for language in ("es", "en"):
            written = await page.evaluate(
                """async ([minor, language]) =>
                  (await import("/static/money.js")).written(minor, { symbol: "$", decimals: 2 }, language)""",
                [minor, language],
            )
            assert written == amount_text(Amount(minor), currency, language)


async def stage_of(page: Page) -> str:
    return str(await page.evaluate("document.querySelector('.screen').className.match(/stage-(\\w+)/)[1]"))


async def test_the_hand_of_the_clock_and_the_game_time_run_between_scenes(screens_browser: Browser) -> None:
    circle = circle_tables()["circle"]
    assert circle.circle is not None and circle.circle.clock is not None
    feed = Feed(heartbeat_s=3600, mono_ms=lambda: 0)
    async with served(screens_browser, feed, ScreenSettings(stale_after_ms=600_000)) as hall:
        hall.show(circle)
        page = await hall.open("table", clock=True)
        await hall.shown(page, 1)
        left_s = circle.circle.clock.remaining_ms // 1_000
        for step_s in (1, 2):
            await page.clock.run_for(1_000 * step_s)
            left_s -= step_s
            assert int(await page.inner_text(".clock .seconds")) in (left_s, left_s + 1)
        assert (await page.inner_text(".fact.remaining b")).startswith("1:12:")
        await hall.shown(page, hall.show(circle_tables()["circle-last"]))
        assert await page.locator(".clock.last").count() == 1
