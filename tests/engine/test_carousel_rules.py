"""The carousel rule by rule: refusals by name, held prizes, corrections, advances, joins, leaves, quarantine."""

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
    MemberRekeyed,
    MemberSealed,
    MeterAdjusted,
    PrizeReleased,
    StartValueReset,
    StepAccepted,
    TableExcluded,
)
from controller.engine.host_outbox import meter, roster
from controller.engine.host_state import Phase
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import ClaimName, Profile, Signed
from controller.engine.ledger_state import Standing
from controller.engine.member_state import OnLinkLoss, RowStatus
from controller.engine.messages import PendingPrize
from tests.engine.carousel_house import (
    CENTAVO,
    PRIZES,
    TWO,
    Host,
    House,
    Journal,
    Table,
    four,
    royal,
    straight_flush,
    talk,
)

FAULT = PoolCause.FAULT_CORRECTION

NAME = ClaimName("t2", "t2-i1", 1)
PROFILE = Profile("t9", "t9-i1", "key", "ARS", 1, PRIZES)


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
    host = house.host
    host.state = dataclasses.replace(
        host.state, settings=dataclasses.replace(host.state.settings, held_from_minor=limit)
    )
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


@pytest.mark.requirement("R50", "R58")
@pytest.mark.parametrize(("policy", "stopped"), [(OnLinkLoss.STOP_BETS, True), (OnLinkLoss.CONTINUE, False)])
def test_on_link_loss(policy: OnLinkLoss, stopped: bool) -> None:
    house = House(Host.new(), [])
    house.host.decide(CarouselFounded("new"))
    table = house.add(Table.new("t1", on_link_loss=policy))
    table.store(member.link_changed(table.state, True, "p1"))
    assert member.check_bet(table.state) is None
    table.store(member.link_changed(table.state, False, "p2"))
    refused = member.check_bet(table.state)
    assert (refused is not None and refused.reason is Refusal.JACKPOT_BETS_STOPPED) == stopped


@pytest.mark.parametrize(
    ("advanced", "awarded", "status", "still", "house_bears"),
    [(30_000, "same", "pending", 20_000, 0), (50_000, "same", "paid", 0, 0), (50_000, "smaller", "paid", 0, 5_000)],
)
def test_offline_advance(advanced: int, awarded: str, status: str, still: int, house_bears: int) -> None:
    """Never above what the journaled ledger gives at lock; the seat is paid the rest, the house bears an excess."""
    house = House.of("t1", "t2", start_minor=250_000)
    one, two = house.tables
    one.bet(0)
    one.win(straight_flush(1))
    above = member.advance(one.state, hand=1, seat=1, amount_minor=50_001, signed=TWO)
    assert isinstance(above, Refused)
    assert above.facts == {"seat": 1, "most": 50_000}
    assert one.store(member.advance(one.state, hand=1, seat=1, amount_minor=advanced, signed=TWO)) is None
    if awarded == "smaller":
        two.bet(0)
        two.win(straight_flush(1))
        for message in two.outbox():
            house.host.receive(message)
    house.settle()
    (row,) = one.state.rows.values()
    assert (row.status.value, row.payable_minor) == (status, still)
    assert account(one, "house.prizes") == -house_bears * CENTAVO


@pytest.mark.requirement("R74", "R77")
def test_a_table_leaves_with_its_balance_and_later_voids_are_transfers() -> None:
    house = House.of("t1", "t2")
    one, two = house.tables
    two.bet(0)
    two.win(straight_flush(1))
    house.settle()
    two.pay_all()
    one.bet(7)
    assert one.store(member.leave(one.state, TWO)) is None
    house.settle()
    assert one.state.standing is Standing.LEFT
    assert house.amount_minor == 450_000
    two.win(hand=1, revision=2)
    house.settle()
    assert house.amount_minor == 500_000
    assert house.host.state.ledger.transfers_micros == (450_007 + 50_000) * CENTAVO
    check_ledger(house.host.state.ledger)


def test_who_may_not_leave() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    assert reason(table.store(member.leave(table.state, TWO))) is Refusal.CLAIM_OPEN
    house.settle()
    assert reason(table.store(member.leave(table.state, TWO))) is Refusal.PRIZE_OPEN
    table.pay_all()
    assert reason(table.store(member.leave(table.state, Signed("", "ana", "bea")))) is Refusal.REASON_MISSING
    assert table.store(member.leave(table.state, TWO)) is None
    assert reason(member.check_bet(table.state)) is Refusal.JACKPOT_BETS_STOPPED


def test_a_join_waits_until_every_table_has_journaled_it() -> None:
    house = House.of("t1")
    new = Table.new("t2")
    new.start()
    house.host.join(new)
    assert house.host.state.ledger.tables["t2"].standing is Standing.JOINING
    assert house.amount_minor == 500_000
    house.tables.append(new)
    house.settle()
    assert house.amount_minor == 1_000_000


def test_another_currency_does_not_join() -> None:
    house = House.of("t1")
    foreign = Profile("t9", "t9-i1", "key", "USD", 1, PRIZES)
    assert reason(house.host.decide(MemberAccepted(foreign, "enrol"))) is Refusal.CURRENCY_DIFFERS


@pytest.mark.requirement("R33")
def test_quarantine_waits_for_two_people_and_ends() -> None:
    house = House(Host.new(), [])
    house.host.decide(CarouselFounded("new"))
    table = Table.new("t1")
    table.start()
    house.tables.append(table)
    house.host.join(table, bound_micros=10 * CENTAVO)
    house.settle()
    table.bet(5)
    table.bet(1_000)
    table.win(straight_flush(1))
    house.settle()
    assert house.amount_minor == 500_000
    assert table.state.open_claims
    told = meter(house.host.state).pending
    assert told == (PendingPrize("t1", 2, 1, "straight_flush", 0, held=True, waiting=True),)
    assert sum(entry.kind == "host.waiting" for entry in house.host.journal) == 1
    house.host.start("again")
    assert meter(house.host.state).pending == told
    for main, reserve in ((2_000_000, 0), (-7, 0), (0, 1), (1_006, 0)):
        wrong = StepAccepted("t1", "counted by hand", main * CENTAVO, reserve * CENTAVO, FAULT)
        assert reason(house.host.decide(wrong)) is Refusal.WRONG_ABOVE_STEP
    uncaused = StepAccepted("t1", "counted by hand", wrong_main_micros=900 * CENTAVO)
    assert reason(house.host.decide(uncaused)) is Refusal.REASON_MISSING
    assert (
        reason(house.host.decide(dataclasses.replace(uncaused, cause=PoolCause.RECORDED_WIN)))
        is Refusal.CAUSE_NOT_FOR_THIS
    )
    assert house.host.decide(dataclasses.replace(uncaused, cause=FAULT)) is None
    house.settle()
    assert not table.state.open_claims
    assert [(each.amount_minor, each.waiting) for each in meter(house.host.state).pending] == [(50_010, False)]
    assert house.amount_minor == 500_105 - 50_010
    assert reason(house.host.decide(StepAccepted("t1", "again"))) is Refusal.NOTHING_QUARANTINED
    check_ledger(house.host.state.ledger)


def test_the_bound_grows_with_hands_so_that_an_outage_is_no_alarm() -> None:
    house = House(Host.new(), [])
    house.host.decide(CarouselFounded("new"))
    table = Table.new("t1")
    table.start()
    house.tables.append(table)
    house.host.join(table, bound_micros=10 * CENTAVO)
    house.settle()
    for _ in range(200):
        table.bet(10)
    house.settle()
    assert house.amount_minor == 502_000


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
    assert house.host.decide(BalanceTransferred("t1", 50_000 * CENTAVO, "moved", "t2", cause=FAULT)) is None
    assert house.amount_minor == 1_050_000
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


@pytest.mark.requirement("R29")
def test_ceiling_sends_the_excess_to_the_overflow_and_a_restart_uses_it() -> None:
    house = House(Host.new(), [])
    house.host.decide(CarouselFounded("new"))
    table = Table.new("t1")
    table.start()
    house.tables.append(table)
    house.host.join(table, start_minor=100, ceiling_micros=150 * CENTAVO)
    house.settle()
    table.bet(200)
    house.settle()
    assert house.amount_minor == 150
    table.win(royal(1))
    house.settle()
    assert rows(house, 0) == [(1, 150, "pending")]
    assert house.amount_minor == 150
    check_ledger(house.host.state.ledger)


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


def silent(table: Table, minutes: int) -> None:
    table.store(member.link_silent(table.state, minutes, f"silent {len(table.journal)}"))


def heard(table: Table, up: bool) -> None:
    table.store(member.link_changed(table.state, up, f"heard {len(table.journal)}"))


@pytest.mark.requirement("R57")
def test_after_a_day_without_the_host_bets_stop_until_both_agree() -> None:
    """`continue` has an end; what was bet meanwhile is absorbed and every claim answered before bets go on."""
    house = House.of()
    table = house.add(Table.new("t1", lost_limit_minutes=24 * 60))
    heard(table, True)
    heard(table, False)
    silent(table, 24 * 60 - 10)
    assert member.check_bet(table.state) is None
    table.bet(10)
    table.win(straight_flush(1))
    table.start("a restart forgets none of it")
    silent(table, 10)
    refused = member.check_bet(table.state)
    assert refused is not None
    assert refused.facts["why"] == "link_lost_too_long"
    silent(table, 10)
    assert table.state.lost_minutes == 24 * 60
    heard(table, True)
    assert member.check_bet(table.state) is not None, "heard again, but the bets of the outage are not in the ledger"
    house.settle()
    assert table.state.agrees
    assert member.check_bet(table.state) is None
    assert table.state.lost_minutes == 0


def test_a_shorter_silence_is_forgotten_and_without_a_bound_nothing_is_counted() -> None:
    house = House.of()
    table, free = house.add(Table.new("t1", lost_limit_minutes=60)), house.add(Table.new("t2"))
    for each in (table, free):
        heard(each, True)
        heard(each, False)
        silent(each, 50)
    assert (table.state.lost_minutes, free.state.lost_minutes) == (50, 0)
    heard(table, True)
    assert table.state.lost_minutes == 0
    silent(table, 50)
    assert table.state.lost_minutes == 0


@pytest.mark.requirement("R56")
def test_two_people_change_the_key_of_a_table() -> None:
    house = House.of("t1", "t2")
    before = house.amount_minor
    assert reason(house.host.decide(MemberRekeyed("t1", "b" * 64, "stolen"), second=None)) is (
        Refusal.SECOND_PERSON_MISSING
    )
    assert house.host.decide(MemberRekeyed("t1", "b" * 64, "stolen")) is None
    house.settle()
    assert [table.state.ledger.tables["t1"].profile.key for table in house.tables] == ["b" * 64, "b" * 64]
    assert roster(house.host.state).members[0].key == "b" * 64
    assert reason(house.host.decide(MemberRekeyed("t1", "b" * 64, "again"))) is Refusal.NOTHING_CHANGES
    assert reason(house.host.decide(MemberRekeyed("t9", "b" * 64, "who"))) is Refusal.UNKNOWN_TABLE
    house.host.decide(MemberSealed("t2", "lost", True))
    assert reason(house.host.decide(MemberRekeyed("t2", "c" * 64, "late"))) is Refusal.INCARNATION_SEALED
    assert house.amount_minor == before


def test_a_host_that_finds_another_key_waits_to_be_promoted() -> None:
    """Its epoch is its key's: what it would say under another one no table takes."""
    house = House.of("t1")
    other = Host.new("B")
    other.journal = Journal(house.host.journal)
    other.start("with another key")
    assert (other.state.phase, other.state.why_fenced) == (Phase.FENCED, "key_changed")
    assert other.decide(HostPromoted("the key was changed")) is None
    talk(other, *house.tables)
    assert other.state.phase is Phase.SERVING
    house.tables[0].bet(5)
    talk(other, *house.tables)
    assert other.state.ledger.amount_micros == 500_005 * CENTAVO
