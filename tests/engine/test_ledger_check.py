"""The live equation: it holds through whole hands, voids and paid draws, and every broken figure is found."""

from dataclasses import replace

import pytest

from controller.adapters.journal.equations import equations
from controller.core.events import HandVoided, PrizePaid, PrizeVerified, VoidReason
from controller.core.ledger import LedgerBroken
from controller.core.refusal import Refused
from controller.engine.ledger_check import check_host, check_ledger, check_table
from controller.engine.table_state import JUGADOR_AFORTUNADO, DrawTerms, LuckySeatFrom
from tests.adapters.journal_fixtures import reading_of
from tests.engine.pit import CENTAVO, Pit, oasis_settings

STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
NOTHING = "2c 4s 6h 8c Tc"
BET = 100 * CENTAVO


def holds(pit: Pit) -> None:
    """Everything adds up, live and entry by entry."""
    check_host(pit.host.state)
    check_table(pit.state)
    checks = equations()
    assert [said for read in map(reading_of, pit.journal) for check in checks if (said := check(read))] == []
    assert {kind: pit.balance(f"pool.{kind}") for kind in pit.state.pools} == dict(pit.state.pools)
    assert pit.replayed() == pit.state


def pooled() -> Pit:
    """A table whose lucky seat is paid out of its own pool, always at the only betting box."""
    lucky = DrawTerms(JUGADOR_AFORTUNADO, 40, pool_bp=2_000, lucky_seat_from=LuckySeatFrom.BETTING)
    return Pit(oasis_settings(draws=(lucky,)))


@pytest.mark.requirement("R77")
@pytest.mark.promise("P4")
def test_the_equation_holds_after_hands_awards_and_voids() -> None:
    pit = Pit()
    for cards in (NOTHING, STRAIGHT_FLUSH, NOTHING):
        pit.play(cards)
        pit.deliver()
        holds(pit)
    pit.do(HandVoided(VoidReason.DEAL_ERROR, hand=3), actor="ana", second="bea")
    pit.deliver()
    holds(pit)


@pytest.mark.article("O-67")
def test_a_void_of_a_hand_whose_draw_was_not_paid_gives_all_back() -> None:
    pit = pooled()
    assert not isinstance(pit.play(NOTHING), Refused)
    assert pit.state.pools == {JUGADOR_AFORTUNADO: 0}
    holds(pit)
    assert not isinstance(pit.do(HandVoided(VoidReason.DEAL_ERROR, hand=1), actor="ana", second="bea"), Refused)
    assert pit.state.pools == {JUGADOR_AFORTUNADO: 0}
    assert (pit.balance("patrons"), pit.balance("house.prizes"), pit.balance("prizes.payable")) == (0, 0, 0)
    pit.deliver()
    holds(pit)


@pytest.mark.article("O-67")
def test_what_a_paid_draw_took_out_of_the_pool_the_house_returns() -> None:
    pit = pooled()
    pit.play(NOTHING)
    (prize,) = pit.state.draw_prizes
    pit.do(PrizeVerified(prize), actor="ana")
    assert not isinstance(pit.do(PrizePaid(prize), actor="ana", second="bea"), Refused)
    house = pit.balance("house.prizes")
    assert not isinstance(pit.do(HandVoided(VoidReason.DEAL_ERROR, hand=1), actor="ana", second="bea"), Refused)
    assert pit.state.pools == {JUGADOR_AFORTUNADO: 0}
    assert pit.balance("patrons") == 0
    assert pit.balance("house.prizes") - house == -BET * 20 // 100
    pit.deliver()
    holds(pit)


@pytest.mark.promise("P4")
@pytest.mark.parametrize(
    "field",
    [
        "amount_micros",
        "contributions_micros",
        "funding_micros",
        "adjustments_micros",
        "awards_micros",
        "transfers_micros",
    ],
)
def test_one_micro_too_much_anywhere_is_found(field: str) -> None:
    pit = Pit()
    pit.play(STRAIGHT_FLUSH)
    pit.deliver()
    ledger = pit.host.state.ledger
    check_ledger(ledger)
    with pytest.raises(LedgerBroken, match="carousel c1"):
        check_ledger(replace(ledger, **{field: getattr(ledger, field) + 1}))


def test_a_table_that_took_back_more_than_it_gave_is_found() -> None:
    pit = Pit()
    check_table(pit.state)
    with pytest.raises(LedgerBroken, match="jugador_afortunado"):
        check_table(replace(pit.state, pools={JUGADOR_AFORTUNADO: -1}))
    counters = replace(pit.state.link.counters, reversed_main_micros=1)
    with pytest.raises(LedgerBroken, match="t1"):
        check_table(replace(pit.state, link=replace(pit.state.link, counters=counters)))
