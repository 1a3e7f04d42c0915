"""The page of a table's settings: filled in by keyboard, its changes told beside it, pending until the hand is over."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from controller.core.events import AntePlaced, HandVoided, VoidReason
from tests.api.office import PINS
from tests.browser.panel.conftest import Desk, faults_of

pytestmark = pytest.mark.browser

REASON = "Pedido de la gerencia"


async def write(page: Page, label: str, text: str) -> None:
    """A field as a person at a keyboard fills it."""
    await page.get_by_label(label, exact=True).focus()
    await page.keyboard.press("Control+A")
    await page.keyboard.type(text)


async def ask(page: Page) -> None:
    await page.locator("form.settings").get_by_label("Motivo, con sus palabras").focus()
    await page.keyboard.type(REASON)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")


@pytest.mark.requirement("R70", "R76")
async def test_a_change_by_keyboard_waits_for_the_hand_and_comes_into_force(desk: Desk, pictures: Path) -> None:
    await desk.office.tell("t1", AntePlaced(2))
    page = await desk.person("ana")
    await page.goto(desk.url("/table/t1"))
    await page.get_by_role("link", name="Ajustes de mesa").click()
    aside = page.locator("form.settings aside")
    await expect(aside.get_by_text("Sin cambios todavía.")).to_be_visible()
    await expect(aside.get_by_role("button", name="Pedir aprobación")).to_be_disabled()
    await write(page, "apuesta mínima", "600,00")
    await write(page, "aporte al pozo (%)", "22,5")
    await expect(aside.get_by_role("listitem")).to_have_count(2)
    await expect(aside.get_by_role("listitem").first).to_contain_text("$\u00a0500,00 → $\u00a0600,00")
    await expect(aside.get_by_role("listitem").last).to_contain_text("20\u00a0% → 22,5\u00a0%")
    await page.screenshot(path=pictures / "settings.png")
    await ask(page)
    await page.wait_for_url("**/approvals/ap-*")
    await expect(page.get_by_role("row", name="aporte al pozo")).to_contain_text("22,5")
    await page.get_by_label("Credencial o cuenta").fill("beto")
    await page.locator("#second-pin").fill(PINS["beto"])
    await page.get_by_role("button", name="Aprobar").last.click()
    await expect(page.get_by_role("heading", name="Aprobado y hecho").first).to_be_visible()
    await page.get_by_role("link", name="Volver").click()
    await page.wait_for_url("**/table/t1/settings")
    await expect(page.get_by_text("espera el fin de la mano")).to_be_visible()
    await expect(page.get_by_text("pendiente: $\u00a0600,00")).to_be_visible()
    await page.screenshot(path=pictures / "settings-pending.png", full_page=True)
    await desk.office.tell("t1", HandVoided(VoidReason.OTHER, "test"), "ana", "beto")
    await page.reload()
    assert await page.get_by_label("apuesta mínima", exact=True).input_value() == "600,00"
    await expect(page.get_by_role("row", name="Ajustes en vigor")).to_contain_text(REASON)


@pytest.mark.parametrize(
    ("language", "amount", "none"), [("es", "$\u00a01.234.567,00", "ninguno"), ("en", "$\u00a01,234,567.00", "none")]
)
async def test_what_is_wanted_is_written_as_what_stands(desk: Desk, language: str, amount: str, none: str) -> None:
    page = await desk.person("ana", language)
    await page.goto(desk.url(f"/table/t1/settings?lang={language}"))
    wanted = {"limits.maximum": ("1234567", amount), "jackpot.contribution_bp": ("90", "90\u00a0%")}
    wanted["jackpot.prizes.flush.fixed"] = ("", none)
    for key, (typed, said) in wanted.items():
        field = page.locator(f'[data-setting="{key}"]')
        await field.fill(typed)
        name, now = await field.get_attribute("data-label"), await field.get_attribute("data-now")
        line = page.locator("[data-changes] li", has_text=name or "")
        await expect(line).to_have_text(f"{name} {now} → {said}")


async def test_faults_are_said_beside_the_form_and_nothing_is_asked(desk: Desk) -> None:
    page = await desk.person("ana")
    await page.goto(desk.url("/table/t1/settings"))
    await write(page, "aporte al pozo (%)", "2,5x")
    await ask(page)
    told = page.locator("form.settings .told")
    await expect(told).to_have_text("El importe no se entiende: se escribe como 1.234,56, sin más decimales")
    await write(page, "aporte al pozo (%)", "98")
    await page.locator("form.settings").get_by_role("button", name="Pedir aprobación").click()
    await expect(told).to_contain_text("aporte, reserva y pozos de sorteos toman")
    assert not desk.office.node.people.runner.state.approvals
    desk.troubles.clear()  # the browser notes the 422 itself


async def test_who_may_only_look_sees_the_settings_and_no_button(desk: Desk, axe_source: str) -> None:
    page = await desk.person("aldo", "en")
    await page.goto(desk.url("/table/t1/settings?lang=en"))
    await expect(page.get_by_label("minimum bet", exact=True)).to_be_disabled()
    await expect(page.get_by_role("button", name="Ask")).to_have_count(0)
    assert await faults_of(page, axe_source) == []


async def test_the_page_breaks_no_accessibility_rule_and_fits_a_tablet(desk: Desk, axe_source: str) -> None:
    for viewport in ({"width": 1280, "height": 800}, {"width": 800, "height": 1280}):
        page = await desk.person("ana", viewport=viewport)
        await page.goto(desk.url("/table/t1/settings"))
        await page.locator("#other-rows summary").click()
        await page.locator("#base-pays summary").click()
        assert await faults_of(page, axe_source) == []
        wide = await page.evaluate("document.documentElement.scrollWidth")
        assert wide <= viewport["width"]
