"""Requests made up from the OpenAPI document: whatever is sent, the answer is one that the document allows."""

import asyncio
from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from controller.api.app import api_routes, permission_of
from controller.api.roles import MATRIX
from controller.engine.accounts_state import Role
from tests.api.office import ROLES, Client, Office

EXAMPLES = 6
PEOPLE = ("ana", "carla", "tomas", "aldo")
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
# Logging out would end the run; a live stream has no end.
LEFT_OUT = {("DELETE", "/api/v1/session"), ("GET", "/api/v1/tables/{table}/live")}


def able(method: str, path: str) -> str:
    """The first person whose role may call an operation, so that its body is read."""
    for full, route in api_routes():
        if (full.replace(":path}", "}"), method) == (path, *(route.methods or ())):
            permission = permission_of(route)
            return next(each for each in PEOPLE if permission is None or Role(ROLES[each]) in MATRIX[permission])
    raise AssertionError(f"{method} {path}")


def call(operation: Any, base: str, person: Client) -> None:
    """One operation with made-up input, by somebody whose role may call it."""
    cookies, headers = dict(person.http.cookies), {"Origin": base, "X-CSRF-Token": person.token}

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: schemathesis.Case[Any]) -> None:
        answer = case.call_and_validate(base_url=base, headers=headers, cookies=cookies, checks=CHECKS, timeout=60)
        assert answer.status_code != 403 or answer.json()["refusal"] != "role_missing", operation.path

    check()


def call_everything(base: str, people: dict[str, Client]) -> Counter[str]:
    """Every operation of the document; answers how many of them each person called."""
    schema = schemathesis.openapi.from_url(f"{base}/api/v1/openapi.json")
    count: Counter[str] = Counter()
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        if (operation.method.upper(), operation.path) not in LEFT_OUT:
            login = able(operation.method.upper(), operation.path)
            call(operation, base, people[login])
            count[login] += 1
    return count


@pytest.mark.promise("P11")
async def test_made_up_requests_never_break_it(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    await office.win()
    people = {login: await office.person(login) for login in PEOPLE}
    called = await asyncio.to_thread(call_everything, office.base, people)
    assert called["ana"] > 40 and called["carla"] > 4
    assert (await people["ana"].get("/readyz")).status_code == 200
