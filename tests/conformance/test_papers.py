"""What people see of a prize and its jackpot, before and after it is paid: pages, slip, figures on demand."""

import re
from pathlib import Path
from typing import Any

import pytest
from fpdf import FPDF

from controller.api import paper
from controller.api.words import today
from controller.core.events import PrizePaid, PrizeVerified
from tests.api import office as offices
from tests.api.office import Office


class Recorder(FPDF):
    """A PDF that keeps the words written on it."""

    words: list[str]

    def cell(self, w: Any = None, h: Any = None, text: str = "", *others: Any, **named: Any) -> Any:
        self.words.append(text)
        return super().cell(w, h, text, *others, **named)

    def multi_cell(self, w: Any, h: Any = None, text: str = "", *others: Any, **named: Any) -> Any:
        self.words.append(text)
        return super().multi_cell(w, h, text, *others, **named)


@pytest.mark.requirement("R83", "R84")
async def test_a_slip_names_game_table_combination_date_hour_amount_player_and_three_signatures(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    prize = await office.win()
    await office.tell("t1", PrizeVerified(prize["id"]), "ana")
    await office.tell("t1", PrizePaid(prize["id"]), "ana", "beto")
    monkeypatch.setattr(paper, "FPDF", Recorder)
    monkeypatch.setattr(Recorder, "words", [], raising=False)
    ana, aldo = await office.person("ana"), await office.person("aldo")
    assert (await ana.post("/api/v1/tables/t1/slips", {"prize": prize["id"]})).status_code == 200
    answer = await aldo.get(f"/api/v1/tables/t1/prizes/slip?prize={prize['id']}", Accept_Language="es")
    assert answer.status_code == 200
    words = [word.replace("\u00a0", " ") for word in Recorder.words]
    (issued,) = [each for each in office.node.tables["t1"].journal.entries() if each.entry.kind == "slip.issued"]
    for word in ("Mesa 1 · Póker Oasis", "Escalera de color", "Ana, Beto", "quien cobra", "Documento", "Son pesos"):
        assert any(word in each for each in words), (word, words)
    assert any(each.endswith("t1-000001") for each in words), words
    assert any(f"table-t1/{issued.seq}," in each for each in words), words
    assert any(re.fullmatch(r"\d\d/\d\d/\d{4},? \d\d:\d\d(:\d\d)?", each) for each in words), words
    whole, cents = divmod(prize["amount_minor"], 100)
    assert f"$ {whole:,}".replace(",", ".") + f",{cents:02}" in words
    assert sum(each.startswith("Firma de") for each in words) == 3, words


@pytest.mark.requirement("R86", "R32")
async def test_a_prize_shows_its_cards_and_how_it_came_about_before_it_is_paid(office: Office) -> None:
    prize = await office.win()
    ana = await office.person("ana")
    page = (await ana.get(f"/prizes/t1?prize={prize['id']}")).text.replace("\u00a0", " ")
    contribution = 10_000 * 20 // 100
    before = 100_000_000 + contribution
    assert prize["amount_minor"] == before // 10
    for minor in (before, prize["amount_minor"]):
        assert f"{minor // 100:,}".replace(",", ".") + f",{minor % 100:02}" in page
    assert "× 10 %" in page
    assert all(f'aria-label="{card} de diamantes"' in page for card in ("nueve", "ocho", "siete", "seis", "cinco"))
    told = (await ana.get("/api/v1/carousels/gran/origin")).json()
    assert told["adds_up"]
    assert told["contributions_by_table_micros"]["t1"] == 10_000 * 25 * 100


@pytest.mark.requirement("R22", "R27", "R104")
async def test_on_demand_value_overflow_base_limit_hits_and_the_last_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = offices.TABLE.replace("credit = 10_000", "credit = 10_000\nceiling = 60_000_000")
    monkeypatch.setattr(offices, "TABLE", limited)
    async with offices.open_office(tmp_path) as office:
        await look_at(office)


async def look_at(office: Office) -> None:
    prize = await office.win()
    await office.win(cards="4c 4d 4h 4s 2c", seat=2)
    await office.tell("t1", PrizeVerified(prize["id"]), "ana")
    await office.tell("t1", PrizePaid(prize["id"]), "ana", "beto")
    aldo = await office.person("aldo")
    (shown,) = (await aldo.get("/api/v1/carousels")).json()["carousels"]
    assert shown["amount_minor"] == 100_000_000 + 2 * 2_000 - prize["amount_minor"]
    bounds = [(each["start_minor"], each["ceiling_minor"], each["overflow_minor"]) for each in shown["tables"]]
    assert bounds == [(50_000_000, 60_000_000, 0)] * 2
    prizes = (await aldo.get("/api/v1/prizes")).json()
    assert [each["category"] for each in prizes["last"] if each["category"] != "jugador_afortunado"] == [
        "straight_flush"
    ]
    day = today(office.node.api_ports())
    rows = (await aldo.get(f"/api/v1/reports/day?day={day}")).json()["tables"]
    hits = rows[0]["hits_by_category"]
    assert (hits["straight_flush"], hits["four_of_a_kind"]) == (1, 1)
    assert rows[0]["hits"] == sum(hits.values())
