"""Every route of the OpenAPI document against every attack: no state changes without all that the promise names."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from controller.api.app import OPEN, PREFIX, api_routes, permission_of
from controller.api.auth import IDLE_MS
from controller.api.roles import MATRIX, Permission
from controller.engine.accounts_state import DEFAULT_POLICY, Role
from tests.api.office import ROLES, Clock, Office, open_office

REASON = "Motivo de la prueba"
SAMPLES = {
    "table": "t1",
    "carousel": "gran",
    "hand": "1",
    "device": "caja",
    "login": "ana",
    "journal": "node",
    "entry": "genesis",
    "approval": "ap-1",
    "span": "shift",
}
PROFILE = {
    "table": "t1",
    "incarnation": "0" * 32,
    "key": "0" * 64,
    "currency": "ARS",
    "start_micros": 0,
    "prizes": {"rows": [{"category": "royal_flush", "percent": 100}]},
}
# What each act of two people takes; the test says when a route is missing here.
TWO_PEOPLE: dict[str, dict[str, Any]] = {
    "/users": {"login": "dora", "name": "Dora", "role": "auditor", "pin": "908172"},
    "/users/{login}": {"name": "Otra"},
    "/users/{login}/pin": {"pin": "908172"},
    "/tables/{table}/void": {"hand": 1, "reason": "deal_error", "note": REASON},
    "/tables/{table}/cards": {"hand": 1, "place": "dealer", "cards": ["Ah"]},
    "/tables/{table}/cards/correction": {
        "hand": 1,
        "place": "seat-1",
        "old": "Ah",
        "new": "Ad",
        "reason": REASON,
    },
    "/tables/{table}/draws/winner": {"hand": 1, "kind": "carta_magica", "seat": 1},
    "/tables/{table}/draws/outside": {"value": "0417", "source": "lotería"},
    "/tables/{table}/prizes/advance": {"hand": 1, "seat": 1, "amount_minor": 1, "reason": REASON},
    "/tables/{table}/prizes/hold-release": {"prize": "t1/x/1/1", "reason": REASON},
    "/tables/{table}/prizes/override": {
        "prize": "t1/x/1/1",
        "amount_minor": 1,
        "reason": "meter_fault",
        "note": REASON,
    },
    "/tables/{table}/restored": {"item": "hand/1", "outcome": "returned", "reason": REASON},
    "/tables/{table}/leave": {"cause": "replacement", "reason": REASON},
    "/carousels/{carousel}/start-value": {
        "table": "t1",
        "start_minor": 80_000_000,
        "cause": "approved_start",
        "reason": REASON,
    },
    "/carousels/{carousel}/adjustment": {"table": "t1", "main_minor": 1, "cause": "fault_correction", "reason": REASON},
    "/carousels/{carousel}/transfer": {"table": "t1", "amount_minor": 1, "cause": "replacement", "reason": REASON},
    "/carousels/{carousel}/closing": {"day": "2099-12-31", "cause": "approved_closing", "reason": REASON},
    "/carousels/{carousel}/closing/move": {"cause": "approved_closing", "reason": REASON},
    "/carousels/{carousel}/orphans": {
        "amount_minor": 1,
        "target": "otro",
        "cause": "approved_move",
        "reason": REASON,
    },
    "/tables/{table}/pools/move": {
        "pool": "carta_magica",
        "target": "orphans",
        "cause": "approved_move",
        "reason": REASON,
    },
    "/carousels/{carousel}/release": {"claim": "t1/x/1", "reason": REASON},
    "/carousels/{carousel}/settle-award": {"claim": "t1/x/1", "seen_switched_off": True, "reason": REASON},
    "/carousels/{carousel}/members": {"profile": PROFILE, "reason": REASON},
    "/carousels/{carousel}/seal": {"table": "t1", "seen_switched_off": True, "reason": REASON},
    "/carousels/{carousel}/rekey": {"table": "t1", "key": "ab" * 32, "reason": REASON},
    "/carousels/{carousel}/accept-step": {"table": "t1", "reason": REASON},
    "/carousels/{carousel}/promote": {"reason": REASON},
    "/carousels/{carousel}/exclude": {"table": "t1", "seen_switched_off": True, "reason": REASON},
    "/tables/{table}/circle/stacks": {"seat": 1, "chips_minor": 1, "reason": REASON},
    "/tables/{table}/settings": {"settings": {}, "reason": REASON},
    "/tables/{table}/settings/confirm": {"terms": "0" * 64, "reason": REASON},
    "/shifts/close": {"shift": "2026-11-29"},
}


@pytest.fixture(scope="module")
def clock() -> Iterator[Clock]:
    """The office's wall clock."""
    with pytest.MonkeyPatch.context() as patched:
        yield Clock().installed(patched)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> AsyncIterator[Office]:
    """One office for the whole table of attacks: none of them changes it."""
    directory: Path = tmp_path_factory.mktemp("office")
    async with open_office(directory) as running:
        yield running


pytestmark = pytest.mark.asyncio(loop_scope="module")


def filled(path: str) -> str:
    path = path.replace(":path}", "}")
    for name, value in SAMPLES.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, path
    return path


def routes(*, changing: bool) -> list[tuple[str, str, Permission | None]]:
    """Method, address with samples filled in, permission; of what changes state, or of all."""
    found = []
    for path, route in api_routes():
        for method in sorted(route.methods or ()):
            if not changing or method not in ("GET", "HEAD"):
                found.append((method, filled(path), permission_of(route)))
    return found


def heads(office: Office) -> dict[str, int]:
    """Where every journal stands."""
    return {name: journal.head()[0] for name, journal in office.node.api_ports().journals().items()}


def machine_heads(office: Office) -> dict[str, int]:
    return {name: seq for name, seq in heads(office).items() if name != "node"}


async def test_the_document_names_every_route(house: Office) -> None:
    ana = await house.person("ana")
    document = (await ana.get(f"{PREFIX}/openapi.json")).json()
    named = {
        (method.upper(), path.replace("{entry}", "{entry:path}"))
        for path, methods in document["paths"].items()
        for method in methods
    }
    assert named == {(method, path) for path, route in api_routes() for method in route.methods or ()}
    assert len(named) > 40


@pytest.mark.promise("P11")
async def test_without_a_login_nothing_answers(house: Office) -> None:
    nobody = house.client()
    before = heads(house)
    for method, path, _ in routes(changing=False):
        if (method, path) in OPEN:
            continue
        answer = await nobody.send(method, path)
        assert (answer.status_code, answer.json()["refusal"]) == (401, "not_logged_in"), (method, path)
    assert heads(house) == before


@pytest.mark.requirement("R24")
@pytest.mark.promise("P11")
@pytest.mark.parametrize("login", list(ROLES))
async def test_a_role_does_only_what_the_matrix_says(house: Office, login: str) -> None:
    person = await house.person(login)
    role = Role(ROLES[login])
    before = machine_heads(house)
    tried = 0
    for method, path, permission in routes(changing=False):
        if permission is None or role in MATRIX[permission]:
            continue
        tried += 1
        answer = await person.send(method, path)
        assert (answer.status_code, answer.json()["refusal"]) == (403, "role_missing"), (method, path)
    assert tried > 3
    assert machine_heads(house) == before


ATTACKS: dict[str, tuple[dict[str, Any], int, str]] = {
    "no token": ({"drop": ("X-CSRF-Token",)}, 403, "token_missing"),
    "wrong token": ({"X_CSRF_Token": "0" * 64}, 403, "token_missing"),
    "no origin": ({"drop": ("Origin",)}, 403, "origin_not_allowed"),
    "other origin": ({"Origin": "http://evil.example"}, 403, "origin_not_allowed"),
    "null origin": ({"Origin": "null"}, 403, "origin_not_allowed"),
    "other host": ({"Host": "evil.example"}, 421, "host_not_allowed"),
    "form body": ({"Content_Type": "application/x-www-form-urlencoded"}, 415, "body_not_json"),
    "text body": ({"Content_Type": "text/plain"}, 415, "body_not_json"),
}


@pytest.mark.promise("P11")
@pytest.mark.parametrize("attack", list(ATTACKS))
async def test_no_state_change_under_attack(house: Office, attack: str) -> None:
    options, status, refusal = ATTACKS[attack]
    people = {login: await house.person(login) for login in ("ana", "carla", "aldo")}
    before = heads(house)
    for method, path, permission in routes(changing=True):
        if permission is None and "token" in attack:
            continue
        able = next(
            (login for login in people if permission is None or Role(ROLES[login]) in MATRIX[permission]), "ana"
        )
        answer = await people[able].send(method, path, **options)
        assert (answer.status_code, answer.json()["refusal"]) == (status, refusal), (method, path)
    assert heads(house) == before


@pytest.mark.promise("P11")
@pytest.mark.parametrize("after_ms", [IDLE_MS + 60_000, DEFAULT_POLICY.session_ms + 60_000])
async def test_no_state_change_in_a_session_that_has_ended(house: Office, clock: Clock, after_ms: int) -> None:
    people = {login: await house.person(login) for login in ("ana", "carla", "aldo", "tomas")}
    before, tried = heads(house), 0
    clock.ahead_ms = after_ms
    for method, path, permission in routes(changing=True):
        if permission is None:
            continue
        able = next(login for login in people if Role(ROLES[login]) in MATRIX[permission])
        answer = await people[able].send(method, path, TWO_PEOPLE.get(path.removeprefix(PREFIX)))
        assert (answer.status_code, answer.json()["refusal"]) == (401, "not_logged_in"), (method, path)
        tried += 1
    clock.ahead_ms = 0
    assert tried > 50
    assert heads(house) == before


async def test_a_body_beyond_the_bound_is_not_read(house: Office) -> None:
    ana = await house.person("ana")
    answer = await ana.post(f"{PREFIX}/tables/t1/bets/stop", {"note": "x" * 100_000})
    assert (answer.status_code, answer.json()["refusal"]) == (413, "body_too_large")


async def test_another_host_reads_nothing_either(house: Office) -> None:
    ana = await house.person("ana")
    answer = await ana.get(f"{PREFIX}/tables", Host="evil.example")
    assert (answer.status_code, answer.json()["refusal"]) == (421, "host_not_allowed")


async def test_two_people_routes_are_all_listed(house: Office) -> None:
    listed = {PREFIX + path for path in TWO_PEOPLE}
    assert {path for path, route in api_routes() if route.status_code == 202} == listed


REFUSED_AT_ONCE = {
    "/carousels/{carousel}/accept-step": "nothing_quarantined",
    "/carousels/{carousel}/closing/move": "jackpot_not_closed",
    "/carousels/{carousel}/exclude": "host_not_serving",
    "/carousels/{carousel}/members": "already_member",
    "/carousels/{carousel}/orphans": "balance_too_low",
    "/carousels/{carousel}/release": "unknown_prize",
    "/carousels/{carousel}/settle-award": "unknown_prize",
    "/tables/{table}/cards": "wrong_phase",
    "/tables/{table}/cards/correction": "wrong_phase",
    "/tables/{table}/circle/stacks": "unknown_key",
    "/tables/{table}/draws/outside": "outside_not_used",
    "/tables/{table}/draws/winner": "draw_not_wanted",
    "/tables/{table}/pools/move": "balance_too_low",
    "/tables/{table}/prizes/advance": "unknown_prize",
    "/tables/{table}/prizes/hold-release": "unknown_prize",
    "/tables/{table}/prizes/override": "unknown_prize",
    "/tables/{table}/restored": "nothing_restored",
    "/tables/{table}/settings/confirm": "nothing_changes",
}
"""What this pit has nothing of is refused before anybody is asked; where it can be done, tests of its own ask two."""


@pytest.mark.requirement("R03", "R76")
@pytest.mark.promise("P11")
@pytest.mark.parametrize("path", list(TWO_PEOPLE))
async def test_without_the_second_person_no_machine_moves(house: Office, path: str) -> None:
    route = next(route for full, route in api_routes() if full == PREFIX + path and route.status_code == 202)
    permission = permission_of(route)
    assert permission is not None
    login = next(login for login, role in ROLES.items() if Role(role) in MATRIX[permission])
    person = await house.person(login)
    users = dict(house.node.people.runner.state.users)
    before = machine_heads(house)
    body, headers = TWO_PEOPLE[path], {}
    (method,) = route.methods or ()
    if method == "PUT":
        read = await person.get(filled(PREFIX + path))
        body = body | {"settings": read.json()["settings"] | {"limits.maximum": 4_900_000}}
        headers = {"If_Match": read.headers["etag"]}
    answer = await person.send(method, filled(PREFIX + path), body, **headers)
    if path in REFUSED_AT_ONCE:
        status = 404 if REFUSED_AT_ONCE[path] == "unknown_prize" else 409
        assert (answer.status_code, answer.json()["refusal"]) == (status, REFUSED_AT_ONCE[path])
        assert machine_heads(house) == before
        return
    assert answer.status_code == 202, answer.text
    told = answer.json()
    alone = await person.post(f"{PREFIX}/approvals/{told['approval']}/approve", {"digest": told["digest"], "pin": "1"})
    assert alone.status_code == 403
    assert machine_heads(house) == before
    assert dict(house.node.people.runner.state.users) == users
    taken_back = await person.post(f"{PREFIX}/approvals/{told['approval']}/reject", {"note": "una prueba"})
    assert taken_back.status_code == 200, taken_back.text


async def test_answers_are_private_and_framed_by_nobody(house: Office) -> None:
    ana = await house.person("ana")
    for path in (f"{PREFIX}/tables", "/", "/login", f"{PREFIX}/none"):
        headers = (await ana.get(path)).headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-frame-options"] == "DENY"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]


async def test_the_cookie_is_for_this_site_and_no_script(house: Office) -> None:
    answer = await house.client().log_in("ana")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    assert "Secure" not in cookie


async def test_pages_ask_for_a_login(house: Office) -> None:
    from controller.api.panel.pages import router

    nobody = house.client()
    checked = 0
    for route in router.routes:
        path = filled(getattr(route, "path", "").replace("{name}", "panel.css"))
        if path.startswith("/static/") or path == "/login":
            continue
        answer = await nobody.get(f"{path}?hand=1&prize=x&place=seat-1")
        assert answer.status_code in (303, 401), path
        checked += 1
    assert checked > 15
