"""Guessing a PIN is bounded per account and per station: in parallel, across a restart, and the same for nobody."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute

from controller.adapters.passwords import ArgonPasswords
from controller.api.access_log import PARTS, part_of
from controller.api.app import PREFIX, api_routes
from controller.api.auth import IDLE_MS
from controller.api.panel import routes as panel
from controller.api.texts import catalogue
from tests.api.office import CHEAP, DAY_MS, PINS, Client, Clock, Office, open_office


class Counting(ArgonPasswords):
    """Counts how often a PIN was compared."""

    compared = 0

    async def verify(self, secret: str, stored: str | None) -> bool:
        self.compared += 1
        return await super().verify(secret, stored)


async def guess(office: Office, login: str, times: int) -> list[int]:
    """Wrong PINs, all at once."""
    client = office.client()
    answers = await asyncio.gather(*(client.log_in(login, f"9{number:05d}") for number in range(times)))
    return sorted(answer.status_code for answer in answers)


@pytest.mark.requirement("R04", "R89")
@pytest.mark.promise("P12")
async def test_a_burst_is_compared_five_times_and_stays_locked_over_a_restart(tmp_path: Path) -> None:
    async with open_office(tmp_path) as office:
        counting = Counting(CHEAP)
        office.node.people.passwords.verify = counting.verify  # type: ignore[method-assign]  # counted from outside
        assert await guess(office, "ana", 60) == [401] * 5 + [429] * 55
        assert counting.compared == 5
        locked = await office.client().log_in("ana")
        assert (locked.status_code, locked.json()["refusal"]) == (429, "too_many_tries")
        assert 0 < int(locked.headers["retry-after"]) <= 60
        assert (await office.client().log_in("beto")).status_code == 200
    async with open_office(tmp_path) as office:
        assert (await office.client().log_in("ana")).status_code == 429
        kinds = [stored.entry.kind for stored in office.node.people.journal.entries()]
        assert kinds.count("login.failed") == 5


@pytest.mark.requirement("R89")
@pytest.mark.promise("P12")
async def test_a_station_that_tries_many_names_waits_too(tmp_path: Path) -> None:
    async with open_office(tmp_path) as office:
        for number in range(4):
            assert await guess(office, f"nobody{number}", 5) == [401] * 5
        answer = await office.client().log_in("ana")
        assert (answer.status_code, answer.json()["refusal"]) == (429, "too_many_tries")


@pytest.mark.requirement("R89")
@pytest.mark.promise("P12")
async def test_a_station_does_not_name_itself(office: Office) -> None:
    headers = ("X_Forwarded_For", "X_Real_IP", "Forwarded", "X_Client_IP", "True_Client_IP")
    codes = []
    for number in range(25):
        named = dict.fromkeys(headers, f"10.9.{number}.1")
        codes.append((await office.client().log_in(f"nobody{number}", "999999", **named)).status_code)
    assert codes == [401] * 20 + [429] * 5
    assert list(office.node.people.runner.state.station_tries) == ["127.0.0.1"]


async def test_an_unknown_name_is_answered_like_a_known_one(office: Office) -> None:
    client = office.client()
    known, unknown = await client.log_in("ana", "999990"), await client.log_in("nadie", "999990")
    assert known.json() == unknown.json()
    assert known.json()["facts"] == {"tries_left": 4}


@pytest.mark.requirement("R04", "R89")
async def test_the_try_is_journaled_before_it_is_compared(office: Office) -> None:
    seen: list[str] = []

    async def verify(secret: str, stored: str | None) -> bool:
        seen.extend(entry.entry.kind for entry in office.node.people.journal.entries())
        return False

    office.node.people.passwords.verify = verify  # type: ignore[method-assign]  # looks at the journal meanwhile
    await office.client().log_in("ana")
    assert seen[-1] == "login.begun"


async def test_a_session_ends_with_the_log_out_and_with_a_new_pin(office: Office) -> None:
    ana, other = await office.person("ana"), await office.person("ana")
    assert (await ana.send("DELETE", "/api/v1/session")).status_code == 200
    assert (await ana.get("/api/v1/session")).status_code == 401
    changed = await other.post("/api/v1/session/pin", {"old_pin": PINS["ana"], "pin": "928374"})
    assert changed.status_code == 200, changed.text
    assert (await other.get("/api/v1/session")).status_code == 401
    assert (await office.client().log_in("ana", "928374")).status_code == 200


async def test_a_session_survives_a_restart_and_a_disabled_account_does_not(tmp_path: Path) -> None:
    async with open_office(tmp_path) as office:
        ana = await office.person("ana")
        cookies = dict(ana.http.cookies)
    async with open_office(tmp_path) as office:
        client = office.client()
        client.http.cookies.update(cookies)
        assert (await client.get("/api/v1/session")).json()["user"]["login"] == "ana"
        carla = await office.person("carla")
        assert (await carla.post("/api/v1/users/ana/disable", {})).status_code == 200
        assert (await client.get("/api/v1/session")).status_code == 401


@pytest.mark.promise("P11")
async def test_a_session_that_nobody_uses_ends_and_no_restart_revives_it(tmp_path: Path, clock: Clock) -> None:
    async with open_office(tmp_path) as office:
        ana = await office.person("ana")
        for _ in range(3):  # use puts the end off, pages that ask by themselves do not
            clock.ahead_ms += IDLE_MS - 600_000
            assert (await ana.get("/api/v1/session")).status_code == 200
            clock.ahead_ms += 400_000
            assert (await ana.get("/api/v1/session", **{"X-Automatic": "1"})).status_code == 200
        cookies = dict(ana.http.cookies)
    async with open_office(tmp_path) as office:  # the journal knows of the login alone: the strict end counts
        client = office.client()
        client.http.cookies.update(cookies)
        assert (await client.get("/api/v1/session")).status_code == 401
        beto = await office.person("beto")
        cookies = dict(beto.http.cookies)
        clock.ahead_ms += IDLE_MS + 60_000
        assert (await beto.get("/api/v1/session", **{"X-Automatic": "1"})).status_code == 401
    async with open_office(tmp_path) as office:
        client = office.client()
        client.http.cookies.update(cookies)
        for _ in range(2):
            assert (await client.get("/api/v1/session")).status_code == 401


@pytest.mark.promise("P11")
async def test_a_session_ends_after_twelve_hours_however_much_it_is_used(tmp_path: Path, clock: Clock) -> None:
    async with open_office(tmp_path) as office:
        ana = await office.person("ana")
        for _ in range(28):
            clock.ahead_ms += 25 * 60_000
            assert (await ana.get("/api/v1/session")).status_code == 200
        clock.ahead_ms += 21 * 60_000
        assert (await ana.get("/api/v1/session")).status_code == 401


async def test_what_does_not_exist_is_not_in_the_log_and_what_does_is_there_once(office: Office) -> None:
    """Whoever may only look fills no disk: an address that he makes up is no part of the house."""
    aldo = await office.person("aldo")
    journal = office.node.api_ports().journals()["node"]
    paths = ("/table/{}", "/api/v1/tables/{}", "/approvals/{}", "/seeds/{}/t1", "/prizes/{}?prize={}", "/{}")
    paths += ("/api/v1/journals/{}/entries", "/journal?journal={}", "/api/v1/amounts/origin?of={}", "/amount?of={}")
    paths += ("/api/v1/tables/{}/slip?prize={}", "/api/v1/reports/day.csv?day={}", "/prizes/t1?prize={}")
    before = journal.head()[0]
    for path in paths:
        for number in range(2):
            made_up = path.format(*(f"none{number}" for _ in range(2)))
            assert (await aldo.get(made_up)).status_code in (403, 404, 409, 422), made_up
    assert journal.head()[0] == before
    for number in range(5):
        assert (await aldo.get(f"/?prize=none{number}&of=x{number}")).status_code == 200
        assert (await aldo.get(f"/table/t1?prize=none{number}")).status_code == 200
    assert journal.head()[0] == before + 2


@pytest.mark.requirement("R04")
async def test_whoever_opens_a_part_of_the_controller_is_in_the_log(office: Office) -> None:
    ana, carla = await office.person("ana"), await office.person("carla")
    for path in ("/seeds", "/seeds", "/", "/api/v1/carousels", "/static/panel/panel.css", "/login"):
        assert (await ana.get(path)).status_code in (200, 303)
    for _ in range(2):
        assert (await ana.get("/api/v1/reports/day.csv?day=2026-11-29")).status_code == 200
    await office.client().log_in("ana", "999999")
    told = (await carla.get("/api/v1/accesses?person=ana")).json()["accesses"]
    seen = [(each["kind"], each["part"], each["taken"]) for each in reversed(told)]
    paper = ("access.taken", "shift", "/api/v1/reports/day.csv?day=2026-11-29")
    assert seen == [
        ("login.passed", "", ""),
        ("access.opened", "seeds", ""),
        ("access.opened", "floor", ""),
        paper,
        paper,
        ("login.failed", "", ""),
    ]
    assert {each["station"] for each in told} == {"127.0.0.1"}
    page = (await carla.get("/access?person=ana")).text
    assert "Ingreso fallido" in page and "Valores iniciales y pozos" in page and page.count("Sacó un papel") == 2
    assert (await ana.get("/access")).status_code == 403


def test_every_page_and_route_belongs_to_a_part() -> None:
    """A page that shows money to somebody whom the log does not know would be a hole in it."""
    open_to_all = {"login", "static", "feed", "healthz", "readyz", "metrics"}
    paths = {path for path, route in api_routes() if "GET" in (route.methods or ())}
    paths |= {route.path for route in panel.router.routes if isinstance(route, APIRoute)}
    words = {path: path.removeprefix(PREFIX).strip("/").split("/")[0] for path in paths}
    assert [path for path, word in words.items() if word not in open_to_all and part_of(path) is None] == []
    assert {f"part.{part}" for part in PARTS.values()} <= set(catalogue("es").texts)


@pytest.mark.requirement("R76", "R90")
async def test_an_expired_pin_is_told_before_and_changed_at_the_login(tmp_path: Path, clock: Clock) -> None:
    async with open_office(tmp_path) as office:
        first = (await (await office.person("ana")).get("/api/v1/session")).json()
        assert not first["pin_expires_soon"]
        assert first["pin_until_ms"] == first["user"]["secret_at_ms"] + 30 * DAY_MS
        clock.ahead_ms = 24 * DAY_MS
        ana = await office.person("ana")
        assert (await ana.get("/api/v1/session")).json()["pin_expires_soon"]
        assert "Su PIN vence el " in (await ana.get("/")).text
    async with open_office(tmp_path) as office:
        clock.ahead_ms = 31 * DAY_MS
        for _ in range(6):  # the right PIN is no guess: nobody is locked out by not knowing that it has ended
            answer = await office.client().log_in("ana")
            assert (answer.status_code, answer.json()["refusal"]) == (403, "secret_expired")
        client = office.client()
        for new, refusal in (
            (PINS["ana"], "secret_same"),
            ("123456", "secret_too_weak"),
            ("ana-ana-ana", "secret_too_weak"),
        ):
            answer = await client.post("/api/v1/session", {"login": "ana", "pin": PINS["ana"], "new_pin": new})
            assert (answer.status_code, answer.json()["refusal"]) == (422, refusal)
        wrong = await client.post("/api/v1/session", {"login": "ana", "pin": "999999", "new_pin": "928374"})
        assert (wrong.status_code, wrong.json()["refusal"]) == (401, "login_failed")
        changed = await client.post("/api/v1/session", {"login": "ana", "pin": PINS["ana"], "new_pin": "928374"})
        assert changed.status_code == 200 and not changed.json()["pin_expires_soon"]
        assert (await client.get("/api/v1/session")).status_code == 200
    async with open_office(tmp_path) as office:
        assert (await office.client().log_in("ana", "928374")).status_code == 200
        assert (await office.client().log_in("ana")).status_code == 401


@pytest.mark.requirement("R76", "R90")
async def test_an_expired_pin_approves_nothing(tmp_path: Path, clock: Clock) -> None:
    async with open_office(tmp_path) as office:
        clock.ahead_ms = 30 * DAY_MS - 300_000
        ana, carla = await office.person("ana"), await office.person("carla")
        clock.ahead_ms += 600_000
        body = {"table": "t1", "main_minor": 100, "cause": "fault_correction", "reason": "Motivo de la prueba"}
        asked = (await ana.post("/api/v1/carousels/gran/adjustment", body)).json()
        assert asked["status"] == "needs_approval", asked
        form = {"digest": asked["digest"], "pin": PINS["carla"]}
        refused = await carla.post(f"/api/v1/approvals/{asked['approval']}/approve", form)
        assert (refused.status_code, refused.json()["refusal"]) == (403, "secret_expired")


async def approved(office: Office, by: Client, asked: dict[str, Any], login: str) -> int:
    form = {"digest": asked["digest"], "pin": PINS[login], "login": login}
    return (await by.post(f"/api/v1/approvals/{asked['approval']}/approve", form)).status_code


@pytest.mark.requirement("R76", "R90")
@pytest.mark.promise("P11")
async def test_a_pin_that_somebody_else_set_is_good_for_setting_ones_own(office: Office) -> None:
    """Whoever set it knows it: until its owner has changed it, nothing is done in his name."""
    ana, carla = await office.person("ana"), await office.person("carla")
    reset = (await carla.post("/api/v1/users/beto/pin", {"pin": "246813"})).json()
    assert await approved(office, ana, reset, "ana") == 200
    added = {"login": "dora", "name": "Dora", "role": "pit_boss", "pin": "908172"}
    assert await approved(office, ana, (await carla.post("/api/v1/users", added)).json(), "ana") == 200
    people = {each["login"]: each["pin_given"] for each in (await carla.get("/api/v1/users")).json()["users"]}
    assert {login for login, given in people.items() if given} == {"beto", "dora"}
    body = {"table": "t1", "start_minor": 80_000_000, "cause": "approved_start", "reason": "sola carla"}
    asked = (await carla.post("/api/v1/carousels/gran/start-value", body)).json()
    for login, pin in (("beto", "246813"), ("dora", "908172")):
        form = {"digest": asked["digest"], "pin": pin, "login": login}
        refused = await carla.post(f"/api/v1/approvals/{asked['approval']}/approve", form)
        assert (refused.status_code, refused.json()["refusal"]) == (403, "secret_expired")
        door = await office.client().log_in(login, pin)
        assert (door.status_code, door.json()["refusal"]) == (403, "secret_expired")
        same = await office.client().post("/api/v1/session", {"login": login, "pin": pin, "new_pin": pin})
        assert same.json()["refusal"] == "secret_same"
        own = await office.client().post("/api/v1/session", {"login": login, "pin": pin, "new_pin": PINS["beto"]})
        assert own.status_code == 200, own.text
    page = (await carla.get("/users")).text
    assert "a cambiar al entrar" not in page
    assert await approved(office, carla, asked, "beto") == 200


@pytest.mark.requirement("R90")
async def test_a_clock_that_comes_back_from_ten_years_ahead_leaves_nobody_out(tmp_path: Path, clock: Clock) -> None:
    clock.ahead_ms = 3650 * DAY_MS
    async with open_office(tmp_path) as office:
        await office.person("ana")
        clock.ahead_ms = 0
        answer = await office.client().log_in("ana")
        assert answer.json()["refusal"] == "secret_expired"
        answer = await office.client().post(
            "/api/v1/session", {"login": "ana", "pin": PINS["ana"], "new_pin": "928374"}
        )
        assert answer.status_code == 200
