"""The jackpot bet: credits allowed, where it goes, bounds; expected result last."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.core.jackpot import (
    Contribution,
    Rates,
    check_jackpot_bet,
    contribution,
    contribution_in,
    under_ceiling,
)
from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse

CENTAVO = 10_000


@pytest.mark.requirement("R07")
@pytest.mark.article("O-57")
@pytest.mark.parametrize(
    ("bet_minor", "rates", "minor_micros", "parts"),
    [
        (100, Rates(2_000, 500), CENTAVO, Contribution(200_000, 50_000, 0, 0, 750_000)),
        (1, Rates(1), CENTAVO, Contribution(1, 0, 0, 0, 9_999)),
        (500, Rates(7_000), CENTAVO, Contribution(3_500_000, 0, 0, 0, 1_500_000)),
        (3, Rates(3_333, 1_111, 7, 13), CENTAVO, Contribution(9_999, 3_333, 21, 39, 16_608)),
        (1, Rates(10_000), 1_000_000, Contribution(1_000_000, 0, 0, 0, 0)),
        (0, Rates(2_000, 500), CENTAVO, Contribution()),
    ],
)
def test_where_a_bet_goes(bet_minor: int, rates: Rates, minor_micros: int, parts: Contribution) -> None:
    assert contribution(bet_minor, rates, minor_micros) == parts


@pytest.mark.promise("P18")
def test_a_contribution_as_journals_of_before_say_it() -> None:
    parts = {"main": 800, "reserve": 200, "house": 3_000, "pools": {"jugador_afortunado": 7}}
    assert contribution_in({"contribution": parts}) == Contribution(800, 200, 0, 7, 3_000)
    assert contribution_in({"contribution": to_record(Contribution(1, 2, 3, 4, 5))}) == Contribution(1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("parts", "unknown"),
    [
        ({"meter": 800}, "meter"),
        ({"meter_micros": 800, "house": 5}, "house"),
        ({"main": 1, "reserve": 2, "house": 3, "pools": {"carta": 4}}, "carta_micros"),
        ({"main": 1, "reserve": 2, "house": 3, "pools": {}, "overflow": 4}, "overflow"),
    ],
)
def test_a_part_that_nobody_knows_is_refused_by_name(parts: dict[str, object], unknown: str) -> None:
    with pytest.raises(ValueError, match=f"Contribution has no field `{unknown}`"):
        contribution_in({"contribution": parts})


@pytest.mark.requirement("R07", "R30")
@settings(max_examples=150)
@given(
    bets=st.lists(st.integers(0, 10**12), max_size=6),
    bp=st.lists(st.integers(0, 2_500), min_size=4, max_size=4),
    minor_micros=st.sampled_from([10_000, 100_000, 1_000_000]),
)
def test_bets_apart_or_together_contribute_the_same_and_nothing_is_lost(
    bets: list[int], bp: list[int], minor_micros: int
) -> None:
    rates = Rates(*bp)
    apart = [contribution(bet, rates, minor_micros) for bet in bets]
    together = contribution(sum(bets), rates, minor_micros)
    assert sum(each.meter_micros for each in apart) == together.meter_micros
    whole = [
        together.meter_micros,
        together.reserve_micros,
        together.carta_magica_micros,
        together.jugador_afortunado_micros,
        together.house_micros,
    ]
    assert sum(whole) == sum(bets) * minor_micros
    assert min(whole) >= 0


@pytest.mark.requirement("R29", "R48")
@pytest.mark.parametrize(
    ("meter", "added", "ceiling", "joins_and_overflows"),
    [
        (100, 50, None, (50, 0)),
        (100, 50, 150, (50, 0)),
        (100, 50, 149, (49, 1)),
        (150, 50, 150, (0, 50)),
        (200, 50, 150, (0, 50)),
    ],
)
def test_ceiling(meter: int, added: int, ceiling: int | None, joins_and_overflows: tuple[int, int]) -> None:
    assert under_ceiling(meter, added, ceiling) == joins_and_overflows


@pytest.mark.requirement("R37")
@pytest.mark.article("O-47", "O-49", "O-52", "O-6")
@pytest.mark.parametrize(
    ("has_ante", "credits", "credit_minor", "minimum_minor", "answer"),
    [
        (True, 1, 100, 1_000, None),
        (True, 5, 100, 1_000, None),
        (True, 5, 200, 1_000, None),
        (False, 1, 100, 1_000, refuse(Refusal.NO_ANTE)),
        (True, 0, 100, 1_000, refuse(Refusal.TOO_FEW_CREDITS, credits=0, least=1)),
        (True, 6, 100, 1_000, refuse(Refusal.TOO_MANY_CREDITS, credits=6, most=5)),
        (True, 5, 201, 1_000, refuse(Refusal.CREDITS_ABOVE_TABLE_MINIMUM, value=1_005, minimum=1_000)),
    ],
)
def test_which_bets_stand(
    has_ante: bool, credits: int, credit_minor: int, minimum_minor: int, answer: Refused | None
) -> None:
    assert check_jackpot_bet(has_ante, credits, credit_minor, minimum_minor) == answer
