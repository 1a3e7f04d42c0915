"""What reports say beside their figures: prizes that wait, and the settings in force with their dates."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from fpdf import FPDF

from controller.api.periods import day_period
from controller.api.report_papers import report_pdf
from controller.api.reports import report_of
from controller.api.settings_then import in_force
from controller.api.words import Words, today
from controller.core.events import PrizePaid, PrizeVerified
from tests.api.office import Clock, Office, open_office, until
from tests.api.test_reports import DAY_MS, moved, settled
from tests.api.test_table_settings import approve, ask


def rows_of(sheet: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(sheet), delimiter=";"))


@pytest.mark.requirement("R82")
async def test_the_second_person_sees_how_many_prizes_wait_and_their_sum(office: Office) -> None:
    await office.win(cards="4c 4d 4h 4s 2c")
    flush = await office.win(cards="2c 4c 6c 8c Tc")
    await office.win(cards="2c 2d 2h 5c 5s", seat=5)
    await office.tell("t1", PrizeVerified(flush["id"]), "ana")
    await office.tell("t1", PrizePaid(flush["id"]), "ana", "beto")
    await until(lambda: settled(office), "the carousel has heard of everything")
    ana, beto = await office.person("ana"), await office.person("beto")
    day = today(office.node.api_ports())
    asked = (await ana.post("/api/v1/shifts/close", {"shift": day})).json()
    told = (await beto.get(f"/api/v1/approvals/{asked['approval']}")).json()
    pending = told["act"]["event"]["figures"]["pending"]
    assert pending == [{"table": "t1", "count": 2, "minor": 6_500_000}, {"table": "t2", "count": 0, "minor": 0}]
    page = (await beto.get(f"/approvals/{asked['approval']}")).text
    shown = page.partition('id="pending-prizes"')[2].partition("</dl>")[0]
    assert "2 premios" in shown and "65.000,00" in shown
    assert 'id="pending-prizes"' in (await ana.get("/shift")).text
    assert 'id="pending-prizes"' not in (await ana.get("/shift?day=2026-01-01")).text
    sheet = rows_of((await ana.get(f"/api/v1/reports/day.csv?day={day}")).text)
    assert ["Mesa 1", "2", "65000,00"] in sheet


@pytest.mark.requirement("R82")
async def test_a_report_names_the_settings_in_force_and_since_when(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = moved(Clock(), monkeypatch)
    async with open_office(tmp_path) as office:
        ports = office.node.api_ports()
        words, first = Words(ports, "es"), today(ports)
        began = words.moment(ports.clock())[:10]
        clock.ahead_ms += DAY_MS
        asked = await ask(await office.person("ana"), **{"limits.maximum": 4_000_000})
        await approve(office, asked)
        await until(
            lambda: '"limits.maximum":4000000' in ports.table("t1").state.hand.settings, "the change is in force"
        )
        second = today(ports)
        ana = await office.person("ana")
        sheets = {day: rows_of((await ana.get(f"/api/v1/reports/day.csv?day={day}")).text) for day in (first, second)}

        def told(day: str, setting: str) -> tuple[str, str]:
            row = next(row for row in sheets[day] if row[:2] == ["Mesa 1", setting])
            return row[2], row[3][:10]

        later = words.moment(ports.clock())[:10]
        assert told(first, "apuesta máxima") == ("$\xa050.000,00", began)
        assert told(second, "apuesta máxima") == ("$\xa040.000,00", later)
        assert told(second, "apuesta mínima") == ("$\xa0500,00", began)
        assert told(second, "juego") == ("Póker Oasis", began)
        assert any(row[:2] == ["Mesa 1", "Huella de los términos"] and len(row[2]) == 64 for row in sheets[second])
        told_json = (await ana.get(f"/api/v1/reports/day?day={second}")).json()["settings_in_force"]
        assert [each["table"] for each in told_json] == ["t1", "t2"]
        assert told_json[0]["settings"]["limits.maximum"] == 4_000_000
        report = await report_of(ports, day_period(ports, second))
        assert report_pdf(ports, report, "en").startswith(b"%PDF")
        assert await in_force(ports.table("t1").journal, "t1", 1) is None


async def test_a_figure_signed_holds_no_settings(office: Office) -> None:
    report = await report_of(office.node.api_ports(), day_period(office.node.api_ports(), "2026-11-30"))
    figures: dict[str, Any] = report.figures()
    assert "settings_in_force" not in figures and "pending" in figures


async def test_each_page_of_a_report_says_which_it_is(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[int, str]] = []
    cell = FPDF.cell

    def told(self: FPDF, *others: Any, **named: Any) -> Any:
        said.append((self.page, str(others[2] if len(others) > 2 else "")))
        return cell(self, *others, **named)

    monkeypatch.setattr(FPDF, "cell", told)
    ports = office.node.api_ports()
    await office.win()
    day = today(ports)
    report = await report_of(ports, day_period(ports, day))
    pages = report_pdf(ports, report, "es").count(b"/Type /Page\n")
    numbers = [
        (page, text.rpartition(" ")[2]) for page, text in said if text.startswith("Informe") and "/" in text[-4:]
    ]
    assert pages > 1
    assert numbers[-pages:] == [(page, f"{page}/{pages}") for page in range(1, pages + 1)]
