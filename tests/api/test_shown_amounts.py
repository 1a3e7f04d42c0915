"""What two people are shown of prizes before a void, a release or an advance is what then happens, or nothing does."""

from pathlib import Path
from typing import Any

import pytest

from controller.api import acts, targets
from controller.api.effects import effects_of
from controller.api.words import today
from controller.core.cards import parse_cards
from controller.core.events import Envelope, HandCorrected, PrizeAdvanced, PrizePaid, PrizeVerified
from controller.core.prize_events import HoldReason, OverrideReason, PrizeOverridden, PrizePutOnHold
from controller.engine.accounts_state import Approval
from controller.engine.host_events import AwardSettled, PrizeReleased
from controller.engine.ledger_records import ClaimName
from tests.api.acts import REASON, approved, meter
from tests.api.crawl import every_amount_leads_to_its_origin
from tests.api.office import STRAIGHT_FLUSH, Office, open_office, until
from tests.api.test_holds import held_pit
from tests.api.test_offline import win_cut_off

CENTAVO = 10_000
ROYAL = "As Ks Qs Js Ts"


def link(office: Office, table: str = "t1") -> Any:
    return office.node.tables[table].runner.state.link


async def asked_void(office: Office, hand: int) -> tuple[Any, dict[str, Any]]:
    """The request for a void, and its effects by what they are of."""
    ana = await office.person("ana")
    asked = await ana.post("/api/v1/tables/t1/void", {"hand": hand, "reason": "deal_error", "note": REASON})
    shown = (await ana.get(f"/api/v1/approvals/{asked.json()['approval']}")).json()["effects"]
    return asked, {each["what"]: (each["before"], each["after"]) for each in shown}


async def absorbed(office: Office) -> None:
    ledger = office.node.hosts["gran"].runner
    await until(
        lambda: all(
            ledger.state.ledger.tables[name].absorbed == link(office, name).counters
            and link(office, name).ledger == ledger.state.ledger
            and not link(office, name).open_claims
            for name in office.node.tables
        ),
        "both ends have one ledger",
    )


@pytest.mark.promise("P4")
@pytest.mark.requirement("R24")
@pytest.mark.parametrize("cards", [STRAIGHT_FLUSH, ROYAL], ids=["a tenth", "with its restart"])
@pytest.mark.parametrize("way", ["pending", "overridden", "paid"])
async def test_the_meter_after_a_void_is_the_one_that_was_shown(office: Office, cards: str, way: str) -> None:
    await office.deal("t2", seat=2, credits=5)
    await absorbed(office)
    prize = await office.win(cards=cards)
    row, cash = prize["id"], prize["amount_minor"]
    if way != "pending":
        await office.tell("t1", PrizeVerified(row), "ana")
    if way == "overridden":
        await office.tell("t1", PrizeOverridden(row, cash + 77, OverrideReason.OTHER, REASON), "ana", "carla")
    if way == "paid":
        await office.tell("t1", PrizePaid(row), "ana", "carla")
    await absorbed(office)
    before = meter(office)
    asked, shown = await asked_void(office, prize["hand"])
    assert shown["carousel_meter"][0] == before // CENTAVO
    assert shown.get("prize_cancelled") == (None if way == "paid" else (cash, 0))
    assert shown.get("prize_kept") == ((cash, cash) if way == "paid" else None)
    await every_amount_leads_to_its_origin(office, people=["ana"])
    assert (await approved(office, asked)).status_code == 200
    await absorbed(office)
    assert shown["carousel_meter"][1] == meter(office) // CENTAVO
    assert link(office).rows[row].paid_minor == (cash if way == "paid" else 0)


async def test_a_hand_whose_prize_was_paid_meanwhile_is_not_void_by_what_was_shown(office: Office) -> None:
    """The page said that the prize is cancelled; by now the player has it, and the house would bear it."""
    prize = await office.win()
    asked, _ = await asked_void(office, prize["hand"])
    await office.tell("t1", PrizeVerified(prize["id"]), "ana")
    await office.tell("t1", PrizePaid(prize["id"]), "ana", "carla")
    assert (await approved(office, asked)).json()["refusal"] == "approval_differs"
    state = office.node.tables["t1"].runner.state
    assert state.last is not None and not state.last.void
    asked, _ = await asked_void(office, prize["hand"])
    assert (await approved(office, asked)).status_code == 200, "they know it now"


async def test_a_void_does_not_wait_for_the_meter_to_stand_still(office: Office) -> None:
    prize = await office.win()
    asked, _ = await asked_void(office, prize["hand"])
    await office.deal("t2", seat=2)
    await absorbed(office)
    assert (await approved(office, asked)).status_code == 200


async def test_a_held_prize_is_released_as_two_people_saw_it(tmp_path: Path) -> None:
    """A corrected card gives the hand another amount while the request waits."""
    async with open_office(tmp_path, site=held_pit) as office:
        prize = await office.win()
        ana, claim = await office.person("ana"), prize["id"].rpartition("/")[0]
        form = {"claim": claim, "reason": REASON}
        asked = await ana.post("/api/v1/carousels/gran/release", form)
        cards = parse_cards("9d Ad 8d Kd 7d Qd 6d Jd 5d Td") or ()
        for old, new in zip(cards[::2], cards[1::2], strict=True):
            await office.tell("t1", HandCorrected(prize["hand"], "seat-3", old, new), "ana", "carla")
        await until(lambda: link(office).rows[prize["id"]].amount_minor > prize["amount_minor"], "the correction")
        assert (await approved(office, asked)).json()["refusal"] == "approval_differs"
        assert link(office).rows[prize["id"]].status.value == "held"
        late = PrizeReleased(ClaimName("t1", claim.split("/")[1], prize["hand"]), REASON, prize["amount_minor"])
        answer = await office.node.hosts["gran"].runner.submit(Envelope("test/late release", late, "ana", "beto"))
        assert answer.refused is not None and answer.refused.reason.value == "approval_differs"
        assert (await approved(office, await ana.post("/api/v1/carousels/gran/release", form))).status_code == 200


async def test_a_hold_is_released_for_the_amount_that_was_shown(office: Office) -> None:
    prize = await office.win()
    row = prize["id"]
    await office.tell("t1", PrizeVerified(row), "ana")
    await office.tell("t1", PrizePutOnHold(row, HoldReason.IDENTITY, REASON), "ana")
    ana = await office.person("ana")
    asked = await ana.post("/api/v1/tables/t1/prizes/hold-release", {"prize": row, "reason": REASON})
    (old, new) = parse_cards("5d Td") or ()
    await office.tell("t1", HandCorrected(prize["hand"], "seat-3", old, new), "ana", "carla")
    await absorbed(office)
    assert link(office).rows[row].amount_minor == prize["amount_minor"]
    assert (await approved(office, asked)).status_code == 200, "the amount is what it was"


async def test_an_advance_adds_to_what_was_paid_when_it_was_asked(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two requests for parts of one prize: the second was shown nothing paid yet. Both are cash of the report."""
    ana = await office.person("ana")
    hand = await win_cut_off(office, monkeypatch)
    body = {"hand": hand, "seat": 3, "amount_minor": 1_000, "reason": REASON}
    asked = await ana.post("/api/v1/tables/t1/prizes/advance", body)
    await office.tell("t1", PrizeAdvanced(hand, 3, 500, REASON), "ana", "carla")
    assert (await approved(office, asked)).json()["refusal"] == "approval_differs"
    again = await ana.post("/api/v1/tables/t1/prizes/advance", body)
    assert (await approved(office, again)).status_code == 200
    (row,) = link(office).rows.values()
    assert row.paid_minor == 1_500
    report = (await ana.get("/api/v1/reports/shift")).json()
    assert [each["paid_minor"] for each in report["tables"] if each["table"] == "t1"] == [1_500]
    await every_amount_leads_to_its_origin(office, people=["ana"])


@pytest.mark.parametrize("act", [PrizeReleased, AwardSettled])
async def test_an_award_is_approved_seat_by_seat(office: Office, act: type) -> None:
    """Another seat may get the same amount by a corrected card."""
    prize = await office.win()
    ports, target = office.node.api_ports(), targets.carousel("gran")
    table, incarnation, hand, _ = prize["id"].split("/")
    envelope = Envelope("test/none of it", act(ClaimName(table, incarnation, int(hand)), REASON), "ana", "beto")
    lines = effects_of(ports, target, envelope.event)
    for where, refusal in (({"seat": 3}, None), ({"seat": 4}, "approval_differs")):
        told = tuple({**each, "where": where} for each in lines)
        shown = Approval("a", {}, "", (), "ana", 0, 0, told)
        differs = await acts._differs(ports, target, envelope, shown)
        assert (None if differs is None else differs.reason.value) == refusal


async def test_a_prize_paid_in_two_shifts_is_in_each_what_left_in_it(office: Office) -> None:
    """A part is advanced, the shift is closed, the rest is paid by another amount: the two sum to the cash."""
    ana = await office.person("ana")
    with pytest.MonkeyPatch.context() as lost:
        hand = await win_cut_off(office, lost)
        await office.tell("t1", PrizeAdvanced(hand, 3, 1_000, REASON), "ana", "carla")
    asked = await ana.post("/api/v1/shifts/close", {"shift": f"{today(office.node.api_ports())}/night"})
    assert (await approved(office, asked)).status_code == 200
    await absorbed(office)
    (row,) = link(office).rows.values()
    await office.tell("t1", PrizeVerified(row.id), "ana")
    more = OverrideReason.DISPLAY_DIFFERED
    await office.tell("t1", PrizeOverridden(row.id, row.payable_minor + 5, more, REASON), "ana", "carla")
    await office.tell("t1", PrizePaid(row.id), "ana", "carla")
    shifts = [(await ana.get(f"/api/v1/reports/shift{which}")).json()["tables"] for which in ("?number=1", "")]
    paid = [next(each for each in tables if each["table"] == "t1")["paid_minor"] for tables in shifts]
    assert paid == [1_000, row.amount_minor - 1_000 + 5]
    await every_amount_leads_to_its_origin(office, people=["ana"])


async def test_a_correction_says_what_stays_paid_and_is_approved_as_it_was_shown(office: Office) -> None:
    """Asked while the prize waited, paid meanwhile: it takes nothing from the player, and two people must know."""
    prize = await office.win()
    ana = await office.person("ana")
    form = {"hand": prize["hand"], "place": "seat-3", "old": "5d", "new": "5c", "reason": REASON}
    path, cash = "/api/v1/tables/t1/cards/correction", prize["amount_minor"]
    asked = await ana.post(path, form)
    await office.tell("t1", PrizeVerified(prize["id"]), "ana")
    await office.tell("t1", PrizePaid(prize["id"]), "ana", "carla")
    assert (await approved(office, asked)).json()["refusal"] == "approval_differs"
    again = await ana.post(path, form)
    shown = (await ana.get(f"/api/v1/approvals/{again.json()['approval']}")).json()["effects"]
    of_prizes = [(each["what"], each["before"], each["after"]) for each in shown if each["unit"] == "minor"]
    assert ("prize_kept", cash, cash) in of_prizes
    assert "prize_cancelled" not in {what for what, _, _ in of_prizes}
    await every_amount_leads_to_its_origin(office, people=["ana"])
    assert (await approved(office, again)).status_code == 200
    await absorbed(office)
    row = link(office).rows[prize["id"]]
    assert (row.amount_minor, row.paid_minor) == (0, cash)
    asked, told = await asked_void(office, prize["hand"])
    assert (told["prize_kept"], "prize_cancelled" in told) == ((cash, cash), False)
    assert (await approved(office, asked)).status_code == 200
