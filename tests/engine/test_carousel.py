"""The carousel's happy path and its money, amounts in whole centavos."""

import pytest

from controller.engine.member_state import RowStatus
from tests.engine.carousel_house import CENTAVO, House, four, royal, straight_flush


def rows(house: House, place: int) -> list[tuple[int, int, str]]:
    state = house.tables[place].state
    return [(row.seat, row.amount_minor, row.status.value) for row in (state.rows[key] for key in state.rows)]


@pytest.mark.requirement("R16")
def test_joined_tables_start_with_their_start_values() -> None:
    house = House.of("t1", "t2")
    assert house.amount_minor == 1_000_000
    assert [table.state.meter_micros for table in house.tables] == [1_000_000 * CENTAVO] * 2


@pytest.mark.requirement("R16")
def test_a_straight_flush_takes_ten_percent_from_both_tables_in_proportion() -> None:
    house = House.of("t1", "t2")
    house.tables[0].bet(100_000)
    house.tables[1].bet(300_000)
    house.tables[1].win(straight_flush(3))
    house.settle()
    assert rows(house, 1) == [(3, 140_000, "pending")]
    assert [balance.micros // CENTAVO for balance in house.host.state.ledger.balances()] == [540_000, 720_000]
    assert house.tables[1].pay_all() == 140_000
    house.settle()
    assert not house.host.state.open_awards


@pytest.mark.requirement("R44")
def test_a_royal_restarts_every_table() -> None:
    house = House.of("t1", "t2")
    house.tables[0].bet(100_001, reserve_minor=600_000)
    house.tables[0].win(royal(1), royal(4))
    house.settle()
    assert rows(house, 0) == [(1, 550_000, "pending"), (4, 550_000, "pending")]
    assert [balance.micros // CENTAVO for balance in house.host.state.ledger.balances()] == [600_000, 500_000]
    assert house.amount_minor == 1_100_001  # the odd centavo stayed, in both parts


@pytest.mark.requirement("R59")
def test_a_counter_is_absorbed_once_however_often_it_is_heard() -> None:
    house = House.of("t1")
    house.tables[0].bet(7)
    for _ in range(100):
        for message in house.tables[0].outbox():
            house.host.receive(message)
    assert house.amount_minor == 500_007


def test_a_fixed_row_is_the_house_s_and_neither_holds_nor_is_held() -> None:
    house = House.of("t1", "t2")
    house.tables[0].bet(100)
    house.tables[0].win(straight_flush(1))
    house.settle()
    house.tables[1].bet(100)
    house.tables[1].win(four(2))
    house.settle()
    assert rows(house, 1) == [(2, 50_000, "pending")]


@pytest.mark.requirement("R95")
@pytest.mark.article("O-o")
def test_the_second_of_two_open_awards_is_held_until_released() -> None:
    house = House.of("t1", "t2")
    house.tables[0].bet(0)
    house.tables[0].win(straight_flush(1))
    house.tables[1].bet(0)
    house.tables[1].win(straight_flush(2))
    house.settle()
    assert (rows(house, 0), rows(house, 1)) == ([(1, 100_000, "pending")], [(2, 90_000, "held")])
    assert house.tables[1].pay_all() == 0
    assert house.tables[1].state.rows["t2/t2-i1/1/2"].status is RowStatus.HELD


@pytest.mark.article("O-j")
def test_a_voided_royal_gives_back_what_it_took_and_takes_back_the_restart() -> None:
    house = House.of("t1", start_minor=500_000)
    house.tables[0].bet(1_500_000)
    house.tables[0].win(royal(1))
    house.settle()
    assert house.amount_minor == 500_000
    hand = house.tables[0].hand
    house.tables[0].bet(10_000)
    house.settle()
    house.tables[0].win(hand=hand, revision=2)
    house.settle()
    assert house.amount_minor == 2_010_000
    assert rows(house, 0) == [(1, 0, "void")]
