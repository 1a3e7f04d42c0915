"""Named scenarios of the carousel, each a story with its end; amounts in whole centavos.

Those that need a broker or bytes are in tests/adapters/test_link_mqtt.py and test_link_wire.py.
"""

import dataclasses

import msgspec
import pytest

from controller.core.events import Envelope
from controller.core.refusal import Refusal, Refused
from controller.engine import member
from controller.engine.host_events import AwardSettled, MemberSealed
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import ClaimName
from controller.engine.ledger_state import Standing
from controller.engine.messages import Ledger, LinkReceived
from tests.engine.carousel_house import CENTAVO, House, Journal, Table, royal, straight_flush, talk
from tests.engine.carousel_stories import amounts, claims, counter, reason


def test_counters_in_reverse_order() -> None:
    house = House.of("t1")
    heard = []
    for _ in range(5):
        house.tables[0].bet(10)
        heard.append(counter(house.tables[0]))
    for message in reversed(heard):
        house.host.receive(message)
    assert house.amount_minor == 500_050


@pytest.mark.promise("P3")
def test_a_claim_lost_ten_times() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    for _ in range(10):
        assert len(claims(table)) == 1
        table.start("again")
    house.settle()
    assert (amounts(table), claims(table)) == ([50_000], [])


@pytest.mark.promise("P3")
def test_the_dealer_presses_win_twice() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    assert table.win(straight_flush(1)) is None
    assert reason(table.win(straight_flush(1))) is Refusal.STALE_REVISION
    house.settle()
    assert reason(table.win(straight_flush(1))) is Refusal.STALE_REVISION
    assert amounts(table) == [50_000]


def test_the_same_id_with_another_amount_is_a_conflict() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    (message,) = claims(table)
    house.settle()
    changed = dataclasses.replace(message.claim, winners=(royal(1),))
    assert reason(house.host.receive(dataclasses.replace(message, claim=changed))) is Refusal.CONFLICT
    assert house.host.receive(message) is None
    assert amounts(table) == [50_000]


@pytest.mark.requirement("R95")
def test_two_tables_win_within_a_millisecond() -> None:
    """The order is that of the ledger, whichever claim comes first; arrivals are recorded."""
    for order in (0, 1):
        house = House.of("t1", "t2")
        for table in house.tables:
            table.bet(0)
            table.win(royal(1))
        for table in (house.tables[order], house.tables[1 - order]):
            for message in table.outbox():
                house.host.receive(message)
        house.settle()
        first, second = house.tables[order], house.tables[1 - order]
        assert (amounts(first), amounts(second)) == ([1_000_000], [1_000_000])
        assert [row.status.value for row in second.state.rows.values()] == ["held"]
        arrivals = [record.body.arrival for record in house.host.state.recent if record.kind == "award"]  # type: ignore[union-attr]  # it is there
        assert arrivals == [1, 2]


def test_a_hand_voided_after_its_counter_was_absorbed_into_a_paid_award() -> None:
    house = House.of("t1")
    table = house.tables[0]
    hand = table.bet(100_000)
    table.win(straight_flush(1))
    house.settle()
    assert table.pay_all() == 60_000
    table.reverse(100_000)
    assert table.win(hand=hand, revision=2) is None
    house.settle()
    assert house.amount_minor == 500_000
    check_ledger(house.host.state.ledger)
    assert sum(post.micros for entry in table.journal for post in entry.postings if post.account == "house.prizes") == (
        -60_000 * CENTAVO
    )


def test_a_table_wiped_and_replaced_with_an_open_award() -> None:
    house = House.of("t1", "t2")
    one, two = house.tables
    one.bet(1_000)
    one.win(straight_flush(1))
    house.settle()
    name = ClaimName("t1", "t1-i1", 1)
    assert reason(house.host.decide(AwardSettled(name, "early", True))) is Refusal.PRIZE_OPEN
    assert house.host.decide(MemberSealed("t1", "burnt", True)) is None
    new = Table.new("t1", "t1-i2")
    new.start()
    house.tables[0] = new
    assert reason(house.host.join(Table.new("t1", "t1-i1"))) is Refusal.INCARNATION_KNOWN
    assert house.host.join(new) is None
    house.settle()
    assert new.state.standing is Standing.ACTIVE
    assert amounts(new) == []  # the old incarnation's award is not the new one's
    assert house.amount_minor == 1_001_000 - 100_100  # the balance was inherited, without a second start value
    assert house.host.decide(AwardSettled(name, "paid by hand", True)) is None
    two.bet(0)
    two.win(straight_flush(2))
    house.settle()
    assert [row.status.value for row in two.state.rows.values()] == ["pending"]
    assert isinstance(member.pay(one.state, "t1/t1-i1/1/1", actor="ana"), Refused)
    talk(house.host, one)
    assert one.state.standing is None  # switched on again it finds another in its place


def test_a_table_restored_from_an_old_backup_stops() -> None:
    house = House.of("t1")
    table = house.tables[0]
    backup = list(table.journal)
    table.bet(10)
    house.settle()
    table.journal = Journal(backup)
    table.start("restored")
    house.settle()
    assert table.state.stopped == "fork"
    assert reason(house.host.receive(counter(table))) is Refusal.TABLE_FORKED
    assert isinstance(member.check_bet(table.state), Refused)
    house.host.decide(MemberSealed("t1", "restored", True))
    fresh = Table.new("t1", "t1-i2")
    fresh.start()
    house.tables[0] = fresh
    house.host.join(fresh)
    house.settle()
    assert house.amount_minor == 500_010


@pytest.mark.requirement("R10")
def test_a_journal_copied_to_a_second_machine_is_a_fork() -> None:
    house = House.of("t1")
    table = house.tables[0]
    twin = Table(table.state, list(table.journal))
    table.start("here")
    twin.start("there")
    table.bet(5)
    twin.bet(6)
    house.host.receive(counter(table))
    assert reason(house.host.receive(counter(twin))) is None
    assert house.host.state.known["t1"].forked
    assert reason(house.host.receive(counter(table))) is Refusal.TABLE_FORKED
    assert house.amount_minor == 500_005


@pytest.mark.requirement("R56")
def test_a_replayed_old_record_changes_nothing() -> None:
    house = House.of("t1", "t2")
    one = house.tables[0]
    old = [Ledger(house.host.state.epoch, record) for record in house.host.state.recent]
    one.bet(5)
    house.settle()
    size = house.size
    for message in old:
        assert one.receive(message) is None
    assert house.size == size
    forged = msgspec.structs.replace(old[0].record, hash="f" * 64)
    one.receive(Ledger(house.host.state.epoch, forged))
    assert one.state.stopped == "different_record"
    one.bet(0)
    one.win(straight_flush(1))
    assert claims(one) == []


def test_a_join_during_an_open_claim() -> None:
    """The claim is answered out of the tables that were members when the ledger answered it."""
    house = House.of("t1")
    table = house.tables[0]
    new = Table.new("t2")
    new.start()
    table.bet(0)
    table.win(royal(1))
    house.host.join(new)
    house.tables.append(new)
    house.settle()
    assert amounts(table) == [500_000]
    assert house.amount_minor == 1_000_000
    assert new.state.standing is Standing.ACTIVE


def test_ten_equal_straight_flushes_on_the_board() -> None:
    """Each 10 % of the initial amount: together the whole."""
    house = House.of("t1", "t2")
    house.tables[0].bet(3)
    house.tables[0].win(*(straight_flush(seat) for seat in range(1, 11)))
    house.settle()
    assert amounts(house.tables[0]) == [100_000] * 10
    assert house.amount_minor == 3
    check_ledger(house.host.state.ledger)


@pytest.mark.promise("P7")
@pytest.mark.parametrize("years", [-10, 10])
def test_a_clock_ten_years_off_decides_nothing(years: int) -> None:
    house = House.of("t1")
    house.tables[0].bet(0)
    house.tables[0].win(straight_flush(1))
    (message,) = claims(house.tables[0])
    envelope = Envelope("m", LinkReceived(message))
    now = house.host.machine.decide(house.host.state, envelope, 0)
    then = house.host.machine.decide(house.host.state, envelope, years * 31_557_600_000)
    assert now == then
