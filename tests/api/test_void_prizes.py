"""What a void says of its hand's draw prizes before two people sign it, and their pages afterwards."""

import re
from pathlib import Path

import pytest

from controller.core.events import PrizePaid, PrizeVerified
from controller.core.prize_events import SlipIssued
from tests.api.acts import REASON, approved
from tests.api.crawl import every_amount_leads_to_its_origin
from tests.api.office import Client, Office, open_office
from tests.api.test_amounts import NOTHING, hand, pit_file
from tests.api.test_amounts_otherwise import drawn


def read(html: str) -> str:
    """What people read of a page."""
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html))


async def page_of(person: Client, prize: str) -> str:
    return read((await person.get(f"/prizes/t1?prize={prize}")).text)


@pytest.mark.article("O-j")
@pytest.mark.parametrize("way", ["pending", "verified", "paid"])
async def test_a_void_says_what_becomes_of_each_draw_prize_and_so_do_their_pages(tmp_path: Path, way: str) -> None:
    async with open_office(tmp_path, site=pit_file) as office:
        number = await hand(office, "t1", NOTHING)
        prize = drawn(office, "t1", number)
        if way != "pending":
            await office.tell("t1", PrizeVerified(prize), "ana")
        if way == "paid":
            await office.tell("t1", SlipIssued(prize, 0, 0, {}, ""), "ana")
            await office.tell("t1", PrizePaid(prize), "ana", "beto")
        ana = await office.person("ana")
        before = await page_of(ana, prize)
        assert ("Neto pagado" in before, "Neto a pagar" in before) == (way == "paid", False)
        await told_before(office, ana, number, prize, way)
        after = await page_of(ana, prize)
        assert f"La mano {number} se anuló el" in after and REASON in after and "Ana, Beto" in after
        assert ("Lo que se había pagado antes queda con el jugador" in after) == (way == "paid")
        assert ("El premio quedó anulado con ella" in after) == (way != "paid")
        assert ("Un premio anulado no lleva comprobante" in after) == (way != "paid")
        assert "Emitir comprobante" not in after and "Se emite cuando" not in after
        refused = await ana.post("/api/v1/tables/t1/slips", {"prize": prize})
        assert refused.json()["refusal"] == ("slip_in_force" if way == "paid" else "prize_not_verified")


async def told_before(office: Office, ana: Client, number: int, prize: str, way: str) -> None:
    """The form and the request say the same, which is what the void then does."""
    fate = "Pagado, queda con el jugador" if way == "paid" else "Premio cancelado"
    named = f"{fate} · Casilla 3 · Jugador Afortunado".casefold()
    form = read((await ana.get(f"/table/t1/void?hand={number}")).text)
    asked = await ana.post("/api/v1/tables/t1/void", {"hand": number, "reason": "deal_error", "note": REASON})
    beto = await office.person("beto")
    request = read((await beto.get(f"/approvals/{asked.json()['approval']}")).text)
    for page in (form, request):
        assert named in page.casefold()
        assert ("Lo que ya se pagó queda con el jugador" in page) == (way == "paid")
    await every_amount_leads_to_its_origin(office, people=["ana"])
    assert (await approved(office, asked)).status_code == 200
    status = office.node.tables["t1"].runner.state.draw_prizes[prize].status.value
    assert status == ("paid" if way == "paid" else "void")
