"""The tax on prizes: integers, floored to the minor unit, never more than the prize."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.withholding import Withholding


@pytest.mark.parametrize(
    ("terms", "amount", "withheld"),
    [
        (Withholding(), 10**9, 0),
        (Withholding(3_100), 10_000, 3_100),
        (Withholding(3_100, 9_000), 10_000, 2_790),
        (Withholding(3_100, 9_000), 10_001, 2_790),
        (Withholding(3_100, 9_000), 3, 0),
        (Withholding(3_100, 9_000), 4, 1),
        (Withholding(3_100, 9_000, 120_000), 119_999, 0),
        (Withholding(3_100, 9_000, 120_000), 120_000, 33_480),
        (Withholding(10_000), 777, 777),
    ],
)
def test_the_rate_is_taken_of_the_part_from_the_sum_on(terms: Withholding, amount: int, withheld: int) -> None:
    assert terms.of(amount) == withheld


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(0, 10**15))
def test_what_does_not_divide_stays_with_the_player(rate: int, part: int, amount: int) -> None:
    withheld = Withholding(rate, part).of(amount)
    assert 0 <= withheld <= amount
    assert withheld * 10**8 <= amount * rate * part < (withheld + 1) * 10**8
