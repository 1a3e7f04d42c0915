"""Requests that wait for a second person: who that is, what it sees, how it ends; one key is one act."""

from typing import Any

import pytest

from controller.core.causes import PoolCause
from controller.core.events import Envelope
from controller.engine.host_events import BalanceTransferred
from tests.api.acts import REASON, approved, meter
from tests.api.office import PINS, Client, Office


@pytest.mark.requirement("R76")
async def test_a_refused_act_is_told_to_the_second_person_and_kept(office: Office) -> None:
    ana = await office.person("ana")
    body = {"table": "t1", "amount_minor": 40_000_000, "cause": "replacement", "reason": REASON}
    asked = await ana.post("/api/v1/carousels/gran/transfer", body)
    meanwhile = BalanceTransferred("t1", 30_000_000 * 10_000, REASON, "t2", PoolCause.REPLACEMENT)
    moved = await office.node.hosts["gran"].runner.submit(Envelope("test/meanwhile", meanwhile, "carla", "aldo"))
    assert moved.refused is None
    done = await approved(office, asked)
    assert done.json()["refusal"] == "balance_too_low"
    kept = (await ana.get("/api/v1/approvals")).json()["approvals"][0]
    assert (kept["status"], kept["outcome"]["refused"]) == ("refused", "balance_too_low")


@pytest.mark.parametrize(
    ("path", "body", "refusal"),
    [
        ("transfer", {"amount_minor": 10**12, "cause": "replacement"}, "balance_too_low"),
        ("adjustment", {"main_minor": -(10**12), "cause": "fault_correction"}, "balance_too_low"),
        ("adjustment", {"main_minor": 0, "cause": "fault_correction"}, "nothing_changes"),
        ("adjustment", {"main_minor": 100, "cause": "approved_start"}, "cause_not_for_this"),
        ("start-value", {"start_minor": 50_000_000, "cause": "approved_start"}, "nothing_changes"),
    ],
)
async def test_what_is_known_to_fail_costs_no_second_person(
    office: Office, path: str, body: dict[str, Any], refusal: str
) -> None:
    ana = await office.person("ana")
    asked = await ana.post(f"/api/v1/carousels/gran/{path}", {"table": "t1", **body, "reason": REASON})
    assert (asked.status_code, asked.json()["refusal"]) == (409, refusal), asked.text
    assert (await ana.get("/api/v1/approvals")).json()["approvals"] == []


@pytest.mark.requirement("R03", "R76")
@pytest.mark.promise("P11")
async def test_the_second_person_is_another_one_with_a_pin_and_the_very_digest(office: Office) -> None:
    ana, beto = await office.person("ana"), await office.person("beto")
    body = {"table": "t1", "main_minor": 100, "cause": "fault_correction", "reason": REASON}
    told = (await ana.post("/api/v1/carousels/gran/adjustment", body)).json()
    path = f"/api/v1/approvals/{told['approval']}/approve"
    right = {"digest": told["digest"], "pin": PINS["beto"]}

    async def refusal(client: Client, sent: dict[str, str]) -> str:
        return str((await client.post(path, sent)).json()["refusal"])

    assert await refusal(ana, {"digest": told["digest"], "pin": PINS["ana"]}) == "same_person_twice"
    assert await refusal(beto, {**right, "digest": "0" * 64}) == "approval_differs"
    assert await refusal(beto, {**right, "pin": "999990"}) == "login_failed"
    assert await refusal(ana, {**right, "login": "aldo", "pin": PINS["aldo"]}) == "role_missing"
    assert await refusal(ana, {**right, "login": "tomas", "pin": PINS["tomas"]}) == "role_missing"
    assert meter(office) == 100_000_000 * 10_000
    assert (await ana.post(path, {**right, "login": "beto"})).status_code == 200
    assert meter(office) == 100_000_100 * 10_000


async def test_a_rejected_request_is_never_done(office: Office) -> None:
    ana, beto = await office.person("ana"), await office.person("beto")
    told = (
        await ana.post(
            "/api/v1/carousels/gran/adjustment",
            {"table": "t1", "main_minor": 100, "cause": "fault_correction", "reason": REASON},
        )
    ).json()
    assert (await beto.post(f"/api/v1/approvals/{told['approval']}/reject", {"note": "no"})).status_code == 200
    late = await beto.post(
        f"/api/v1/approvals/{told['approval']}/approve", {"digest": told["digest"], "pin": PINS["beto"]}
    )
    assert late.json()["refusal"] == "approval_settled"


async def test_a_request_that_its_asker_took_back_is_withdrawn_and_not_rejected(office: Office) -> None:
    ana = await office.person("ana")
    body = {"table": "t1", "main_minor": 100, "cause": "fault_correction", "reason": REASON}
    told = (await ana.post("/api/v1/carousels/gran/adjustment", body)).json()
    assert (await ana.post(f"/api/v1/approvals/{told['approval']}/reject", {"note": "me equivoqué"})).status_code == 200
    for path in ("/approvals", f"/approvals/{told['approval']}"):
        page = (await ana.get(path)).text
        assert "Retirado" in page and "Rechazado" not in page, path
    assert "<td>Ana</td><td>—</td>" in (await ana.get("/approvals")).text


async def test_a_new_account_takes_two_people_and_then_logs_in(office: Office) -> None:
    carla = await office.person("carla")
    form = {"login": "dora", "name": "Dora", "role": "pit_boss", "pin": "908172", "badge": "0009314"}
    weak = await carla.post("/api/v1/users", {**form, "pin": "123456"})
    assert weak.json()["refusal"] == "secret_too_weak"
    asked = await carla.post("/api/v1/users", form)
    assert "908172" not in asked.text
    assert (await office.client().log_in("dora", "908172")).status_code == 401
    assert (await approved(office, asked)).status_code == 200
    assert (await office.client().log_in("0009314", "908172")).json()["refusal"] == "secret_expired"
    own = {"login": "0009314", "pin": "908172", "new_pin": "273645"}
    assert (await office.client().post("/api/v1/session", own)).status_code == 200
    shown = (await carla.get("/api/v1/approvals")).text + (await carla.get("/api/v1/journals/node/entries")).text
    assert "argon2" not in shown
    assert (await carla.post("/api/v1/users/dora/disable", {})).status_code == 200
    assert (await office.client().log_in("dora", "273645")).status_code == 401


async def test_the_last_admin_stays(office: Office) -> None:
    carla = await office.person("carla")
    refused = await carla.post("/api/v1/users/carla/disable", {})
    assert (refused.status_code, refused.json()["refusal"]) == (409, "last_admin")


async def test_one_key_is_one_act(office: Office) -> None:
    ana = await office.person("ana")
    await ana.post("/api/v1/tables/t1/antes", {"seat": 1})
    body = {"seat": 1, "credits": 1}
    first = await ana.post("/api/v1/tables/t1/credits", body, key="k1")
    second = await ana.post("/api/v1/tables/t1/credits", body, key="k1")
    assert (first.json()["repeated"], second.json()["repeated"]) == (False, True)
    assert first.json()["entries"] == second.json()["entries"]
    assert office.node.tables["t1"].runner.state.hand.credits == {1: 1}
    other = await ana.post("/api/v1/tables/t1/credits", {"seat": 1, "credits": 2}, key="k1")
    assert (other.status_code, other.json()["refusal"]) == (409, "conflict")
    seed = {"table": "t1", "main_minor": 100, "cause": "fault_correction", "reason": REASON}
    asked = [await ana.post("/api/v1/carousels/gran/adjustment", seed, key="k2") for _ in range(2)]
    assert asked[0].json() == asked[1].json()
    changed = await ana.post("/api/v1/carousels/gran/adjustment", {**seed, "main_minor": 200}, key="k2")
    assert (changed.status_code, changed.json()["refusal"]) == (409, "conflict")
    unpaid = {"prize": "t1/none/1/1"}
    refused = [await ana.post("/api/v1/tables/t1/prizes/verify", unpaid, key="k3") for _ in range(2)]
    assert [answer.json()["refusal"] for answer in refused] == ["unknown_prize", "unknown_prize"]
    assert (await ana.post("/api/v1/tables/t1/antes", {"seat": 2}, key="k3")).status_code == 200
    elsewhere = await ana.post("/api/v1/tables/t2/credits", body, key="k1")
    assert (elsewhere.status_code, elsewhere.json()["refusal"]) == (409, "conflict")
    again = [(await office.client().log_in("beto", key="k4")).status_code for _ in range(2)]
    assert again == [200, 409]


async def test_a_key_whose_act_had_nothing_to_do_is_that_acts_all_the_same(office: Office) -> None:
    ana = await office.person("ana")
    resume, note = "/api/v1/tables/{}/bets/resume", {"note": REASON}
    for _ in range(2):
        done = await ana.post(resume.format("t1"), note, key="k1")
        assert (done.status_code, done.json()["entries"]) == (200, [])
    for path, body in ((resume.format("t1"), {"note": f"{REASON} 2"}), (resume.format("t2"), note)):
        other = await ana.post(path, body, key="k1")
        assert (other.status_code, other.json()["refusal"]) == (409, "conflict")
    assert (await ana.post(resume.format("t2"), note, key="k2")).status_code == 200
