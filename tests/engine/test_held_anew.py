"""Rule 4 for corrections: what becomes large, or is computed behind an open award, waits for two people again."""

import pytest

from controller.core.refusal import Refusal
from controller.engine import member
from controller.engine.host_events import PrizeReleased
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import ClaimName, VoidedHeld
from controller.engine.member_state import RowStatus
from tests.engine.carousel_house import House, Table, four, royal, straight_flush, talk
from tests.engine.carousel_stories import held_from, promote, reason, second_host
from tests.invariants.check import check_carousel
from tests.invariants.ledger_book import LedgerBook
from tests.invariants.table_book import TableBook

LARGE = 200_000


def pit(*names: str, large: int | None = LARGE) -> House:
    house = House.of(*names)
    held_from(house.host, large)
    return house


def won(house: House, table: Table, *winners: object) -> None:
    table.bet(0)
    table.win(*winners)  # type: ignore[arg-type]  # winners of any kind
    house.settle()


def corrected(house: House, table: Table, *winners: object) -> None:
    """Two people correct a card of the table's last hand."""
    revision = member.known_revision(table.state, name_of(table)) + 1
    assert table.win(*winners, revision=revision) is None  # type: ignore[arg-type]  # winners of any kind
    house.settle()


def name_of(table: Table) -> ClaimName:
    return ClaimName(table.name, table.state.settings.incarnation, table.hand)


def released(house: House, table: Table) -> None:
    assert house.host.decide(PrizeReleased(name_of(table), "seen")) is None
    house.settle()


def stands(table: Table) -> list[tuple[int, int, str]]:
    return [(row.seat, row.amount_minor, row.status.value) for row in table.state.rows.values()]


def kinds(house: House) -> list[str]:
    return [record.kind for record in house.host.records(1, 999) if record.kind.startswith("void")]


def test_a_prize_that_becomes_large_waits_for_its_release() -> None:
    house = pit("t1")
    (table,) = house.tables
    won(house, table, straight_flush(1))
    assert stands(table) == [(1, 50_000, "pending")]
    corrected(house, table, royal(1))
    assert stands(table) == [(1, 500_000, "held")]
    assert table.pay_all() == 0
    assert reason(table.store(member.verify_row(table.state, name_of(table).row(1), actor="ana"))) is Refusal.PRIZE_HELD
    released(house, table)
    assert table.pay_all() == 500_000
    assert kinds(house) == ["void_held"]
    check_ledger(house.host.state.ledger)


@pytest.mark.parametrize(("limit", "status"), [(500_000, "held"), (500_001, "pending"), (None, "pending")])
def test_the_bound_is_the_award_s_own(limit: int | None, status: str) -> None:
    house = pit("t1", large=limit)
    (table,) = house.tables
    won(house, table, straight_flush(1))
    corrected(house, table, royal(1))
    assert stands(table) == [(1, 500_000, status)]


def test_what_people_released_is_the_amount_they_saw() -> None:
    """Corrected away and back: the same amount, and nobody has released it in this round."""
    house = pit("t1")
    (table,) = house.tables
    won(house, table, royal(1))
    released(house, table)
    corrected(house, table, straight_flush(1))
    assert stands(table) == [(1, 50_000, "pending")], "less than what was released"
    corrected(house, table, royal(1))
    assert stands(table) == [(1, 500_000, "held")]
    assert kinds(house) == ["void", "void_held"]


def test_a_release_stands_where_nobody_gets_more() -> None:
    """Two royals share what one had been released for, and the other seat's part waits; then a third shares it too."""
    house = pit("t1", large=100_000)
    (table,) = house.tables
    won(house, table, royal(1), royal(2))
    released(house, table)
    corrected(house, table, royal(1), royal(2), royal(3))
    assert [row[2] for row in stands(table)] == ["held"] * 3, "the third has not been released"
    released(house, table)
    corrected(house, table, royal(1), royal(2, credits=5), royal(3))
    assert [row[2] for row in stands(table)] == ["pending"] * 3
    assert kinds(house) == ["void_held", "void"]


def test_a_prize_that_is_held_already_stays_so_and_is_released_once() -> None:
    house = pit("t1")
    (table,) = house.tables
    won(house, table, royal(1))
    corrected(house, table, royal(2))
    assert kinds(house) == ["void"]
    assert stands(table)[1] == (2, 500_000, "held")
    released(house, table)
    assert reason(house.host.decide(PrizeReleased(name_of(table), "again"))) is Refusal.UNKNOWN_PRIZE
    assert table.pay_all() == 500_000


def test_a_corrected_prize_that_first_takes_from_the_meter_waits_behind_an_open_award() -> None:
    """A fixed sum of the house was never held; as part of the meter it depends on whether the award before stands."""
    house = pit("t1", "t2", large=None)
    one, two = house.tables
    won(house, one, straight_flush(1))
    won(house, two, four(2, credits=5))
    assert stands(two) == [(2, 250_000, "pending")], "more than what it becomes, and nothing of the meter"
    corrected(house, two, straight_flush(2))
    assert stands(two) == [(2, 90_000, "held")]
    corrected(house, one)
    assert stands(two) == [(2, 100_000, "held")], "computed anew, as any held award"
    released(house, two)
    assert two.pay_all() == 100_000
    check_ledger(house.host.state.ledger)


def test_an_award_given_later_holds_no_correction_of_an_earlier_one() -> None:
    house = pit("t1", "t2", large=None)
    one, two = house.tables
    won(house, one, straight_flush(1))
    won(house, two, straight_flush(2))
    corrected(house, one, straight_flush(1), straight_flush(3))
    assert [row[2] for row in stands(one)] == ["pending", "pending"]
    assert [row[2] for row in stands(two)] == ["held"]
    assert kinds(house) == ["void"]


def test_a_fixed_prize_of_the_house_is_not_held_for_its_size() -> None:
    house = pit("t1", large=50_000)
    (table,) = house.tables
    won(house, table, four(1))
    corrected(house, table, four(1, credits=5))
    assert [row[1:] for row in stands(table)] == [(250_000, "pending")]


def test_the_rest_of_a_prize_that_was_paid_in_part_waits_and_what_is_paid_stays() -> None:
    house = pit("t1", large=100_000)
    (table,) = house.tables
    won(house, table, straight_flush(1), straight_flush(2))
    assert table.pay_all() == 100_000
    house.settle()
    corrected(house, table, royal(1))
    assert stands(table) == [(1, 500_000, "held"), (2, 0, "void")]
    assert table.state.rows[name_of(table).row(1)].paid_minor == 50_000
    released(house, table)
    assert table.pay_all() == 450_000
    house.settle()
    assert not house.host.state.open_awards
    check_ledger(house.host.state.ledger)


def test_nothing_is_held_where_the_cash_has_left_already() -> None:
    """Both equal flushes had the share of the hand's beginning; alone, the first would have had as much."""
    house = pit("t1", large=50_000)
    (table,) = house.tables
    won(house, table, royal(1))
    released(house, table)
    assert table.pay_all() == 500_000
    house.settle()
    corrected(house, table, straight_flush(1))
    corrected(house, table, royal(1))
    assert [row.status for row in table.state.rows.values()] == [RowStatus.PAID]
    assert kinds(house) == ["void", "void"]
    assert not house.host.state.open_awards


@pytest.mark.parametrize("limit", [None, 1_000_000])
def test_a_bound_that_changed_after_the_record_changes_no_record(limit: int | None) -> None:
    """The record says what waits: another setting at the host's next start, or at the next host, folds the same."""
    house = pit("t1", "t2")
    one, _ = house.tables
    won(house, one, straight_flush(1))
    held_from(house.host, 50_000)
    assert one.win(royal(1), revision=2) is None
    house.settle()
    assert stands(one) == [(1, 1_000_000, "held")], "the bound when it was answered"
    held_from(house.host, limit)
    house.host.start("again")
    one.start("again")
    house.settle()
    answered = house.host.state.ledger.awards[name_of(one).key]
    assert (answered.held, answered.released) == (True, False)
    assert stands(one) == [(1, 1_000_000, "held")]
    assert one.state.ledger == house.host.state.ledger


def test_a_held_correction_is_a_correction_to_everybody_who_reads_it() -> None:
    house = pit("t1")
    (table,) = house.tables
    won(house, table, straight_flush(1))
    corrected(house, table, royal(1))
    (record,) = (each for each in house.host.records(1, 99) if each.kind == "void_held")
    assert isinstance(record.body, VoidedHeld)
    assert (record.body.winners, record.body.signed.second) == ((royal(1),), "bea")


def test_a_void_before_it_computes_anew_what_waits_again_also_where_a_part_is_paid() -> None:
    """Released and paid, then a card adds a winner: until people let that go, all of it hangs on the award before."""
    house = pit("t1", "t2", large=None)
    one, two = house.tables
    won(house, one, straight_flush(1))
    won(house, two, straight_flush(2))
    released(house, two)
    assert two.pay_all() == 90_000
    house.settle()
    corrected(house, two, straight_flush(2), straight_flush(3))
    assert stands(two) == [(2, 90_000, "paid"), (3, 90_000, "held")]
    corrected(house, one)
    assert stands(two) == [(2, 100_000, "held"), (3, 100_000, "held")]
    released(house, two)
    assert two.pay_all() == 110_000
    house.settle()
    assert (house.amount_minor, house.host.state.open_awards.keys()) == (1_000_000 - 200_000, set())
    check_ledger(house.host.state.ledger)
    books = [TableBook(table.name, table.state.settings.incarnation) for table in house.tables]
    ledger = LedgerBook("c1")
    for book, table in zip(books, house.tables, strict=True):
        for entry in table.journal:
            book.follow(entry)
    for entry in house.host.journal:
        ledger.follow(entry)
    check_carousel(books, [ledger], ledger)


def test_a_host_that_takes_over_keeps_what_waits_again() -> None:
    house = pit("t1", "t2")
    one, two = house.tables
    won(house, one, straight_flush(1))
    corrected(house, one, royal(1))
    other = second_host(house, "B")
    promote(other, one, two)
    answered = other.state.ledger.awards[name_of(one).key]
    assert (answered.held, answered.released) == (True, False)
    assert other.decide(PrizeReleased(name_of(one), "seen")) is None
    talk(other, one, two)
    assert one.pay_all() == 1_000_000
