"""Every open page follows the house, and what somebody is filling in stays as he wrote it."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from controller.core.events import AntePlaced, KeyPressed
from controller.core.events import Key as DealerKey
from tests.api.office import PINS
from tests.browser.panel.conftest import Desk

pytestmark = pytest.mark.browser

REASON = "Visto por cámara 14 con el supervisor"


def at_once(page: Page, text: str) -> object:
    return expect(page.get_by_text(text).filter(visible=True).first).to_be_visible()


async def test_a_prize_is_followed_by_who_looks_at_it_and_who_asked(desk: Desk, pictures: Path) -> None:
    prize = await desk.office.win()
    ana, looks, beto = await desk.person("ana"), await desk.person("carla"), await desk.office.person("beto")
    address = desk.url(f"/prizes/t1?prize={prize['id']}")
    await ana.goto(address)
    await looks.goto(address)
    await beto.post("/api/v1/tables/t1/prizes/verify", {"prize": prize["id"]}, key="k-verify-1")
    await expect(ana.get_by_role("button", name="Pedir aprobación y pagar")).to_be_visible()
    await at_once(looks, "Verificado")
    await ana.get_by_role("button", name="Pedir aprobación y pagar").click()
    await ana.wait_for_url("**/approvals/ap-*")
    await ana.locator("#second-pin").fill("123")
    approval = ana.url.rpartition("/")[2]
    shown = (await beto.get(f"/api/v1/approvals/{approval}")).json()
    body = {"digest": shown["digest"], "login": "beto", "pin": PINS["beto"]}
    await beto.post(f"/api/v1/approvals/{approval}/approve", body, key="k-approve-1")
    await expect(ana.get_by_role("heading", name="Aprobado y hecho").first).to_be_visible()
    await expect(ana.get_by_role("button", name="Retirar el pedido")).to_have_count(0)
    await ana.screenshot(path=pictures / "follow-approved.png")
    await expect(looks.get_by_role("heading", name="Escalera de color pagado")).to_be_visible()


async def test_pools_shift_and_book_follow(desk: Desk) -> None:
    seeds, shift, book = [await desk.person("ana") for _ in range(3)]
    await seeds.goto(desk.url("/seeds"))
    await shift.goto(desk.url("/shift"))
    await book.goto(desk.url("/journal?journal=table-t1"))
    before = await seeds.locator("h2 .amount").first.inner_text()
    await desk.office.win(cards="2c 4c 6c 8c Tc")
    await expect(seeds.locator("h2 .amount").first).not_to_have_text(before)
    hands = shift.get_by_role("row", name="Mesa 1").first.get_by_role("cell").nth(1)
    await expect(hands).to_have_text("1")
    await at_once(book, "Tecla · Mano terminada")


async def test_what_is_being_filled_in_stays(desk: Desk) -> None:
    hand = await desk.office.deal()
    page = await desk.person("ana")
    await page.goto(desk.url(f"/table/t1/void?hand={hand}"))
    await page.get_by_label("Carta extra de la banca").check()
    await page.get_by_label("Motivo, con sus palabras").fill("Se vio una car")
    follows = await desk.person("beto")
    await follows.goto(desk.url("/table/t1"))
    await follows.locator("#manual-credits summary").click()
    await follows.locator("#credit-count").fill("-2")
    await follows.locator("#credit-seat").select_option("5")
    await desk.office.tell("t1", KeyPressed(DealerKey.PLAY, 3))
    await desk.office.tell("t2", AntePlaced(1))
    await desk.office.tell("t1", KeyPressed(DealerKey.HAND_OVER))
    await expect(follows.get_by_text("mano 2", exact=True)).to_be_visible()
    assert await follows.locator("#credit-count").input_value() == "-2"
    assert await follows.locator("#credit-seat").input_value() == "5"
    assert await follows.locator("#manual-credits").get_attribute("open") is not None
    await expect(page.get_by_text("Premio cancelado")).to_be_visible()
    await page.keyboard.type("ta")
    assert await page.get_by_label("Motivo, con sus palabras").input_value() == "Se vio una carta"
    assert await page.get_by_label("Carta extra de la banca").is_checked()


async def test_a_wrong_pin_is_not_left_in_its_field(desk: Desk, pictures: Path) -> None:
    hand = await desk.office.deal()
    ana = await desk.office.person("ana")
    body = {"hand": hand, "reason": "other", "note": REASON}
    asked = (await ana.post("/api/v1/tables/t1/void", body, key="k-void-1")).json()
    page = await desk.person("ana", viewport={"width": 1024, "height": 768})
    await page.goto(desk.url(f"/approvals/{asked['approval']}"))
    await page.get_by_label("Credencial o cuenta").fill("beto")
    await page.locator("#second-pin").fill("000000")
    await page.get_by_role("button", name="Aprobar").last.click()
    await expect(page.locator("form .told.bad").first).to_contain_text("intentos que quedan")
    assert await page.locator("#second-pin").input_value() == ""
    assert await page.get_by_label("Credencial o cuenta").input_value() == "beto"
    await page.screenshot(path=pictures / "approval-1024.png")
    box = await page.get_by_role("link", name="Volver").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 768, "the way back is on the screen"
    desk.troubles.clear()  # the browser notes the 401 itself


async def test_what_was_done_is_said_where_it_was_asked(desk: Desk, pictures: Path) -> None:
    page = await desk.person("ana")
    await page.goto(desk.url("/table/t1"))
    await page.locator("#manual-ante summary").click()
    await page.locator("#ante-seat").select_option("4")
    await page.get_by_role("button", name="Registrar apuesta").or_(page.locator("#manual-ante button")).first.click()
    await expect(page.locator("#manual-ante .told.good")).to_have_text("Hecho.")
    await page.screenshot(path=pictures / "done.png")


async def test_a_shift_shows_the_second_person_its_figures(desk: Desk, pictures: Path) -> None:
    await desk.office.win()
    page = await desk.person("ana")
    await page.goto(desk.url("/shift"))
    await page.get_by_role("button", name="Cerrar").click()
    await page.wait_for_url("**/approvals/ap-*")
    await expect(page.locator(".tiles").first).to_contain_text("100,00")
    await expect(page.locator("#pending-prizes")).to_contain_text("1 premio")
    await expect(page.get_by_text("incluido en la huella")).to_have_count(0)
    await page.screenshot(path=pictures / "approval-shift.png", full_page=True)
    await page.goto(desk.url("/origin/gran"))
    await page.screenshot(path=pictures / "origin.png")
