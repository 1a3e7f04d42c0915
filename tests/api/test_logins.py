"""Guessing a PIN is bounded per account and per station: in parallel, across a restart, and the same for nobody."""

import asyncio
from pathlib import Path

import pytest

from controller.adapters.passwords import ArgonPasswords
from tests.api.office import CHEAP, PINS, Office, open_office


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
