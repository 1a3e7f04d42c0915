"""The panel as people use it: a prize from pending to its slip, pools, voids and corrections, by two people."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute
from playwright.async_api import Page, expect

from controller.api.panel.routes import router
from controller.core.events import AntePlaced, Envelope
from controller.engine.accounts_events import UserAdded
from tests.api.office import DAY_MS, PINS, Clock, until
from tests.browser.panel.conftest import Desk, faults_of

pytestmark = pytest.mark.browser

REASON = "Visto por cámara 14 con el supervisor"


async def approve(page: Page, by: str = "beto") -> None:
    """The second person at the same tablet."""
    await page.wait_for_url("**/approvals/ap-*")
    await page.get_by_label("Credencial o cuenta").fill(by)
    await page.locator("#second-pin").fill(PINS[by])
    await page.get_by_role("button", name="Aprobar").last.click()
    await expect(page.get_by_role("heading", name="Aprobado y hecho").first).to_be_visible()


@pytest.mark.requirement("R86")
async def test_a_straight_flush_from_pending_to_its_slip(desk: Desk, pictures: Path) -> None:
    page = await desk.person("ana")
    prize = await desk.office.win()
    await expect(page.get_by_text("Escalera de color")).to_be_visible()
    await page.screenshot(path=pictures / "floor-pending.png")
    await page.get_by_role("link", name="Verificar y pagar").click()
    seen = page.locator(".compare").get_by_role("img")
    await expect(seen).to_have_count(5)
    assert await seen.first.get_attribute("aria-label") == "nueve de diamantes"
    await page.screenshot(path=pictures / "prize.png")
    await page.locator("#hold-prize summary").click()
    await page.locator("#hold-reason").select_option("Revisión de cámaras")
    await page.locator("#hold-note").fill(REASON)
    await page.locator("#hold-prize").get_by_role("button", name="Retener el premio").click()
    await expect(page.get_by_text("Retenido: Revisión de cámaras")).to_be_visible()
    await page.screenshot(path=pictures / "prize-held.png", full_page=True)
    await page.goto(desk.url("/"))
    await expect(page.get_by_role("link", name="Ver el premio")).to_be_visible()
    assert await page.get_by_role("link", name="Verificar y pagar").count() == 0, "a held prize is not paid"
    await page.get_by_role("link", name="Ver el premio").click()
    await page.get_by_label("Motivo, con sus palabras").fill("la grabación es clara")
    await page.get_by_role("button", name="Pedir que se libere").click()
    await page.wait_for_url("**/approvals/ap-*")
    await expect(page.get_by_role("row", name="Premio que se libera")).to_contain_text("100.002,00")
    await page.screenshot(path=pictures / "approval-release.png")
    await approve(page)
    await page.get_by_role("link", name="Volver").click()
    await page.get_by_role("button", name="Verificar").click()
    await page.get_by_role("button", name="Pedir aprobación y pagar").click()
    await page.wait_for_url("**/approvals/ap-*")
    await expect(page.locator(".compare").get_by_role("img")).to_have_count(5)
    await page.screenshot(path=pictures / "approval.png")
    await approve(page)
    await page.get_by_role("link", name="Volver").click()
    await expect(page.get_by_text("Pagado.")).to_be_visible()
    row = desk.office.node.tables["t1"].runner.state.link.rows[prize["id"]]
    assert (row.status.value, row.paid_minor) == ("paid", prize["amount_minor"])
    await page.get_by_role("button", name="Emitir comprobante").click()
    await expect(page.get_by_text("t1-000001")).to_be_visible()
    await page.screenshot(path=pictures / "prize-slip.png", full_page=True)
    address = await page.get_by_role("link", name="Abrir el comprobante").get_attribute("href")
    slip = await page.request.get(desk.url(address or ""))
    assert slip.headers["content-type"] == "application/pdf"
    (pictures / "slip.pdf").write_bytes(await slip.body())
    copies = page.locator('form[data-post$="/slips/copy"]')
    for number in (1, 2):
        await copies.get_by_role("button").click()
        await expect(copies.get_by_role("alert")).to_have_text(f"Copia {number} hecha. Abrir la copia {number}")
    paper = await copies.get_by_role("link").get_attribute("href")
    copy = await page.request.get(desk.url(paper or ""))
    assert copy.headers["content-type"] == "application/pdf"
    await page.screenshot(path=pictures / "prize-copied.png", full_page=True)


async def test_a_filter_that_is_wrong_keeps_what_was_typed_and_the_page_follows_the_house(
    desk: Desk, pictures: Path
) -> None:
    page = await desk.person("ana")
    await page.goto(desk.url("/journal?journal=table-t1"))
    await page.locator("#hand").fill("3")
    await page.locator("#from").fill("31/02/2026")
    await page.get_by_role("button", name="Buscar").click()
    await expect(page.locator("#wrong-from")).to_have_text("No es un día del calendario: se escribe como 29/11/2026")
    await expect(page.locator("#from")).to_be_focused()
    assert await page.locator("#from").input_value() == "31/02/2026"
    assert await page.locator("#hand").input_value() == "3"
    head = await page.locator(".bar .chip").text_content()
    await desk.office.tell("t1", AntePlaced(2))
    await expect(page.locator(".bar .chip")).not_to_have_text(head or "", timeout=30_000)
    await expect(page.locator("body")).to_have_attribute("data-fresh", "yes")
    await page.screenshot(path=pictures / "journal-filter.png", full_page=True)
    assert all("422" in each for each in desk.troubles)
    desk.troubles.clear()


async def test_a_pin_sent_before_the_script_runs_goes_nowhere(desk: Desk) -> None:
    page = await desk.page()
    await page.route("**/panel.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    await page.goto(desk.url("/login"))
    await page.get_by_label("Credencial o cuenta").fill("ana")
    await page.locator("#pin").fill(PINS["ana"])
    await page.keyboard.press("Enter")
    await page.evaluate("() => document.forms[0].requestSubmit()")
    assert page.url == desk.url("/login"), "neither address nor history has the PIN"
    pad = page.locator(".pad").get_by_role("button", name="1", exact=True)
    assert await pad.evaluate("button => getComputedStyle(button).pointerEvents") == "none"


@pytest.mark.requirement("R89")
async def test_a_wrong_pin_says_how_many_tries_are_left(desk: Desk, pictures: Path) -> None:
    page = await desk.page()
    await page.goto(desk.url("/login"))
    await page.get_by_label("Credencial o cuenta").fill("ana")
    for digit in "999990":
        await page.locator(".pad").get_by_role("button", name=digit, exact=True).click()
    await page.get_by_role("button", name="Ingresar").last.click()
    await expect(page.get_by_role("alert")).to_contain_text("intentos que quedan: 4")
    await page.screenshot(path=pictures / "login.png")
    desk.troubles.clear()  # the browser notes the 401 itself


@pytest.mark.requirement("R76", "R90")
async def test_an_expired_pin_is_changed_where_one_logs_in(clock: Clock, desk: Desk, pictures: Path) -> None:
    clock.ahead_ms = 29 * DAY_MS
    page = await desk.person("ana")
    await expect(page.get_by_text("Su PIN vence el ")).to_be_visible()
    await page.screenshot(path=pictures / "pin-soon.png")
    clock.ahead_ms = 31 * DAY_MS
    await page.goto(desk.url("/login"))
    await page.get_by_label("Credencial o cuenta").fill("ana")
    await page.locator("#pin").fill(PINS["ana"])
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("El PIN venció")
    await page.screenshot(path=pictures / "pin-expired.png")
    await page.get_by_label("PIN nuevo, seis dígitos o más").fill("928374")
    await page.get_by_label("PIN nuevo, otra vez").fill("928375")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("no son iguales")
    await page.get_by_label("PIN nuevo, otra vez").fill("928374")
    await page.keyboard.press("Enter")
    await page.wait_for_url(desk.url("/"))
    desk.troubles.clear()  # the browser notes the 403 itself


@pytest.mark.requirement("R24", "R76")
async def test_a_start_value_is_reset_with_before_and_after(desk: Desk, pictures: Path) -> None:
    page = await desk.person("ana")
    await page.get_by_role("link", name="Pozos").click()
    await page.get_by_role("row", name="Mesa 2").get_by_role("link", name="Valor inicial").click()
    await page.get_by_label("Nuevo valor inicial").fill("800.000,00")
    await page.get_by_label("Causa").select_option("Cambio aprobado del valor inicial")
    await page.get_by_label("Motivo, con sus palabras").fill("Promoción de aniversario, nota 214")
    await page.screenshot(path=pictures / "seed.png")
    await page.get_by_role("button", name="Pedir aprobación").click()
    await page.wait_for_url("**/approvals/ap-*")
    await expect(page.get_by_text("sin cambio").first).to_be_visible()
    await page.screenshot(path=pictures / "seed-approval.png")
    await approve(page)
    account = desk.office.node.hosts["gran"].runner.state.ledger.tables["t2"]
    assert account.start_micros == 80_000_000 * 10_000


async def test_a_hand_is_voided_after_its_consequences_were_shown(desk: Desk, pictures: Path) -> None:
    hand = await desk.office.deal()
    page = await desk.person("ana")
    await page.get_by_role("link", name="Mesa 1").click()
    await expect(page.get_by_text("Escalera de color")).to_be_visible()
    await page.screenshot(path=pictures / "table.png")
    await page.get_by_role("link", name="Anular la mano").first.click()
    await page.get_by_label("Extra card of the bank").or_(page.get_by_label("Carta extra de la banca")).check()
    await page.get_by_label("Motivo, con sus palabras").fill(REASON)
    await page.screenshot(path=pictures / "void.png")
    await page.get_by_role("button", name="Pedir aprobación").click()
    await approve(page)
    last = desk.office.node.tables["t1"].runner.state.last
    assert last is not None and (last.number, last.void) == (hand, "bank_card_exposed")


async def test_escape_leaves_a_dialog_without_effect(desk: Desk) -> None:
    await desk.office.deal()
    page = await desk.person("ana")
    await page.goto(desk.url("/table/t1/void?hand=1"))
    await page.keyboard.press("Escape")
    await page.wait_for_url("**/table/t1")
    assert not desk.office.node.people.runner.state.approvals


async def test_a_card_is_corrected_out_of_fifty_two(desk: Desk, pictures: Path) -> None:
    await desk.office.win()
    page = await desk.person("ana")
    await page.goto(desk.url("/table/t1/correct?hand=1&place=seat-3"))
    await page.locator("input[name=old][value='5d']").check(force=True)
    assert await page.locator("input[name=new][value='9d']").is_disabled()
    assert await page.locator("input[name=new]").count() == 52
    await page.locator("input[name=new][value='5c']").check(force=True)
    preview = page.locator("[data-preview]")
    await expect(preview.get_by_text("Mano que forma")).to_be_visible()
    await expect(preview.get_by_text("Premio cancelado")).to_be_visible()
    assert not desk.office.node.people.runner.state.approvals, "nothing was asked for by looking"
    await page.get_by_label("Motivo, con sus palabras").fill(REASON)
    await page.screenshot(path=pictures / "correct.png")
    await page.get_by_role("button", name="Pedir aprobación").click()
    await page.wait_for_url("**/approvals/ap-*")
    await page.screenshot(path=pictures / "approval-correct.png")
    await approve(page)
    state = desk.office.node.tables["t1"].runner
    await until(lambda: [row.status.value for row in state.state.link.rows.values()] == ["void"], "the prize is gone")


async def test_the_table_page_follows_the_table(desk: Desk) -> None:
    page = await desk.person("ana")
    await page.goto(desk.url("/table/t1"))
    await expect(page.get_by_text("mano 1", exact=True)).to_be_visible()
    await desk.office.win(cards="2c 4c 6c 8c Tc")
    await expect(page.get_by_text("mano 2", exact=True)).to_be_visible()
    await page.locator("#stop-bets").click()
    await page.get_by_label("Motivo, con sus palabras").fill("sensor en duda")
    await page.get_by_role("button", name="Detener jackpot").click()
    await page.locator("#resume-how summary").click()
    await page.get_by_label("Motivo, con sus palabras").fill("sensor cambiado")
    await page.get_by_role("button", name="Reanudar jackpot").click()
    await expect(page.get_by_role("link", name="Detener jackpot")).to_be_visible()


PAGES = (
    "/",
    "/table/t1",
    "/table/t1/void?hand=1",
    "/table/t1/cards?hand=1",
    "/table/t1/correct?hand=1&place=seat-3",
    "/table/t1/stop",
    "/table/t1/settings",
    "/prizes",
    "/approvals",
    "/seeds",
    "/table/t1/terms",
    "/amounts",
    "/amount?of=carousel/gran/meter",
    "/seeds/gran/t1?what=adjust",
    "/seeds/gran/t1?what=transfer",
    "/origin/gran",
    "/journal",
    "/devices",
    "/shift",
    "/shift?shift=0",
    "/account",
    "/prizes/t1?prize={prize}",
    "/approvals/{approval}",
)
ADMIN_PAGES = ("/users", "/access", "/seeds", "/api/v1/docs")
ASKED = {
    "table": "t2",
    "start_minor": 80_000_000,
    "meter_too": True,
    "cause": "approved_start",
    "reason": "Promoción de aniversario, nota 214",
}
OTHER = ("/feed", "/static/", "/login", "/table/{table}/correct/effects")
"""Not pages of their own: parts of one, files, and the door, which is looked at last."""


def test_every_page_of_the_panel_is_looked_at() -> None:
    """A page added to the panel is added above, so that its accessibility and its requests are tried too."""
    looked_at = [path.partition("?")[0] for path in (*PAGES, *ADMIN_PAGES)]
    pages = [route for route in router.routes if isinstance(route, APIRoute) and "GET" in route.methods]
    paths = [route for route in pages if not route.path.startswith(OTHER)]
    assert len(paths) > 15
    assert [route.path for route in paths if not any(route.path_regex.match(path) for path in looked_at)] == []


@pytest.mark.parametrize("language", ["es", "en"])
async def test_no_page_breaks_an_accessibility_rule(desk: Desk, axe_source: str, pictures: Path, language: str) -> None:
    prize = (await desk.office.win())["id"]
    ana = await desk.office.person("ana")
    asked = await ana.post("/api/v1/carousels/gran/start-value", ASKED)
    page = await desk.person("ana", language)
    found: dict[str, list[str]] = {}
    for path in PAGES:
        answer = await page.goto(desk.url(path.format(prize=quote(prize), approval=asked.json()["approval"])))
        assert answer is not None
        assert answer.status == 200, path
        assert await page.locator("html").get_attribute("lang") == language
        faults = await faults_of(page, axe_source)
        if faults:
            found[path] = faults
        name = path.split("?")[0].strip("/").replace("/", "-").replace("{approval}", "one") or "floor"
        await page.screenshot(path=pictures / f"{language}-{name}.png", full_page=True)
    admin = await desk.person("carla", language)
    for path in ADMIN_PAGES:
        await admin.goto(desk.url(path))
        found |= {f"admin {path}": faults} if (faults := await faults_of(admin, axe_source)) else {}
        await admin.screenshot(path=pictures / f"{language}-admin-{path.rpartition('/')[2]}.png")
    await page.goto(desk.url("/"))
    assert desk.troubles == []
    await page.get_by_role("button", name="Salir" if language == "es" else "Log out").click()
    await page.wait_for_url("**/login")
    found |= {"/login": faults} if (faults := await faults_of(page, axe_source)) else {}
    assert not found, found
    desk.troubles.clear()  # a page that follows the house may ask once more, and the browser notes the 401 itself


async def test_the_panel_fits_a_ten_inch_tablet_either_way(desk: Desk, pictures: Path) -> None:
    await desk.office.deal()
    page = await desk.person("ana", viewport={"width": 800, "height": 1280})
    for path in ("/", "/table/t1", "/prizes", "/seeds", "/shift", "/table/t1/correct?hand=1&place=seat-3"):
        await page.goto(desk.url(path))
        wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, (path, wide)
        name = path.split("?")[0].strip("/").replace("/", "-") or "floor"
        await page.screenshot(path=pictures / f"upright-{name}.png")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768)])
async def test_nothing_is_cut_off_where_people_and_pools_are_kept(desk: Desk, width: int, height: int) -> None:
    """Also with long names, and with what asks once more unfolded."""
    added = UserAdded("m.delosangeles", "María de los Ángeles Fernández Lagos", "pit_boss", "none", badge="b-7")
    await desk.office.node.people.desk.submit(Envelope("test/long-name", added, "console"))
    page = await desk.person("carla", viewport={"width": width, "height": height})
    for path, unfolded in (("/users", ["#pin-ana", "#shut-beto"]), ("/seeds", ["details.key"])):
        await page.goto(desk.url(path))
        for each in unfolded:
            await page.locator(f"{each} summary").click()
        hidden = "[...document.querySelectorAll('.box')].map(box => box.scrollWidth - box.clientWidth)"
        assert max(await page.evaluate(hidden)) <= 0, path
    await expect(page.locator("details.key p")).to_have_text(re.compile("^(?:[0-9A-F]{4} ){15}[0-9A-F]{4}$"))


AMOUNTS = (
    ("1.234,56", 2, "es", 123_456),
    ("1234,5", 2, "es", 123_450),
    ("$ 800.000,00", 2, "es", 80_000_000),
    ("−10", 2, "es", -1_000),
    ("1,234.56", 2, "en", 123_456),
    ("1.234", 0, "es", 1_234),
    ("1,234", 2, "es", None),
    ("12.34", 2, "en", 1_234),
    ("12.34", 2, "es", None),
    ("1.234.567", 2, "es", 123_456_700),
    ("1,2345", 2, "es", None),
    ("99999999999999999", 2, "es", None),
    ("doce", 2, "es", None),
    ("", 2, "es", None),
)


async def test_amounts_are_understood_as_the_language_writes_them_or_not_at_all(desk: Desk) -> None:
    page = await desk.person("ana")
    for text, decimals, language, minor in AMOUNTS:
        got = await page.evaluate(
            "async ([text, decimals, language]) => {"
            " const value = (await import('/static/panel/panel.js')).toMinor(text, decimals, language);"
            " return Number.isNaN(value) ? null : value; }",
            [text, decimals, language],
        )
        assert got == minor, text


async def test_a_panel_that_hears_nothing_says_so(desk: Desk) -> None:
    page = await desk.person("ana")
    await expect(page.get_by_text("Dato sin confirmar")).to_be_hidden()
    await page.route(desk.url("/"), lambda route: route.abort())
    await expect(page.get_by_text("Dato sin confirmar")).to_be_visible()
    await page.unroute(desk.url("/"))
    await expect(page.get_by_text("Dato sin confirmar")).to_be_hidden()
    desk.troubles.clear()  # the browser notes the requests that the test cut
