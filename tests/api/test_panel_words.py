"""Small things that a pit boss reads: numbers with their nouns, days beside what waits, one alarm beside one device."""

from datetime import timedelta
from typing import Any

import pytest
from fpdf import FPDF

from controller.api.closing import local_day
from controller.api.panel.device_pages import alarms_at
from controller.api.periods import day_period
from controller.api.problems import problem_body
from controller.api.report_papers import report_pdf
from controller.api.reports import report_of
from controller.api.setting_fields import FIELDS, UNCHANGED
from controller.api.texts import LANGUAGES, catalogue
from controller.api.words import Words, today
from controller.core.refusal import Refusal, refuse
from tests.api.acts import REASON, approved
from tests.api.office import Office, until
from tests.api.test_reports import settled
from tests.api.test_table_settings import SETTINGS, approve, ask, in_force

ONES = ("credits", "prize.last", "floor.alarm_count", "shift.pending", "closing.how", "setting.one_in")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_counted_noun_has_its_singular(language: str) -> None:
    texts = catalogue(language)
    for key in ONES:
        assert texts.count(key, 1) != texts.count(key, 2).replace("2", "1"), key
    counted = [
        key.removesuffix(".one") for key in texts.texts if key.endswith(".one") and f"{key[:-4]}.other" in texts.texts
    ]
    assert {"floor.devices", "hand.refused", "unread.bounds", "leaflet.ends.notice"} <= set(counted)
    lone = [
        key
        for key, text in texts.texts.items()
        if "{count} " in text and not key.endswith((".one", ".other")) and f"{key}.one" not in texts.texts
    ]
    assert lone == [], "a number before a noun has two forms"


async def test_a_seed_that_the_house_took_back_is_no_adjustment(office: Office) -> None:
    ana = await office.person("ana")
    more = {"table": "t1", "start_minor": 60_000_000, "meter_too": True, "cause": "approved_start", "reason": REASON}
    assert (await approved(office, await ana.post("/api/v1/carousels/gran/start-value", more))).status_code == 200
    lower = {"table": "t1", "start_minor": 50_000_000, "meter_too": True, "cause": "seed_recovery", "reason": REASON}
    done = await approved(office, await ana.post("/api/v1/carousels/gran/start-value", lower))
    assert done.status_code == 200, done.text
    raised = {"table": "t2", "main_minor": 5_000, "cause": "fault_correction", "reason": REASON}
    assert (await approved(office, await ana.post("/api/v1/carousels/gran/adjustment", raised))).status_code == 200
    told = (await ana.get("/api/v1/carousels/gran/origin")).json()
    micros = office.node.api_ports().minor_micros
    assert told["totals_micros"]["recovered"] == -10_000_000 * micros
    assert told["totals_micros"]["adjustments"] == 10_005_000 * micros
    assert told["adds_up"]
    assert "Recuperado por la casa" in (await ana.get("/origin/gran")).text
    report = await report_of(
        office.node.api_ports(), day_period(office.node.api_ports(), today(office.node.api_ports()))
    )
    account = report.carousels[0]
    assert account.holds and account.growth_played_micros == 10_005_000 * micros
    day = f"/api/v1/amounts/origin?of=carousel/gran/day/{report.period.name}"
    taken, played = [(await ana.get(f"{day}/{what}")).json() for what in ("recovered", "growth_played")]
    assert (taken["sum_micros"], len(taken["lines"])) == (-10_000_000 * micros, 1)
    assert played["adds_up"] and played["sum_micros"] == account.growth_played_micros
    assert f"day/{report.period.name}/recovered" in (await ana.get("/shift")).text


@pytest.mark.requirement("R76", "R97")
async def test_what_is_scheduled_says_its_day_in_the_history_and_to_the_players(office: Office) -> None:
    ana = await office.person("ana")
    ports = office.node.api_ports()
    tomorrow = local_day(ports, ports.clock()) + timedelta(days=1)
    read = await ana.get(SETTINGS)
    body = {
        "settings": read.json()["settings"] | {"jackpot.max_credits": 4},
        "reason": REASON,
        "day": tomorrow.isoformat(),
    }
    done = await approve(office, await ana.send("PUT", SETTINGS, body, If_Match=read.headers["etag"]))
    assert done.status_code == 200, done.text
    history = (await ana.get("/table/t1/settings")).text.partition("Historia de los ajustes")[2]
    assert f"No antes del {tomorrow:%d/%m/%Y}" in history
    leaflet = (await ana.get("/api/v1/tables/t1/leaflet?lang=es")).text
    assert f"Desde el {tomorrow:%d/%m/%Y}, entre una mano y otra:" in leaflet
    assert "Créditos máximos por casilla: 5 → 4." in leaflet
    plain = (await ana.get("/api/v1/tables/t2/leaflet?lang=es")).text
    assert "Qué cambia" not in plain


@pytest.mark.requirement("R97")
async def test_an_announced_end_is_in_the_leaflet_and_is_changed_not_announced_again(office: Office) -> None:
    ana, ports = await office.person("ana"), office.node.api_ports()
    day = local_day(ports, ports.clock()) + timedelta(days=ports.config.closing.notice_days + 1)
    assert "Anunciar el cierre" in (await ana.get("/seeds")).text
    body = {"day": day.isoformat(), "target": "", "cause": "approved_closing", "reason": REASON}
    done = await approved(office, await ana.post("/api/v1/carousels/gran/closing", body))
    assert done.status_code == 200, done.text
    await until(
        lambda: office.node.tables["t1"].runner.state.link.ledger.closing is not None, "the table has heard of the end"
    )
    page = (await ana.get("/seeds")).text
    assert "Anunciar el cierre" not in page and "Cambiar el cierre anunciado" in page
    leaflet = (await ana.get("/api/v1/tables/t1/leaflet?lang=es")).text
    assert f"Este jackpot cierra el {day:%d/%m/%Y}: desde ese día no se toman apuestas" in leaflet
    english = (await ana.get("/api/v1/tables/t1/leaflet?lang=en")).text
    assert "This jackpot ends on" in english
    assert "Cierra el" in (await ana.get("/shift")).text


@pytest.mark.parametrize(
    ("alarms", "seats", "found"),
    [
        ([{"alarm": "device_degraded", "source": "sensores"}], [1, 2], ["device_degraded"]),
        ([{"alarm": "device_down", "device": "sensores"}], [], ["device_down"]),
        ([{"alarm": "credits_unread", "seats": "3, 12"}], [2, 12], ["credits_unread"]),
        ([{"alarm": "credits_unread", "seats": "3, 12"}], [1, 2], []),
        ([{"alarm": "clock_jumped", "source": "clock"}, {"alarm": "link_lost"}], [1], []),
    ],
)
def test_a_device_stands_beside_the_alarms_that_are_its_own(
    alarms: list[dict[str, Any]], seats: list[int], found: list[str]
) -> None:
    assert alarms_at(alarms, {"name": "sensores", "seats": seats}) == found


async def test_settings_and_faults_are_told_in_words_and_once(office: Office) -> None:
    ana = await office.person("ana")
    settings = (await in_force(ana))["settings"]
    for language in LANGUAGES:
        words = Words(office.node.api_ports(), language)
        for key, field in (FIELDS | UNCHANGED).items():
            assert words.setting_name(key) != key or language == "en"
            values = {*field.choices} - {"true", "false"}
            raw = [value for value in values if words.setting_value(key, value) == value]
            assert not raw or language == "en", "an English word may be its own code"
        assert language == "en" or [key for key in settings if words.setting_name(key) == key] == []
    assert words.setting_value("jackpot.start", 50_000_000) == "$\xa0500,000.00"
    headers = {"Origin": ana.base, "X-CSRF-Token": ana.token}
    answer = await ana.http.request("POST", "/api/v1/tables/t1/antes", headers=headers)
    assert answer.json()["detail"].lower().count("válido") == 1
    assert problem_body(refuse(Refusal.FORM_INVALID, place="", why="?"), "es")["detail"] == "Un dato no es válido"


async def test_a_card_is_tried_before_it_is_corrected(office: Office) -> None:
    hand = await office.deal(cards="9d 8d 7d 6d 5d")
    ana = await office.person("ana")
    asked = f"/table/t1/correct/effects?hand={hand}&place=seat-3&old=5d"
    told = (await ana.get(f"{asked}&new=5c")).text
    assert "Escalera de color" in told and "Escalera</span>" in told.replace("\n", "") and "<nav" not in told
    journal = office.node.tables["t1"].runner.state.hand
    assert str(journal.game).count("5c") == 0, "nothing was changed by looking"
    assert (await ana.get(f"{asked}&new=xx", Accept="text/html")).status_code == 422
    tomas = await office.person("tomas")
    assert (await tomas.get(f"{asked}&new=5c")).status_code == 403


async def test_a_days_paper_tells_what_changed_and_its_annex_everything(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.win()
    await until(lambda: settled(office), "the carousel has heard of everything")
    ana = await office.person("ana")
    await approve(office, await ask(ana, **{"limits.maximum": 4_000_000}))
    ports = office.node.api_ports()
    await until(lambda: '"limits.maximum":4000000' in ports.table("t1").state.hand.settings, "the change is in force")
    said: list[tuple[int, str]] = []
    written = FPDF.multi_cell

    def told(self: FPDF, *others: Any, **named: Any) -> Any:
        if not named.get("dry_run"):
            said.append((self.page, str(others[2] if others else named["text"])))
        return written(self, *others, **named)

    monkeypatch.setattr(FPDF, "multi_cell", told)
    report = await report_of(ports, day_period(ports, today(ports)))
    short = report_pdf(ports, report, "es").count(b"/Type /Page\n")
    texts = [text for _, text in said]
    assert "$\xa050.000,00 → $\xa040.000,00" in texts and "ninguno en este período" in texts
    assert "Apuesta mínima" not in texts and short <= 2
    said.clear()
    long = report_pdf(ports, report, "es", annex=True).count(b"/Type /Page\n")
    assert "Apuesta mínima" in [text for _, text in said] and long > short
    sheet = await ana.get(f"/api/v1/reports/day.pdf?day={today(ports)}&annex=true")
    assert sheet.content.startswith(b"%PDF")
    assert "annex=true" in (await ana.get("/shift")).text


async def test_what_the_program_wrote_itself_is_told_in_the_panel_s_language(office: Office) -> None:
    ana = await office.person("ana")
    page = (await ana.get("/amount?of=carousel/gran/start/t1")).text
    assert "mesa nombrada en el archivo del anfitrión" in page and "of the host" not in page
    spanish, english = (Words(office.node.api_ports(), language) for language in ("es", "en"))
    said = "/dev/ttyUSB0 is held by another program"
    assert (spanish.alarm_fact(said), english.alarm_fact(said)) == ("otro programa tiene /dev/ttyUSB0", said)
    assert (spanish.alarm_fact("fork"), spanish.alarm_fact(3)) == ("hay otra copia del libro de la mesa", "3")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_refusal_on_a_page_says_each_thing_once(office: Office, language: str) -> None:
    ana = await office.person("ana")
    body = problem_body(refuse(Refusal.UNKNOWN_TABLE, table="t9"), language)
    page = (await ana.get(f"/table/t9?lang={language}")).text
    assert page.count(body["title"]) == 2, "in the title of the window and in the heading"
    assert "t9" in page
