"""Journal and access list from one day to another; one number for one entry wherever it is told."""

import re
from datetime import timedelta
from html import escape
from pathlib import Path
from urllib.parse import quote

import pytest

from controller.api.days import day_of
from controller.api.entry_words import entry_said
from controller.api.texts import LANGUAGES, catalogue
from controller.api.words import Words
from controller.core.events import AntePlaced
from tests.api.office import DAY_MS, Clock, Office, open_office, until
from tests.api.test_days import moved
from tests.api.test_reports import settled

ENTRIES = "/api/v1/journals/table-t1/entries"


async def test_entries_are_found_by_their_days_page_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = moved(Clock(), monkeypatch)
    async with open_office(tmp_path) as office:
        ports = office.node.api_ports()
        first = day_of(ports.clock(), ports.config.site.zone)
        heads = []
        for number in range(3):
            clock.ahead_ms = number * DAY_MS
            await office.tell("t1", AntePlaced(number + 1))
            heads.append(ports.table("t1").journal.head()[0])
        days = [str(first + timedelta(days=number)) for number in range(3)]
        ana = await office.person("ana")

        async def seqs(query: str) -> list[int]:
            found, before = [], ""
            while True:
                told = (await ana.get(f"{ENTRIES}?limit=2&{query}{before}")).json()
                found += [each["seq"] for each in told["entries"]]
                if told["next_before"] is None:
                    return found
                before = f"&before={told['next_before']}"

        def between(after: int, last: int) -> list[int]:
            return list(range(last, after, -1))

        assert await seqs(f"from={days[1]}&to={days[1]}") == between(heads[0], heads[1])
        assert await seqs(f"to={days[1]}") == between(0, heads[1])
        assert await seqs(f"from={days[2]}") == between(heads[1], heads[2])
        assert await seqs("from=&to=") == between(0, heads[2])
        assert await seqs("from=0001-01-01&to=9999-12-31") == between(0, heads[2])
        assert await seqs(f"hand=1&from={days[1]}&to={days[1]}") == between(heads[0], heads[1])


async def test_the_lists_filter_by_day_and_say_the_day_of_each_line(office: Office) -> None:
    carla = await office.person("carla")
    ports = office.node.api_ports()
    today = day_of(ports.clock(), ports.config.site.zone)
    for address in ("/journal?journal=node", "/access?person="):
        page = (await carla.get(f"{address}&from={today:%d/%m/%Y}&to={today}")).text
        assert page.count(f'value="{today:%d/%m/%Y}"') == 2
        assert len(re.findall(rf'<td class="when"[^>]*>{today:%d/%m/%Y} \d\d:\d\d:\d\d</td>', page)) >= 2
        before = (await carla.get(f"{address}&to={today - timedelta(days=1)}")).text
        assert "Ningún asiento coincide." in before
    told = await carla.get(f"/api/v1/accesses?from={today}&to={today}")
    assert {each["login"] for each in told.json()["accesses"]} == {"carla"}
    assert (await carla.get(f"/api/v1/accesses?from={today + timedelta(days=1)}")).json()["accesses"] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("day", ["30/02/2026", "2026-13-01", "ayer", "<b>"])
async def test_a_form_keeps_what_was_typed_and_says_beside_it_what_is_wrong(
    office: Office, day: str, language: str
) -> None:
    carla, text = await office.person("carla"), catalogue(language).text
    await carla.get(f"/?lang={language}")
    example = {"es": "29/11/2026", "en": "2026-11-29"}[language]
    for address, name, said in (
        ("/journal?journal=node&actor=ana&hand=3&from=", "from", text("filter.no_day", example=example)),
        ("/journal?journal=node&actor=ana&to=", "to", text("filter.no_day", example=example)),
        ("/access?person=ana&from=", "from", text("filter.no_day", example=example)),
        ("/shift?day=", "day", text("filter.no_day", example=example)),
        ("/shift?month=", "month", text("filter.no_month", example=example.replace("29/", "").replace("-29", ""))),
        ("/journal?journal=node&actor=ana&hand=", "hand", text("filter.no_number")),
        ("/amounts?hand=", "hand", text("filter.no_number")),
    ):
        page = await carla.get(f"{address}{quote(day)}&lang={language}", Accept="text/html")
        assert page.status_code == 422
        assert f'<p class="hint wrong" id="wrong-{name}" role="alert">{said}</p>' in page.text
        field = page.text.partition(f'<input id="{name}"')[2].partition(">")[0]
        assert f'value="{escape(day)}"' in field and f'aria-describedby="wrong-{name}"' in field
        assert "actor=" not in address or 'value="ana"' in page.text
        assert ("actor=" in address or "person=" in address) == (text("filter.mend") in page.text)


async def test_a_last_day_before_the_first_is_refused_by_name_on_page_and_api(office: Office) -> None:
    carla = await office.person("carla")
    days = "from=2026-11-30&to=2026-11-29"
    for address in (ENTRIES, "/api/v1/journals/node/entries", "/api/v1/accesses"):
        answer = await carla.get(f"{address}?{days}")
        assert (answer.status_code, answer.json()["refusal"]) == (422, "days_backwards")
        assert "desde: 30/11/2026, hasta: 29/11/2026" in answer.json()["detail"]
    for address in ("/journal?journal=table-t1", "/access?person=ana"):
        page = await carla.get(f"{address}&{days}", Accept="text/html")
        assert page.status_code == 422 and "El primer día es posterior al último" in page.text
        assert 'value="30/11/2026"' in page.text and 'value="29/11/2026"' in page.text


async def test_a_report_that_stands_beside_a_wrong_day_was_opened(office: Office) -> None:
    ana, carla = await office.person("ana"), await office.person("carla")
    assert (await ana.get("/shift?day=ayer", Accept="text/html")).status_code == 422
    told = (await carla.get("/api/v1/accesses?person=ana")).json()["accesses"]
    assert "shift" in {each["part"] for each in told}


@pytest.mark.parametrize("day", ["2026-13-01", "2026-1-1", "ayer", "2026-02-30"])
async def test_what_is_no_day_is_refused_by_its_place(office: Office, day: str) -> None:
    ana = await office.person("ana")
    for address in (ENTRIES, "/api/v1/journals/node/entries"):
        answer = await ana.get(f"{address}?to={day}")
        assert answer.status_code == 422
        assert (answer.json()["facts"]["place"], answer.json()["facts"]["why"]) == ("query.to", "day")
        assert "Hasta" in answer.json()["detail"] or "hasta" in answer.json()["detail"]


async def test_the_days_of_the_lists_are_in_the_document(office: Office) -> None:
    ana = await office.person("ana")
    paths = (await ana.get("/api/v1/openapi.json")).json()["paths"]
    for path in ("/api/v1/journals/{journal}/entries", "/api/v1/accesses"):
        assert {"from", "to"} <= {each["name"] for each in paths[path]["get"]["parameters"]}


async def test_an_entry_says_nothing_twice(office: Office) -> None:
    words = Words(office.node.api_ports(), "es")
    entry = {"kind": "ledger.counters", "actor": "host", "body": {"record": {"kind": "counters", "body": {}}}}
    assert entry_said(words, entry) == "Aportes"
    assert entry_said(words, {"kind": "login.passed", "actor": "ana", "body": {"login": "ana"}}) == "Ingreso"
    assert entry_said(words, {"kind": "login.passed", "actor": "beto", "body": {"login": "ana"}}) == "Ingreso · Ana"


async def test_a_movement_has_the_number_of_its_entry(office: Office) -> None:
    await office.win()
    await until(lambda: settled(office), "the carousel has heard of everything")
    ana = await office.person("ana")
    told = (await ana.get("/api/v1/carousels/gran/origin")).json()
    line = told["lines"][-1]
    entry = (await ana.get(f"/api/v1/journals/{told['journal']}/entries?limit=1&before={line['entry'] + 1}")).json()
    assert entry["entries"][0]["kind"] == f"ledger.{line['kind']}"
    assert entry["entries"][0]["body"]["record"]["seq"] == line["seq"]
    page = (await ana.get("/origin/gran")).text
    assert f'&before={line["entry"] + 1}">{line["entry"]}</a></td>' in page
