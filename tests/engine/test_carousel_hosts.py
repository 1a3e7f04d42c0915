"""Named scenarios of a carousel whose host dies, splits, comes back or is replaced."""

import pytest

from controller.core.events import Envelope
from controller.core.refusal import Refusal
from controller.engine import member
from controller.engine.epoch import Epoch
from controller.engine.host_events import CarouselFounded, HostPromoted, TableExcluded
from controller.engine.host_state import Phase
from controller.engine.ledger_state import Standing
from controller.engine.messages import HostStatus, Ledger, LinkReceived, Message
from tests.engine.carousel_house import CENTAVO, TWO, Host, House, straight_flush, talk
from tests.engine.carousel_stories import amounts, claims, counter, phase, promote, reason, second_host


def test_a_claim_delivered_to_two_hosts() -> None:
    """Both answer it; the table takes the answer of the one with the higher epoch, and pays once."""
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    late = claims(table)
    new = second_host(house, "B", len(house.host.journal))
    promote(new, table)
    for message in late:
        house.host.receive(message)
    assert [host.state.ledger.awards.keys() for host in (house.host, new)] == [{"t1/t1-i1/1"}] * 2
    for message in house.host.outbox():
        table.receive(message)
    talk(new, table)
    assert table.pay_all() == 50_000
    assert amounts(table) == [50_000]
    assert table.state.ledger.hash == new.state.ledger.hash
    assert table.state.stopped is None


def test_a_claim_under_a_higher_epoch_fences_the_old_host() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    new = second_host(house, "B", len(house.host.journal))
    promote(new, table)
    table.win(straight_flush(1))
    before = house.host.state.ledger.seq
    for message in claims(table):
        house.host.receive(message)
    assert (phase(house.host), house.host.state.ledger.seq) == (Phase.FENCED, before)
    talk(new, table)
    assert table.pay_all() == 50_000


def test_host_killed_after_its_commit_and_before_the_record_is_sent() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    for message in table.outbox():
        house.host.receive(message)
    house.host.start("after the kill")  # nothing was sent
    house.settle()
    assert amounts(table) == [50_000]
    assert house.amount_minor == 450_000


def test_host_killed_after_the_record_was_sent_and_before_the_table_journaled_it() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    for message in table.outbox():
        house.host.receive(message)
    for message in house.host.outbox():
        member.receive(table.state, message)  # decided, and killed before the commit
    house.host.start("again")
    table.start("again")
    house.settle()
    assert amounts(table) == [50_000]
    assert house.amount_minor == 450_000


def test_old_host_stopped_for_ten_minutes_then_resumed_then_restarted_twice() -> None:
    house = House.of("t1", "t2")
    old, (one, two) = house.host, house.tables
    new = second_host(house, "B")
    promote(new, one, two)
    assert phase(new) is Phase.SERVING
    heard: list[Message] = [*old.outbox()]  # resumed: it says what it said before
    old.start("first")
    heard += old.outbox()
    old.start("second")
    heard += old.outbox()
    assert old.state.epoch == Epoch(1, "A", 3)
    answers = [one.receive(message) for message in heard if isinstance(message, HostStatus | Ledger)]
    assert {reason(answer) for answer in answers} == {Refusal.STALE_EPOCH}
    old.receive(counter(one))
    assert phase(old) is Phase.FENCED
    assert old.outbox() == ()
    one.bet(7)
    talk(new, one, two)
    assert two.state.meter_micros == 1_000_007 * CENTAVO


def test_a_partition_with_claims_on_both_sides() -> None:
    """t1 still hears the old host while t2 answers the new one; neither pays what the other's ledger does not have."""
    house = House.of("t1", "t2")
    old, (one, two) = house.host, house.tables
    new = second_host(house, "B")
    for table in (one, two):
        new.receive(counter(table))
    new.decide(HostPromoted("the old host cannot be reached from here"))
    talk(new, two)
    assert phase(new) is Phase.COLLECTING  # t1 has not answered: nothing may be written
    one.bet(0)
    one.win(straight_flush(1))
    two.bet(0)
    two.win(straight_flush(2))
    talk(old, one)
    assert one.pay_all() == 100_000
    talk(new, two)
    assert amounts(two) == []
    talk(new, one, two)  # the partition heals: t1's ledger is the longest
    assert phase(new) is Phase.SERVING
    assert amounts(two) == [90_000]
    assert amounts(one) == [100_000]
    assert new.state.ledger.amount_micros == 810_000 * CENTAVO


def test_a_one_way_partition() -> None:
    """The host hears the table, which hears nothing: contributions and claims count, nothing is payable."""
    house = House.of("t1", "t2")
    one, two = house.tables
    one.bet(50)
    one.win(straight_flush(1))
    for message in one.outbox():
        house.host.receive(message)
    talk(house.host, two)
    assert two.state.meter_micros == (1_000_050 - 100_005) * CENTAVO
    assert (amounts(one), len(claims(one))) == ([], 1)
    house.settle()
    assert amounts(one) == [100_005]


@pytest.mark.promise("P8")
def test_a_full_disk_on_the_host_acknowledges_nothing() -> None:
    """What was decided and not stored leaves no trace: neither the table nor a screen hears of it."""
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    before, said = house.host.state, house.host.outbox()
    for message in table.outbox():
        house.host.machine.decide(before, Envelope("full", LinkReceived(message)), 0)  # the append fails
    assert house.host.outbox() == said
    house.host.start("space again")
    house.settle()
    assert amounts(table) == [50_000]


def test_two_hosts_started_with_the_same_term() -> None:
    """Both founded: the tables follow the higher epoch; the other is fenced, and nobody pays under both."""
    house = House.of("t1")
    table = house.tables[0]
    other = Host.new("B")
    other.decide(CarouselFounded("by mistake"))
    table.bet(0)
    table.win(straight_flush(1))
    for message in other.outbox():
        table.receive(message)
    talk(house.host, table)
    assert phase(house.host) is Phase.FENCED
    assert table.pay_all() == 0
    talk(other, table)
    assert phase(other) is Phase.FENCED  # the table has a longer ledger than its own
    house.host.decide(HostPromoted("the carousel is the old one"))
    talk(house.host, table)
    assert (house.host.state.phase, table.pay_all()) == (Phase.SERVING, 50_000)


@pytest.mark.requirement("R57")
def test_promotion_waits_for_every_rostered_table_or_its_exclusion() -> None:
    house = House.of("t1", "t2")
    one, two = house.tables
    new = second_host(house, "B")
    for table in (one, two):
        new.receive(counter(table))
    new.decide(HostPromoted("lost"))
    talk(new, one)
    assert phase(new) is Phase.COLLECTING
    assert reason(new.decide(TableExcluded("t2", "burnt", False))) is Refusal.NOT_SWITCHED_OFF
    assert new.decide(TableExcluded("t2", "burnt", True)) is None
    talk(new, one)
    assert phase(new) is Phase.SERVING
    assert new.state.ledger.tables["t2"].standing is Standing.SEALED
    assert new.state.ledger.amount_micros == 1_000_000 * CENTAVO
    assert one.state.meter_micros == 1_000_000 * CENTAVO


def test_a_host_restored_from_a_backup_does_not_serve_by_itself() -> None:
    house = House.of("t1")
    backup = len(house.host.journal)
    house.tables[0].bet(10)
    house.settle()
    restored = second_host(house, "A", backup)
    assert (restored.state.phase, restored.outbox()) == (Phase.FENCED, ())
    assert reason(restored.receive(counter(house.tables[0]))) is Refusal.HOST_FENCED
    promote(restored, house.tables[0])
    assert restored.state.ledger.amount_micros == 500_010 * CENTAVO


def test_a_whole_ledger_of_many_parts_is_copied_from_the_longest_table() -> None:
    house = House.of("t1", "t2")
    one, two = house.tables
    for _ in range(230):
        one.bet(1)
        for message in one.outbox():
            house.host.receive(message)
    house.settle()
    new = second_host(house, "B")
    promote(new, one, two)
    assert phase(new) is Phase.SERVING
    assert new.state.ledger.amount_micros == 1_000_230 * CENTAVO


def test_a_host_whose_tables_have_all_left_takes_over_at_once() -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.store(member.leave(table.state, TWO))
    house.settle()
    restored = second_host(house, "B", len(house.host.journal))
    restored.decide(HostPromoted("lost"))
    assert phase(restored) is Phase.COLLECTING  # a table of which this ledger does not know may have joined since
    restored.decide(HostPromoted("lost, and no table has a ledger", no_other_ledger=True))
    assert phase(restored) is Phase.SERVING
