"""Slips on the panel: issued once, printed out of their entry, copied and voided; cards of hands long over; checks."""

from pathlib import Path

import pytest
from fpdf import FPDF

from controller.api import slips
from controller.api.words import Words
from controller.core.events import PrizePaid, PrizeVerified
from tests.api import office as offices
from tests.api.acts import REASON
from tests.api.office import Office

PAPERS = """
[papers]
withholding_bp = 3_100
withholding_part_bp = 9_000
withholding_from = 120_000
checklist_from = 5_000_001
"""


@pytest.fixture
def taxed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site where prizes are taxed and large ones checked; used before the office opens."""
    monkeypatch.setattr(offices, "SITE", offices.SITE + PAPERS)


async def verified(office: Office, **hand: str) -> str:
    prize = await office.win(**hand)
    await office.tell("t1", PrizeVerified(prize["id"]), "ana")
    return str(prize["id"])


@pytest.mark.requirement("R84")
async def test_a_copy_of_a_slip_is_the_slip_and_says_that_it_is_a_copy(office: Office) -> None:
    ana, aldo = await office.person("ana"), await office.person("aldo")
    prize = await verified(office)
    address = f"/api/v1/tables/t1/prizes/slip?prize={prize}"
    assert (await aldo.get(address)).json()["refusal"] == "slip_not_issued"
    assert (await aldo.post("/api/v1/tables/t1/slips", {"prize": prize})).status_code == 403
    first = await ana.post("/api/v1/tables/t1/slips", {"prize": prize}, key="one")
    again = await ana.post("/api/v1/tables/t1/slips", {"prize": prize}, key="one")
    assert (first.status_code, again.json()["repeated"]) == (200, True)
    papers = [(await aldo.get(address)).content for _ in range(2)]
    assert papers[0] == papers[1] and papers[0].startswith(b"%PDF")
    await office.tell("t1", PrizePaid(prize), "ana", "beto")
    assert (await aldo.get(address)).content == papers[0]
    copied = await ana.post("/api/v1/tables/t1/slips/copy", {"prize": prize}, key="copy")
    again = await ana.post("/api/v1/tables/t1/slips/copy", {"prize": prize}, key="copy")
    assert (copied.json()["copy"], again.json()["copy"], again.json()["repeated"]) == (1, 1, True)
    assert (await aldo.get(address)).content != papers[0]
    assert (await aldo.get(copied.json()["paper"])).content.startswith(b"%PDF")
    void = {"prize": prize, "reason": "wrong_data", "note": REASON}
    assert (await ana.post("/api/v1/tables/t1/slips/void", void)).status_code == 200
    assert (await ana.post("/api/v1/tables/t1/slips", {"prize": prize})).status_code == 200
    listed = (await aldo.get("/api/v1/tables/t1/slips")).json()["slips"]
    assert [(each["what"], each["number"]) for each in reversed(listed)] == [
        ("slip.issued", 1),
        ("slip.voided", 1),
        ("slip.issued", 2),
    ]


async def test_the_proposed_tax_is_withheld_or_another_sum_with_a_note(taxed: None, office: Office) -> None:
    ana = await office.person("ana")
    prize = await verified(office, cards="4c 4d 4h 4s 2c")
    page = (await ana.get(f"/prizes/t1?prize={prize}")).text
    assert 'name="withheld_minor" data-type="money" inputmode="decimal" value="13950,00"' in page
    less = {"prize": prize, "withheld_minor": 1_000_000}
    assert (await ana.post("/api/v1/tables/t1/slips", less)).json()["refusal"] == "reason_missing"
    assert (await ana.post("/api/v1/tables/t1/slips", {**less, "note": "exento en parte"})).status_code == 200
    (slip,) = (await ana.get("/api/v1/tables/t1/slips")).json()["slips"]
    said = slip["content"]
    assert (said["amount_minor"], said["proposed_minor"]) == (5_000_000, 1_395_000)
    assert (said["withheld_minor"], said["net_minor"], said["note"]) == (1_000_000, 4_000_000, "exento en parte")
    assert said["facts"]["cards"] == ["4c", "4d", "4h", "4s", "2c"]


@pytest.mark.requirement("R87")
async def test_the_list_of_a_large_prize_comes_before_its_payment(taxed: None, office: Office) -> None:
    ana = await office.person("ana")
    prize = await verified(office)
    refused = await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize}, Accept_Language="es")
    assert refused.json()["refusal"] == "checklist_open"
    assert "Cartas mostradas a la cámara" in refused.json()["detail"]
    assert "Lista de control" in (await ana.get(f"/prizes/t1?prize={prize}")).text
    every = {"prize": prize, "done": ["cards_to_camera", "deck_counted", "hand_sealed"]}
    assert (await ana.post("/api/v1/tables/t1/prizes/check", every)).json()["refusal"] == "reason_missing"
    assert (await ana.post("/api/v1/tables/t1/prizes/check", {**every, "seal": "B-77"})).status_code == 200
    assert (await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize})).status_code == 202
    (shown,) = (await ana.get("/api/v1/prizes")).json()["pending"]
    assert (shown["check"]["seal"], shown["check"]["actor"]) == ("B-77", "ana")


@pytest.mark.requirement("R86")
async def test_the_cards_of_a_prize_are_shown_hands_later_out_of_the_journal(office: Office) -> None:
    prize = await verified(office)
    for _ in range(2):
        await office.win(cards="4c 4d 4h 4s 2c", seat=2)
    ana = await office.person("ana")
    page = (await ana.get(f"/prizes/t1?prize={prize}")).text
    assert all(f'aria-label="{card} de diamantes"' in page for card in ("nueve", "ocho", "siete", "seis", "cinco"))


async def test_a_site_file_with_papers_is_understood(tmp_path: Path, taxed: None) -> None:
    from controller.adapters.hardware.devices import known_hardware
    from controller.config import load

    papers = load(offices.site_file(tmp_path), known_hardware().drivers).papers
    assert (papers.withholding.of(120_000), papers.checklist_from) == (33_480, 5_000_001)


async def test_a_copy_made_after_the_payment_says_who_paid_and_when(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[dict[str, str]] = []
    cells = slips.cells

    def noted(pdf: FPDF, row: list[tuple[str, str, float]]) -> None:
        said[-1].update({label: value for label, value, _ in row})
        cells(pdf, row)

    async def printed() -> dict[str, str]:
        said.append({})
        await ana.get(f"/api/v1/tables/t1/prizes/slip?prize={prize}&lang=es")
        return said[-1]

    monkeypatch.setattr(slips, "cells", noted)
    ana = await office.person("ana")
    prize = await verified(office)
    await ana.post("/api/v1/tables/t1/slips", {"prize": prize})
    await ana.post("/api/v1/tables/t1/slips/copy", {"prize": prize})
    first = await printed()
    assert "Fecha y hora de la mano" in first
    await office.tell("t1", PrizePaid(prize), "ana", "beto")
    assert await printed() == first and "Después de emitido" not in first
    await ana.post("/api/v1/tables/t1/slips/copy", {"prize": prize})
    then = await printed()
    words = Words(office.node.api_ports(), "es")
    told = then.pop("Después de emitido")
    assert then == first and first["Estado"] == "verificado"
    assert told.startswith("pagado el ") and told.endswith(f" por {words.person('ana')}, {words.person('beto')}")
