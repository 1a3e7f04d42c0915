"""Every text that people send, over every route: a reason that says nothing and a sign that is not seen are refused."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fastapi.routing import APIRoute

from controller.api.app import PREFIX, api_routes, permission_of
from controller.api.roles import MATRIX
from controller.api.typed_fields import Form
from controller.engine.accounts_state import Role
from tests.api.office import ROLES, Client, Office, open_office
from tests.api.test_attacks import REASON, TWO_PEOPLE, filled, heads

BLANK = ("      ", "\u200b" * 5, "\u2800" * 5, "\u3164" * 5, "\0" * 5, "\u00a0" * 6, "-....-")
HIDDEN = ("\0", "\x1b", "\u202e", "\u200f", "\u2066", "\ud800", "\r")
# What each act of one person takes that has a text; the test says when a route is missing here.
ONE_PERSON: dict[str, dict[str, Any]] = {
    "/session": {"login": "ana", "pin": "999999"},
    "/session/pin": {"old_pin": "999999", "pin": "908172"},
    "/tables/{table}/bets/stop": {"note": REASON},
    "/tables/{table}/bets/resume": {"note": REASON},
    "/tables/{table}/alarms/seen": {"code": "x", "source": "x", "note": "x"},
    "/tables/{table}/decks": {
        "old": "a",
        "new": "b",
        "reason": REASON,
        "maker": "a",
        "model": "b",
        "serial": "c",
        "operator": "d",
    },
    "/tables/{table}/unread": {"unread": "x", "credits": 0},
    "/tables/{table}/prizes/verify": {"prize": "t1/x/1/1"},
    "/tables/{table}/prizes/pay": {"prize": "t1/x/1/1"},
    "/tables/{table}/prizes/hold": {"prize": "t1/x/1/1", "reason": "other", "note": REASON},
    "/tables/{table}/prizes/check": {"prize": "t1/x/1/1", "done": [], "seal": "x"},
    "/tables/{table}/slips": {"prize": "t1/x/1/1", "note": "x"},
    "/tables/{table}/slips/copy": {"prize": "t1/x/1/1"},
    "/tables/{table}/slips/void": {"prize": "t1/x/1/1", "reason": "spoiled", "note": REASON},
    "/tables/{table}/circle/sanctions": {"seat": 1, "sanction": "warning", "reason": REASON},
    "/tables/{table}/circle/hands/killed": {"seats": [1], "reason": REASON},
    "/tables/{table}/circle/hands/restored": {"seat": 1, "reason": REASON},
    "/tables/{table}/circle/seats": {"players": ["Dora"]},
    "/approvals/{approval}/approve": {"digest": "0" * 64, "pin": "999999", "login": "beto"},
    "/approvals/{approval}/reject": {"note": "x"},
    "/counts": {"table": "t1", "shift": "2026-11-29", "counted_minor": 1},
}
BODIES = ONE_PERSON | TWO_PEOPLE
MORE = {"/tables/{table}/settings": {"settings": {"limits.minimum": "x"}, "reason": REASON}}
"""A text where the table of two people has none."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One office for all of it: nothing changes it."""
    directory: Path = tmp_path_factory.mktemp("office")
    async with open_office(directory) as running:
        yield running


pytestmark = pytest.mark.asyncio(loop_scope="module")


def form_of(route: APIRoute) -> type[Form] | None:
    for field in route.dependant.body_params:
        annotation = field.field_info.annotation
        if isinstance(annotation, type) and issubclass(annotation, Form):
            return annotation
    return None


def bodies() -> Iterator[tuple[str, APIRoute, type[Form], dict[str, Any]]]:
    for path, route in api_routes():
        form = form_of(route)
        if form is not None and form.model_fields:
            short = path.removeprefix(PREFIX)
            yield path, route, form, MORE.get(short) or BODIES.get(short, {})


def texts_in(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in a body texts stand."""
    if isinstance(value, str):
        yield at
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from texts_in(part, (*at, key))


def with_text(body: Any, at: tuple[Any, ...], text: str) -> Any:
    if not at:
        return text
    copy: Any = dict(body) if isinstance(body, dict) else list(body)
    copy[at[0]] = with_text(body[at[0]], at[1:], text)
    return copy


async def people(house: Office) -> dict[Role, Client]:
    return {Role(ROLES[login]): await house.person(login) for login in ("ana", "carla", "tomas", "aldo")}


async def sent(by: dict[Role, Client], path: str, route: APIRoute, body: Any) -> tuple[int, dict[str, Any]]:
    permission = permission_of(route)
    person = next(client for role, client in by.items() if permission is None or role in MATRIX[permission])
    (method,) = route.methods or ()
    headers = {
        "Origin": person.base,
        "X-CSRF-Token": person.token,
        "Content-Type": "application/json",
        "If-Match": '"x"',
        "Accept-Language": "es",
    }
    answer = await person.http.request(method, filled(path), content=json.dumps(body), headers=headers)
    told = answer.json()
    assert answer.headers["content-type"] == "application/problem+json", (path, told)
    assert told["detail"] and told["title"], (path, told)
    return answer.status_code, told


async def test_every_route_with_texts_is_listed() -> None:
    """A new route with a text takes its place in the tables above."""
    missing = []
    for path, _, form, body in bodies():
        texts = [name for name, field in form.model_fields.items() if "str" in str(field.annotation)]
        if texts and not body:
            missing.append((path, texts))
    assert missing == []


@pytest.mark.requirement("R24")
@pytest.mark.promise("P11")
async def test_a_reason_that_says_nothing_is_refused_before_anybody_approves_it(house: Office) -> None:
    by, before, tried = await people(house), heads(house), set()
    for path, route, form, body in bodies():
        for name in form.model_fields:
            if name not in ("reason", "note") or form.model_fields[name].annotation is not str:
                continue
            if form.model_json_schema()["properties"][name].get("minLength") != 4:
                continue
            for blank in BLANK:
                status, told = await sent(by, path, route, body | {name: blank})
                assert (status, told["refusal"], told["facts"].get("place")) == (422, "form_invalid", f"body.{name}"), (
                    path
                )
                assert told["facts"]["why"] == "reason_blank" and "letras o cifras" in told["detail"], told
            tried.add(path)
    assert len(tried) >= 30
    assert heads(house) == before


@pytest.mark.promise("P11")
async def test_a_sign_that_is_not_seen_is_refused_in_every_text(house: Office) -> None:
    by, before, tried = await people(house), heads(house), 0
    for number, (path, route, _, body) in enumerate(bodies()):
        for place, at in enumerate(texts_in(body)):
            sign = HIDDEN[(number + place) % len(HIDDEN)]
            status, told = await sent(by, path, route, with_text(body, at, f"Mesa{sign}uno"))
            assert (status, told["refusal"]) == (422, "form_invalid"), (path, at, told)
            tried += 1
    assert tried > 80
    assert heads(house) == before


async def test_half_a_sign_is_refused_whatever_route_and_place(house: Office) -> None:
    """Also as a field's name, in a list, and deep down: JSON can name what no text can hold."""
    by, before = await people(house), heads(house)
    for path, route, _, body in bodies():
        for wrong in (body | {"\ud800": 1}, {"\ud800": "\udfff"}, "\ud800", ["\ud800"]):
            status, told = await sent(by, path, route, wrong)
            assert (status, told["refusal"]) == (422, "form_invalid"), (path, told)
    assert heads(house) == before


async def test_a_reason_may_have_lines(house: Office) -> None:
    ana = await house.person("ana")
    body = {"table": "t1", "main_minor": 1, "cause": "fault_correction", "reason": "Primera línea\nsegunda línea"}
    assert (await ana.post(f"{PREFIX}/carousels/gran/adjustment", body)).status_code == 202
