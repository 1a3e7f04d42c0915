"""A table's settings through the API: read with a tag, checked as the loader checks, by two people, between hands."""

from collections.abc import AsyncIterator
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from controller.adapters.events.settings_watch import SettingsWatch
from controller.adapters.hardware.devices import known_hardware
from controller.api.closing import local_day
from controller.api.words import today
from controller.config import ConfigError, load
from controller.core.events import AntePlaced, CreditWagered, HandVoided, VoidReason
from controller.main import opened
from tests.api import office as offices
from tests.api.acts import approved
from tests.api.office import PINS, Client, Office, open_office, site_file, until

V1 = "/api/v1"
SETTINGS = f"{V1}/tables/t1/settings"
REASON = "Pedido de la gerencia"

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    async with open_office(tmp_path) as running:
        yield running


async def ask(person: Client, **changes: Any) -> Any:
    """Read the settings and ask for others; names with __ for the dot."""
    read = await person.get(SETTINGS)
    wanted = read.json()["settings"] | {name.replace("__", "."): value for name, value in changes.items()}
    body = {"settings": wanted, "reason": REASON}
    return await person.send("PUT", SETTINGS, body, If_Match=read.headers["etag"])


async def approve(office: Office, asked: Any, login: str = "beto") -> Any:
    told = asked.json()
    assert asked.status_code == 202, asked.text
    second = await office.person(login)
    address = f"{V1}/approvals/{told['approval']}/approve"
    return await second.post(address, {"digest": told["digest"], "pin": PINS[login]})


async def in_force(person: Client) -> dict[str, Any]:
    found: dict[str, Any] = (await person.get(SETTINGS)).json()
    return found


async def void(office: Office) -> None:
    await office.tell("t1", HandVoided(VoidReason.OTHER, "test"), "ana", "beto")


async def told_to_host(office: Office) -> None:
    await until(lambda: not office.node.tables["t1"].runner.state.link.terms_waiting, "the host has the terms")


@pytest.mark.requirement("R03", "R24", "R76", "R81")
async def test_two_people_change_a_limit_and_both_see_what_it_was(office: Office) -> None:
    ana = await office.person("ana")
    asked = await ask(ana, limits__maximum=4_000_000)
    approval = (await ana.get(f"{V1}/approvals/{asked.json()['approval']}")).json()
    where = {"setting": "limits.maximum"}
    effect = {"what": "setting", "unit": "setting", "before": 5_000_000, "after": 4_000_000, "where": where}
    assert approval["effects"] == [effect]
    assert (await in_force(ana))["settings"]["limits.maximum"] == 5_000_000
    done = await approve(office, asked)
    assert done.status_code == 200, done.text
    shown = await in_force(ana)
    assert shown["settings"]["limits.maximum"] == 4_000_000
    assert shown["from_file"] == [{"key": "limits.maximum", "before": 5_000_000, "after": 4_000_000}]
    history = (await ana.get(f"{SETTINGS}/history")).json()["history"]
    assert [line["kind"] for line in history] == ["settings.effective", "settings.asked", "settings.file"]
    assert (history[0]["actor"], history[0]["second"], history[0]["reason"]) == ("ana", "beto", REASON)
    node = (await ana.get(f"{V1}/settings")).json()["settings"]
    assert node["tables"][0]["limits"]["maximum"] == 4_000_000


async def test_the_tag_says_what_was_read(office: Office) -> None:
    ana = await office.person("ana")
    read = await ana.get(SETTINGS)
    tag = read.headers["etag"]
    assert (await ana.get(SETTINGS, **{"If-None-Match": tag})).status_code == 304
    body = {"settings": read.json()["settings"] | {"limits.maximum": 4_000_000}, "reason": REASON}
    without = await ana.send("PUT", SETTINGS, body)
    assert (without.status_code, without.json()["refusal"]) == (428, "settings_tag_missing")
    asked = await ana.send("PUT", SETTINGS, body, If_Match=tag)
    assert (await approve(office, asked)).status_code == 200
    stale = await ana.send("PUT", SETTINGS, body, If_Match=tag)
    assert (stale.status_code, stale.json()["refusal"]) == (412, "settings_tag_stale")
    same = await ask(ana)
    assert (same.status_code, same.json()["refusal"]) == (409, "nothing_changes")


async def test_two_requests_made_on_the_same_reading_cannot_both_be_done(office: Office) -> None:
    ana, carla = await office.person("ana"), await office.person("carla")
    first, second = await ask(ana, limits__maximum=4_000_000), await ask(carla, limits__minimum=60_000)
    assert (await approve(office, first)).status_code == 200
    late = await approve(office, second)
    assert (late.status_code, late.json()["refusal"]) == (409, "settings_changed_meanwhile")
    assert (await in_force(ana))["settings"]["limits.minimum"] == 50_000


@pytest.mark.requirement("R70")
async def test_while_a_hand_is_open_the_change_waits_says_for_what_and_can_be_taken_back(office: Office) -> None:
    ana = await office.person("ana")
    await office.tell("t1", AntePlaced(2))
    assert (await approve(office, await ask(ana, limits__minimum=60_000))).status_code == 200
    shown = await in_force(ana)
    assert shown["settings"]["limits.minimum"] == 50_000
    assert shown["pending"]["waits_for"] == ["hand"]
    assert shown["pending"]["changes"] == [{"key": "limits.minimum", "before": 50_000, "after": 60_000}]
    taken = await approve(office, await ask(ana))
    assert [entry["kind"] for entry in taken.json()["entries"]] == ["settings.withdrawn"]
    assert (await in_force(ana))["pending"] is None
    await approve(office, await ask(ana, limits__minimum=60_000))
    await void(office)
    shown = await in_force(ana)
    assert (shown["settings"]["limits.minimum"], shown["pending"]) == (60_000, None)


FAULTS: list[tuple[dict[str, Any], set[str]]] = [
    ({"limits__minimum": 0}, {"limits.minimum"}),
    ({"limits__minimum": "50"}, {"limits.minimum"}),
    ({"limits__minimum": 10.5, "jackpot__credit": None}, {"limits.minimum", "jackpot.credit"}),
    ({"limits__minimum": 6_000_000}, {"limits.maximum"}),
    ({"jackpot__credit": 60_000}, {"jackpot.credit", "jackpot.start"}),
    ({"jackpot__contribution_bp": 9_900}, {"jackpot.contribution_bp", "jackpot.prizes"}),
    ({"jackpot__prizes__flush__fixed": 75_000_000}, {"jackpot.prizes"}),
    ({"jackpot__prizes__flush__percent": 5}, {"jackpot.prizes.flush"}),
    ({"draws__pool_bp": 100}, {"draws"}),
    ({"on_link_loss": "pray"}, {"on_link_loss"}),
    ({"jackpot__colour": 1}, {"jackpot.colour"}),
    ({"limits__minimum": {"a": 1}, "second_person_from": -1}, {"limits.minimum", "second_person_from"}),
    ({"jackpot__ceiling": 10}, {"jackpot.ceiling"}),
]


async def test_every_fault_is_named_by_its_key(office: Office) -> None:
    ana = await office.person("ana")
    for changes, places in FAULTS:
        answer = await ask(ana, **changes)
        assert (answer.status_code, answer.json()["refusal"]) == (422, "settings_invalid"), (changes, answer.text)
        assert places <= set(answer.json()["facts"]), changes


async def test_a_missing_setting_is_a_fault_and_a_fixed_one_is_for_the_file(office: Office) -> None:
    ana = await office.person("ana")
    read = await ana.get(SETTINGS)
    few = {"settings": {"limits.minimum": 60_000}, "reason": REASON}
    answer = await ana.send("PUT", SETTINGS, few, If_Match=read.headers["etag"])
    assert "falta" in answer.json()["facts"].values()
    for name, value in (("seats", 5), ("jackpot.start", 1), ("jackpot.options.accept_return_over_100", True)):
        answer = await ask(ana, **{name.replace(".", "__"): value})
        assert (answer.status_code, answer.json()["facts"]) == (422, {"setting": name})


@pytest.mark.requirement("R48")
async def test_a_ceiling_below_the_meter_is_refused_before_anybody_is_asked(office: Office) -> None:
    ana = await office.person("ana")
    raised = {"table": "t1", "main_minor": 1_000_000, "cause": "fault_correction", "reason": REASON}
    assert (await approve(office, await ana.post(f"{V1}/carousels/gran/adjustment", raised))).status_code == 200
    link = office.node.tables["t1"].runner
    await until(lambda: link.state.link.account.main_micros >= 510_000_000_000, "the table has heard of it")  # type: ignore[union-attr]  # it has joined
    answer = await ask(ana, jackpot__ceiling=50_500_000)
    assert (answer.status_code, answer.json()["refusal"]) == (409, "ceiling_below_value")
    assert answer.json()["facts"] == {"value": 51_000_000, "ceiling": 50_500_000}


@pytest.mark.requirement("R72")
async def test_a_rate_that_changed_is_in_the_day_s_report_and_at_the_carousel(office: Office) -> None:
    ana = await office.person("ana")
    before = (await in_force(ana))["terms"]
    assert (await approve(office, await ask(ana, jackpot__contribution_bp=2_500))).status_code == 200
    await told_to_host(office)
    account = office.node.hosts["gran"].runner.state.ledger.tables["t1"]
    assert account.terms is not None
    assert account.terms.hash == (await in_force(ana))["terms"] != before
    assert "Ajustes en vigor" in (await ana.get("/shift")).text
    when = today(office.node.api_ports())
    report = (await ana.get(f"{V1}/reports/day?day={when}")).json()
    (line,) = report["tables"][0]["settings"]
    assert (line["terms_before"], line["changes"][0]["after"]) == (before, 2_500)
    sheet = (await ana.get(f"{V1}/reports/day.csv?day={when}&lang=es")).text
    assert "aporte al pozo (%);20\u00a0%;25\u00a0%" in sheet


async def test_the_day_s_handle_is_what_was_bet_whatever_a_credit_is_worth_now(office: Office) -> None:
    ana = await office.person("ana")
    await office.deal("t1", credits=2)
    await void(office)
    await office.win("t1")
    assert (await approve(office, await ask(ana, jackpot__credit=9_000))).status_code == 200
    await told_to_host(office)
    await office.tell("t1", CreditWagered(1, 3, manual=True))
    when = today(office.node.api_ports())
    table = (await ana.get(f"{V1}/reports/day?day={when}")).json()["tables"][0]
    assert (table["bets"], table["handle_minor"]) == (1 + 3, 10_000 + 27_000)


@pytest.mark.promise("P1")
async def test_changed_settings_survive_the_end_of_the_daemon(tmp_path: Path) -> None:
    async with open_office(tmp_path) as office:
        ana = await office.person("ana")
        await approve(office, await ask(ana, limits__maximum=4_000_000))
        await office.tell("t1", AntePlaced(2))
        await approve(office, await ask(ana, limits__minimum=60_000))
    async with open_office(tmp_path) as office:
        ana = await office.person("ana")
        shown = await in_force(ana)
        assert shown["settings"]["limits.maximum"] == 4_000_000
        assert shown["pending"]["changes"] == [{"key": "limits.minimum", "before": 50_000, "after": 60_000}]
        await void(office)
        assert (await in_force(ana))["settings"]["limits.minimum"] == 60_000


async def test_a_file_that_does_not_go_with_what_people_changed_does_not_start(tmp_path: Path) -> None:
    async with open_office(tmp_path) as office:
        ana = await office.person("ana")
        assert (await approve(office, await ask(ana, limits__minimum=4_000_000))).status_code == 200
    path = site_file(tmp_path)
    path.write_text(path.read_text().replace("maximum = 5_000_000", "maximum = 3_000_000"))
    with opened(load(path, known_hardware().drivers)) as node, pytest.raises(ConfigError) as refused:
        await node.run()
    assert [(fault.file, fault.key) for fault in refused.value.faults] == [("table-t1", "limits.maximum")]


async def test_a_file_of_another_currency_than_the_journals_does_not_start(tmp_path: Path) -> None:
    """Neither where the ledger is kept nor where a table has its copy of it: every amount would change its worth."""
    async with open_office(tmp_path) as office:
        await office.person("ana")
    path = site_file(tmp_path)
    path.write_text(path.read_text().replace("[site]", '[site]\ncurrency = "PEN"'))
    for journal in ("carousel-gran", "table-t1"):
        with opened(load(path, known_hardware().drivers)) as node, pytest.raises(ConfigError) as refused:
            await node.run()
        (fault,) = refused.value.faults
        assert (fault.file, fault.key) == (journal, "site.currency")
        assert "PEN, pero el dinero de este libro es ARS" in fault.text("es")
        (node.config.state.directory / f"{journal}.db").unlink()


async def test_a_file_of_another_minor_unit_than_the_journals_does_not_start(tmp_path: Path) -> None:
    """Also a host without tables, whose file names no amount that would show it."""
    async with open_office(tmp_path) as office:
        await office.person("ana")
        assert office.node.hosts["gran"].runner.state.begun_minor == 10_000
    config = load(site_file(tmp_path), known_hardware().drivers)
    edited = config.model_copy(update={"site": config.site.model_copy(update={"decimals": 0})})
    for journal, file in (
        ("carousel-gran", edited.model_copy(update={"tables": ()})),
        ("carousel-gran", edited),
        (
            "table-t1",
            edited.model_copy(update={"carousels": (config.carousels[0].model_copy(update={"role": "member"}),)}),
        ),
    ):
        with opened(file) as node, pytest.raises(ConfigError) as refused:
            await node.run()
        (fault,) = refused.value.faults
        assert (fault.file, fault.key) == (journal, "site.decimals")
        assert "0, pero los importes de este libro tienen 2" in fault.text("es")


@pytest.mark.promise("P14")
async def test_two_people_set_an_outside_input_of_the_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offices, "SITE", offices.SITE.replace("[state]", "draw_outside_input = true\n\n[state]"))
    address, form = "/api/v1/tables/t1/draws/outside", {"value": "0417", "source": "Quiniela nocturna, 30/11/2026"}
    async with open_office(tmp_path) as office:
        ana, aldo = await office.person("ana"), await office.person("aldo")
        assert (await aldo.post(address, form)).status_code == 403
        asked = await ana.post(address, form)
        assert "0417" in (await ana.get(f"/approvals/{asked.json()['approval']}")).text
        assert (await approved(office, asked)).status_code == 200
        assert (await ana.get("/api/v1/tables/t1")).json()["outside"] == form
        assert "Ahora: 0417 (Quiniela nocturna, 30/11/2026)" in (await ana.get("/table/t1")).text
        nowhere = await ana.post(address, {"value": "0418"})
        assert nowhere.json()["refusal"] == "reason_missing"


@pytest.mark.requirement("R76")
async def test_a_change_is_scheduled_seven_days_ahead_at_most_and_its_outcome_is_on_record(office: Office) -> None:
    ana, ports = await office.person("ana"), office.node.api_ports()
    now = local_day(ports, ports.clock())
    read = await ana.get(SETTINGS)
    wanted = read.json()["settings"] | {"limits.maximum": 4_000_000}
    tag = {"If_Match": read.headers["etag"]}
    for ahead in (0, 8):
        day = (now + timedelta(days=ahead)).isoformat()
        early = await ana.send("PUT", SETTINGS, {"settings": wanted, "reason": REASON, "day": day}, **tag)
        assert early.json()["refusal"] == "day_not_ahead", ahead
    day = now + timedelta(days=7)
    body = {"settings": wanted, "reason": REASON, "day": day.isoformat()}
    asked = await ana.send("PUT", SETTINGS, body, **tag)
    assert f"{day:%d/%m/%Y}" in (await ana.get(f"/approvals/{asked.json()['approval']}")).text
    assert (await approve(office, asked)).status_code == 200
    waits = (await in_force(ana))["pending"]
    assert (waits["day"], waits["waits_for"]) == (day.isoformat(), ["day"])
    assert f"espera el {day:%d/%m/%Y}" in (await ana.get("/table/t1/settings")).text
    told: list[object] = []
    table = office.node.tables["t1"].runner
    at_ms = int(datetime.combine(day, time(), ports.config.site.zone).timestamp()) * 1000
    watch = SettingsWatch(lambda: table.state, told.append, lambda: at_ms - 1, ports.config.site.zone)
    watch.look()
    assert told == []
    watch = SettingsWatch(lambda: table.state, told.append, lambda: at_ms, ports.config.site.zone)
    watch.look()
    watch.look()
    (came,) = told
    await office.tell("t1", came)
    assert (await in_force(ana))["settings"]["limits.maximum"] == 4_000_000
    kinds = [line["kind"] for line in (await ana.get(f"{SETTINGS}/history")).json()["history"]]
    assert kinds[:3] == ["settings.effective", "settings.day", "settings.asked"]
