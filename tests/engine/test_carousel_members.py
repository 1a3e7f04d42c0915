"""Who belongs to a carousel: joins, leaves, quarantine, a key that changed."""

import dataclasses
from typing import Any

import msgspec
import pytest

from controller.core.causes import PoolCause
from controller.core.hands import Category
from controller.core.prizes import Prize, PrizeList
from controller.core.refusal import Refusal, Refused
from controller.engine import member
from controller.engine.host_events import (
    CarouselFounded,
    HostPromoted,
    MemberAccepted,
    MemberRekeyed,
    MemberSealed,
    StepAccepted,
)
from controller.engine.host_outbox import meter, roster
from controller.engine.host_state import Phase
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import Profile, Signed
from controller.engine.ledger_state import Standing
from controller.engine.messages import PendingPrize
from tests.engine.carousel_house import CENTAVO, PRIZES, TWO, Host, House, Journal, Table, straight_flush, talk

FAULT = PoolCause.FAULT_CORRECTION
START, CEILING = 2_500_000 * CENTAVO, 3_000_000 * CENTAVO


def rows(**row: int) -> PrizeList:
    return PrizeList((Prize(Category.FLUSH, **row),))


def reason(answer: Refused | None) -> Refusal | None:
    return None if answer is None else answer.reason


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
    assert reason(table.win(hand=1, revision=2)) is Refusal.NOT_MEMBER
    assert reason(table.store(member.leave(table.state, TWO))) is Refusal.NOT_MEMBER


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


@pytest.mark.parametrize(("start", "ceiling"), [(START + 1, None), (START, CEILING - 1)])
def test_a_part_of_a_centavo_is_no_start_value_and_no_ceiling(start: int, ceiling: int | None) -> None:
    house = House.of("t1")
    altered = Profile("t9", "t9-i1", "key", "ARS", start, PRIZES, 1, ceiling)
    assert reason(house.host.decide(MemberAccepted(altered, "enrol"))) is Refusal.AMOUNT_NOT_WHOLE
    whole = dataclasses.replace(altered, start_micros=START, ceiling_micros=CEILING)
    assert reason(house.host.decide(MemberAccepted(whole, "enrol"))) is None


CONTRADICTORY: list[tuple[dict[str, Any], Refusal, str]] = [
    ({"ceiling_micros": START - CENTAVO}, Refusal.START_ABOVE_CEILING, ""),
    ({"ceiling_micros": 0}, Refusal.START_ABOVE_CEILING, ""),
    ({"ceiling_micros": 0, "start_micros": 0}, Refusal.PROFILE_UNFIT, "limit_out_of_bounds"),
    ({"bound_micros": 0}, Refusal.PROFILE_UNFIT, "limit_out_of_bounds"),
    ({"prizes": rows(percent=101)}, Refusal.PROFILE_UNFIT, "prize_out_of_bounds"),
    ({"prizes": rows(percent=0)}, Refusal.PROFILE_UNFIT, "prize_out_of_bounds"),
    ({"prizes": rows(fixed_minor=0)}, Refusal.PROFILE_UNFIT, "prize_out_of_bounds"),
    ({"prizes": rows(fixed_minor=-1)}, Refusal.PROFILE_UNFIT, "prize_out_of_bounds"),
    ({"prizes": rows(percent=10, fixed_minor=10)}, Refusal.PROFILE_UNFIT, "prize_of_one_kind"),
    ({"prizes": rows()}, Refusal.PROFILE_UNFIT, "prize_of_one_kind"),
    ({"prizes": PrizeList(rows(percent=1).rows * 2)}, Refusal.PROFILE_UNFIT, "prize_twice"),
]


@pytest.mark.parametrize(("change", "named", "why"), CONTRADICTORY)
def test_a_profile_that_contradicts_itself_is_signed_by_nobody(
    change: dict[str, Any], named: Refusal, why: str
) -> None:
    """What check-config refuses in a table's file, the host refuses of a table of another node."""
    house = House.of("t1")
    sound = Profile("t9", "t9-i1", "key", "ARS", START, PRIZES, 1, CEILING)
    answer = house.host.decide(MemberAccepted(dataclasses.replace(sound, **change), "enrol"))
    assert isinstance(answer, Refused) and (answer.reason, answer.facts.get("why", "")) == (named, why)
    assert reason(house.host.decide(MemberAccepted(sound, "enrol"))) is None


def test_a_host_keeps_the_minor_unit_that_its_amounts_are_written_in() -> None:
    """A journal of before says nothing of it, until its next start does."""
    host = House.of("t1").host
    assert host.state.begun_minor == CENTAVO
    (began,) = [entry for entry in host.journal if entry.kind == "host.began"][:1]
    before = msgspec.structs.replace(
        began, body={name: each for name, each in began.body.items() if name != "minor_micros"}
    )
    assert host.machine.apply(host.machine.first(), before).begun_minor == 0
    assert host.machine.apply(host.machine.first(), began).begun_minor == CENTAVO


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
