"""A simulated meter obeys the ledger of its own path, repeats by its seed, and agrees with the exact figures."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.config import Jackpot, Table, load_preset
from controller.config.returns import expected_trigger_minor, long_run
from controller.core.hands import Category
from controller.odds.simulation import Path, simulate


def table(preset: str) -> Table:
    return Table.model_validate({"id": "t", "name": "T"} | load_preset(preset))


def jackpot(preset: str, **changes: Any) -> Jackpot:
    return Jackpot.model_validate(load_preset(preset)["jackpot"] | changes)


@pytest.fixture(scope="module")
def long_path() -> Path:
    return simulate(jackpot("holdem_bonus_peru_2010"), 20_000_000, seed=11)


def test_hits_fall_as_often_as_counted(long_path: Path) -> None:
    means = {Category.ROYAL_FLUSH: 30_940, Category.STRAIGHT_FLUSH: 3_590.57, Category.FULL_HOUSE: 38.519}
    for category, mean in means.items():
        expected = long_path.hands / mean
        assert abs(long_path.hits[category] - expected) < 5 * expected**0.5, category


def test_return_approaches_the_exact_one(long_path: Path) -> None:
    exact = float(long_run(table("holdem_bonus_peru_2010"), 1).total)
    assert float(long_path.returned) == pytest.approx(exact, abs=0.01)


def test_triggers_approach_the_expected_value(long_path: Path) -> None:
    expected = expected_trigger_minor(jackpot("holdem_bonus_peru_2010"))
    assert expected is not None
    assert long_path.mean_trigger_minor is not None
    assert long_path.resets > 500
    assert long_path.mean_trigger_minor == pytest.approx(float(expected), rel=0.15)


def test_the_path_is_a_ledger(long_path: Path) -> None:
    """Between two prizes the meter grows by the contributions alone, to the minor unit."""
    preset = jackpot("holdem_bonus_peru_2010")
    per_hand = Fraction(preset.credit * preset.contribution_bp, 10_000)
    hand, meter = 0, long_path.start_minor
    for won in long_path.won:
        assert abs(won.before_minor - meter - per_hand * (won.hand - hand)) <= 1
        row = preset.prizes[won.category]
        assert row.percent is not None
        assert won.paid_minor == won.before_minor * row.percent // 100 or row.percent < 100
        assert won.after_minor >= preset.start or row.percent < 100
        hand, meter = won.hand, won.after_minor
    assert long_path.highest_minor == max(
        long_path.meter_minor, *(max(won.before_minor, won.after_minor) for won in long_path.won)
    )


def test_the_same_seed_gives_the_same_path() -> None:
    preset = jackpot("oasis_argentina_2010")
    assert simulate(preset, 10**7, seed=5) == simulate(preset, 10**7, seed=5)
    assert simulate(preset, 10**7, seed=5) != simulate(preset, 10**7, seed=6)


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    simulate(jackpot("oasis_argentina_2010"), 10**6, seed=2, progress=lambda done, total: seen.append((done, total)))
    assert seen
    assert all(done <= total == 10**6 for done, total in seen)


@pytest.mark.article("O-f")
def test_fixed_rows_out_of_the_meter_take_from_it() -> None:
    preset = load_preset("oasis_argentina_2010")["jackpot"]
    options = preset["options"] | {"fixed_prizes_from": "meter"}
    path = simulate(jackpot("oasis_argentina_2010", options=options), 100_000, seed=1)
    flushes = [won for won in path.won if won.category is Category.FLUSH]
    assert flushes
    assert all(won.before_minor - won.after_minor == won.paid_minor == 7_500 for won in flushes[:5])


def test_a_ceiling_turns_the_rest_into_overflow() -> None:
    capped = jackpot("oasis_argentina_2010", ceiling=600_000, reserve_bp=0)
    path = simulate(capped, 2_000_000, seed=1)
    assert path.highest_minor == 600_000
    taken = path.staked_minor * capped.contribution_bp // 10_000
    from_meter = path.paid_minor[Category.ROYAL_FLUSH] + path.paid_minor[Category.STRAIGHT_FLUSH]
    held = path.meter_minor - path.start_minor + path.overflow_minor
    assert abs(taken + path.funded_minor - from_meter - held) < 3
    assert path.overflow_minor > 30_000_000


@pytest.mark.parametrize("preset", ["oasis_argentina_2010_fixed", "holdem_circle_argentina_2009"])
def test_without_a_meter_there_is_no_path(preset: str) -> None:
    with pytest.raises(ValueError, match="progressive"):
        simulate(jackpot(preset), 1_000)


@settings(max_examples=40, deadline=None)
@given(
    hands=st.integers(1, 300_000), credits=st.integers(1, 5), seed=st.integers(0, 2**32), meter=st.integers(0, 10**9)
)
def test_stakes_come_back_or_stand_in_the_pools(hands: int, credits: int, seed: int, meter: int) -> None:
    """What the meter and its reserve took in equals what they paid and hold, less what the house funded."""
    preset = jackpot("oasis_argentina_2010")
    path = simulate(preset, hands, credits=credits, seed=seed, meter_minor=meter)
    taken = Fraction(path.staked_minor * (preset.contribution_bp + preset.reserve_bp), 10_000)
    from_meter = sum(path.paid_minor[category] for category in (Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH))
    held = path.meter_minor - path.start_minor + path.reserve_minor
    assert abs(taken + path.funded_minor - from_meter - held) < 3
