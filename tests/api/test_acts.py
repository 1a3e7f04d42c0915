"""What people do through the API: one person's acts, two people's, and every refusal by its name."""

from typing import Any

import pytest

from controller.api import routes_prizes
from controller.api.words import Words, today
from controller.core.causes import PoolCause
from controller.core.events import CreditsUnread, Envelope, KeyPressed, PrizePaid
from controller.core.events import Key as DealerKey
from controller.core.records import to_record
from controller.engine.host_events import BalanceTransferred
from tests.api.office import PINS, Client, Office, until

REASON = "Visto por cámara 14 con el supervisor"


async def approved(office: Office, asked: Any, by: str = "beto") -> Any:
    """The second person approves what was asked."""
    assert asked.status_code == 202, asked.text
    told = asked.json()
    second = await office.person(by)
    return await second.post(
        f"/api/v1/approvals/{told['approval']}/approve", {"digest": told["digest"], "pin": PINS[by]}
    )


def meter(office: Office) -> int:
    return office.node.hosts["gran"].runner.state.ledger.amount_micros


@pytest.mark.requirement("R86")
async def test_a_straight_flush_is_verified_by_one_and_paid_by_two(office: Office) -> None:
    prize = await office.win()
    ana = await office.person("ana")
    pending = (await ana.get("/api/v1/prizes")).json()["pending"]
    assert [(each["seat"], each["category"], each["status"]) for each in pending] == [(3, "straight_flush", "pending")]
    too_soon = await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize["id"]})
    assert (too_soon.status_code, too_soon.json()["refusal"]) == (409, "prize_not_verified")
    assert (await ana.post("/api/v1/tables/t1/prizes/verify", {"prize": prize["id"]})).status_code == 200
    asked = await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize["id"]})
    done = await approved(office, asked)
    assert done.status_code == 200, done.text
    row = office.node.tables["t1"].runner.state.link.rows[prize["id"]]
    assert (row.status.value, row.paid_minor) == ("paid", prize["amount_minor"])
    stored = [each.entry for each in office.node.tables["t1"].journal.entries() if each.entry.kind == "prize.paid"]
    assert [(entry.actor, entry.body["second"]) for entry in stored] == [("ana", "beto")]
    again = await approved(office, asked)
    assert (again.status_code, again.json()["repeated"]) == (200, True)
    kinds = [each.entry.kind for each in office.node.tables["t1"].journal.entries()]
    assert (kinds.count("prize.paid"), kinds.count("link.paid")) == (1, 1)


async def test_a_prize_is_asked_for_once_and_who_paid_it_is_told(office: Office) -> None:
    prize = await office.win()
    ana, beto = await office.person("ana"), await office.person("beto")
    body = {"prize": prize["id"]}
    assert (await ana.post("/api/v1/tables/t1/prizes/verify", body)).status_code == 200
    asked = [
        await person.post("/api/v1/tables/t1/prizes/pay", body, key=str(n)) for n, person in enumerate([ana, ana, beto])
    ]
    assert asked[0].json() == asked[1].json() == asked[2].json()
    shown = (await ana.get("/api/v1/approvals")).json()["approvals"]
    assert len(shown) == 1
    title = Words(office.node.api_ports(), "es").act_title(shown[0])
    assert title.startswith("Pagar un premio · Mesa 1, mano 1, casilla 3 · $")
    assert (await approved(office, asked[0])).status_code == 200
    late = await beto.post("/api/v1/tables/t1/prizes/pay", body)
    assert (late.status_code, late.json()["refusal"]) == (409, "prize_already_paid")
    assert "pagó: Ana, Beto" in late.json()["detail"] and prize["id"] not in late.json()["detail"]


async def test_an_approval_of_a_prize_that_was_paid_meanwhile_says_by_whom(office: Office) -> None:
    prize = await office.win()
    ana = await office.person("ana")
    await ana.post("/api/v1/tables/t1/prizes/verify", {"prize": prize["id"]})
    asked = await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize["id"]})
    await office.tell("t1", PrizePaid(prize["id"]), "carla", "aldo")
    done = await approved(office, asked)
    assert (done.status_code, done.json()["refusal"]) == (409, "prize_already_paid")
    assert done.json()["facts"]["paid_by"] == "Carla, Aldo"
    kept = (await ana.get("/api/v1/approvals")).json()["approvals"][0]
    assert (kept["status"], kept["outcome"]["refused"]) == ("refused", "prize_already_paid")
    page = (await ana.get(f"/approvals/{kept['id']}")).text
    assert "El premio ya está pagado</b> (pagó: Carla, Aldo, cuándo: " in page


@pytest.mark.requirement("R03", "R24", "R76")
@pytest.mark.promise("P11")
async def test_a_start_value_is_reset_only_as_two_people_saw_it(office: Office) -> None:
    ana = await office.person("ana")
    body = {"table": "t2", "start_minor": 80_000_000, "meter_too": True, "cause": "approved_start", "reason": REASON}
    before = meter(office)
    asked = await ana.post("/api/v1/carousels/gran/start-value", body)
    shown = (await ana.get(f"/api/v1/approvals/{asked.json()['approval']}")).json()
    assert [(each["what"], each["before"], each["after"]) for each in shown["effects"]] == [
        ("start_value", 50_000_000, 80_000_000),
        ("table_meter", 50_000_000, 80_000_000),
        ("carousel_meter", 100_000_000, 130_000_000),
    ]
    assert meter(office) == before
    assert (await approved(office, asked)).status_code == 200
    assert meter(office) - before == 30_000_000 * 10_000


@pytest.mark.requirement("R05")
async def test_who_may_reset_a_start_value_may_not_move_a_meter(office: Office) -> None:
    carla = await office.person("carla")
    start = {"table": "t2", "start_minor": 80_000_000, "cause": "approved_start", "reason": REASON}
    adjust = {"table": "t2", "main_minor": 100, "cause": "fault_correction", "reason": REASON}
    transfer = {"table": "t2", "amount_minor": 100, "cause": "replacement", "reason": REASON}
    for path, body in (("start-value", {**start, "meter_too": True}), ("adjustment", adjust), ("transfer", transfer)):
        answer = await carla.post(f"/api/v1/carousels/gran/{path}", body)
        assert (answer.status_code, answer.json()["refusal"]) == (403, "role_missing"), path
        assert answer.json()["facts"] == {"roles": "pit_boss"}
    before = meter(office)
    assert (await approved(office, await carla.post("/api/v1/carousels/gran/start-value", start))).status_code == 200
    assert meter(office) == before
    assert "seed_start" in (await carla.get("/api/v1/session")).json()["permissions"]
    page = (await carla.get("/seeds/gran/t2?what=start")).text
    assert "meter_too" not in page
    assert (await carla.get("/seeds/gran/t2?what=adjust")).status_code == 403
    assert "what=adjust" not in (await carla.get("/seeds")).text


@pytest.mark.requirement("R32", "R73", "R74")
@pytest.mark.parametrize(
    ("path", "body", "moved_minor"),
    [
        ("adjustment", {"table": "t1", "main_minor": -1_000}, -1_000),
        ("adjustment", {"table": "t1", "main_minor": 0, "reserve_minor": 500}, 0),
        ("transfer", {"table": "t1", "target": "t2", "amount_minor": 2_000}, 0),
        ("transfer", {"table": "t1", "amount_minor": 2_000}, -2_000),
    ],
)
async def test_pools_move_by_what_was_approved(
    office: Office, path: str, body: dict[str, Any], moved_minor: int
) -> None:
    ana = await office.person("ana")
    before = meter(office)
    asked = await ana.post(f"/api/v1/carousels/gran/{path}", {**body, "cause": "fault_correction", "reason": REASON})
    assert (await approved(office, asked)).status_code == 200
    assert meter(office) - before == moved_minor * 10_000
    told = (await ana.get("/api/v1/carousels/gran/origin")).json()
    assert told["adds_up"] and told["sum_micros"] == told["pools_micros"]


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


async def test_another_amount_that_is_the_same_is_refused_at_once(office: Office) -> None:
    prize = await office.win()
    ana = await office.person("ana")
    body = {"prize": prize["id"], "amount_minor": prize["amount_minor"], "reason": "display_differed", "note": REASON}
    assert (await ana.post("/api/v1/tables/t1/prizes/verify", {"prize": prize["id"]})).status_code == 200
    asked = await ana.post("/api/v1/tables/t1/prizes/override", body)
    assert (asked.status_code, asked.json()["refusal"]) == (409, "nothing_changes"), asked.text
    assert (await ana.get("/api/v1/approvals")).json()["approvals"] == []


@pytest.mark.requirement("R68", "R113")
async def test_a_hand_is_voided_with_its_reason_and_its_bets_returned(office: Office) -> None:
    hand = await office.deal()
    ana = await office.person("ana")
    body = {"hand": hand, "reason": "deal_error", "note": REASON}
    done = await approved(office, await ana.post("/api/v1/tables/t1/void", body))
    assert done.status_code == 200, done.text
    last = office.node.tables["t1"].runner.state.last
    assert last is not None and (last.number, last.void) == (hand, "deal_error")
    assert office.node.tables["t1"].runner.state.wagered_micros == 0
    again = await ana.post("/api/v1/tables/t1/void", body)
    assert (again.status_code, again.json()["refusal"]) == (404, "unknown_hand")


@pytest.mark.requirement("R01", "R85")
async def test_cards_entered_by_hand_win_and_a_corrected_card_takes_it_back(office: Office) -> None:
    ana = await office.person("ana")
    for path, body in (("antes", {"seat": 2}), ("credits", {"seat": 2, "credits": 2}), ("keys", {"key": "close_bets"})):
        assert (await ana.post(f"/api/v1/tables/t1/{path}", body)).status_code == 200
    cards = {"hand": 1, "place": "seat-2", "cards": ["9d", "8d", "7d", "6d", "5d"]}
    assert (await approved(office, await ana.post("/api/v1/tables/t1/cards", cards))).status_code == 200
    await office.tell("t1", KeyPressed(DealerKey.PLAY, 2))
    await office.tell("t1", KeyPressed(DealerKey.HAND_OVER))
    state = office.node.tables["t1"].runner
    await until(lambda: [row.status.value for row in state.state.link.rows.values()] == ["pending"], "the prize")
    fix: dict[str, Any] = {"hand": 1, "place": "seat-2", "old": "5d", "new": "5c"}
    assert (await ana.post("/api/v1/tables/t1/cards/correction", fix)).status_code == 422, "no correction without why"
    asked = await ana.post("/api/v1/tables/t1/cards/correction", {**fix, "reason": REASON})
    shown = (await ana.get(f"/api/v1/approvals/{asked.json()['approval']}")).json()["effects"]
    told = {each["what"]: (each["before"], each["after"]) for each in shown}
    amount = next(iter(state.state.link.rows.values())).amount_minor
    assert told["box_cards"] == ("9d 8d 7d 6d 5d", "9d 8d 7d 6d 5c")
    assert told["box_rank"] == ("straight_flush", "straight")
    assert told["prize_won"] == ("straight_flush", "")
    assert told["prize_cancelled"] == (amount, 0)
    page = (await ana.get(f"/approvals/{asked.json()['approval']}")).text
    assert REASON in page
    assert "Mano que forma" in page
    assert "Vale hasta que termine la mano siguiente" in page
    assert (await approved(office, asked)).status_code == 200
    corrected = next(
        each.entry for each in office.node.tables["t1"].journal.entries() if each.entry.kind == "hand.corrected"
    )
    assert corrected.body["event"]["reason"] == REASON
    await until(lambda: [row.status.value for row in state.state.link.rows.values()] == ["void"], "the prize is gone")


async def test_what_was_asked_for_a_hand_never_reaches_the_next_one(office: Office) -> None:
    hand = await office.deal(cards="2c 4s 6h 8c Tc")
    ana = await office.person("ana")
    asked = await ana.post("/api/v1/tables/t1/cards", {"hand": hand, "place": "dealer", "cards": ["Ah"]})
    await office.tell("t1", KeyPressed(DealerKey.PLAY, 3))
    await office.tell("t1", KeyPressed(DealerKey.HAND_OVER))
    done = await approved(office, asked)
    assert (done.status_code, done.json()["refusal"]) == (404, "unknown_hand")


async def test_jackpot_bets_stop_and_resume(office: Office) -> None:
    tomas = await office.person("tomas")
    assert (await tomas.post("/api/v1/tables/t1/bets/stop", {"note": "sensor en duda"})).status_code == 200
    ana = await office.person("ana")
    await ana.post("/api/v1/tables/t1/antes", {"seat": 1})
    refused = await ana.post("/api/v1/tables/t1/credits", {"seat": 1, "credits": 1})
    assert (refused.status_code, refused.json()["refusal"]) == (409, "jackpot_bets_stopped")
    assert (await ana.post("/api/v1/tables/t1/bets/resume", {})).status_code == 422, "taken again for a reason, too"
    assert (await ana.post("/api/v1/tables/t1/bets/resume", {"note": "sensor cambiado"})).status_code == 200
    entries = office.node.tables["t1"].journal.entries()
    resumed = next(each.entry for each in entries if each.entry.kind == "bets.resumed")
    assert resumed.body == {"source": "people", "note": "sensor cambiado"}
    assert (await ana.post("/api/v1/tables/t1/credits", {"seat": 1, "credits": 1})).status_code == 200


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


@pytest.mark.requirement("R22")
async def test_the_last_prizes_are_the_last_paid_whatever_their_hands_numbers(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table of which the hands have low numbers is beside one with high ones."""
    monkeypatch.setattr(routes_prizes, "LAST", 3)
    ana, flush = await office.person("ana"), "Kd 8d 7d 6d 2d"

    async def pay(table: str, prize: str) -> None:
        for what in ("verify", "pay"):
            answer = await ana.post(f"/api/v1/tables/{table}/prizes/{what}", {"prize": prize})
            if answer.status_code == 202:
                asked = answer.json()
                form = {"digest": asked["digest"], "pin": PINS["beto"], "login": "beto"}
                answer = await ana.post(f"/api/v1/approvals/{asked['approval']}/approve", form)
            assert answer.status_code == 200, answer.text

    first, paid = await office.win("t2", cards=flush), []
    for _ in range(4):
        paid.append((await office.win("t1", cards=flush))["id"])
        await pay("t1", paid[-1])
    await pay("t2", first["id"])
    last = (await ana.get("/api/v1/prizes")).json()["last"]
    assert [each["id"] for each in last] == [first["id"], *reversed(paid[2:])]
    assert [each["settled_ms"] for each in last] == sorted((each["settled_ms"] for each in last), reverse=True)
    assert first["id"] in (await ana.get("/prizes")).text


@pytest.mark.requirement("R21", "R80", "R82")
async def test_a_report_a_slip_and_a_count_come_from_the_journals(office: Office) -> None:
    prize = await office.win()
    ana, aldo = await office.person("ana"), await office.person("aldo")
    await ana.post("/api/v1/tables/t1/prizes/verify", {"prize": prize["id"]})
    await ana.post("/api/v1/tables/t1/slips", {"prize": prize["id"]})
    slip = await aldo.get(f"/api/v1/tables/t1/prizes/slip?prize={prize['id']}")
    assert slip.headers["content-type"] == "application/pdf" and slip.content.startswith(b"%PDF")
    history = (await aldo.get("/api/v1/carousels/gran/history")).json()["points"]
    falls = [point for point in history if "fell_minor" in point]
    assert [(point["fell_minor"], point["kind"]) for point in falls] == [(prize["amount_minor"], "award")]
    day = today(office.node.api_ports())
    report = (await aldo.get(f"/api/v1/reports/day?day={day}")).json()
    assert [(row["hands"], row["bets"], row["hits"]) for row in report["tables"]] == [(1, 1, 1), (0, 0, 0)]
    assert [account["holds"] for account in report["carousels"]] == [True]
    assert (await aldo.get(f"/api/v1/reports/day.pdf?day={day}")).content.startswith(b"%PDF")
    sheet = (await aldo.get(f"/api/v1/reports/day.csv?day={day}")).text.splitlines()
    assert sheet[0].split(";")[4:6] == ["Apostado (ARS)", "Aportes (ARS)"]
    assert sheet[1].startswith("Mesa 1;1;0;1;100,00;")
    english = (await aldo.get(f"/api/v1/reports/day.csv?day={day}&lang=en")).text.splitlines()
    assert english[1].startswith("Mesa 1,1,0,1,100.00,")
    assert sheet[4] == "carrusel;Movimiento;importe (ARS)"
    assert sheet[5] == "Gran Carrusel;Al abrir;0,00"
    counted = await aldo.post("/api/v1/counts", {"table": "t1", "shift": day, "counted_minor": 9_000})
    assert counted.status_code == 200, counted.text
    assert [each["variance_minor"] for each in (await aldo.get("/api/v1/counts")).json()["counts"]] == [-1_000]


async def test_unread_credits_of_every_seat_are_settled_as_none_at_once(office: Office) -> None:
    for seat, most in ((1, None), (2, 4), (5, None)):
        await office.tell("t1", CreditsUnread(seat, 0, most, "reset"))
    ana = await office.person("ana")
    shown = (await ana.get("/api/v1/tables/t1")).json()
    assert (shown["unread_count"], {each["hand"] for each in shown["unread"]}) == (3, {1})
    page = (await ana.get("/table/t1")).text
    assert "al menos 0 créditos, sin cota" in page and "casilla 2, mano 1" in page
    card = (await ana.get("/")).text.partition('id="table-t1"')[2].partition("</a>")[0]
    own = [each for each in shown["alarms"] if each["alarm"] != "clock_unsynchronised"]  # this one is the node's
    assert f"<b>{len(own)} alarma" in card and "Créditos sin leer" in card
    done = await ana.post("/api/v1/tables/t1/unread/none", {})
    assert (done.status_code, len(done.json()["entries"])) == (200, 3)
    assert not office.node.tables["t1"].runner.state.unread
    assert (await ana.post("/api/v1/tables/t1/unread/none", {})).json()["entries"] == []


async def test_the_largest_prizes_come_first_and_the_rest_is_folded(office: Office) -> None:
    for cards in (
        "9d 8d 7d 6d 5d",
        "4c 4d 4h 4s 9c",
        "3c 3d 3h 3s 9c",
        "Ac Kc 9c 8c 2c",
        "2c 2d 2h 2s 9c",
        "5c 5d 5h 5s 9c",
    ):
        await office.win(cards=cards)
    ana = await office.person("ana")
    amounts = [each["amount_minor"] for each in (await ana.get("/api/v1/prizes")).json()["pending"]]
    assert len(amounts) == 6 and amounts == sorted(amounts, reverse=True)
    page = (await ana.get("/table/t1")).text
    assert "1 premio más" in page and page.count('id="pay-') == 6


async def test_unknown_names_are_named(office: Office) -> None:
    ana = await office.person("ana")
    for path, refusal in (
        ("/api/v1/tables/t9", "unknown_table"),
        ("/api/v1/carousels/none", "unknown_carousel"),
        ("/api/v1/journals/none/entries", "unknown_journal"),
        ("/api/v1/approvals/none", "unknown_approval"),
        ("/api/v1/tables/t1/hands/7", "unknown_hand"),
        ("/api/v1/none", "not_found"),
    ):
        answer = await ana.get(path, Accept_Language="en")
        assert (answer.status_code, answer.json()["refusal"]) == (404, refusal)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["type"] == f"urn:carrusel:refusal:{refusal}"


async def test_an_unknown_page_is_a_page_and_an_unknown_path_of_the_api_a_problem(office: Office) -> None:
    client = office.client()
    for path in ("/nowhere", "/static/panel/none.js"):
        page = await client.get(path, Accept="text/html,*/*")
        assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert "No existe" in page.text and "Ir al piso" in page.text
    for path in ("/nowhere", "/api/v1/nowhere"):
        answer = await client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.requirement("R81")
@pytest.mark.parametrize("reason", [None, "", "no"])
async def test_no_seed_changes_without_a_reason(office: Office, reason: str | None) -> None:
    ana = await office.person("ana")
    body = {"table": "t1", "main_minor": 100, "cause": "fault_correction"} | (
        {} if reason is None else {"reason": reason}
    )
    answer = await ana.post("/api/v1/carousels/gran/adjustment", body)
    assert (answer.status_code, answer.json()["refusal"]) == (422, "form_invalid")
    assert answer.json()["facts"]["place"] == "body.reason"


async def test_boxes_are_shared_and_a_deck_is_replaced_by_name(office: Office) -> None:
    ana = await office.person("ana")
    for seat in (1, 2):
        assert (await ana.post("/api/v1/tables/t1/antes", {"seat": seat})).status_code == 200
    shared = await ana.post("/api/v1/tables/t1/boxes/shared", {"seats": [1, 2], "seen": 1})
    assert shared.status_code == 200, shared.text
    receipt = {"maker": "Fournier", "model": "818", "serial": "L-4711", "operator": "Ana"}
    deck = {"old": "none", "new": "otro", "reason": "mazo gastado"}
    assert (await ana.post("/api/v1/tables/t1/decks", deck)).status_code == 422
    replaced = await ana.post("/api/v1/tables/t1/decks", {**deck, **receipt})
    assert (replaced.status_code, replaced.json()["refusal"]) == (409, "unknown_deck")
    page = (await ana.get("/table/t1")).text
    assert 'name="seats" value="7" data-type="ints"' in page and "deck-serial" not in page


async def test_a_technician_tests_the_lamps_from_the_panel(office: Office) -> None:
    tomas, aldo = await office.person("tomas"), await office.person("aldo")
    address = "/api/v1/tables/t1/devices/lamps"
    assert (await aldo.post(address, {"on": True})).status_code == 403
    assert (await tomas.post(address, {"on": True})).status_code == 200
    assert (await tomas.get("/api/v1/tables/t1")).json()["lamp_test"]
    await office.deal()
    assert not (await tomas.get("/api/v1/tables/t1")).json()["lamp_test"]
    answer = await tomas.post(address, {"on": True})
    assert (answer.status_code, answer.json()["refusal"]) == (409, "lamps_in_use")


@pytest.mark.requirement("R90")
async def test_settings_have_an_etag_and_the_node_says_what_runs(office: Office) -> None:
    tomas = await office.person("tomas")
    first = await tomas.get("/api/v1/settings")
    assert first.json()["settings"]["tables"][0]["id"] == "t1"
    again = await tomas.get("/api/v1/settings", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    about = (await tomas.get("/api/v1/about")).json()
    assert about["version"] and about["settings_etag"] == first.headers["etag"]


async def test_two_people_enrol_a_table_and_the_ledger_answers(office: Office) -> None:
    table = office.node.tables["t1"]
    profile = to_record(table.profile(office.node.config, office.node.key))
    carla = await office.person("carla")
    asked = await carla.post("/api/v1/carousels/gran/members", {"profile": profile, "reason": REASON})
    page = (await carla.get(f"/approvals/{asked.json()['approval']}")).text.replace("\u00a0", " ")
    for told in ("Mesa 1", "$ 500.000,00", "Escalera real", "100 %", "Full", "$ 15.000,00"):
        assert told in page, f"read to each other: {told}"
    again = await approved(office, asked)
    assert (again.status_code, again.json()["refusal"]) == (409, "already_member")
    end = {"table": "t2", "seen_switched_off": False, "reason": REASON}
    on = await approved(office, await carla.post("/api/v1/carousels/gran/seal", end))
    assert (on.status_code, on.json()["refusal"]) == (409, "not_switched_off")
    sealed = await carla.post("/api/v1/carousels/gran/seal", {**end, "seen_switched_off": True})
    assert (await approved(office, sealed)).status_code == 200
    ledger = office.node.hosts["gran"].runner.state.ledger
    assert ledger.tables["t2"].standing.value == "sealed"
    foreign = await carla.post(
        "/api/v1/carousels/gran/members", {"profile": {**profile, "table": "t9"}, "reason": REASON}
    )
    assert (foreign.status_code, foreign.json()["refusal"]) == (404, "unknown_table")
    broken = await carla.post("/api/v1/carousels/gran/members", {"profile": {"table": 7}, "reason": REASON})
    assert (broken.status_code, broken.json()["refusal"]) == (422, "form_invalid")


@pytest.mark.requirement("R82")
async def test_a_shift_is_closed_and_signed_by_two_with_every_journals_head(office: Office) -> None:
    await office.win()
    ana = await office.person("ana")
    day = today(office.node.api_ports())
    asked = await ana.post("/api/v1/shifts/close", {"shift": day})
    beto = await office.person("beto")
    page = (await beto.get(f"/approvals/{asked.json()['approval']}")).text.replace("\u00a0", " ")
    for told in ("Apostado", "$ 100,00", "Coincide exactamente con el libro", "Mesa 2"):
        assert told in page, f"the second person sees what he signs: {told}"
    assert (await approved(office, asked)).status_code == 200
    closed = [each.entry for each in office.node.people.journal.entries() if each.entry.kind == "shift.closed"]
    assert [entry.actor for entry in closed] == ["ana"]
    body = closed[0].body
    assert set(body["heads"]) == {"node", "table-t1", "table-t2", "carousel-gran"}
    assert body["figures"]["tables"][0]["hits_by_category"] == {"straight_flush": 1}
