"""What waits at a carousel's host: joins, steps of counters that people must accept, payments that a report tells."""

from dataclasses import replace

import pytest

from controller.core.refusal import Refusal
from controller.engine import member
from controller.engine.epoch import Epoch
from controller.engine.host_events import CarouselFounded, HostPromoted, MemberSealed, PrizeReleased, StepAccepted
from controller.engine.host_outbox import meter
from controller.engine.ledger_records import ClaimName
from controller.engine.ledger_state import Standing
from controller.engine.messages import Collect, Received, Report
from tests.engine.carousel_house import CENTAVO, TWO, Host, House, Journal, Table, four, straight_flush, talk
from tests.engine.carousel_stories import claims, counter, reason


def test_a_join_that_waited_for_a_table_which_leaves_takes_effect() -> None:
    house = House.of("t1", "t2")
    one, two = house.tables
    new = Table.new("t3")
    new.start()
    two.store(member.leave(two.state, TWO))
    house.host.join(new)
    house.tables.append(new)
    talk(house.host, one)  # t1 has the join, and t2 leaves before it says that it has
    assert new.state.standing is None
    house.host.receive(counter(two))
    house.settle()
    assert (two.state.standing, new.state.standing) == (Standing.LEFT, Standing.ACTIVE)
    assert house.amount_minor == 1_000_000


def quarantined() -> tuple[House, Table]:
    house = House(Host.new(), [])
    house.host.decide(CarouselFounded("new"))
    table = house.add(Table.new("t1"), bound_micros=10 * CENTAVO)
    table.bet(1_000)
    table.win(straight_flush(1))
    house.settle()
    assert house.host.state.quarantined.keys() == {"t1"}
    return house, table


def test_a_journal_that_exists_twice_stays_a_fork_when_people_accept_its_step() -> None:
    house, table = quarantined()
    twin = Table(table.state, Journal())
    twin.start("there")
    house.host.receive(counter(twin))
    assert house.host.state.known["t1"].forked
    assert house.host.decide(StepAccepted("t1", "counted by hand")) is None
    assert house.host.state.known["t1"].forked
    table.bet(5)
    assert reason(house.host.receive(counter(table))) is Refusal.TABLE_FORKED


def test_a_step_that_waits_for_people_does_not_pass_with_the_hands_that_follow() -> None:
    """The bound grows with hands: without people the step would count by itself once enough of them were played."""
    house, table = quarantined()
    for _ in range(150):
        table.bet(1)
    house.settle()
    house.host.start("again")
    house.settle()
    assert house.amount_minor == 500_000
    assert [prize.waiting for prize in meter(house.host.state).pending] == [True]
    assert house.host.decide(StepAccepted("t1", "counted by hand")) is None
    house.settle()
    assert not claims(table)
    assert house.amount_minor == 501_150 - 50_115
    table.bet(5)
    house.settle()
    assert house.amount_minor == 501_155 - 50_115


def test_a_void_of_the_hand_leaves_its_step_to_the_people() -> None:
    house, table = quarantined()
    table.reverse(1_000)
    assert table.win(hand=1, revision=2) is None
    house.settle()
    assert house.host.state.quarantined.keys() == {"t1"}
    assert house.host.decide(StepAccepted("t1", "a module was changed")) is None
    house.settle()
    assert (house.amount_minor, claims(table), house.host.state.waiting.keys()) == (500_000, [], set())


@pytest.mark.parametrize("row", ["t2/t2-i1/1/2", "t1/t1-i1/1/1"])
def test_a_table_reports_payments_of_its_own_rows_alone(row: str) -> None:
    """A host that takes over believes no table what another has paid, nor less than it knows already."""
    house = House.of("t1", "t2")
    one, two = house.tables
    for table, seat in ((one, 1), (two, 2)):
        table.bet(0)
        table.win(straight_flush(seat))
        house.settle()
    one.pay_all()
    house.settle()
    other = Host.new("B")
    other.journal = Journal(house.host.journal)
    other.start("restored", restored=True)
    other.decide(HostPromoted("the host is lost"))
    for message in other.outbox():
        for table in house.tables:
            table.receive(message)
    for table in house.tables:
        for message in table.outbox():
            if isinstance(message, Report):
                said = replace(message, paid=((row, 7),)) if table is one else message
                other.receive(said)
    talk(other, *house.tables)
    assert (one.state.stopped, two.state.stopped) == (None, None)
    assert other.state.open_awards.keys() == {"t2/t2-i1/1"}
    assert other.state.paid.get("t2/t2-i1/1/2", 0) == 0
    assert other.state.paid["t1/t1-i1/1/1"] == 100_000
    assert other.decide(PrizeReleased(ClaimName("t2", "t2-i1", 1), "checked")) is None
    talk(other, *house.tables)
    assert two.pay_all() == 90_000


@pytest.mark.promise("P13")
@pytest.mark.parametrize("place", ["9" * 5_000, "-1", "01", "1x", ""])
def test_a_members_payment_of_a_seat_that_is_none_is_taken_for_nothing(place: str) -> None:
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    house.settle()
    received = next(message for message in table.outbox() if isinstance(message, Received))
    assert house.host.receive(replace(received, paid=((f"t1/t1-i1/1/{place}", 50_000),))) is None
    assert house.host.state.open_awards.keys() == {"t1/t1-i1/1"}
    table.pay_all()
    house.settle()
    assert not house.host.state.open_awards


def test_screens_are_told_which_prizes_are_held() -> None:
    house = House.of("t1", "t2")
    for table in house.tables:
        table.bet(0)
        table.win(straight_flush(1))
        house.settle()
    assert [(each.table, each.held) for each in meter(house.host.state).pending] == [("t1", False), ("t2", True)]
    house.host.decide(PrizeReleased(ClaimName("t2", "t2-i1", 1), "checked"))
    assert [(each.table, each.held) for each in meter(house.host.state).pending] == [("t1", False), ("t2", False)]


def test_a_screen_goes_by_the_epoch_before_the_place_in_the_ledger() -> None:
    """A host of before may have come farther than the one that took over from a table's ledger."""
    house = House.of("t1")
    now = meter(house.host.state)
    later, farther = Epoch(now.epoch.term + 1, "B", 1), now.seq + 9
    assert now.is_newer(None)
    assert now.is_newer(now)
    assert replace(now, epoch=later, seq=1).is_newer(replace(now, seq=farther))
    assert not replace(now, seq=farther).is_newer(replace(now, epoch=later, seq=1))
    assert not replace(now, seq=now.seq - 1).is_newer(now)


def test_a_table_that_was_still_catching_up_is_asked_again() -> None:
    """Its ledger may have become whole since; one that has answered in full is not asked any more."""
    house = House.of("t1", "t2")
    one, two = house.tables
    other = Host.new("B")
    other.receive(counter(one))
    other.heard = {"t1": 0, "t2": 0}
    other.decide(HostPromoted("lost"))
    for message in other.outbox():
        one.receive(message)
        two.receive(message)
    (half,) = (message for message in two.outbox() if isinstance(message, Report))
    other.receive(replace(half, complete=False))
    assert [message.table for message in other.outbox() if isinstance(message, Collect)] == ["t1", "t2"]
    other.receive(half)
    assert [message.table for message in other.outbox() if isinstance(message, Collect)] == ["t1"]


def test_what_was_advanced_of_a_hand_that_won_nothing_stays_told_when_its_card_is_corrected() -> None:
    """Nothing was left when the ledger answered; the corrected card wins a fixed sum that is more than the advance."""
    house = House.of("t1", "t2")
    one, two = house.tables
    one.bet(0)
    one.win(*(straight_flush(seat) for seat in range(1, 11)))
    for message in one.outbox():
        house.host.receive(message)
    two.bet(0)
    two.win(straight_flush(2))
    assert two.store(member.advance(two.state, hand=1, seat=2, amount_minor=30_000, signed=TWO)) is None
    house.settle()
    key = "t2/t2-i1/1"
    answered = house.host.state.ledger.awards[key]
    assert (answered.refused, answered.told(2)) == ("no_prize", (30_000, 0))
    two.win(four(2), hand=1, revision=2)
    house.settle()
    assert house.host.state.ledger.awards[key].told(2) == (30_000, 0)
    assert two.pay_all() == 20_000
    house.settle()
    assert house.host.state.ledger.awards[key].told(2) == (50_000, 0)


def test_a_join_that_never_took_effect_leaves_no_table_behind() -> None:
    """Sealed while it waited: the next incarnation begins with the start value, as the first would have."""
    house = House.of("t1")
    for incarnation in ("t2-i1", "t2-i2"):
        new = Table.new("t2", incarnation)
        new.start()
        assert house.host.join(new, 300_000) is None
        assert house.amount_minor == 500_000
        if incarnation == "t2-i1":
            assert house.host.decide(MemberSealed("t2", "it was the wrong machine", True)) is None
            assert house.host.state.ledger.tables["t2"].standing is Standing.LEFT
    house.tables.append(new)
    house.settle()
    assert (new.state.standing, house.amount_minor) == (Standing.ACTIVE, 800_000)
