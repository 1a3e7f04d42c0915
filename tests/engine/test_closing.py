"""The end of a jackpot: announced, begun by the calendar, its money moved to the last unit, and never before."""

from dataclasses import replace

import pytest

from controller.core.causes import PoolCause, split_reason
from controller.core.events import Key, KeyPressed, PrizePaid, PrizeVerified
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import member
from controller.engine.host_events import (
    BalanceTransferred,
    ClosedDisposed,
    ClosingAsked,
    ClosingDayCame,
    HostPromoted,
    MemberSealed,
    MeterAdjusted,
    OrphansAssigned,
)
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_state import ORPHANS
from controller.engine.messages import Counter, Received
from tests.engine.carousel_house import CENTAVO, Host, House, Journal, Table, straight_flush, talk
from tests.engine.pit import BANK, Pit
from tests.invariants.oracle import Oracle

DAY = "2026-12-31"
CLOSE = PoolCause.APPROVED_CLOSING
END = ClosingAsked(DAY, ORPHANS, "the season ends", cause=CLOSE)
MOVE = ClosedDisposed("as announced", CLOSE)


def reason(answer: Refused | None) -> Refusal | None:
    return None if answer is None else answer.reason


def came(house: House) -> Refused | None:
    """The calendar tells the host that the day has come."""
    return house.host.decide(ClosingDayCame(DAY))


def closed(*tables: str, event: ClosingAsked = END) -> House:
    house = House.of(*tables)
    assert house.host.decide(event) is None
    assert came(house) is None
    house.settle()
    return house


def followed(house: House) -> Oracle:
    """The checker's own arithmetic of all the host's records."""
    oracle = Oracle()
    for record in house.host.records(1, 1_000):
        oracle.follow(record)
    check_ledger(house.host.state.ledger)
    return oracle


@pytest.mark.requirement("R75")
def test_from_the_announced_day_no_table_takes_a_jackpot_bet() -> None:
    house = House.of("t1", "t2")
    assert house.host.decide(END) is None
    house.settle()
    for table in house.tables:
        closing = table.state.ledger.closing
        assert closing is not None and (closing.day, closing.target, closing.closed) == (DAY, ORPHANS, False)
        assert member.check_bet(table.state) is None
    assert came(house) is None
    house.settle()
    for table in house.tables:
        refused = member.check_bet(table.state)
        assert refused is not None and refused.facts["why"] == "jackpot_closed"
    assert reason(came(house)) is Refusal.JACKPOT_CLOSED


@pytest.mark.requirement("R75", "R77")
@pytest.mark.parametrize("keep", [False, True])
def test_its_money_goes_to_the_register_of_orphans_less_the_start_if_the_house_takes_it(keep: bool) -> None:
    house = closed("t1", "t2", event=ClosingAsked(DAY, ORPHANS, "over", keep, CLOSE))
    ledger = house.host.state.ledger
    held = sum(account.total_micros for account in ledger.tables.values())
    starts = sum(min(account.start_micros, account.main_micros) for account in ledger.tables.values())
    adjusted = ledger.adjustments_micros
    assert house.host.decide(MOVE) is None
    ledger = house.host.state.ledger
    assert ledger.orphans_micros == held - (starts if keep else 0)
    assert ledger.adjustments_micros - adjusted == -(starts if keep else 0)
    assert (ledger.amount_micros, sum(account.total_micros for account in ledger.tables.values())) == (0, 0)
    assert followed(house).orphans == ledger.orphans_micros
    assert reason(house.host.decide(MOVE)) is Refusal.NOTHING_CHANGES


@pytest.mark.requirement("R74", "R75")
def test_a_named_jackpot_gets_the_money_and_takes_it_in_as_a_transfer() -> None:
    house = closed("t1", event=ClosingAsked(DAY, "Carrusel Norte", "over", cause=CLOSE))
    held = house.host.state.ledger.amount_micros
    assert house.host.decide(MOVE) is None
    ledger = house.host.state.ledger
    assert (ledger.transfers_micros, ledger.orphans_micros) == (held, 0)
    followed(house)
    north = House.of("n1")
    before = north.host.state.ledger
    came_in = MeterAdjusted("n1", held, "of the closed one", cause=PoolCause.CLOSED_JACKPOT)
    assert north.host.decide(came_in) is None
    after = north.host.state.ledger
    assert after.transfers_micros - before.transfers_micros == -held
    assert after.adjustments_micros == before.adjustments_micros
    followed(north)


@pytest.mark.requirement("R75")
def test_orphans_are_assigned_with_a_name_and_a_cause_and_never_more_than_there_are() -> None:
    house = closed("t1")
    house.host.decide(MOVE)
    held = house.host.state.ledger.orphans_micros
    move = PoolCause.APPROVED_MOVE
    assert reason(house.host.decide(OrphansAssigned(held + 1, "norte", "why", move))) is Refusal.BALANCE_TOO_LOW
    assert reason(house.host.decide(OrphansAssigned(held, " ", "why", move))) is Refusal.REASON_MISSING
    wrong = OrphansAssigned(held, "norte", "why", PoolCause.RECORDED_WIN)
    assert reason(house.host.decide(wrong)) is Refusal.CAUSE_NOT_FOR_THIS
    assert house.host.decide(OrphansAssigned(held - CENTAVO, "norte", "why", move)) is None
    assert house.host.state.ledger.orphans_micros == CENTAVO
    assert split_reason(house.host.records(1, 1_000)[-1].body.signed.reason) == (move, "why")  # type: ignore[union-attr]  # the last record is signed
    followed(house)


@pytest.mark.requirement("R75")
def test_nothing_is_moved_before_the_day_nor_while_a_prize_is_open() -> None:
    house = House.of("t1", "t2")
    assert reason(house.host.decide(MOVE)) is Refusal.JACKPOT_NOT_CLOSED
    assert reason(house.host.decide(ClosingAsked("", "", "no", cause=CLOSE))) is Refusal.NO_CLOSING
    house.host.decide(END)
    assert reason(house.host.decide(MOVE)) is Refusal.JACKPOT_NOT_CLOSED
    house.tables[0].bet(100)
    house.tables[0].win(straight_flush(3))
    house.settle()
    assert came(house) is None
    assert reason(house.host.decide(MOVE)) is Refusal.PRIZE_OPEN
    house.settle()
    house.tables[0].pay_all()
    house.settle()
    assert house.host.decide(MOVE) is None
    followed(house)


@pytest.mark.requirement("R74", "R75")
def test_a_win_of_before_the_end_whose_table_is_not_heard_keeps_its_prize() -> None:
    house = House.of("t1", "t2")
    t1, t2 = house.tables
    t2.bet(100)
    house.settle()
    house.host.decide(END)
    house.settle()
    t2.win(straight_flush(3))  # its link is down from here on
    came(house)
    talk(house.host, t1)
    answer = house.host.decide(MOVE)
    assert answer == refuse(Refusal.TABLE_NOT_SETTLED, table="t2")
    house.settle()
    (award,) = house.host.state.ledger.awards.values()
    assert (award.refused, [row.seat for row in award.granted.rows]) == (None, [3])
    assert reason(house.host.decide(MOVE)) is Refusal.PRIZE_OPEN
    t2.pay_all()
    house.settle()
    assert house.host.decide(MOVE) is None
    followed(house)


@pytest.mark.requirement("R74", "R75")
def test_a_hand_with_bets_of_before_the_end_holds_the_money_until_it_is_over() -> None:
    pit = Pit()
    pit.bet(1)
    pit.host.decide(END)
    pit.host.decide(ClosingDayCame(DAY))
    pit.deliver()
    assert reason(pit.host.decide(MOVE)) is Refusal.TABLE_NOT_SETTLED
    pit.close()
    pit.deal("Ks Qs Js Ts 9s", BANK)
    pit.decide_all()
    pit.deliver()
    assert reason(pit.host.decide(MOVE)) is Refusal.TABLE_NOT_SETTLED
    before = pit.meter_minor
    assert not isinstance(pit.do(KeyPressed(Key.HAND_OVER)), Refused)
    assert reason(pit.host.decide(MOVE)) is Refusal.TABLE_NOT_SETTLED
    pit.deliver()
    (row,) = pit.state.link.rows.values()
    assert row.amount_minor == before // 10
    assert reason(pit.host.decide(MOVE)) is Refusal.PRIZE_OPEN
    pit.do(PrizeVerified(row.id), actor="ana")
    pit.do(PrizePaid(row.id), actor="ana", second="bea")
    pit.deliver()
    assert set(pit.host.state.settled) == {"t1/t1-i1"}
    assert pit.host.decide(MOVE) is None


def test_a_host_that_starts_again_knows_who_has_settled_and_one_that_takes_over_is_told() -> None:
    house = closed("t1", "t2")
    old = house.host
    told = old.state.settled
    assert set(told) == {"t1/t1-i1", "t2/t2-i1"}
    old.start("again")
    assert old.state.settled == told
    house.settle()
    blank = Host.new("B")
    for table in house.tables:
        blank.receive(next(message for message in table.outbox() if isinstance(message, Counter)))
    blank.decide(HostPromoted("the host is lost"))
    house.tables[0].playing = True  # as if it had never been told: who takes over knows nothing of its own
    talk(blank, *house.tables)
    assert set(blank.state.settled) == {"t2/t2-i1"}
    assert blank.decide(MOVE) == refuse(Refusal.TABLE_NOT_SETTLED, table="t1")
    house.tables[0].playing = False
    talk(blank, *house.tables)
    assert blank.decide(MOVE) is None


def test_a_table_that_never_comes_back_is_sealed_by_two_people_before_the_money_is_moved() -> None:
    house = House.of("t1", "t2")
    t1, _ = house.tables
    house.host.decide(END)
    came(house)
    talk(house.host, t1)
    assert house.host.decide(MOVE) == refuse(Refusal.TABLE_NOT_SETTLED, table="t2")
    assert house.host.decide(MemberSealed("t2", "burnt", True)) is None
    assert house.host.decide(MOVE) is None
    assert house.host.state.ledger.amount_micros == 0
    house.tables[1] = Table.new("t2", "t2-i2")  # a replacement has nothing of before the end, and says so
    house.tables[1].start()
    assert house.host.join(house.tables[1]) is None
    house.settle()
    assert set(house.host.state.settled) == {"t1/t1-i1", "t2/t2-i2"}


def test_what_a_table_says_twice_is_kept_once_and_nothing_before_the_end() -> None:
    house = House.of("t1")
    house.host.decide(END)
    house.settle()
    said = [message for message in house.tables[0].outbox() if isinstance(message, Received)]
    assert not said[0].settled
    house.host.receive(replace(said[0], settled=True))
    assert not house.host.state.settled
    came(house)
    house.settle()
    house.settle()
    assert sum(entry.kind == "host.table_settled" for entry in house.host.journal) == 1


def test_a_table_whose_journal_is_there_twice_has_not_settled() -> None:
    house = closed("t1", "t2")
    copy = Table(house.tables[0].state, Journal(house.tables[0].journal))
    for table, nonce in ((copy, "one"), (house.tables[0], "other")):
        table.start(nonce)
        talk(house.host, table)
    assert house.host.state.known["t1"].forked
    assert house.host.decide(MOVE) == refuse(Refusal.TABLE_NOT_SETTLED, table="t1")


def test_an_end_is_taken_back_or_put_off_until_its_day_has_come() -> None:
    house = House.of("t1")
    later = ClosingAsked("2027-01-31", "norte", "put off", cause=CLOSE)
    assert [house.host.decide(each) for each in (END, later)] == [None, None]
    assert reason(came(house)) is Refusal.NO_CLOSING
    assert house.host.decide(ClosingAsked("", "", "it goes on", cause=CLOSE)) is None
    assert house.host.state.ledger.closing is None
    house.host.decide(END)
    came(house)
    assert reason(house.host.decide(later)) is Refusal.JACKPOT_CLOSED


def test_one_person_or_no_cause_ends_nothing() -> None:
    house = House.of("t1")
    assert reason(house.host.decide(END, second="")) is Refusal.SECOND_PERSON_MISSING
    assert reason(house.host.decide(ClosingAsked(DAY, ORPHANS, "why"))) is Refusal.REASON_MISSING
    assert reason(house.host.decide(ClosingAsked(DAY, " ", "why", cause=CLOSE))) is Refusal.REASON_MISSING
    assert house.host.state.ledger.closing is None


def test_the_hand_in_course_is_played_to_its_end_with_the_bets_it_has() -> None:
    pit = Pit()
    pit.bet(1)
    assert pit.host.decide(END) is None
    assert pit.host.decide(ClosingDayCame(DAY)) is None
    pit.deliver()
    before = pit.host.state.ledger.contributions_micros
    assert not isinstance(pit.close(), Refused)
    pit.deliver()
    assert pit.host.state.ledger.contributions_micros > before
    assert pit.state.hand.credits == {1: 1}


@pytest.mark.requirement("R75", "R77")
def test_what_comes_in_after_the_house_took_its_start_back_is_all_the_players() -> None:
    house = closed("t1", event=ClosingAsked(DAY, ORPHANS, "over", True, CLOSE))
    assert house.host.decide(MOVE) is None
    before = house.host.state.ledger.orphans_micros
    house.tables[0].bet(700)
    house.settle()
    assert house.host.decide(MOVE) is None
    assert house.host.state.ledger.orphans_micros - before == 700 * CENTAVO
    followed(house)


@pytest.mark.requirement("R75", "R77")
def test_the_house_takes_its_start_back_once_and_of_no_table_that_had_none_then() -> None:
    house = House.of("t1", "t2")
    whole = house.host.state.ledger.tables["t1"].main_micros
    move = BalanceTransferred("t1", whole, "a new machine", "t2", PoolCause.APPROVED_MOVE)
    assert house.host.decide(move) is None
    assert house.host.decide(ClosingAsked(DAY, ORPHANS, "over", True, CLOSE)) is None
    assert came(house) is None
    house.settle()
    assert house.host.decide(MOVE) is None
    before = house.host.state.ledger
    house.tables[0].bet(700)
    house.settle()
    assert house.host.decide(MOVE) is None
    after = house.host.state.ledger
    assert after.orphans_micros - before.orphans_micros == 700 * CENTAVO
    assert after.adjustments_micros == before.adjustments_micros
    followed(house)
