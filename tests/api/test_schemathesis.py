"""Requests made up from the OpenAPI document: whatever is sent, the answer is one that the document allows."""

import asyncio
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from tests.api.office import Client, Office

EXAMPLES = 6
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
# Logging out would end the run; a live stream has no end.
LEFT_OUT = {("DELETE", "/api/v1/session"), ("GET", "/api/v1/tables/{table}/live")}


def call_everything(base: str, person: Client) -> int:
    """Every operation of the document with made-up input; answers how many were called."""
    schema = schemathesis.openapi.from_url(f"{base}/api/v1/openapi.json")
    cookies = dict(person.http.cookies)
    headers = {"Origin": base, "X-CSRF-Token": person.token}
    count = 0
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        if (operation.method.upper(), operation.path) in LEFT_OUT:
            continue
        count += 1

        @given(case=operation.as_strategy())
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def check(case: schemathesis.Case[Any]) -> None:
            case.call_and_validate(base_url=base, headers=headers, cookies=cookies, checks=CHECKS)

        check()
    return count


@pytest.mark.promise("P11")
async def test_made_up_requests_never_break_it(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    await office.win()
    person = await office.person("ana")
    assert await asyncio.to_thread(call_everything, office.base, person) > 40
    assert (await person.get("/readyz")).status_code == 200
