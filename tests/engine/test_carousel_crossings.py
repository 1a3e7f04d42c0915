"""Corrections at a carousel that cross advances, held awards, leaves and joins; amounts in whole centavos."""

from dataclasses import replace

import pytest

from controller.core.causes import PoolCause
from controller.core.hands import Category
from controller.core.ledger import balances
from controller.core.prizes import Prize, PrizeList
from controller.engine import member, member_rows
from controller.engine.host_events import AwardSettled, MemberSealed, MeterAdjusted, PrizeReleased
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import ClaimName, Voided
from controller.engine.ledger_state import Standing
from tests.engine.carousel_house import CENTAVO, TWO, House, Table, four, royal, straight_flush


def rows(table: Table) -> list[tuple[int, int, int, str]]:
    return [(row.seat, row.amount_minor, row.paid_minor, row.status.value) for row in table.state.rows.values()]


def advanced_and_held(amount: int) -> House:
    """t1's award is open; t2, which has not heard of it, is advanced an amount of its own and then held behind it."""
    house = House.of("t1", "t2")
    one, two = house.tables
    one.bet(0)
    one.win(straight_flush(1))
    for message in one.outbox():
        house.host.receive(message)
    two.bet(0)
    two.win(straight_flush(2))
    assert two.store(member.advance(two.state, hand=1, seat=2, amount_minor=amount, signed=TWO)) is None
    house.settle()
    return house


@pytest.mark.parametrize("advanced", [90_000, 95_000, 100_000])
def test_an_advanced_prize_that_is_computed_anew_is_held_as_it_was(advanced: int) -> None:
    """The advance had paid all of the held award, which a void of the one before it makes larger."""
    house = advanced_and_held(advanced)
    one, two = house.tables
    assert rows(two) == [(2, 90_000, advanced, "paid")]
    one.win(hand=1, revision=2)
    house.settle()
    status = "held" if advanced < 100_000 else "paid"
    assert rows(two) == [(2, 100_000, advanced, status)]
    assert two.pay_all() == 0
    house.host.decide(PrizeReleased(ClaimName("t2", "t2-i1", 1), "checked"))
    house.settle()
    assert two.pay_all() == 100_000 - advanced


def test_what_was_advanced_is_not_paid_again_after_many_other_prizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table holds few closed rows, and besides those of awards that are held: they may be computed anew."""
    monkeypatch.setattr(member_rows, "KEPT_ROWS", 1)
    house = advanced_and_held(90_000)
    one, two = house.tables
    for _ in range(3):
        two.bet(0)
        two.win(four(1))
        house.settle()
        two.pay_all()
    house.settle()
    one.win(hand=1, revision=2)
    house.settle()
    assert two.state.rows["t2/t2-i1/1/2"].payable_minor == 10_000
    house.host.decide(PrizeReleased(ClaimName("t2", "t2-i1", 1), "checked"))
    house.settle()
    assert two.pay_all() == 10_000
    assert balances(two.journal)["prizes.paid"] == (100_000 + 3 * 50_000) * CENTAVO
    two.bet(0)
    two.win(four(1), four(3))
    house.settle()
    two.pay_all()
    house.settle()
    two.bet(0)
    house.settle()
    assert len(two.state.rows) < 4  # no longer held, it is let go like any other


def test_a_held_award_for_which_a_correction_left_nothing_comes_back_with_the_next_one() -> None:
    """t1's card is corrected to ten flushes, which take the whole, and then to what it was."""
    house = House.of("t1", "t2")
    one, two = house.tables
    for table, seat in ((one, 1), (two, 2)):
        table.bet(0)
        table.win(straight_flush(seat))
        house.settle()
    one.win(*(straight_flush(seat) for seat in range(1, 11)), hand=1, revision=2)
    house.settle()
    assert (rows(two), house.amount_minor) == ([(2, 0, 0, "void")], 0)
    one.win(straight_flush(1), hand=1, revision=3)
    house.settle()
    assert (rows(two), house.amount_minor) == ([(2, 90_000, 0, "held")], 810_000)
    assert two.pay_all() == 0
    check_ledger(house.host.state.ledger)


def back_with_another_balance(house: House, place: int, start_minor: int) -> Table:
    """A table leaves with its balance, and its next incarnation joins with a start value."""
    old = house.tables[place]
    assert old.store(member.leave(old.state, TWO)) is None
    house.settle()
    new = Table.new(old.name, f"{old.name}-i2")
    new.start()
    house.tables[place] = new
    assert house.host.join(new, start_minor) is None
    house.settle()
    assert new.state.standing is Standing.ACTIVE
    return new


@pytest.mark.parametrize(
    ("first", "again"), [(straight_flush(1), ()), (royal(1), ()), (straight_flush(1), (royal(1),))]
)
def test_a_correction_ends_where_a_table_went_away_with_its_balance(first: object, again: tuple[object, ...]) -> None:
    """What t2 had when t1 won is not what it holds since it came back: t3's held award is computed without it."""
    house = House.of("t1", "t2", "t3", start_minor=100_000)
    one, _, three = house.tables
    one.bet(0)
    one.win(first)  # type: ignore[arg-type]  # a winner
    house.settle()
    back_with_another_balance(house, 1, 50_000)
    three.bet(0)
    three.win(straight_flush(2))
    house.settle()
    one.win(*again, hand=1, revision=2)  # type: ignore[arg-type]  # winners
    house.settle()
    assert rows(three) == [(2, 25_000, 0, "held")]
    held = house.host.state.ledger.awards["t3/t3-i1/1"].before
    assert [balance.micros // CENTAVO for balance in held] == [100_000, 50_000, 100_000]
    left = house.host.state.ledger.balances()
    assert [balance.micros // CENTAVO for balance in left] == [90_000, 45_000, 90_000]
    check_ledger(house.host.state.ledger)


def test_a_correction_reaches_what_was_won_before_a_table_went_away() -> None:
    """t3 won while t2 was still there with what t1's award had left it; the void puts that right at its place."""
    house = House.of("t1", "t2", "t3", start_minor=100_000)
    one, _, three = house.tables
    for table, seat in ((one, 1), (three, 2)):
        table.bet(0)
        table.win(straight_flush(seat))
        house.settle()
    assert rows(three) == [(2, 27_000, 0, "held")]
    back_with_another_balance(house, 1, 50_000)
    one.win(hand=1, revision=2)
    house.settle()
    assert rows(three) == [(2, 30_000, 0, "held")]
    check_ledger(house.host.state.ledger)


def test_a_held_award_is_computed_anew_by_the_list_it_was_won_by() -> None:
    """Its table was replaced, and the machine in its place plays by another list."""
    house = House.of("t1", "t2")
    one, two = house.tables
    two.bet(0)
    two.win(straight_flush(1))
    house.settle()
    one.bet(0)
    one.win(straight_flush(2), four(3))
    house.settle()
    assert rows(one) == [(2, 90_000, 0, "held"), (3, 50_000, 0, "held")]
    house.host.decide(MemberSealed("t1", "burnt", True))
    halved = (Prize(Category.STRAIGHT_FLUSH, percent=5), Prize(Category.FOUR_OF_A_KIND, fixed_minor=10_000))
    new = Table.new("t1", "t1-i2")
    new.state = replace(new.state, settings=replace(new.state.settings, prizes=PrizeList(halved)))
    new.start()
    house.tables[0] = new
    house.host.join(new)
    house.settle()
    two.win(hand=1, revision=2)
    house.settle()
    award = house.host.state.ledger.awards["t1/t1-i1/1"]
    assert [(row.seat, row.amount_minor) for row in award.granted.rows] == [(2, 100_000), (3, 50_000)]
    new.bet(0)
    new.win(straight_flush(2))
    house.settle()
    assert [row.amount_minor for row in new.state.rows.values()] == [45_000]


def test_cash_stays_in_the_books_when_one_record_voids_a_hand_and_computes_the_next_one_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both are the same table's, which holds few closed rows: those of the void hand close first."""
    monkeypatch.setattr(member_rows, "KEPT_ROWS", 1)
    house = House.of("t1")
    (table,) = house.tables
    for seats in ((1, 2, 3), (4,)):
        table.bet(0)
        table.win(*(straight_flush(seat) for seat in seats))
        house.settle()
    table.store(member.verify_row(table.state, "t1/t1-i1/1/1", actor="ana"))
    table.store(member.pay(table.state, "t1/t1-i1/1/1", actor="ana", second="bea"))
    house.settle()
    table.win(hand=1, revision=2)
    house.settle()
    books = balances(table.journal)
    assert books["prizes.paid"] == 50_000 * CENTAVO
    assert books["house.prizes"] == -50_000 * CENTAVO
    assert books["prizes.payable"] == 50_000 * CENTAVO
    assert books["carousel.awards"] == -50_000 * CENTAVO


def test_a_correction_that_leaves_less_than_nothing_is_the_house_s_and_the_next_award_is_of_nothing() -> None:
    """The meter was lowered by people between the two; the corrected hand takes what it found at its own place."""
    house = House.of("t1", start_minor=0)
    (table,) = house.tables
    table.bet(100_000)
    table.win(straight_flush(1))
    house.settle()
    lowered = MeterAdjusted("t1", -50_000 * CENTAVO, "recount", cause=PoolCause.FAULT_CORRECTION)
    assert house.host.decide(lowered) is None
    table.bet(0)
    table.win(straight_flush(2))
    house.settle()
    assert [(row.hand, row.amount_minor) for row in table.state.rows.values()] == [(1, 10_000), (2, 4_000)]
    table.win(royal(1), hand=1, revision=2)
    house.settle()
    assert [(row.hand, row.amount_minor) for row in table.state.rows.values()] == [(1, 100_000), (2, 0)]
    assert (table.state.stopped, house.amount_minor) == (None, 0)
    assert house.host.state.ledger.funding_micros == 50_000 * CENTAVO
    check_ledger(house.host.state.ledger)
    table.win(straight_flush(1), hand=1, revision=3)
    house.settle()
    assert [(row.hand, row.amount_minor) for row in table.state.rows.values()] == [(1, 10_000), (2, 4_000)]
    check_ledger(house.host.state.ledger)


def three_in_a_row() -> House:
    """t1's award is open, those of t2 and t3 are held behind it: 150,000, 135,000 and 121,500."""
    house = House.of("t1", "t2", "t3")
    for table in house.tables:
        table.bet(0)
        table.win(straight_flush(1))
        house.settle()
    assert won(house) == [150_000, 135_000, 121_500]
    return house


def won(house: House) -> list[int]:
    return [row.amount_minor for table in house.tables for row in table.state.rows.values()]


def recomputed(house: House) -> list[str]:
    """The tables whose awards the last correction names, in its order."""
    (void,) = [record.body for record in house.host.state.recent[-1:] if isinstance(record.body, Voided)]
    return [granted.name.table for granted in void.granted]


@pytest.mark.parametrize(
    ("corrected", "named", "amounts"),
    [
        (0, ["t1", "t2", "t3"], [0, 150_000, 135_000]),
        (1, ["t2", "t3"], [150_000, 0, 135_000]),
        (2, ["t3"], [150_000, 135_000, 0]),
    ],
)
def test_a_void_reaches_the_held_awards_after_it_in_the_order_of_the_ledger(
    corrected: int, named: list[str], amounts: list[int]
) -> None:
    house = three_in_a_row()
    house.tables[corrected].win(hand=1, revision=2)
    house.settle()
    assert (recomputed(house), won(house)) == (named, amounts)
    assert house.amount_minor == 1_500_000 - sum(amounts)


def test_whichever_is_released_first_is_left_as_it_is() -> None:
    """t3 is released before t2: the void of t1 moves t2 alone, and what t3 was given is no longer there for it."""
    house = three_in_a_row()
    house.host.decide(PrizeReleased(ClaimName("t3", "t3-i1", 1), "checked"))
    house.tables[0].win(hand=1, revision=2)
    house.settle()
    assert (recomputed(house), won(house)) == (["t1", "t2"], [0, 150_000, 121_500])
    house.host.decide(PrizeReleased(ClaimName("t2", "t2-i1", 1), "checked"))
    house.settle()
    assert [table.pay_all() for table in house.tables] == [0, 150_000, 121_500]
    house.settle()
    assert not house.host.state.open_awards


def test_a_reserve_that_a_correction_uses_is_not_there_for_the_next_award() -> None:
    house = House.of("t1", start_minor=100_000)
    (table,) = house.tables
    table.bet(0, reserve_minor=30_000)
    table.win(straight_flush(1))
    house.settle()
    table.bet(0)
    table.win(royal(2))
    house.settle()
    assert [row.amount_minor for row in table.state.rows.values()] == [10_000, 90_000]
    assert house.host.state.ledger.funding_micros == 170_000 * CENTAVO
    table.win(royal(1), hand=1, revision=2)
    house.settle()
    assert [row.amount_minor for row in table.state.rows.values()] == [100_000, 100_000]
    (void,) = [record.body for record in house.host.state.recent if isinstance(record.body, Voided)]
    assert (void.rescue, house.amount_minor) == ((), 100_000)
    assert house.host.state.ledger.funding_micros == 270_000 * CENTAVO
    check_ledger(house.host.state.ledger)


def test_a_held_award_whose_own_card_was_corrected_is_computed_anew_for_the_new_winners() -> None:
    house = House.of("t1", "t2")
    one, two = house.tables
    for table in (one, two):
        table.bet(0)
        table.win(straight_flush(1))
        house.settle()
    two.win(straight_flush(2), four(3), hand=1, revision=2)
    house.settle()
    one.win(hand=1, revision=2)
    house.settle()
    assert [(seat, amount) for seat, amount, _, _ in rows(two)] == [(1, 0), (2, 100_000), (3, 50_000)]


def test_an_award_that_people_settled_is_not_computed_anew() -> None:
    house = House.of("t1", "t2")
    one, two = house.tables
    for table in (one, two):
        table.bet(0)
        table.win(straight_flush(1))
        house.settle()
    house.host.decide(MemberSealed("t2", "burnt", True))
    assert house.host.decide(AwardSettled(ClaimName("t2", "t2-i1", 1), "paid at the cage", True)) is None
    one.win(hand=1, revision=2)
    house.settle()
    assert recomputed(house) == ["t1"]
    assert house.amount_minor == 1_000_000 - 90_000
