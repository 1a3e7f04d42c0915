"""The carousel's prizes and money rule by rule: refusals by name, held prizes, corrections, advances, pools."""

import dataclasses

import pytest

from controller.core.causes import PoolCause
from controller.core.refusal import Refusal, Refused
from controller.engine import ledger_book, member
from controller.engine.host_events import (
    AwardSettled,
    BalanceTransferred,
    CarouselFounded,
    HostPromoted,
    MemberAccepted,
    MemberSealed,
    MeterAdjusted,
    PrizeReleased,
    StartValueReset,
    StepAccepted,
    TableExcluded,
)
from controller.engine.host_outbox import meter
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import ClaimName, Profile, Signed
from controller.engine.member_state import RowStatus
from tests.engine.carousel_house import CENTAVO, PRIZES, Host, House, Table, four, royal, straight_flush
from tests.engine.carousel_stories import held_from

FAULT = PoolCause.FAULT_CORRECTION
NAME = ClaimName("t2", "t2-i1", 1)
PROFILE = Profile("t9", "t9-i1", "key", "ARS", CENTAVO, PRIZES)


def rows(house: House, place: int) -> list[tuple[int, int, str]]:
    state = house.tables[place].state
    return [(row.seat, row.amount_minor, row.status.value) for row in (state.rows[key] for key in state.rows)]


def reason(answer: Refused | None) -> Refusal | None:
    return None if answer is None else answer.reason


@pytest.mark.requirement("R03", "R24", "R73", "R74", "R81")
@pytest.mark.parametrize(
    "event",
    [
        CarouselFounded(""),
        MemberAccepted(PROFILE, ""),
        MemberSealed("t1", "", True),
        StepAccepted("t1", ""),
        MeterAdjusted("t1", 1, ""),
        StartValueReset("t1", 1, ""),
        BalanceTransferred("t1", 1, ""),
        PrizeReleased(NAME, ""),
        AwardSettled(NAME, "", True),
        HostPromoted(""),
        TableExcluded("t1", "", True),
    ],
    ids=lambda event: type(event).__name__,
)
def test_every_act_of_people_needs_a_reason_and_two_persons(event: object) -> None:
    house = House.of("t1", "t2")
    size = house.size
    assert reason(house.host.decide(event)) is Refusal.REASON_MISSING
    reasoned = dataclasses.replace(event, reason="because")  # type: ignore[type-var]  # every event is a dataclass
    assert reason(house.host.decide(reasoned, "ana", None)) is Refusal.SECOND_PERSON_MISSING
    assert reason(house.host.decide(reasoned, "ana", "ana")) is Refusal.SAME_PERSON_TWICE
    assert house.size == size


def test_held_prize_is_payable_after_its_release() -> None:
    house = House.of("t1", "t2")
    for table, seat in zip(house.tables, (1, 2), strict=True):
        table.bet(0)
        table.win(straight_flush(seat))
    house.settle()
    assert rows(house, 1) == [(2, 90_000, "held")]
    assert house.host.decide(PrizeReleased(NAME, "checked")) is None
    assert reason(house.host.decide(PrizeReleased(NAME, "again"))) is Refusal.UNKNOWN_PRIZE
    house.settle()
    assert house.tables[1].pay_all() == 90_000


@pytest.mark.parametrize(("limit", "status"), [(50_000, "held"), (50_001, "pending"), (None, "pending")])
def test_a_large_prize_waits_for_the_pit_boss(limit: int | None, status: str) -> None:
    house = House.of("t1")
    held_from(house.host, limit)
    house.tables[0].bet(0)
    house.tables[0].win(straight_flush(1), four(2))
    house.settle()
    assert {row.status.value for row in house.tables[0].state.rows.values()} == {status}


def test_a_void_recomputes_the_held_award_and_not_the_released_one() -> None:
    """t1 takes 10 % of 1,500,000; t2 and t3 are held behind it; t3 is released; then t1's hand was no flush."""
    house = House.of("t1", "t2", "t3")
    for table, seat in zip(house.tables, (1, 2, 3), strict=True):
        table.bet(0)
        table.win(straight_flush(seat))
        house.settle()
    assert [rows(house, place)[0][1] for place in range(3)] == [150_000, 135_000, 121_500]
    house.host.decide(PrizeReleased(ClaimName("t3", "t3-i1", 1), "checked"))
    house.settle()
    house.tables[0].win(hand=1, revision=2)
    house.settle()
    assert [rows(house, place)[0] for place in range(3)] == [
        (1, 0, "void"),
        (2, 150_000, "held"),
        (3, 121_500, "pending"),
    ]
    assert house.amount_minor == 1_500_000 - 150_000 - 121_500
    check_ledger(house.host.state.ledger)


def test_two_voids_in_a_row_know_of_each_other() -> None:
    """The held award is computed anew at its own place after each, out of what was there without the others."""
    house = House.of("t1", "t2", "t3")
    for table, seat in zip(house.tables, (1, 2, 3), strict=True):
        table.bet(0)
        table.win(straight_flush(seat))
        house.settle()
    house.tables[0].win(hand=1, revision=2)
    house.settle()
    house.tables[1].win(hand=1, revision=2)
    house.settle()
    assert rows(house, 2) == [(3, 150_000, "held")]


@pytest.mark.requirement("R85")
def test_corrected_card_before_payment() -> None:
    house = House.of("t1")
    house.tables[0].bet(0)
    house.tables[0].win(straight_flush(1))
    house.settle()
    house.tables[0].win(four(1, credits=2), hand=1, revision=2)
    assert rows(house, 0) == [(1, 50_000, "stopped")]
    house.settle()
    assert rows(house, 0) == [(1, 100_000, "pending")]
    assert house.amount_minor == 500_000


@pytest.mark.requirement("R85")
def test_corrected_card_after_payment_is_the_house_s_loss() -> None:
    house = House.of("t1")
    house.tables[0].bet(0)
    house.tables[0].win(straight_flush(1), straight_flush(2))
    house.settle()
    assert house.tables[0].pay_all() == 100_000
    house.tables[0].win(straight_flush(2), hand=1, revision=2)
    house.settle()
    assert rows(house, 0) == [(1, 0, "void"), (2, 50_000, "paid")]
    assert house.amount_minor == 450_000
    assert account(house.tables[0], "house.prizes") == -50_000 * CENTAVO
    assert account(house.tables[0], "prizes.payable") == 0
    assert account(house.tables[0], "prizes.paid") == 100_000 * CENTAVO


def account(table: Table, name: str) -> int:
    return sum(post.micros for entry in table.journal for post in entry.postings if post.account == name)


def test_a_correction_upwards_pays_the_rest() -> None:
    house = House.of("t1")
    house.tables[0].bet(0)
    house.tables[0].win(straight_flush(1))
    house.settle()
    house.tables[0].pay_all()
    house.tables[0].win(royal(1), hand=1, revision=2)
    house.settle()
    assert rows(house, 0) == [(1, 500_000, "pending")]
    assert house.tables[0].pay_all() == 450_000
    assert house.amount_minor == 500_000


def test_a_correction_takes_two_people() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    assert isinstance(member.claim(table.state, hand=1, winners=(), revision=2), Refused)
    alone = member.claim(table.state, hand=1, winners=(), revision=2, signed=Signed("x", "ana", "ana"))
    assert isinstance(alone, Refused)
    assert alone.reason is Refusal.SAME_PERSON_TWICE


@pytest.mark.requirement("R71", "R73", "R74")
def test_adjusting_and_resetting_by_people() -> None:
    house = House.of("t1", "t2")
    assert house.host.decide(MeterAdjusted("t1", -1_000 * CENTAVO, "recount", cause=FAULT)) is None
    assert reason(house.host.decide(MeterAdjusted("t1", -(10**13), "too much", cause=FAULT))) is Refusal.BALANCE_TOO_LOW
    assert reason(house.host.decide(MeterAdjusted("t1", 0, "nothing", cause=FAULT))) is Refusal.NOTHING_CHANGES
    same = BalanceTransferred("t1", CENTAVO, "to itself", "t1", cause=FAULT)
    assert reason(house.host.decide(same)) is Refusal.SAME_TABLE_TWICE
    assert house.amount_minor == 999_000
    assert house.host.decide(StartValueReset("t1", 600_000 * CENTAVO, "season", cause=FAULT)) is None
    assert house.amount_minor == 999_000
    assert house.host.decide(StartValueReset("t1", 550_000 * CENTAVO, "season", meter_too=True, cause=FAULT)) is None
    assert house.amount_minor == 1_050_000
    adjusted = house.host.state.ledger.adjustments_micros
    assert house.host.decide(BalanceTransferred("t1", 50_000 * CENTAVO, "moved", "t2", cause=FAULT)) is None
    assert house.amount_minor == 1_050_000
    assert (house.host.state.ledger.transfers_micros, house.host.state.ledger.adjustments_micros) == (0, adjusted)
    house.tables[0].bet(0)
    house.tables[0].win(royal(1))
    house.settle()
    assert house.amount_minor == 1_050_000
    check_ledger(house.host.state.ledger)


def test_a_reversal_below_zero_is_the_house_s() -> None:
    house = House.of("t1", start_minor=0)
    table = house.tables[0]
    table.bet(1_000)
    table.win(royal(1))
    house.settle()
    assert house.amount_minor == 0
    table.reverse(1_000)
    house.settle()
    assert house.amount_minor == 0
    assert house.host.state.ledger.funding_micros == 1_000 * CENTAVO
    check_ledger(house.host.state.ledger)


def test_an_old_hand_stays_answered_when_its_award_is_no_longer_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_book, "KEPT_AWARDS", 3)
    house = House.of("t1")
    table = house.tables[0]
    first = None
    for _ in range(6):
        table.bet(1)
        table.win(four(1))
        first = first or next(message for message in table.outbox() if type(message).__name__ == "Claimed")
        house.settle()
        table.pay_all()
    assert len(house.host.state.ledger.awards) == 3
    assert first is not None
    assert reason(house.host.receive(first)) is Refusal.CLAIM_TOO_OLD


def test_payment_refusals_by_name() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    house.settle()
    row = "t1/t1-i1/1/1"
    assert reason(table.store(member.pay(table.state, "t1/t1-i1/9/1", actor="ana"))) is Refusal.UNKNOWN_PRIZE
    assert reason(table.store(member.pay(table.state, row, actor="ana"))) is Refusal.PRIZE_NOT_VERIFIED
    table.start("again")
    assert reason(table.store(member.pay(table.state, row, actor="ana"))) is Refusal.HEAD_NOT_CONFIRMED
    house.settle()
    table.store(member.verify_row(table.state, row, actor="ana"))
    assert reason(table.store(member.pay(table.state, row, actor="ana", second="ana"))) is Refusal.SAME_PERSON_TWICE
    assert table.store(member.pay(table.state, row, actor="ana", second="bea")) is None
    assert reason(table.store(member.pay(table.state, row, actor="ana"))) is Refusal.PRIZE_NOT_PENDING
    assert table.state.rows[row].status is RowStatus.PAID


def test_a_claim_that_waits_ends_with_its_incarnation() -> None:
    """Sealed before anybody accepted its counters: what it claimed is for people to settle, no longer PENDING."""
    house = House(Host.new(), [])
    house.host.decide(CarouselFounded("new"))
    table = Table.new("t1")
    table.start()
    house.tables.append(table)
    house.host.join(table, bound_micros=10 * CENTAVO)
    house.settle()
    table.bet(1_000)
    table.win(straight_flush(1))
    house.settle()
    assert meter(house.host.state).pending
    assert house.host.decide(MemberSealed("t1", "lost", True)) is None
    assert meter(house.host.state).pending == ()
    assert house.host.state.quarantined == {}
