"""A table's part of the meter at its ceiling: what passes it, what is taken back of that, and what a restart uses."""

from dataclasses import replace

import pytest

from controller.core.causes import PoolCause
from controller.core.ledger import balances
from controller.engine.host_events import CarouselFounded, StepAccepted
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_records import CountersAbsorbed, OverflowReversed, Record, seal_record
from controller.engine.messages import Ledger
from tests.engine.carousel_house import CENTAVO, Host, House, Table, royal, straight_flush

CEILING = 150
FAULT = PoolCause.FAULT_CORRECTION


def house(bound_minor: int | None = None) -> House:
    """One table that begins with 100 centavos under a ceiling of 150."""
    made = House(Host.new(), [])
    made.host.decide(CarouselFounded("new"))
    facts = {"ceiling_micros": CEILING * CENTAVO}
    if bound_minor is not None:
        facts["bound_micros"] = bound_minor * CENTAVO
    made.add(Table.new("t1"), 100, **facts)
    return made


def pools(made: House) -> tuple[int, ...]:
    """Main, reserve and overflow in centavos, the same at the host and in the table's mirror; the books hold."""
    ledger = made.host.state.ledger
    check_ledger(ledger)
    assert made.tables[0].state.ledger.tables["t1"].pools == ledger.tables["t1"].pools
    assert sum(balances(made.host.journal).values()) == 0
    return tuple(micros // CENTAVO for micros in ledger.tables["t1"].pools)


@pytest.mark.requirement("R29")
def test_the_excess_goes_to_the_overflow_and_a_restart_uses_it() -> None:
    made = house()
    table = made.tables[0]
    table.bet(200)
    made.settle()
    assert pools(made) == (150, 0, 150)
    table.win(royal(1))
    made.settle()
    assert [row.amount_minor for row in table.state.rows.values()] == [150]
    assert pools(made) == (150, 0, 0)


def test_a_corrected_royal_uses_the_overflow_again_and_a_voided_one_gives_it_back() -> None:
    made = house()
    table = made.tables[0]
    table.bet(200, reserve_minor=7)
    table.win(royal(1))
    made.settle()
    assert pools(made) == (157, 0, 0)
    table.win(royal(1), royal(2), hand=1, revision=2)
    made.settle()
    assert [row.amount_minor for row in table.state.rows.values()] == [75, 75]
    assert pools(made) == (157, 0, 0)
    (void,) = [record.body for record in made.host.state.recent if record.kind == "void"]
    assert [each.overflow // CENTAVO for granted in void.granted for each in granted.changes] == [-150]  # type: ignore[union-attr]  # it is a correction
    assert void.rescue == ()  # type: ignore[union-attr]  # as before
    table.win(hand=1, revision=3)
    made.settle()
    assert pools(made) == (150, 7, 150)


def test_an_overflow_that_a_correction_uses_is_not_there_for_the_next_restart() -> None:
    made = house()
    table = made.tables[0]
    table.bet(200)
    table.win(straight_flush(1))
    made.settle()
    table.bet(0)
    table.win(royal(2))
    made.settle()
    assert [row.amount_minor for row in table.state.rows.values()] == [15, 135]
    assert pools(made) == (150, 0, 0)
    table.win(royal(1), hand=1, revision=2)
    made.settle()
    assert [row.amount_minor for row in table.state.rows.values()] == [150, 150]
    assert pools(made) == (100, 0, 0)
    assert made.host.state.ledger.funding_micros == (100 + 100) * CENTAVO


@pytest.mark.parametrize(
    ("bets", "void", "expected"),
    [
        ((200,), 200, (100, 0, 0)),
        ((40, 30), 30, (140, 0, 0)),
        ((40, 30), 40, (130, 0, 0)),
        ((200, 60), 60, (150, 0, 150)),
        ((40,), 40, (100, 0, 0)),
    ],
)
def test_a_void_hand_takes_out_of_the_overflow_what_it_put_there(
    bets: tuple[int, ...], void: int, expected: tuple[int, ...]
) -> None:
    made = house()
    table = made.tables[0]
    for minor in bets:
        table.bet(minor)
        made.settle()
    table.reverse(void)
    made.settle()
    assert pools(made) == expected
    assert made.host.state.ledger.funding_micros == 100 * CENTAVO, "the house puts nothing in"


def test_below_the_ceiling_a_void_hand_takes_from_the_meter() -> None:
    """A prize has been taken since: what came in after it is the meter's, and the overflow stays."""
    made = house()
    table = made.tables[0]
    table.bet(60)
    made.settle()
    table.win(straight_flush(1))
    made.settle()
    table.bet(10)
    made.settle()
    table.reverse(10)
    made.settle()
    assert pools(made) == (135, 0, 10)


@pytest.mark.parametrize(
    ("step", "wrong", "expected"),
    [(1_000, 1_000, (100, 0, 0)), (1_000, 900, (150, 0, 50)), (1_000, 970, (130, 0, 0)), (1_000, 0, (150, 0, 950))],
)
def test_what_was_wrong_of_an_accepted_step_comes_out_of_where_it_went(
    step: int, wrong: int, expected: tuple[int, ...]
) -> None:
    made = house(bound_minor=10)
    made.tables[0].bet(step)
    made.settle()
    event = StepAccepted("t1", "counted by hand", wrong * CENTAVO, cause=FAULT if wrong else None)
    assert made.host.decide(event) is None
    made.settle()
    assert pools(made) == expected


def of_void(made: House) -> Record:
    """The record of a void above the ceiling, which the table has not seen."""
    table = made.tables[0]
    table.bet(200)
    made.settle()
    table.reverse(200)
    for message in table.outbox():
        made.host.receive(message)
    (record,) = (each for each in made.host.records(1, 99) if isinstance(each.body, OverflowReversed))
    return record


@pytest.mark.parametrize("overflow", [149, 151])
def test_a_table_stops_at_a_record_that_takes_another_part(overflow: int) -> None:
    made = house()
    table, record = made.tables[0], of_void(made)
    assert isinstance(record.body, OverflowReversed)
    lied = seal_record(
        record.seq, record.epoch, record.prev, replace(record.body, overflow_micros=overflow * CENTAVO, rescue_micros=0)
    )
    table.receive(Ledger(record.epoch, lied))
    assert table.state.stopped == "arithmetic"


def test_a_host_of_before_took_it_all_from_the_meter_and_its_tables_follow() -> None:
    made = house()
    table, record = made.tables[0], of_void(made)
    body = record.body
    assert isinstance(body, OverflowReversed)
    former = CountersAbsorbed(body.table, body.incarnation, body.counters, body.mark, 50 * CENTAVO)
    assert table.receive(Ledger(record.epoch, seal_record(record.seq, record.epoch, record.prev, former))) is None
    assert table.state.stopped is None
    assert [micros // CENTAVO for micros in table.state.ledger.tables["t1"].pools] == [0, 0, 150]
