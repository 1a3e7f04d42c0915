"""The end of a jackpot on the panel: its notice, its day, its money, and what the reports and screens say of it."""

from datetime import timedelta
from pathlib import Path

import pytest

from controller.api.closing import local_day, months_after
from controller.core.events import AntePlaced, CreditWagered, Envelope, HandVoided, VoidReason
from controller.engine.host_events import ClosingDayCame
from tests.api import office as offices
from tests.api.acts import REASON, approved
from tests.api.office import Clock, Office, open_office, until

CLOSING = "/api/v1/carousels/gran/closing"
CAUSED = {"cause": "approved_closing", "reason": REASON}
DAY_MS = 86_400_000


@pytest.mark.requirement("R75", "R74", "R77")
async def test_a_jackpot_ends_with_notice_and_its_money_goes_to_the_register(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock().installed(monkeypatch)
    async with open_office(tmp_path) as office:
        ana, ports = await office.person("ana"), office.node.api_ports()
        today = local_day(ports, ports.clock())
        soon, day = (today + timedelta(days=7)).isoformat(), (today + timedelta(days=8)).isoformat()
        early = await ana.post(CLOSING, {**CAUSED, "day": soon}, Accept_Language="es")
        assert early.json()["refusal"] == "notice_too_short"
        assert f"{today + timedelta(days=8):%d/%m/%Y}" in early.json()["detail"]
        assert (await ana.post(CLOSING, {**CAUSED, "day": "2027-02-30"})).json()["refusal"] == "form_invalid"
        tomas = await office.person("tomas")
        assert (await tomas.post(CLOSING, {**CAUSED, "day": day})).status_code == 403
        asked = await ana.post(CLOSING, {**CAUSED, "day": day})
        shown = (await ana.get(f"/approvals/{asked.json()['approval']}")).text
        assert f"{today + timedelta(days=8):%d/%m/%Y}" in shown and "Registro de huérfanos" in shown
        assert "Primer día sin apuestas" in shown and "ltimo día" not in shown
        assert "<dt>La casa recupera los valores iniciales</dt><dd>no</dd>" in shown
        assert (await approved(office, asked)).status_code == 200
        told = (await ana.get("/api/v1/carousels/gran")).json()["closing"]
        assert (told["day"], told["orphans"], told["closed"]) == (day, True, False)
        assert f"Cierra el {today + timedelta(days=8):%d/%m/%Y}" in (await ana.get("/seeds")).text
        await until(
            lambda: office.node.tables["t1"].runner.state.link.ledger.closing is not None,
            "the table has the announcement",
        )

        await office.tell("t2", AntePlaced(4))
        await office.tell("t2", CreditWagered(4, 1, manual=True))
        clock.ahead_ms = 8 * DAY_MS
        host = office.node.hosts["gran"].runner
        assert (await host.submit(Envelope("calendar", ClosingDayCame(day), "node"))).refused is None
        await until(lambda: not _table(office)["bets_open"], "bets stop")
        ana = await office.person("ana")
        move = await ana.post(f"{CLOSING}/move", CAUSED)
        assert move.json()["refusal"] == "day_not_over"
        clock.ahead_ms = 9 * DAY_MS
        ana = await office.person("ana")
        held = host.state.ledger.amount_micros
        await until(lambda: "t1/" in "".join(host.state.settled), "the table without bets has settled")
        playing = await ana.post(f"{CLOSING}/move", CAUSED, Accept_Language="es")
        assert (playing.json()["refusal"], playing.json()["facts"]["table"]) == ("table_not_settled", "t2")
        assert "no informó" in playing.json()["detail"] and "(mesa: Mesa 2)" in playing.json()["detail"]
        shown = (await ana.get("/seeds")).text
        assert ("Liquidada" in shown, "Sin liquidar aún" in shown) == (True, True)
        await office.tell("t2", HandVoided(VoidReason.OTHER, "test"), "ana", "beto")
        await until(lambda: len(host.state.settled) == len(host.state.ledger.tables), "every table has settled")
        assert {row["settled"] for row in (await ana.get("/api/v1/carousels/gran")).json()["tables"]} == {True}
        assert "Sin liquidar aún" not in (await ana.get("/seeds")).text
        assert (await approved(office, await ana.post(f"{CLOSING}/move", CAUSED))).status_code == 200
        (pools,) = (await ana.get("/api/v1/reports/liability")).json()["carousels"]
        assert (pools["orphans_micros"], pools["main_micros"], pools["closing"]) == (held, 0, day)
        assert pools["total_micros"] == held
        assert "Registro de huérfanos" in (await ana.get("/shift")).text
        assert (await ana.get("/api/v1/reports/liability.pdf?lang=es")).content.startswith(b"%PDF")
        origin = (await ana.get("/api/v1/carousels/gran/origin")).json()
        assert origin["adds_up"] and origin["pools_micros"] == 0
        minor = held // ports.minor_micros
        given = {"amount_minor": minor, "target": "Carrusel Norte", "cause": "approved_move", "reason": REASON}
        done = await approved(office, await ana.post("/api/v1/carousels/gran/orphans", given))
        assert done.status_code == 200, done.text
        assert (await ana.get("/api/v1/carousels/gran")).json()["orphans_minor"] == 0


def _table(office: Office) -> dict[str, bool]:
    from controller.api.views import table_summary

    return table_summary(office.node.api_ports(), "t1")


@pytest.mark.requirement("R75")
async def test_a_jackpot_is_played_for_its_months_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offices, "SITE", offices.SITE + "\n[closing]\nminimum_months = 3\nnotice_days = 15\n")
    async with open_office(tmp_path) as office:
        ana, ports = await office.person("ana"), office.node.api_ports()
        today = local_day(ports, ports.clock())
        earliest = months_after(today, 3)
        short = await ana.post(CLOSING, {**CAUSED, "day": (earliest - timedelta(days=1)).isoformat()})
        assert short.json()["refusal"] == "ran_too_short"
        assert (await ana.post(CLOSING, {**CAUSED, "day": earliest.isoformat()})).status_code == 202
