"""Figures of prize lists against published ones: cost, break-even, long-run return, expected trigger."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.config import Jackpot, Table, lending, load_preset
from controller.config.returns import (
    break_even_minor,
    expected_linked_trigger_minor,
    expected_trigger_minor,
    fixed_cost_minor,
    hit_rate,
    long_run,
    mean_restart_minor,
    percent_share,
    return_at,
    returns,
)
from controller.odds.simulation import simulate


def progressive(four: int, full: int, flush: int, **more: Any) -> Jackpot:
    """A list of royal 100 %, straight flush 10 % and three fixed rows, amounts in whole units, one unit a credit."""
    fixed = {"four_of_a_kind": four, "full_house": full, "flush": flush}
    prizes = {"royal_flush": {"percent": 100}, "straight_flush": {"percent": 10}}
    rows = prizes | {name: {"fixed": amount} for name, amount in fixed.items()}
    return Jackpot.model_validate({"kind": "progressive", "credit": 1, "contribution_bp": 2_000, "prizes": rows} | more)


def table(preset: str, **changes: Any) -> Table:
    values = {"id": "t", "name": "T"} | load_preset(preset)
    for section, change in changes.items():
        values[section] = values.get(section, {}) | change
    return Table.model_validate(values)


def tenths_of_percent(part: Fraction) -> int:
    return round(part * 1_000)


# variant, four, full, flush, fixed cost in tenths of a percent, break-even meter in units of the bet
PUBLISHED = [
    ("T1", 100, 75, 50, 230, 263_205),
    ("T2", 150, 100, 50, 278, 246_784),
    ("T3", 500, 100, 50, 362, 218_047),
    ("T4, Peru", 500, 150, 75, 484, 176_613),
    ("Bermuda", 250, 150, 100, 473, 180_337),
]


@pytest.mark.parametrize(
    ("name", "four", "full", "flush", "cost", "even"), PUBLISHED, ids=[row[0] for row in PUBLISHED]
)
def test_published_progressives(name: str, four: int, full: int, flush: int, cost: int, even: int) -> None:
    jackpot = progressive(four, full, flush)
    assert tenths_of_percent(fixed_cost_minor(jackpot, 1)) == cost
    assert round(break_even_minor(jackpot) or 0) == even


def test_break_even_is_the_meter_that_returns_a_bet() -> None:
    jackpot = progressive(500, 150, 75)
    even = break_even_minor(jackpot)
    assert even == Fraction(2_598_960 - 500 * 624 - 150 * 3_744 - 75 * 5_108) / (4 + Fraction(36, 10))
    assert return_at(jackpot, int(even)) < 1 < return_at(jackpot, int(even) + 1)


@pytest.mark.article("O-e")
def test_more_credits_need_as_many_times_the_meter() -> None:
    jackpot = progressive(500, 150, 75)
    once = break_even_minor(jackpot, 1)
    assert once is not None
    assert [break_even_minor(jackpot, credits) for credits in range(1, 6)] == [
        once * credits for credits in range(1, 6)
    ]


@pytest.mark.article("O-54", "O-55")
def test_fixed_jackpot_costs_as_published() -> None:
    totals = [tenths_of_percent(one.total) for one in returns(table("oasis_argentina_2010_fixed"))]
    assert (totals[0], totals[4]) == (685, 672)
    assert totals == sorted(totals, reverse=True)


@pytest.mark.article("B-b", "B-g")
def test_seven_cards_cost_seven_units_a_bet() -> None:
    seven = {"options": {"bonus_cards": "best_of_seven", "fixed_rows_multiply": False}}
    cost = fixed_cost_minor(progressive(500, 150, 75, **seven), 1)
    assert round(cost, 2) == Fraction(700, 100)
    at_ten = progressive(500, 150, 75, credit=10, **seven)
    assert int(break_even_minor(at_ten) or 0) == 49_797
    assert round(break_even_minor(at_ten) or 0) == 49_798
    at_seven = progressive(500, 150, 75, credit=7, **seven)
    assert (break_even_minor(at_seven) or 0) < 0


@pytest.mark.article("B-b")
def test_a_royal_is_twenty_one_times_likelier_on_seven_cards() -> None:
    rows = {"kind": "progressive", "prizes": {"royal_flush": {"percent": 100}}}
    five, seven = (
        Jackpot.model_validate(rows | {"options": {"bonus_cards": cards}})
        for cards in ("hole_and_flop", "best_of_seven")
    )
    assert hit_rate(five) == Fraction(1, 649_740)
    assert hit_rate(seven) == Fraction(1, 30_940)
    assert hit_rate(seven) / hit_rate(five) == 21


@pytest.mark.article("O-56", "O-h")
def test_oasis_preset_returns_about_three_quarters() -> None:
    one = long_run(table("oasis_argentina_2010"), 1)
    assert tenths_of_percent(one.fixed) == 484
    assert (one.contribution, one.reserve) == (Fraction(20, 100), Fraction(5, 100))
    # A royal falls once in 649,740 bets; within the first 100,000 the reserve of 5 % does not yet reach 5,000 bets.
    assert 0 < one.restarts < Fraction(1, 1_000)
    assert 730 < tenths_of_percent(one.total) < 740


def test_without_a_reserve_the_house_funds_every_restart() -> None:
    one = long_run(
        table("oasis_argentina_2010", jackpot={**load_preset("oasis_argentina_2010")["jackpot"], "reserve_bp": 0}), 1
    )
    assert one.restarts == Fraction(5_000, 649_740)


def test_restart_funding_against_the_plain_sum() -> None:
    prizes = {"royal_flush": {"percent": 100}}
    changes = {"kind": "progressive", "credit": 100, "max_credits": 1, "contribution_bp": 1_000, "reserve_bp": 500}
    options = {"bonus_cards": "best_of_seven"}
    jackpot = changes | {"start": 20_000, "prizes": prizes, "options": options}
    one = long_run(
        Table.model_validate({"id": "t", "name": "T", "game": "holdem-bonus", "seats": 7, "jackpot": jackpot}), 1
    )
    chance = 1 / 30_940
    lacking = sum(chance * (1 - chance) ** (bets - 1) * (20_000 - 5 * bets) for bets in range(1, 4_001))
    assert float(one.restarts) == pytest.approx(chance * lacking / 100, rel=1e-9)


def from_meter(preset: str, options: dict[str, Any] | None = None, **changes: Any) -> Table:
    """A preset whose fixed rows the meter pays."""
    known = load_preset(preset)["jackpot"]
    mine = {**known["options"], "fixed_prizes_from": "meter", **(options or {})}
    rows = {**known["prizes"], **changes.pop("prizes", {})}
    return table(preset, jackpot={**known, **changes, "options": mine, "prizes": rows})


QUICK_ROWS: dict[str, Any] = {
    "royal_flush": {"fixed": 50_000},
    "straight_flush": {"fixed": 20_000},
    "four_of_a_kind": {"percent": 100},
    "full_house": {"percent": 10},
    "flush": {"fixed": 9_000},
}
"""Seven cards, and the whole meter once in 600 hands: a short path tells the mean."""
LENT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a meter that its rows empty": ({}, {"start": 3_000, "contribution_bp": 1_000, "reserve_bp": 0}),
    "a rich one": ({}, {"start": 60_000, "contribution_bp": 5_000, "reserve_bp": 0}),
    "restarted by its reserve": ({}, {"start": 3_000, "contribution_bp": 1_000, "reserve_bp": 2_000}),
    "under a ceiling": ({}, {"start": 60_000, "contribution_bp": 3_000, "ceiling": 70_000, "reserve_bp": 0}),
    "topped up": ({"top_up_after_partial": True}, {"start": 60_000, "contribution_bp": 4_000, "reserve_bp": 0}),
    "over 100 %": (
        {},
        {"start": 3_000, "contribution_bp": 100, "reserve_bp": 0, "prizes": {"flush": {"fixed": 40_000}}},
    ),
    "never won whole": (
        {},
        {"start": 3_000, "contribution_bp": 1_000, "reserve_bp": 0, "prizes": {"four_of_a_kind": {"percent": 50}}},
    ),
}


@pytest.mark.article("O-f", "O-g")
@pytest.mark.parametrize("name", LENT)
def test_what_the_house_lends_a_meter_is_the_simulated_figure_or_little_more(name: str) -> None:
    """Against hands settled by the rules' own function; noise of the path is the fixed rows' own, which is known."""
    options, changes = LENT[name]
    rows = {**QUICK_ROWS, **changes.get("prizes", {})}
    played = from_meter("holdem_bonus_peru_2010", options, credit=1_000, **{**changes, "prizes": rows})
    hands = 200_000
    path = simulate(played.jackpot, hands, seed=7)
    told = long_run(played, 1)
    fixed = [category for category, row in played.jackpot.prizes.items() if row.fixed is not None]
    luck = sum(path.paid_minor[category] for category in fixed) - hands * fixed_cost_minor(played.jackpot, 1)
    returned = path.returned - luck / path.staked_minor
    assert told.fixed == 0
    assert told.loans > 0
    assert -0.012 < told.total - returned < 0.02
    trigger = expected_trigger_minor(played.jackpot)
    if path.mean_trigger_minor is None or trigger is None:
        assert trigger is None
    else:
        assert 0.85 * path.mean_trigger_minor < trigger


@pytest.mark.article("O-f")
def test_a_meter_that_lends_itself_empty_hides_no_return() -> None:
    """The list that returned 112.79 % when it was played and was told to return a quarter."""
    low = from_meter("oasis_argentina_2010", prizes={"flush": {"fixed": 40_000}})
    assert [1_120 <= tenths_of_percent(one.total) <= 1_135 for one in returns(low)] == [True] * 5
    plain = from_meter("oasis_argentina_2010")
    told = [tenths_of_percent(one.total) for one in returns(plain)]
    assert all(493 <= each <= 500 for each in told)
    trigger = expected_trigger_minor(plain.jackpot)
    assert trigger is not None
    assert 380_000 < trigger < 450_000


def test_knots_further_apart_lift_the_bound_and_never_lower_it(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = from_meter("oasis_argentina_2010")
    told = []
    for knots in (50, 100, 400):
        monkeypatch.setattr(lending, "KNOTS", knots)
        lending.lent_minor.cache_clear()
        told.append(long_run(plain, 1).loans)
    lending.lent_minor.cache_clear()
    assert told[0] > told[1] > told[2]
    assert told[0] - told[2] < Fraction(3, 100)


@pytest.mark.article("O-f", "O-54")
def test_a_fixed_jackpot_has_no_meter_to_pay_from() -> None:
    plain, said = table("oasis_argentina_2010_fixed"), from_meter("oasis_argentina_2010_fixed")
    assert [one.total for one in returns(said)] == [one.total for one in returns(plain)]


@pytest.mark.article("O-r")
def test_a_pool_that_is_short_costs_the_house_the_rest_of_the_prize() -> None:
    pool = {"draw_prizes_from": "pool", "pool_bp": 100}
    rich = long_run(table("oasis_argentina_2010", draws={"carta_magica": {"prize": 10_000_000}, **pool}), 1)
    assert rich.draws == Fraction(10_000_000 * 5, 52 * 100)
    two = {"carta_magica": {"prize": 104}, "jugador_afortunado": {"prize": 1}}
    assert long_run(table("oasis_argentina_2010", draws={**two, **pool}), 1).draws == Fraction(10 + 1, 100)


@pytest.mark.article("O-g")
def test_top_up_costs_at_most_the_part_of_the_start_value() -> None:
    preset = load_preset("oasis_argentina_2010")["jackpot"]
    options = {**preset["options"], "top_up_after_partial": True}
    topped = long_run(table("oasis_argentina_2010", jackpot={**preset, "options": options}), 1)
    plain = long_run(table("oasis_argentina_2010"), 1)
    assert topped.restarts - plain.restarts == Fraction(36, 2_598_960) * Fraction(10, 100) * 5_000


# draws, expected return of the draws per bet of one credit (100 centavos) at seven boxes
DRAWS: list[tuple[dict[str, Any], Fraction]] = [
    ({}, Fraction(0)),
    ({"carta_magica": {"prize": 104}}, Fraction(10, 100)),
    ({"carta_magica": {"prize": 104, "every": 4}}, Fraction(25, 1_000)),
    ({"jugador_afortunado": {"prize": 70}}, Fraction(10, 100)),
    ({"jugador_afortunado": {"prize": 70, "every": "key", "about_every": 5}}, Fraction(2, 100)),
    ({"jugador_afortunado": {"prize": 70, "lucky_seat_from": "betting"}}, Fraction(70, 100)),
    ({"carta_magica": {"prize": 104}, "jugador_afortunado": {"prize": 70}}, Fraction(20, 100)),
    (
        {"carta_magica": {"prize": 9}, "jugador_afortunado": {"prize": 9}, "draw_prizes_from": "pool", "pool_bp": 300},
        Fraction(6, 100),
    ),
]


@pytest.mark.article("O-62", "O-63", "O-r")
@pytest.mark.parametrize(("draws", "expected"), DRAWS)
def test_draws(draws: dict[str, Any], expected: Fraction) -> None:
    assert long_run(table("oasis_argentina_2010", draws=draws), 1).draws == expected


@pytest.mark.requirement("R35")
def test_expected_trigger_without_partial_rows_is_restart_plus_a_mean_run() -> None:
    prizes = {"royal_flush": {"percent": 100}}
    jackpot = Jackpot.model_validate(
        {"kind": "progressive", "credit": 100, "contribution_bp": 1_000, "start": 500_000, "prizes": prizes}
    )
    assert mean_restart_minor(jackpot) == 500_000
    assert expected_trigger_minor(jackpot) == 500_000 + 10 * 649_740


def test_linked_tables_wait_longer_only_by_their_restarts() -> None:
    one = table("oasis_argentina_2010").jackpot
    alone, linked = expected_trigger_minor(one), expected_linked_trigger_minor([one] * 4)
    restart, share = mean_restart_minor(one), percent_share(one)
    assert alone is not None
    assert linked is not None
    assert restart is not None
    assert expected_linked_trigger_minor([one]) == alone
    assert linked - alone == 3 * restart * Fraction(4, 2_598_960) / share


@settings(max_examples=60)
@given(
    start=st.integers(0, 10**9),
    contribution=st.integers(1, 5_000),
    reserve=st.integers(0, 2_000),
    credit=st.integers(1, 10**6),
)
def test_figures_keep_their_order(start: int, contribution: int, reserve: int, credit: int) -> None:
    jackpot = progressive(5, 2, 1, credit=credit, start=start, contribution_bp=contribution, reserve_bp=reserve)
    restart, trigger = mean_restart_minor(jackpot), expected_trigger_minor(jackpot)
    assert restart is not None
    assert trigger is not None
    assert restart >= start - Fraction(1, 1_000)
    assert trigger > 0
    even = break_even_minor(jackpot)
    assert even is not None
    assert return_at(jackpot, 0) + percent_share(jackpot) * even / credit == 1


@pytest.mark.article("O-61")
def test_a_table_may_have_draws_alone() -> None:
    alone = {"kind": "fixed", "credit": 100, "max_credits": 1}
    values = {"id": "t", "name": "T", "game": "oasis", "seats": 7, "jackpot": alone}
    one = Table.model_validate(values | {"draws": {"carta_magica": {"prize": 520}}})
    assert long_run(one, 1).total == Fraction(50, 100)
    assert hit_rate(one.jackpot) == 0
