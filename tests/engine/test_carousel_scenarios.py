"""Named scenarios of the carousel, each a story with its end; amounts in whole centavos.

Those that need a broker or bytes are in tests/adapters/test_link_mqtt.py and test_link_wire.py.
"""

import dataclasses

import msgspec
import pytest

from controller.core.events import Envelope
from controller.core.refusal import Refusal, Refused
from controller.engine import member
from controller.engine.epoch import Epoch
from controller.engine.host_events import AwardSettled, CarouselFounded, HostPromoted, MemberSealed, TableExcluded
from controller.engine.host_state import Phase
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import ClaimName
from controller.engine.ledger_state import Standing
from controller.engine.messages import Claimed, Counter, HostStatus, Ledger, LinkReceived, Message
from tests.engine.carousel_house import CENTAVO, TWO, Host, House, Journal, Table, royal, straight_flush, talk


def amounts(table: Table) -> list[int]:
    return [table.state.rows[row].amount_minor for row in table.state.rows]


def claims(table: Table) -> list[Claimed]:
    return [message for message in table.outbox() if isinstance(message, Claimed)]


def counter(table: Table) -> Counter:
    return next(message for message in table.outbox() if isinstance(message, Counter))


def phase(host: Host) -> Phase:
    return host.state.phase


def reason(answer: Refused | None) -> Refusal | None:
    return None if answer is None else answer.reason


def second_host(house: House, key: str, kept: int | None = None) -> Host:
    """Another machine for the host: blank, or with a backup of the first `kept` entries of its journal."""
    host = Host.new(key)
    for entry in house.host.journal[: 0 if kept is None else kept]:
        host.journal.append(entry)
    if kept is not None:
        host.start("restored", restored=True)
    return host


def promote(host: Host, *tables: Table) -> None:
    """Two people promote; the tables are asked until the host serves."""
    for table in tables:
        host.receive(counter(table))
    host.decide(HostPromoted("the host is lost"))
    talk(host, *tables)


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
