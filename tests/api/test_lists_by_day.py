"""Journal and access list from one day to another; one number for one entry wherever it is told."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from controller.api.days import day_of
from controller.api.entry_words import entry_said
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
        assert await seqs(f"from={days[2]}&to={days[0]}") == []
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


@pytest.mark.parametrize("day", ["2026-13-01", "2026-1-1", "ayer", "2026-02-30"])
async def test_what_is_no_day_is_refused_by_its_place(office: Office, day: str) -> None:
    ana = await office.person("ana")
    for address in (ENTRIES, "/api/v1/journals/node/entries"):
        answer = await ana.get(f"{address}?to={day}")
        assert answer.status_code == 422 and answer.json()["facts"]["place"] == "query.to"
        assert "Hasta" in answer.json()["detail"] or "hasta" in answer.json()["detail"]
    page = await ana.get(f"/journal?from={day}", Accept="text/html")
    assert page.status_code == 422 and "desde" in page.text


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
