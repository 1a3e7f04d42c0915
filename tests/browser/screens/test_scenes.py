"""Every scene in a real browser: its words and amounts in both languages, nothing clipped, accessible."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page

from display import scene as s
from display.samples import bonus_tables, circle_tables, oasis_tables, signage
from display.samples.edges import edge_signs, edge_tables
from display.scene import Amount, PrizePending, Royal, Screen, SignageScreen, TableScreen
from tests.browser.screens.conftest import LANDSCAPE, PORTRAIT, Hall, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TABLES: dict[str, Screen] = {**oasis_tables(), **bonus_tables(), **circle_tables(), **edge_tables()}
SIGNS: dict[str, Screen] = {**signage(), **edge_signs()}

SHAPES = {"landscape": LANDSCAPE, "portrait": PORTRAIT}
CROWDED = (
    "wide-idle", "wide-hand", "wide-pending", "wide-royal", "wide-standing", "wide-draw-wins", "standing-several",
    "standing-bonus", "standing-circle", "circle", "circle-paid", "circle-draw", "bonus-checked", "lucky-nobody",
    "royal-shared",
)  # fmt: skip

# scene -> words that must be on the screen, Spanish and English
WORDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "idle": (
        ("Mesa abierta", "Carrusel Puerto · cuatro mesas enlazadas", "1 a 5 créditos de $ 1.000", "Sin apuesta"),
        ("Table open", "four linked tables", "1 to 5 credits of $ 1,000", "No bet"),
    ),
    "bets": (
        ("Hagan sus apuestas", "Cinco casillas participan", "3 créditos", "1 crédito", "Sin jackpot", "Libre"),
        ("Place your bets", "Five seats play", "3 credits", "1 credit", "No jackpot", "Free"),
    ),
    "carta": (
        ("No va más", "Sorteo de la mano 18.342", "Carta Mágica", "Dama de corazones", "Gana $ 100.000"),
        ("Bets closed", "Draw of hand 18,342", "Magic Card", "Queen of hearts", "Wins $ 100,000"),
    ),
    "lucky": (
        ("Jugador Afortunado", "La casilla 4 gana $ 100.000.", "cinco casillas: 1, 2, 4, 5 y 7", "Afortunado"),
        ("Lucky Player", "Seat 4 wins $ 100,000.", "five seats: 1, 2, 4, 5 and 7", "Lucky"),
    ),
    "lucky-nobody": (("Salió la casilla 6", "nadie gana"), ("Seat 6 was drawn", "Nobody wins")),
    "hand": (
        (
            "Mano en juego",
            "Decisiones",
            "Compró carta",
            "Sin progresivo",
            "Pasó",
            "Decide ahora",
            "Casilla 4 · $ 100.000",
        ),
        ("Hand in play", "Decisions", "Bought card", "No progressive", "Folded", "Deciding now", "Seat 4 · $ 100,000"),
    ),
    "checked": (("Compruebe el sorteo", "Dama de corazones"), ("Check the draw", "Queen of hearts")),
    "bonus-checked": (("Compruebe el sorteo",), ("Check the draw",)),
    "idle-checked": (("Compruebe el sorteo Mano 18.341",), ("Check the draw Hand 18,341",)),
    "bets-checked": (("Hagan sus apuestas", "Mano 18.341"), ("Place your bets", "Hand 18,341")),
    "notices": (
        ("Apuestas de jackpot cerradas en casillas 3 y 5", "Mesa 7: Escalera de color por $ 3.912.004,56, pendiente"),
        ("Jackpot bets closed at seats 3 and 5", "Table 7: Straight flush, $ 3,912,004.56, pending"),
    ),
    "pending": (
        ("PENDIENTE de verificación", "$ 4.824.136,54", "10 % de $ 48.241.365,40", "Progresivo en juego", "Gana 10 %"),
        ("PENDING verification", "$ 4,824,136.54", "10 % of $ 48,241,365.40", "Progressive in play", "Wins 10 %"),
    ),
    "paid": (
        ("PAGADO", "Asiento 91.204", "Antes $ 48.241.365,40", "Después $ 43.417.228,86", "21:47"),
        ("PAID", "Entry 91,204", "Before $ 48,241,365.40", "After $ 43,417,228.86", "21:47"),
    ),
    "verified": (
        ("PENDIENTE · verificado, por pagar", "Importe retenido hasta pagar", "Por pagar"),
        ("PENDING · verified, to be paid", "Amount held until paid", "To be paid"),
    ),
    "standing-bets": (
        ("Apuestas abiertas", "Hagan sus apuestas", "PENDIENTE de verificación", "Casilla 5", "$ 4.824.136,54"),
        ("Bets open", "Place your bets", "PENDING verification", "Seat 5", "$ 4,824,136.54"),
    ),
    "standing-hand": (("Mano en juego", "PENDIENTE de verificación"), ("Hand in play", "PENDING verification")),
    "standing-lucky": (
        ("No va más", "Jugador Afortunado", "PENDIENTE de verificación"),
        ("Bets closed", "Lucky Player", "PENDING verification"),
    ),
    "standing-several": (
        ("verificado, por pagar", "$ 450.000,00", "y 1 más", "cerradas en casillas 3 y 5"),
        ("verified, to be paid", "$ 450,000.00", "and 1 more", "closed at seats 3 and 5"),
    ),
    "standing-pending": (("$ 4.824.136,54", "$ 450.000,00", "$ 100.000,00"), ("$ 450,000.00", "$ 100,000.00")),
    "standing-stopped": (("Apuestas de jackpot suspendidas", "$ 100.000,00"), ("Jackpot bets suspended",)),
    "not-open": (
        ("El jackpot todavía no está abierto", "sin apuestas de jackpot hasta que se abra", "importe no disponible"),
        ("The jackpot is not open yet", "without jackpot bets until it opens"),
    ),
    "standing-bonus": (("Cuarta carta", "y 1 más"), ("Turn", "and 1 more")),
    "standing-circle": (("Pozo lateral 2", "$ 4.824.136,54", "y 1 más"), ("Side pot 2", "and 1 more")),
    "wide-standing": (("$ 987.654.321,09", "y 1 más"), ("$ 987,654,321.09", "and 1 more")),
    "several": (("Tres premios", "$ 450.000,00", "Pagado"), ("Three prizes", "$ 450,000.00", "Paid")),
    "royal": (
        ("Escalera real", "Casilla 2 gana todo el progresivo", "$ 51.906.240,10", "El progresivo recomienza"),
        ("Royal flush", "Seat 2 wins the whole progressive", "$ 51,906,240.10", "The progressive restarts"),
    ),
    "royal-paid": (("PAGADO", "Asiento 91.377"), ("PAID", "Entry 91,377")),
    "royal-shared": (
        ("Casillas 2 y 7 comparten", "$ 25.953.120,05 cada una", "$ 51.906.240,10"),
        ("Seats 2 and 7 share", "$ 25,953,120.05 each", "$ 51,906,240.10"),
    ),
    "voided": (("La mano se anula", "error en las cartas"), ("The hand is void", "error in the cards")),
    "stopped": (("Apuestas de jackpot suspendidas", "En juego"), ("Jackpot bets suspended", "In play")),
    "lost": (
        ("Juego sin jackpot", "Sin enlace con el carrusel", "importe no disponible"),
        ("Play without jackpot", "No link with the carousel", "amount not available"),
    ),
    "stale": (
        ("Sin datos", "Dato sin confirmar desde las 21:42:07", "Sin dato"),
        ("No data", "Unconfirmed since 21:42:07"),
    ),
    "closed": (("Fuera de servicio", "falla en un equipo", "Cerrada"), ("Out of service", "device fault", "Closed")),
    "fixed": (("Jackpot de premios fijos", "$ 3.000.000"), ("Fixed-prize jackpot", "$ 3,000,000")),
    "bonus": (("Hold’em Bonus", "Cuarta carta", "mejores cinco de siete"), ("Turn", "best five of seven")),
    "circle": (
        ("Pozo lateral 2", "1 · 3 · 5 · 9", "Iguala con", "$ 30.000", "Todo el resto", "CG", "Partida, quedan", "5 %"),
        ("Side pot 2", "1 · 3 · 5 · 9", "Calls with", "$ 30,000", "All-in", "BB", "Game time left", "5 %"),
    ),
    "circle-all-in": (("Todo el resto", "Subió $ 1.262.600", "Resto $ 1.387.400"), ("All-in", "$ 1,262,600")),
    "sign-named": (("mesa-3", "norte-12", "sala-de-arriba-12", "sin enlace"), ("mesa-3", "no link")),
    "sign-named-pending": (
        ("Mesa sala-norte-12", "PENDIENTE de verificación"),
        ("Table sala-norte-12", "PENDING verification"),
    ),
    "circle-last": (("Últimos segundos", "Última mano"), ("Last seconds", "Last hand")),
    "circle-bets": (("Apuestas abiertas", "Resto $ 184.000"), ("Bets open", "Stack $ 184,000")),
    "circle-paid": (
        (
            "Pozo principal",
            "$ 129.200",
            "Gana la casilla 3",
            "Full",
            "Comparten 5 y 9",
            "Apuestas abiertas",
        ),
        ("Main pot", "$ 129,200", "Seat 3 wins", "Full house", "Shared by 5 and 9", "Bets open"),
    ),
    "circle-uncontested": (("$ 11.400", "Gana la casilla 8"), ("$ 11,400", "Seat 8 wins")),
    "circle-draw": (("Sorteo de puestos", "Jugador 6", "por sortear"), ("Seat draw", "Player 6", "to be drawn")),
    "circle-carta": (("Siete de tréboles",), ("Seven of clubs",)),
    "sign-fresh": (
        ("Progresivo", "$ 14.021.182", "Escalera de color, Mesa 7", "$ 3.912.004"),
        ("Progressive", "$ 14,021,182", "Straight flush, Table 7", "$ 3,912,004"),
    ),
    "sign-pending": (
        ("Escalera real", "PENDIENTE", "51.906.240", "y 1 premio más", "Progresivo en juego"),
        ("Royal flush", "PENDING", "51,906,240", "and 1 more prize", "Progressive in play"),
    ),
    "sign-verified": (("PENDIENTE · verificado, por pagar",), ("PENDING · verified, to be paid",)),
    "sign-paid": (("PAGADO",), ("PAID",)),
    "sign-stale": (("Importe no disponible", "Consulte en la mesa"), ("Amount not available", "Please ask")),
    "sign-out": (("Fuera de servicio",), ("Out of service",)),
    "sign-crowd": (("sin enlace",), ("no link",)),
    "wide-idle": (("Carrusel Añelo · Río Ñandú · nueve mesas enlazadas", "Mesa 12"), ("nine linked tables",)),
    "wide-hand": (("Compró carta", "Afortunado"), ("Bought card", "Lucky")),
    "wide-pending": (("$ 987.654.321,09", "10 % de $ 9.876.543.210,98"), ("$ 987,654,321.09",)),
    "wide-royal": (("$ 9.876.543.210,98",), ("$ 9,876,543,210.98",)),
    "waiting": (("PENDIENTE", "Importe por confirmar"), ("PENDING", "Amount to be confirmed")),
    "limited": (("El progresivo llega hasta $ 60.000.000.",), ("The progressive goes up to $ 60,000,000.",)),
    "circle-limited": (("Límite $ 60.000.000",), ("Limit $ 60,000,000",)),
    "stopped-notices": (
        ("Apuestas de jackpot suspendidas El juego", "no tomada en casillas 1, 4, 5 y 7"),
        ("Jackpot bets suspended", "not taken at seats 1, 4, 5 and 7"),
    ),
    "idle-notices": (("no tomada en casillas 1, 4, 5 y 7",), ("not taken at seats 1, 4, 5 and 7",)),
    "hand-notices": (("cerradas en casillas 3 y 5",), ("closed at seats 3 and 5",)),
    "draw-wins": (("Carta Mágica", "Afortunado", "$ 100.000"), ("Magic Card", "Lucky", "$ 100,000")),
    "wide-draw-wins": (("Carta Mágica", "Afortunado"), ("Magic Card", "Lucky")),
    "fault": (("Fuera de servicio", "falla en un equipo", "Cerrada"), ("Out of service", "device fault", "Closed")),
    "sign-wide": (("Carrusel Añelo · Río Ñandú", "$ 987.654.321"), ("$ 987,654,321",)),
    "sign-waiting": (("Importe por confirmar", "PENDIENTE"), ("Amount to be confirmed", "PENDING")),
    "sign-wide-pending": (("9.876.543.210", "PENDIENTE"), ("9,876,543,210", "PENDING")),
    "sign-limited": (("Límite $ 60.000.000",), ("Limit $ 60,000,000",)),
    "sign-new": (("Todavía sin premios",), ("No prizes yet",)),
}
DRUMS = {
    "idle": "$ 48.237.615,40",
    "pending": "$ 43.417.228,86",
    "royal": "$ 20.000.000,00",
    "circle": "$ 48.241.365,40",
}
SHUT = ("lost", "not-open", "stale", "sign-stale", "sign-out")

NO_AMOUNT = ("seat_draw", "out_of_service")

PICTURE: dict[str, Any] = {"type": "jpeg", "quality": 88}
OUT_OF_PLACE = (Path(__file__).parent / "out_of_place.js").read_text("utf-8")
# What is read from a chair: prizes, seats and their state, the amount, in design pixels. A capital letter of a 400th of
# the distance is legible: from three metres a type of 17 of them on a 55 inch screen, of 25 on one of 37 inches.
TOO_SMALL = """() => {
  const least = {
    ".row .name, .row .value > strong": 25, ".seat .words, .plate": 21, ".drums .odometer": 35, ".chip": 25,
  };
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 10;
  return Object.entries(least).flatMap(([selector, size]) => [...document.querySelectorAll(selector)]
    .map((one) => [selector, one.textContent, parseFloat(getComputedStyle(one).fontSize) / rem])
    .filter(([, , found]) => found < size - 0.01));
}"""
# Prize rows, seats and drums of which another element, or the edge of the screen, hides the middle.
COVERED = """() => [".prizes .row .name", "[data-seat] .token", ".drums .reel"].flatMap((selector) => {
  const found = [...document.querySelectorAll(selector)];
  if (found.length === 0) return selector.startsWith(".drums") ? [] : [`no ${selector}`];
  return found.filter((one) => {
    const box = one.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return top === null || !(one.contains(top) || top.contains(one));
  }).map((one) => `${selector} hidden: ${one.textContent}`);
})"""

# The lines and bands that lie over the big card, the wheel, or the circle's dealer.
LAID_OVER = """() => [...document.querySelectorAll(".big-card, .wheel, .dealer")].flatMap((shown) => {
  const place = shown.getBoundingClientRect();
  return [...document.querySelectorAll(".notices > *")].filter((line) => {
    const box = line.getBoundingClientRect();
    return Math.min(box.bottom, place.bottom) > Math.max(box.top, place.top) && box.left < place.right;
  }).map((line) => `${shown.className} under: ${line.textContent}`);
})"""

# What of the window the screen leaves empty: its edges, and the bottom that seats or what was won last stand on.
UNFILLED = """() => [".screen", ".seats, .signage .bottom"]
  .flatMap((selector) => [...document.querySelectorAll(selector)])
  .map((one) => [one.className, one.getBoundingClientRect()])
  .filter(([, box]) => box.height > 0 && Math.abs(box.bottom - innerHeight) > 1)
  .map(([name, box]) => `${name} ends at ${box.bottom} of ${innerHeight}`)"""


async def words_of(page: Page) -> str:
    text = await page.evaluate("document.querySelector('.screen').innerText")
    return re.sub(r"[\s\u00a0]+", " ", text)


@pytest_asyncio.fixture(loop_scope="session")
async def hall(patient_hall: Hall) -> Hall:
    """Scenes are looked at for as long as it takes: on a busy machine none of them turns stale meanwhile."""
    return patient_hall


@pytest.mark.requirement("R47")
@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("shape", SHAPES)
async def test_every_table_scene_says_what_it_is(hall: Hall, language: str, shape: str, artifacts: Path) -> None:
    """And whatever has the stage, nothing covers the prize list (article 53), the seats or the drums."""
    hall.feed.declare("table-x")
    page = await hall.open("table", language=language, still=True, viewport=SHAPES[shape])
    for name, scene in TABLES.items():
        await hall.shown(page, hall.show(scene))
        await check(page, name, language)
        faults = [*await page.evaluate(TOO_SMALL), *await page.evaluate(COVERED)]
        assert isinstance(scene, TableScreen)
        if scene.meter is not None and scene.stage.kind not in NO_AMOUNT:
            faults += [] if await page.locator(".drums .odometer").count() == 1 else ["no drums"]
        assert not faults, f"{name}: {faults}"
        if language == "es":
            await page.screenshot(path=artifacts / f"table-{name}-{shape}.jpg", **PICTURE)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("size", [(1366, 768), (1024, 768), (768, 1366)], ids="{0[0]}x{0[1]}".format)
async def test_the_widest_scenes_fit_smaller_monitors(hall: Hall, language: str, size: tuple[int, int]) -> None:
    hall.feed.declare("table-x")
    page = await hall.open("table", language=language, still=True, viewport={"width": size[0], "height": size[1]})
    faults = {}
    for name in CROWDED:
        await hall.shown(page, hall.show(TABLES[name]))
        await page.evaluate("document.fonts.ready.then(() => true)")
        faults[name] = await page.evaluate(OUT_OF_PLACE)
    assert not {name: found for name, found in faults.items() if found}


@pytest.mark.parametrize("size", [(1024, 768), (1280, 800)], ids="{0[0]}x{0[1]}".format)
async def test_a_monitor_that_is_taller_is_filled(hall: Hall, size: tuple[int, int]) -> None:
    """No empty band above or below; every scene keeps its parts in their places there."""
    viewport = {"width": size[0], "height": size[1]}
    faults: dict[str, Any] = {}
    for kind, scenes in (("table", TABLES), ("signage", SIGNS)):
        hall.feed.declare(f"{kind}-x")
        page = await hall.open(kind, still=True, viewport=viewport)
        for name, scene in scenes.items():
            await hall.shown(page, hall.show(scene))
            await page.evaluate("document.fonts.ready.then(() => true)")
            found = [*await page.evaluate(OUT_OF_PLACE), *await page.evaluate(UNFILLED)]
            if kind == "table":
                found += [*await page.evaluate(COVERED), *await page.evaluate(LAID_OVER)]
            faults |= {f"{kind} {name}": found} if found else {}
    assert not faults


@pytest.mark.parametrize("shape", SHAPES)
async def test_no_line_or_band_lies_over_a_draw_or_the_dealers_name(hall: Hall, shape: str) -> None:
    hall.feed.declare("table-x")
    page = await hall.open("table", still=True, viewport=SHAPES[shape])
    day, stopped = s.Notice(s.NoticeCode.JACKPOT_ENDS, day="2026-12-31"), s.Notice(s.NoticeCode.JACKPOT_BETS_STOPPED)
    several, faults = oasis_tables()["standing-several"].standing, {}
    for name in ("carta", "lucky", "circle", "circle-bets"):
        scene = TABLES[name]
        assert isinstance(scene, TableScreen)
        for standing in ((), several[:1], several):
            one = replace(scene, standing=standing, notices=(day, stopped))
            await hall.shown(page, hall.show(one))
            await page.evaluate("document.fonts.ready.then(() => true)")
            faults[f"{name} {len(standing)}"] = await page.evaluate(LAID_OVER)
    assert not {name: found for name, found in faults.items() if found}


async def test_a_screen_that_is_turned_lays_itself_out_anew(hall: Hall) -> None:
    hall.show(TABLES["circle"])
    page = await hall.open("table", still=True)
    await hall.shown(page, 1)
    for shape in ("portrait", "landscape", "portrait"):
        await page.set_viewport_size(SHAPES[shape])  # type: ignore[arg-type]  # the library's own typed dict
        height = 1080 if shape == "landscape" else 1180
        await until(
            lambda: page.get_attribute(".oval", "viewBox"), lambda box, height=height: box.endswith(f" {height}")
        )
        await until(lambda: page.evaluate(OUT_OF_PLACE), lambda faults: not faults)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("shape", SHAPES)
async def test_every_sign_says_what_it_is(hall: Hall, language: str, shape: str, artifacts: Path) -> None:
    hall.feed.declare("signage-x")
    page = await hall.open("signage", language=language, still=True, viewport=SHAPES[shape])
    for name, scene in SIGNS.items():
        await hall.shown(page, hall.show(scene))
        await check(page, f"sign-{name}", language)
        if language == "es":
            await page.screenshot(path=artifacts / f"signage-{name}-{shape}.jpg", **PICTURE)


async def check(page: Page, name: str, language: str) -> None:
    """The words of WORDS, no key without a text, the drums' amount or shutters, nothing out of its place."""
    await page.evaluate("document.fonts.ready.then(() => true)")
    shown = await words_of(page)
    missing = [words for words in WORDS[name][language == "en"] if words not in shown]
    assert not missing, f"{name}: {missing} not in {shown}"
    assert not re.search(r"\[\w+(\.\w+)+\]|\{\w+\}|undefined|null|NaN", shown), f"{name}: {shown}"
    if name in DRUMS and language == "es":
        assert (await page.get_attribute(".odometer", "aria-label") or "").replace("\u00a0", " ") == DRUMS[name]
    assert await page.locator(".odometer.closed").count() == (1 if name in SHUT else 0), name
    faults = await page.evaluate(OUT_OF_PLACE)
    assert not faults, f"{name}: {faults}"


@pytest.mark.parametrize("shape", SHAPES)
async def test_long_amounts_shrink_and_never_run_out(hall: Hall, shape: str) -> None:
    """Eleven and more digits before the decimals: drums shrink together, print stays on its paper."""
    hall.feed.declare("table-x")
    hall.feed.declare("signage-x")
    table = await hall.open("table", still=True, viewport=SHAPES[shape])
    sign = await hall.open("signage", still=True, viewport=SHAPES[shape])
    faults = {}
    for name in ("idle", "hand", "carta", "lucky", "pending", "several", "royal", "bonus", "circle"):
        await hall.shown(table, hall.show(enlarged(TABLES[name])))
        faults[name] = await table.evaluate(OUT_OF_PLACE)
    pending = TABLES["pending"]
    assert isinstance(pending, TableScreen)
    assert isinstance(pending.stage, PrizePending)
    eight = tuple(replace(pending.stage.wins[0], seat=seat, percent_bp=None) for seat in range(1, 9))
    await hall.shown(table, hall.show(replace(pending, stage=replace(pending.stage, wins=eight))))
    faults["eight prizes"] = await table.evaluate(OUT_OF_PLACE)
    for name in ("fresh", "pending", "crowd"):
        await hall.shown(sign, hall.show(enlarged(SIGNS[name])))
        faults[f"sign-{name}"] = await sign.evaluate(OUT_OF_PLACE)
    assert not {name: found for name, found in faults.items() if found}


def enlarged(scene: Screen) -> Screen:
    """The same scene with a meter of 99.999.999.999,99 and prizes a hundred times as large."""
    assert scene.meter is not None
    meter = replace(scene.meter, amount=Amount.of(9_999_999_999_999))
    if isinstance(scene, SignageScreen):
        pending = tuple(replace(prize, amount=Amount(prize.amount.minor + "0")) for prize in scene.pending)
        return replace(scene, meter=meter, pending=pending)
    stage = scene.stage
    if isinstance(stage, PrizePending | Royal):
        wins = tuple(replace(win, amount=Amount(win.amount.minor + "0"), of=meter.amount) for win in stage.wins)
        stage = replace(stage, wins=wins)
        if isinstance(stage, Royal):
            stage = replace(stage, amount=Amount(stage.amount.minor + "0"))
    today = tuple(replace(row, today=Amount.of(999_999_999_999) if row.today else None) for row in scene.prizes)
    return replace(scene, meter=meter, stage=stage, prizes=today)


async def test_the_look_for_texts_out_of_place_finds_them(hall: Hall) -> None:
    hall.show(TABLES["idle"])
    page = await hall.open("table", still=True)
    await hall.shown(page, 1)
    await page.evaluate("document.querySelector('.invitation').style.transform = 'translateY(-9rem)'")
    await page.evaluate("document.querySelector('.prizes .row .name').style.marginLeft = '40rem'")
    faults = await page.evaluate(OUT_OF_PLACE)
    assert any("under the drums" in fault or "over each other" in fault for fault in faults)
    assert any("outside prizes" in fault for fault in faults)


@pytest.mark.requirement("R47")
@pytest.mark.parametrize("name", ["lost", "stale", "closed"])
async def test_prize_list_stays_when_the_amount_is_not_known(hall: Hall, name: str) -> None:
    hall.show(TABLES[name])
    page = await hall.open("table", still=True)
    await hall.shown(page, 1)
    rows = await page.locator(".prizes .row .name").all_inner_texts()
    assert rows == [
        "Escalera real", "Escalera de color", "Póker", "Full", "Color", "Carta Mágica", "Jugador Afortunado",
    ]  # fmt: skip
    assert "4.823.761" not in await words_of(page)


async def test_shutters_hold_no_digit(hall: Hall) -> None:
    hall.show(TABLES["stale"])
    page = await hall.open("table")
    await hall.shown(page, 1)
    assert not re.search(r"\d", await page.inner_html(".odometer .reel"))
    assert await page.locator(".drum.closed").count() == 10


async def test_seats_descend_when_the_table_says_so(hall: Hall) -> None:
    hall.show(TABLES["notices"])
    page = await hall.open("table", still=True)
    await hall.shown(page, 1)
    seats = await page.locator(".strip-seats .seat").evaluate_all("all => all.map((seat) => seat.dataset.seat)")
    assert seats == ["7", "6", "5", "4", "3", "2", "1"]


@pytest.mark.parametrize("most", [1, 3])
async def test_a_seat_has_as_many_pips_as_credits_may_be_bet(hall: Hall, most: int) -> None:
    bets = TABLES["bets"]
    assert isinstance(bets, TableScreen)
    seats = tuple(replace(seat, credits=min(seat.credits, most)) for seat in bets.seats)
    version = hall.show(replace(bets, seats=seats, max_credits=most))
    page = await hall.open("table", still=True)
    await hall.shown(page, version)
    told = await page.locator(".strip-seats .seat").evaluate_all(
        "all => all.map((seat) => [seat.querySelectorAll('.pips i').length, seat.querySelectorAll('.pips .on').length])"
    )
    assert told == [[most, seat.credits] for seat in seats]


@pytest.mark.parametrize(("language", "shape"), [("es", "landscape"), ("en", "portrait")])
async def test_no_scene_breaks_an_accessibility_rule(hall: Hall, axe_source: str, language: str, shape: str) -> None:
    hall.feed.declare("table-x")
    hall.feed.declare("signage-x")
    table = await hall.open("table", language=language, still=True, viewport=SHAPES[shape])
    sign = await hall.open("signage", language=language, still=True, viewport=SHAPES[shape])
    found: dict[str, list[str]] = {}
    for page, scenes in ((table, TABLES), (sign, SIGNS)):
        await page.evaluate(axe_source)
        for name, scene in scenes.items():
            await hall.shown(page, hall.show(scene))
            result = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
            faults = [
                f"{violation['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
                for violation in result["violations"]
                for node in violation["nodes"][:2]
            ]
            if faults:
                found[name] = faults
    await table.goto(hall.url(f"/?lang={language}"))
    await table.evaluate(axe_source)
    result = await table.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    found |= {"index": [violation["id"] for violation in result["violations"]]} if result["violations"] else {}
    assert not found, found
