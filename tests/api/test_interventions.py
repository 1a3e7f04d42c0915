"""What people changed in a shift stands on its papers, with who, why and the entry; and what they signed as waiting."""

import csv
import io
from typing import Any

import pytest

from controller.api import intervention_papers
from controller.api.periods import day_period, shift_period
from controller.api.report_papers import csv_of, report_pdf
from controller.api.reports import Report, report_of
from controller.api.words import today
from controller.core.causes import PoolCause
from controller.core.events import CardCorrected, HandVoided, PrizeVerified, VoidReason
from controller.core.prize_events import OverrideReason, PrizeOverridden
from controller.engine.host_events import MeterAdjusted, StartValueReset
from tests.api.crawl import every_amount_leads_to_its_origin
from tests.api.office import Client, Office, until
from tests.api.test_amounts import tell_host
from tests.api.test_reports import settled
from tests.api.test_table_settings import approve

CHANGED = ("table_meter", "start_value", "prize_override")


def sheet(office: Office, report: Report) -> dict[str, list[str]]:
    """The rows of what people changed, by what it was."""
    rows = list(csv.reader(io.StringIO(csv_of(office.node.api_ports(), report, "es")), delimiter=";"))
    begin = next(number for number, row in enumerate(rows) if row[:3] == ["Fecha y hora", "Mesa", "Qué"]) + 1
    told = rows[begin : rows.index([], begin)]
    return {row[2]: row for row in told}


async def intervene(office: Office) -> Client:
    """One of each act of people that a shift tells of, and the shift's close; answers who looks on."""
    prize = await office.win(cards="4c 4d 4h 4s 2c")
    await office.tell("t1", PrizeVerified(prize["id"]), "ana")
    other = PrizeOverridden(prize["id"], 6_000_000, OverrideReason.SETTLEMENT, "agreed with the player")
    await office.tell("t1", other, "ana", "beto")
    hand = await office.deal("t2", seat=2, cards="As Kd Qs 4c 3d")
    await office.tell("t2", CardCorrected("seat-2", "3d", "3h", hand, "read wrong"), "ana", "beto")
    await office.tell("t2", HandVoided(VoidReason.DEAL_ERROR, "a card was shown", hand), "ana", "beto")
    await until(lambda: settled(office), "the carousel has heard of everything")
    await tell_host(office, MeterAdjusted("t2", 1_000_000, "corrected reading", 0, PoolCause.FAULT_CORRECTION))
    await tell_host(office, StartValueReset("t2", 9_000_000_000, "as approved", False, PoolCause.APPROVED_START))
    ana = await office.person("ana")
    ports = office.node.api_ports()
    asked = await ana.post("/api/v1/shifts/close", {"shift": today(ports)})
    assert (await approve(office, asked)).status_code == 200
    return ana


@pytest.mark.requirement("R82")
async def test_a_shift_tells_what_people_changed_in_it(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = await intervene(office)
    ports = office.node.api_ports()
    report = await report_of(ports, shift_period(ports, 1))
    told = sheet(office, report)
    assert set(told) == {
        "Otro importe autorizado",
        "Carta corregida",
        "Mano anulada",
        "Ajuste del pozo",
        "Valor inicial cambiado",
    }
    people = told["Mano anulada"][7]
    assert len(people.split(", ")) == 2 and all(row[7] == people for row in told.values())
    assert told["Mano anulada"][5:7] == ["Error al repartir", "a card was shown"]
    assert told["Carta corregida"][6] == "read wrong"
    assert "tres de diamantes → tres de corazones" in told["Carta corregida"][3]
    assert told["Otro importe autorizado"][5:7] == ["Acuerdo con el jugador", "agreed with the player"]
    assert told["Valor inicial cambiado"][5:7] == ["Cambio aprobado del valor inicial", "as approved"]
    assert "Valor inicial: " in told["Valor inicial cambiado"][3]
    assert told["Ajuste del pozo"][5:7] == ["Corrección de una falla", "corrected reading"]
    for done in report.people:
        entry = (await ports.journal(done.journal).page(done.seq - 1, 1))[0]
        assert entry.seq == done.seq and "ana" in repr((entry.entry.actor, entry.entry.body))
    day = await report_of(ports, day_period(ports, today(ports)))
    assert day.people == report.people
    assert (await ana.get("/api/v1/reports/shift?number=1")).json()["interventions"][0]["second"] == "beto"

    said: list[str] = []
    pair = intervention_papers.pair

    def noted(pdf: Any, label: str, value: str) -> None:
        said.append(value)
        pair(pdf, label, value)

    monkeypatch.setattr(intervention_papers, "pair", noted)
    assert report_pdf(ports, report, "es").startswith(b"%PDF")
    assert "Corrección de una falla · corrected reading" in said and said.count(people) == 5

    assert [(each.count, each.minor) for each in report.pending] == [(1, 6_000_000), (0, 0)]
    page = (await ana.get("/shift?shift=1")).text
    assert "Premios por pagar al cierre" in page and "Dinero de los jugadores, ahora" in page
    for words in (
        *(row[2] for row in told.values()),
        people,
        "corrected reading",
        "tres de diamantes → tres de corazones",
    ):
        assert words in page, words
    last = report.people[-1]
    assert f"/journal?journal={last.journal}&before={last.seq + 1}" in page
    entries = (await ana.get(f"/journal?journal={last.journal}&before={last.seq + 1}")).text
    assert "as approved" in entries
    assert "Ningún cambio de pozos" in (await ana.get("/shift?shift=0")).text


@pytest.mark.requirement("R82")
async def test_what_people_changed_is_asked_like_any_amount(office: Office) -> None:
    """What an act moved and each figure before and after it; nothing is asked of an entry that is no act of people."""
    ana = await intervene(office)
    found = await every_amount_leads_to_its_origin(office, "/shift?shift=1", people=("ana",))
    acts = {tuple(of.split("/")[4:]) for of in found.addresses if "/act/" in of}
    assert acts >= {("moved",), *((side, what) for side in ("before", "after") for what in CHANGED)}
    assert {of.split("/")[0] for of in found.addresses if "/act/" in of} == {"carousel", "table"}
    for wrong in ("table/t1/act/1/moved", "table/t1/act", "carousel/gran/act/1/moved", "carousel/gran/act/99999/moved"):
        assert (await ana.get(f"/api/v1/amounts/origin?of={wrong}")).status_code == 404, wrong
    of = next(of for of in found.addresses if of.endswith("/moved"))
    for wrong in ("before/meter", "during/orphans", "before", "moved/on"):
        assert (await ana.get(f"/api/v1/amounts/origin?of={of.removesuffix('moved')}{wrong}")).status_code == 404, wrong
