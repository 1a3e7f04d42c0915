"""Which ledger a host that takes over goes on with, and what it must have heard before (rule 6)."""

from dataclasses import replace

import pytest

from controller.core.refusal import Refusal
from controller.engine import member
from controller.engine.epoch import Epoch
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host_events import CarouselFounded, HostPromoted, HostStarted, TableExcluded
from controller.engine.host_state import Phase
from controller.engine.ledger_state import Standing
from controller.engine.machine import replay
from controller.engine.messages import Meter, Report
from tests.engine.carousel_house import CENTAVO, Host, House, Journal, Table, straight_flush, talk
from tests.engine.carousel_stories import claims, counter, phase, promote, reason, second_host


def asked(host: Host, table: Table) -> list[Report]:
    """The table's answers to a COLLECT."""
    for message in host.outbox():
        table.receive(message)
    return [message for message in table.outbox() if isinstance(message, Report)]


def test_its_own_longer_ledger_counts_nothing_once_a_table_took_a_record_from_another_host() -> None:
    """Even one of the records that both have: the other host may have answered what nobody here knows of."""
    house = House.of("t1")
    (table,), old = house.tables, house.host
    behind = old.state.ledger.seq
    table.bet(5)
    table.win(straight_flush(1))
    for message in table.outbox():
        old.receive(message)  # its answer never arrives
    assert old.state.ledger.seq > behind
    old.decide(HostPromoted("seen off, and back"))
    (report,) = asked(old, table)
    between = Epoch(old.state.served.term + 1, "B", 1)
    old.receive(replace(report, source=between))
    while phase(old) is Phase.ADOPTING:
        for report in asked(old, table):
            old.receive(report)
    assert phase(old) is Phase.SERVING
    assert old.state.open_awards == {}, "what it had awarded is let go too"
    talk(old, table)
    kinds = [record.kind for record in old.state.recent if record.seq > behind]
    assert kinds[0] == "epoch", "records of its own that no table had are let go"
    assert table.pay_all() == 50_000
    assert table.state.stopped is None


@pytest.mark.parametrize("longer", [True, False])
def test_its_own_ledger_counts_nothing_where_a_table_has_another(longer: bool) -> None:
    """Founded by mistake and played by nobody, under a key that would win by its order."""
    house = House.of("t1")
    (table,) = house.tables
    other = Host.new("B")
    other.decide(CarouselFounded("by mistake"))
    for count in range(house.host.state.ledger.seq + 3 if longer else 0):
        other.start(f"again {count}")
    assert (other.state.ledger.seq > table.state.ledger.seq) == longer
    other.decide(HostPromoted("this is to be the host"))
    talk(other, table)
    assert phase(other) is Phase.SERVING
    assert other.state.ledger.amount_micros == 500_000 * CENTAVO
    assert (table.state.stopped, table.state.standing) == (None, Standing.ACTIVE)


def test_that_no_other_ledger_is_to_be_had_holds_over_a_start() -> None:
    """Two people said so; the table that was in its roster is seen off after the machine had started again."""
    house = House.of("t1")
    other = second_host(house, "B", len(house.host.journal))
    other.decide(HostPromoted("all is lost", no_other_ledger=True))
    assert phase(other) is Phase.COLLECTING
    other.start("again")
    assert phase(other) is Phase.COLLECTING
    other.decide(TableExcluded("t1", "burnt", True))
    assert phase(other) is Phase.SERVING
    assert other.state.ledger.tables["t1"].standing is Standing.SEALED


def test_a_table_that_stopped_has_not_answered() -> None:
    """Its ledger counts for nothing and neither does its silence: it is seen switched off, or enrolled anew."""
    house = House.of("t1", "t2")
    one, two = house.tables
    two.store(member.contradicted(two.state, 1, "f" * 64, "stopped"))
    new = second_host(house, "B")
    promote(new, one, two)
    assert phase(new) is Phase.COLLECTING
    assert reason(new.decide(TableExcluded("t2", "its journal is another's", False))) is Refusal.NOT_SWITCHED_OFF
    new.decide(TableExcluded("t2", "its journal is another's", True))
    talk(new, one, two)
    assert phase(new) is Phase.SERVING
    assert new.state.ledger.tables["t2"].standing is Standing.SEALED


def test_the_longest_ledger_wins_though_it_is_not_the_first_that_is_heard() -> None:
    house = House.of("t1", "t2")
    one, two = house.tables
    one.bet(7)
    house.host.receive(counter(one))
    talk(house.host, one)  # t2 lacks the record
    assert one.state.ledger.seq > two.state.ledger.seq
    for first, last in ((one, two), (two, one)):
        new = second_host(house, f"B{first.name}")
        new.receive(counter(first))
        new.receive(counter(last))
        new.decide(HostPromoted("lost"))
        talk(new, first)
        talk(new, first, last)
        assert phase(new) is Phase.SERVING
        assert new.state.ledger.amount_micros == 1_000_007 * CENTAVO
    assert claims(one) == []


def test_a_table_that_knows_of_a_higher_term_says_so_to_who_promotes_too_late() -> None:
    """Two people promoted another host meanwhile: the one that did not know of it begins above its term."""
    house = House.of("t1")
    (table,), old = house.tables, house.host
    new = second_host(house, "B")
    promote(new, table)
    assert new.state.epoch.term == 2
    old.receive(counter(table))
    assert phase(old) is Phase.FENCED
    old.decide(HostPromoted("back to the old machine"))
    assert old.state.epoch.term == 3
    talk(old, table)
    assert (phase(old), table.state.stopped) == (Phase.SERVING, None)


def copy_of(house: House, key: str, incarnation: str) -> Host:
    """A host under a key over the same journal, of an incarnation."""
    machine = HostMachine(HostSettings("c1", "ARS", CENTAVO, key, incarnation))
    return Host(machine, machine.first(), Journal(house.host.journal))


@pytest.mark.parametrize(
    ("incarnation", "ends"), [("h1", Phase.SERVING), ("h2", Phase.FENCED)], ids=["the same", "a restored one"]
)
def test_a_journal_of_another_incarnation_waits_to_be_promoted(incarnation: str, ends: Phase) -> None:
    """Its journal came from a backup though nobody says so: it may lack what tables have."""
    house = House(Host.new(), [])
    house.host = copy_of(house, "A", "h1")
    house.host.decide(CarouselFounded("new"))
    house.add(Table.new("t1"))
    again = copy_of(house, "A", incarnation)
    again.start("again")
    assert phase(again) is ends
    assert (again.outbox() == ()) == (ends is Phase.FENCED)


def test_a_standby_that_has_the_ledger_raises_the_term_in_the_record_that_begins_its_epoch() -> None:
    """In mid-award: the claim was answered, and nobody had heard of it when the first host's machine stopped."""
    house = House.of("t1")
    (table,), old = house.tables, house.host
    table.bet(5)
    table.win(straight_flush(1))
    for message in table.outbox():
        old.receive(message)
    standby = copy_of(house, "B", "")
    standby.start("never")
    assert phase(standby) is Phase.FENCED, "a copy outside the database"
    standby = copy_of(house, "B", "")
    standby.state = replay(standby.machine, standby.journal)
    standby.decide(HostStarted("takes over", in_database=True))
    assert standby.state.epoch == Epoch(old.state.epoch.term + 1, "B", old.state.epoch.start + 1)
    began = standby.state.recent[-1]
    assert (began.kind, began.epoch) == ("epoch", standby.state.epoch)
    talk(standby, table)
    assert table.pay_all() == 50_000
    assert {reason(table.receive(message)) for message in old.outbox() if not isinstance(message, Meter)} == {
        Refusal.STALE_EPOCH
    }
    old.receive(counter(table))
    assert phase(old) is Phase.FENCED


def test_what_a_table_paid_while_nobody_answered_is_known_from_its_report_at_once() -> None:
    """Before it says anything else: an award that looks open would hold the next one."""
    house = House.of("t1")
    (table,) = house.tables
    table.bet(0)
    table.win(straight_flush(1))
    house.settle()
    table.pay_all()
    new = second_host(house, "B")
    new.receive(counter(table))
    new.heard["t1"] = 0  # the topic of its COLLECT
    new.decide(HostPromoted("lost"))
    for _ in range(3):
        for report in asked(new, table):
            new.receive(report)
    assert phase(new) is Phase.SERVING
    assert not new.state.open_awards
    assert [record.kind for record in new.state.recent[-2:]] == ["epoch", "paid"]
