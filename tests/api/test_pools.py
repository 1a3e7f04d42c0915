"""The pool of a draw that was taken from a table's settings: shown, and moved by two people."""

from pathlib import Path
from typing import Any

import pytest

from controller.core.events import Key, KeyPressed
from tests.api import office as offices
from tests.api.acts import REASON, approved
from tests.api.crawl import every_amount_leads_to_its_origin
from tests.api.office import open_office, until
from tests.api.test_table_settings import ask

DRAWS = """
[tables.draws]
draw_prizes_from = "pool"
pool_bp = 500
jugador_afortunado = {{ prize = 1_000, lucky_seat_from = "betting" }}
"""
MOVE = "/api/v1/tables/t1/pools/move"
FORM = {"pool": "jugador_afortunado", "target": "orphans", "cause": "approved_move", "reason": REASON}
GONE: dict[str, Any] = {
    "draws__jugador_afortunado__prize": None,
    "draws__jugador_afortunado__lucky_seat_from": None,
    "draws__draw_prizes_from": "house",
    "draws__pool_bp": 0,
}
NOTHING = "2c 4s 6h 8c Tc"


@pytest.mark.requirement("R77")
async def test_what_a_removed_draw_left_is_moved_by_two_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offices, "TABLE", offices.TABLE + DRAWS)
    async with open_office(tmp_path) as office:
        ana, runner = await office.person("ana"), office.node.tables["t1"].runner
        await office.deal(cards=NOTHING, credits=3)
        assert "Pozos de sorteos quitados" not in (await ana.get("/seeds")).text
        refused = await ana.post(MOVE, FORM)
        assert refused.json()["refusal"] == "pool_in_use"
        assert (await approved(office, await ask(ana, **GONE))).status_code == 200
        await office.tell("t1", KeyPressed(Key.PLAY, 3))
        await office.tell("t1", KeyPressed(Key.HAND_OVER))
        await until(lambda: not office.node.api_ports().table("t1").settings.draws, "the draw is gone")
        held = runner.state.pools["jugador_afortunado"]
        page = (await ana.get("/seeds")).text
        assert "Pozo del sorteo quitado Jugador Afortunado" in page
        table = (await ana.get("/api/v1/tables/t1")).json()
        assert (table["pools_left"], table["orphans_minor"]) == (["jugador_afortunado"], 0)
        seen = await every_amount_leads_to_its_origin(office, people=["ana"])
        assert "table/t1/pool/jugador_afortunado" in seen.addresses
        asked = await ana.post(MOVE, FORM)
        shown = (await ana.get(f"/approvals/{asked.json()['approval']}")).text
        assert (
            "Pasar el dinero del pozo de un sorteo quitado" in shown
            and "Registro de huérfanos" in shown
            and "Traslado aprobado" in shown
        )
        assert (await approved(office, asked)).status_code == 200
        assert (runner.state.pools["jugador_afortunado"], runner.state.orphans_micros) == (0, held)
        (told,) = [
            each for each in (await ana.get("/api/v1/reports/liability")).json()["tables"] if each["table"] == "t1"
        ]
        assert (told["draw_pools_micros"], told["orphans_micros"]) == (0, held)
        assert told["total_micros"] == held + told["unpaid_minor"] * 10_000
        assert "Asignar a un jackpot" in (await ana.get("/seeds")).text
        made = (await ana.get("/api/v1/amounts/origin?of=table/t1/pool/jugador_afortunado")).json()
        assert made["adds_up"] and made["lines"][-1]["cause"] == "approved_move", made
        guarded = (await ana.get("/api/v1/amounts/origin?of=table/t1/guarded")).json()
        assert guarded["adds_up"] and "table_orphans" in {line["what"] for line in guarded["lines"]}, guarded
        assert "Registro de huérfanos" in (await ana.get("/shift")).text
        seen = await every_amount_leads_to_its_origin(office, people=["ana"])
        assert "table/t1/orphans" in seen.addresses
        named = {**FORM, "pool": "orphans", "target": "Carrusel Norte"}
        assert (await approved(office, await ana.post(MOVE, named))).status_code == 200
        assert runner.state.orphans_micros == 0
        assert "Pozos de sorteos quitados" not in (await ana.get("/seeds")).text
