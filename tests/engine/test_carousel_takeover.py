"""Which ledger a host that takes over goes on with, and what it must have heard before (rule 6)."""

from dataclasses import replace

from controller.core.refusal import Refusal
from controller.engine import member
from controller.engine.epoch import Epoch
from controller.engine.host_events import CarouselFounded, HostPromoted, TableExcluded
from controller.engine.host_state import Phase
from controller.engine.ledger_state import Standing
from controller.engine.messages import Report
from tests.engine.carousel_house import CENTAVO, Host, House, Table, straight_flush, talk
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
    talk(old, table)
    assert phase(old) is Phase.SERVING
    kinds = [record.kind for record in old.state.recent if record.seq > behind]
    assert kinds[0] == "epoch", "records of its own that no table had are let go"
    assert table.pay_all() == 50_000
    assert table.state.stopped is None


def test_its_own_longer_ledger_counts_nothing_where_a_table_has_another() -> None:
    """Founded by mistake and played by nobody, under a key that would win by its order."""
    house = House.of("t1")
    (table,) = house.tables
    other = Host.new("B")
    other.decide(CarouselFounded("by mistake"))
    for count in range(house.host.state.ledger.seq + 3):
        other.start(f"again {count}")
    assert other.state.ledger.seq > table.state.ledger.seq
    other.decide(HostPromoted("this is to be the host"))
    talk(other, table)
    assert phase(other) is Phase.SERVING
    assert other.state.ledger.amount_micros == 500_000 * CENTAVO
    assert (table.state.stopped, table.state.standing) == (None, Standing.ACTIVE)


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
