"""Acts of money through the API: prizes, voids, cards, pools, what is asked of two people and what of one."""

from typing import Any

import pytest

from controller.api.act_words import act_title
from controller.api.words import Words
from controller.core.events import Key as DealerKey
from controller.core.events import KeyPressed, PrizePaid
from tests.api.acts import REASON, approved, meter
from tests.api.office import Office, until


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
    title = act_title(Words(office.node.api_ports(), "es"), shown[0])
    assert title == "Pagar un premio · Mesa 1, mano 1, casilla 3"
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
    asked = await ana.post(
        "/api/v1/tables/t1/cards", {"hand": hand, "place": "dealer", "cards": ["Ah", "2h", "3h", "4h", "5h"]}
    )
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
