"""The panel as people look things up: a person by the shown name, what was opened, amounts of a night, papers."""

from datetime import datetime
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from controller.api.body_words import body_rows
from controller.api.entry_words import taken_said
from controller.api.panel.charts import chart_of
from controller.api.panel.routes import GROUPED
from controller.api.panel.who import logins_of
from controller.api.periods import Period
from controller.api.routes_journal import matching
from controller.api.texts import Money
from controller.api.words import Words
from controller.core.cards import parse_cards
from controller.core.events import AntePlaced, CardsEntered, Envelope, Key, KeyPressed
from controller.core.ledger import Entry
from controller.engine.accounts_events import UserAdded
from tests.api.acts import REASON, approved
from tests.api.office import DAY_MS, PINS, Office

ZONE = ZoneInfo("America/Argentina/Buenos_Aires")


@pytest.mark.parametrize("asked", ["Ana Acosta", "ana", "ACOSTA", "acostá", "Ana"])
async def test_a_person_is_found_by_the_name_that_the_page_shows(office: Office, asked: str) -> None:
    secret = office.node.people.runner.state.users["ana"].secret
    added = UserAdded("aa17", "Ana Acosta", "pit_boss", secret)
    await office.node.people.desk.submit(Envelope("test/user/aa17", added, "console"))
    assert "aa17" in logins_of(office.node.api_ports(), "es", asked)
    carla = await office.person("carla")
    page = (await carla.get(f"/journal?journal=node&actor={asked}")).text
    assert "Ana Acosta" in page


async def test_nobody_asked_is_nobody_left_out_and_a_stranger_finds_nothing(office: Office) -> None:
    ports = office.node.api_ports()
    assert logins_of(ports, "es", " ") == ()
    assert logins_of(ports, "es", "Zoilo") == ("Zoilo",)
    assert "table" in logins_of(ports, "es", "la mesa")


@pytest.mark.requirement("R04")
async def test_each_table_and_prize_that_a_session_opens_is_in_the_log_by_name(office: Office) -> None:
    prize = (await office.win())["id"]
    ana, carla = await office.person("ana"), await office.person("carla")
    for path in ("/table/t1", "/table/t2", "/table/t1", f"/prizes/t1?prize={prize}", "/prizes"):
        assert (await ana.get(path)).status_code == 200
    told = (await carla.get("/api/v1/accesses?person=ana")).json()["accesses"]
    seen = [(each["part"], each["of"]) for each in reversed(told) if each["kind"] == "access.opened"]
    assert seen == [("table", "t1"), ("table", "t2"), ("prizes", f"t1:{prize}"), ("prizes", "")]
    page = (await carla.get("/access?person=Ana")).text
    assert "Mesa · Mesa 2" in page and "Premios · Mesa 1, mano 1, casilla 3" in page
    journal = (await (await office.person("aldo")).get("/journal?journal=node&kind=access.")).text
    assert "Abrió · Mesa · Mesa 2" in journal and ">Accesos</option>" in journal


@pytest.mark.parametrize(
    ("taken", "said"),
    [
        ("/api/v1/tables/t1/prizes/slip?prize=t1/ab12/4/3", "Comprobante: Mesa 1, mano 4, casilla 3"),
        ("/api/v1/reports/day.pdf?day=2026-11-29&lang=es", "Informe del 29/11/2026, PDF"),
        ("/api/v1/reports/month.csv?month=2026-11", "Informe del 11/2026, CSV"),
        ("/api/v1/reports/shift.pdf?number=3", "Informe de un turno, PDF"),
        ("/api/v1/reports/liability.pdf", "Dinero de los jugadores, PDF"),
        ("/api/v1/other.csv?x=1", "Papel o planilla, CSV"),
        ("/reports/day.pdf", "Papel o planilla, PDF"),
    ],
)
async def test_a_paper_that_was_taken_is_told_in_words(office: Office, taken: str, said: str) -> None:
    assert taken_said(Words(office.node.api_ports(), "es"), taken) == said


def test_a_body_is_read_in_words_and_local_time(office: Office) -> None:
    words = Words(office.node.api_ports(), "es")
    until = int(datetime(2026, 11, 29, 21, 5, tzinfo=ZoneInfo(office.node.config.site.time_zone)).timestamp()) * 1000
    told = body_rows(words, {"hand": 7, "until_ms": until, "event": {"seat": 3, "manual": True}, "cards": ["9d", "8d"]})
    shown = {label.lower(): value for label, value in told}
    assert shown["mano"] == "7"
    assert "29/11/2026 21:05:00" in shown.values()
    assert "sí" in {value.lower() for value in shown.values()} and "9♦ 8♦" in shown.values()


async def test_a_body_has_no_wrong_word_for_anything(office: Office) -> None:
    await office.person("ana")
    body = {
        "amount_minor": 1_250_000,
        "micros": 5_000_000,
        "key": "ab" * 32,
        "code": "x9",
        "at_ms": 0,
        "within_ms": 400,
        "login": "ana",
        "results": [["carta_magica", "7d", None], ["jugador_afortunado", "4", [1, 4]]],
        "of_a_later_version": "whatever",
    }
    told = dict(body_rows(Words(office.node.api_ports(), "es"), body))
    assert told["Importe"].startswith("$\u00a0") and "1250000" not in str(told)
    assert told["Alarma"] == "x9" and told["Cuenta"] == office.node.people.runner.state.users["ana"].name
    assert told["Salió"] == "Carta Mágica: 7♦; Jugador Afortunado: casilla 4"
    assert told.keys() == {"Importe", "Alarma", "Cuenta", "Salió"}, "the rest stands in the entry as it is stored"


async def test_amounts_of_earlier_hands_are_folded_and_found_by_number(office: Office) -> None:
    for seat in range(1, 8):
        await office.win(seat=seat, cards="2c 4c 6c 8c Tc")
    ana = await office.person("ana")
    page = (await ana.get("/amounts")).text
    assert "De manos anteriores" in page and "table/t1/paid/" in page.replace("%2F", "/")
    assert "mano 7" in page and "mano 1," not in page
    asked = (await ana.get("/amounts?hand=1")).text
    assert "mano 1," in asked and "mano 7" not in asked


async def test_a_report_is_signed_by_who_made_it_and_names_what_the_house_owes(office: Office) -> None:
    await office.win(cards="2c 2d 2h 5c 5s")
    ana = await office.person("ana")
    page = (await ana.get("/shift")).text
    assert 'id="house-owes"' in page and "15.000,00" in page.partition('id="house-owes"')[2][:300]
    pdf = await ana.get("/api/v1/reports/liability.pdf")
    assert (pdf.status_code, pdf.content[:4]) == (200, b"%PDF")


async def test_a_day_is_asked_for_as_people_write_it(office: Office) -> None:
    ana = await office.person("ana")
    for asked, said in (
        ("day=29/11/2026", "29/11/2026"),
        ("day=2026-11-29", "29/11/2026"),
        ("month=11/2026", "11/2026"),
    ):
        page = await ana.get(f"/shift?{asked}")
        assert page.status_code == 200
        assert f'value="{said}"' in page.text
    assert 'type="date"' not in page.text
    assert (await ana.get("/shift?day=31/13/2026")).status_code == 422


def test_the_first_minutes_of_a_ledger_are_drawn_across_the_whole_width() -> None:
    begin = int(datetime(2026, 11, 29, tzinfo=ZONE).timestamp()) * 1000
    period = Period("day", "2026-11-29", begin, begin + DAY_MS)
    start = begin + 20 * 3_600_000
    points = [{"seq": 1, "wall_ms": start, "minor": 100}, {"seq": 2, "wall_ms": start + 300_000, "minor": 200}]
    drawn = chart_of(points, period, start + 600_000, ZONE, Money("$", 2, "es"))
    assert drawn["line"] == "M110 270H460V30H810"
    assert [text for _, text in drawn["times"]] == ["20:00", "20:02", "20:04", "20:06", "20:08"]


async def test_the_banks_cards_are_corrected_from_the_table_and_a_place_that_is_none_is_refused(office: Office) -> None:
    hand = await office.deal()
    dealt = parse_cards("2c 3d 4h 5s 7c")
    assert dealt is not None
    await office.tell("t1", CardsEntered("dealer", dealt), "ana", "beto")
    ana, aldo = await office.person("ana"), await office.person("aldo")
    link = f'href="/table/t1/correct?hand={hand}&place=dealer"'
    shown = (await ana.get("/table/t1")).text
    assert link in shown and "Corregir una carta de la banca" in shown and "place=board" not in shown
    assert link not in (await aldo.get("/table/t1")).text
    form = (await ana.get(f"/table/t1/correct?hand={hand}&place=dealer")).text
    assert 'name="old" value="7c"' in form
    for place in ("banker", "seat-99"):
        refused = await ana.get(f"/table/t1/correct?hand={hand}&place={place}", Accept="text/html")
        assert refused.status_code == 422 and 'name="old"' not in refused.text
    await office.tell("t1", KeyPressed(Key.PLAY, 3))
    await office.tell("t1", KeyPressed(Key.HAND_OVER))
    await office.tell("t1", AntePlaced(3))
    last = (await ana.get("/table/t1")).text.partition('id="last-hand"')[2]
    assert 'id="correct-last-dealer"' in last and link in last


async def test_a_pin_typed_again_is_told_by_what_it_was_for_and_not_as_a_login(office: Office) -> None:
    ana, carla = await office.person("ana"), await office.person("carla")
    hand = await office.deal()
    asked = await ana.post("/api/v1/tables/t1/void", {"hand": hand, "reason": "other", "note": REASON})
    assert asked.status_code == 202, asked.text
    told = asked.json()
    path, form = f"/api/v1/approvals/{told['approval']}/approve", {"digest": told["digest"], "login": "beto"}
    assert (await ana.post(path, {**form, "pin": "000000"})).status_code == 401
    assert (await ana.post(path, {**form, "pin": PINS["beto"]})).status_code == 200
    rows = (await carla.get("/access?person=beto")).text.partition("<tbody>")[2]
    assert "<td>PIN para aprobar</td>" in rows and "PIN para aprobar, errado" in rows and "Ingreso" not in rows
    assert "<td>Ingreso</td>" in (await carla.get("/access?person=ana")).text
    journal = (await carla.get("/journal?journal=node&kind=login.")).text
    assert "PIN para aprobar<" in journal and "Ingreso<" in journal and "· Beto" not in journal


async def test_the_journal_finds_the_second_person_and_shows_both(office: Office) -> None:
    await office.deal()
    ana = await office.person("ana")
    for name in ("ana", "Beto"):
        rows = (await ana.get(f"/journal?journal=table-t1&actor={name}")).text
        assert ">Ana, Beto</td>" in rows
    assert ">Ana, Beto</td>" not in (await ana.get("/journal?journal=table-t1&actor=Carla")).text
    found = (await ana.get("/api/v1/journals/table-t1/entries?actor=beto")).json()["entries"]
    assert [(each["actor"], each["second"]) for each in found] == [("ana", "beto")]


async def test_the_second_of_a_ledger_record_is_found_too(office: Office) -> None:
    ana = await office.person("ana")
    form = {"table": "t2", "start_minor": 80_000_000, "meter_too": True, "cause": "approved_start", "reason": REASON}
    asked = await ana.post("/api/v1/carousels/gran/start-value", form)
    assert (await approved(office, asked)).status_code == 200
    assert ">Ana, Beto</td>" in (await ana.get("/journal?journal=carousel-gran&actor=beto")).text


def test_prizes_of_draws_are_found_under_prizes() -> None:
    wanted = matching(GROUPED["prize."])
    kinds = ("prize.paid", "draw.prize", "draw.prize_verified", "draw.prize_paid", "draw.prize_void", "draw.made")
    entries = [SimpleNamespace(entry=Entry("e", kind, {}, (), "ana")) for kind in kinds]
    assert [each.entry.kind for each in entries if wanted(each)] == list(kinds[:-1])


async def test_the_hand_and_what_it_forms_have_names_of_their_own_in_english(office: Office) -> None:
    await office.win()
    page = (await (await office.person("ana")).get("/prizes?lang=en")).text
    assert ">Hand no.</th>" in page and ">Poker hand</th>" in page and ">Hand</th>" not in page
