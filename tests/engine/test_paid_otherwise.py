"""What two people had paid instead of the computed amount is told along the carousel, and moves nothing of it."""

import dataclasses

import pytest

from controller.core.events import PrizePaid, PrizeVerified
from controller.engine import member_outbox
from controller.engine.host_events import HostPromoted
from controller.engine.host_outbox import meter
from controller.engine.messages import Counter, PaidPrize, Received
from controller.engine.table_overrides import difference_of
from tests.engine.carousel_house import Host, House, Table, four, royal, straight_flush, talk
from tests.engine.pit import Pit
from tests.engine.test_overrides import MORE, overridden
from tests.engine.test_papers import correct, issued, won


def row_of(table: Table, seat: int) -> str:
    return next(row.id for row in table.state.rows.values() if row.seat == seat)


def won_at(house: House, *winners: object) -> Table:
    """The last table of the house has won."""
    table = house.tables[-1]
    table.bet(0)
    table.win(*winners)  # type: ignore[arg-type]  # winners of any kind
    house.settle()
    return table


def received(table: Table) -> Received:
    return next(message for message in table.outbox() if isinstance(message, Received))


@pytest.mark.requirement("R85")
@pytest.mark.promise("P4")
@pytest.mark.parametrize("difference", [MORE, -MORE])
def test_the_carousel_hears_what_was_paid_and_its_pools_stay(difference: int) -> None:
    pit, (prize,) = won()
    usual, (same,) = won()
    computed = pit.state.link.rows[prize].amount_minor
    overridden(pit, prize, computed + difference)
    for each, row in ((pit, prize), (usual, same)):
        each.do(PrizePaid(row), actor="ana", second="bea")
        each.deliver()
    host = pit.host.state
    assert dict(host.beside) == {prize: difference}
    assert meter(host).paid == (PaidPrize("t1", 1, 1, "straight_flush", computed + difference),)
    same_host = usual.host.state
    assert (host.paid, host.open_awards) == (same_host.paid, same_host.open_awards)
    assert (host.ledger.tables, host.ledger.awards_micros) == (same_host.ledger.tables, same_host.ledger.awards_micros)
    assert meter(usual.host.state).paid == ()
    assert pit.state == pit.replayed()


@pytest.mark.requirement("R85")
def test_each_share_of_a_royal_is_told_as_it_was_paid() -> None:
    house = House.of("t1", "t2")
    table = won_at(house, royal(1), royal(4), four(5))
    shares = {row.seat: row.amount_minor for row in table.state.rows.values()}
    table.pay_otherwise(row_of(table, 4), shares[4] + 50)
    table.pay_otherwise(row_of(table, 5), 1)
    house.settle()
    told = meter(house.host.state)
    assert [each.seat for each in told.pending] == [1]
    assert told.paid == (PaidPrize("t2", 1, 4, "royal_flush", shares[4] + 50),), "the house's own prizes are not told"
    assert dict(house.host.state.beside) == {row_of(table, 4): 50, row_of(table, 5): 1 - shares[5]}
    table.pay_all()
    house.settle()
    assert [(each.seat, each.amount_minor) for each in meter(house.host.state).paid] == [(4, shares[4] + 50)]


@pytest.mark.requirement("R85")
def test_a_payment_while_the_host_was_away_is_told_when_it_is_back() -> None:
    """Messages of before, late or doubled, take nothing back; a start of the host folds the same."""
    house = House.of("t1", "t2")
    table = won_at(house, straight_flush(3))
    before, computed = received(table), table.state.rows[row_of(table, 3)].amount_minor
    table.pay_otherwise(row_of(table, 3), computed - 7)
    table.start("after a power cut")
    assert meter(house.host.state).paid == ()
    house.settle()
    assert [each.amount_minor for each in meter(house.host.state).paid] == [computed - 7]
    size = len(house.host.journal)
    for message in (before, received(table), before, dataclasses.replace(received(table), beside=())):
        house.host.receive(message)
    assert (len(house.host.journal), dict(house.host.state.beside)) == (size, {row_of(table, 3): -7})
    was = house.host.state.beside
    house.host.start("again")
    assert house.host.state.beside == was


def test_a_table_or_a_host_of_an_earlier_release_said_the_payment_first() -> None:
    house = House.of("t1")
    table = won_at(house, straight_flush(3))
    table.pay_otherwise(row_of(table, 3), 11)
    house.host.receive(dataclasses.replace(received(table), beside=()))
    assert (len(house.host.state.paid), len(house.host.state.beside)) == (1, 0)
    house.settle()
    assert [each.amount_minor for each in meter(house.host.state).paid] == [11]


def test_a_table_speaks_of_its_own_payments_and_of_nothing_below_zero() -> None:
    house = House.of("t1", "t2")
    table = won_at(house, straight_flush(3))
    mine = row_of(table, 3)
    computed = table.pay_all()
    house.settle()
    liar = house.tables[0]
    house.host.receive(dataclasses.replace(received(liar), paid=((mine, computed),), beside=((mine, 5),)))
    for wrong in (((mine, -computed - 1),), ((mine, 0),), (("t2/t2-i1/9/9", 5),)):
        house.host.receive(dataclasses.replace(received(table), beside=wrong))
    assert dict(house.host.state.beside) == {}


def test_a_promoted_host_learns_it_from_the_table() -> None:
    house = House.of("t1", "t2")
    table = won_at(house, straight_flush(3))
    table.pay_otherwise(row_of(table, 3), 9)
    house.settle()
    new = Host.new("B")
    new.decide(HostPromoted("lost"))
    talk(new, *house.tables)
    assert (new.state.ledger.amount_micros, dict(new.state.beside)) == (
        house.host.state.ledger.amount_micros,
        dict(house.host.state.beside),
    )


def test_what_was_paid_of_old_prizes_is_forgotten_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.engine.ledger_book.KEPT_AWARDS", 2)
    house = House.of("t1")
    for seat in (1, 2, 3):
        table = won_at(house, straight_flush(seat))
        table.pay_otherwise(row_of(table, seat), 9)
        house.settle()
    assert [each.seat for each in meter(house.host.state).paid] == [2, 3]
    assert len(house.host.state.beside) == 2


@pytest.mark.requirement("R85")
def test_a_correction_after_nothing_was_paid_leaves_nothing_paid() -> None:
    """Two people had nothing paid; a later card makes less of the prize, which the house bears, and nobody owes it."""
    pit = Pit()
    pit.play("As Ks Qs Js Ts", seats=(1,))
    pit.deliver()
    (prize,) = pit.state.link.rows
    pit.do(PrizeVerified(prize), actor="ana")
    overridden(pit, prize, 0)
    pit.do(PrizePaid(prize), actor="ana", second="bea")
    pit.deliver()
    correct(pit, "As", "9s")
    pit.deliver()
    row = pit.state.link.rows[prize]
    assert 0 < row.amount_minor < row.paid_minor
    assert row.amount_minor + difference_of(pit.state, prize) == 0
    assert [told.amount_minor for told in meter(pit.host.state).paid] == [0]
    assert issued(pit, prize).body["content"]["net_minor"] == 0


def test_a_table_of_before_says_no_field_that_was_not_there() -> None:
    """Its own chain, which the host compares, has the entries it always had."""
    pit, (prize,) = won()
    overridden(pit, prize, 5)
    pit.do(PrizePaid(prize), actor="ana", second="bea")
    (paid,) = [entry.body for entry in pit.journal if entry.kind == "link.paid"]
    assert set(paid) == {"row", "amount_minor", "actor", "second"}
    counter = next(
        message for message in member_outbox.outbox(pit.state.link, playing=False) if isinstance(message, Counter)
    )
    assert counter.mark == pit.state.link.mark
