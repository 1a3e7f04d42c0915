"""A table's profile goes from node to node as JSON and comes back the same; what does not fit is named."""

import json
from typing import Any

import pytest

from controller.engine.ledger_profiles import MOST_MICROS, profile_from_plain, profile_to_plain
from controller.engine.ledger_records import Profile
from tests.engine.carousel_house import CENTAVO, PRIZES

PROFILE = Profile("t1", "0123abcd", "ab" * 32, "ARS", 500_000 * CENTAVO, PRIZES, 70 * CENTAVO, None)


def test_it_comes_back_the_same() -> None:
    assert profile_from_plain(json.loads(json.dumps(profile_to_plain(PROFILE)))) == PROFILE


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("table", "T 1", "table is none"),
        ("table", "t1/../t2", "table is none"),
        ("incarnation", "a/b", "incarnation is none"),
        ("key", "ab" * 31, "key is none"),
        ("key", "AB" * 32, "key is none"),
        ("currency", "pesos", "currency is none"),
        ("start_micros", -1, "start is out of bounds"),
        ("start_micros", "1", "Expected `int`"),
        ("start_micros", 1.0, "Expected `int`"),
        ("bound_micros", -1, "bound is out of bounds"),
        ("ceiling_micros", MOST_MICROS + 1, "ceiling is out of bounds"),
        ("prizes", {"rows": [{"category": "royal"}]}, "Invalid enum value"),
        ("prizes", None, "Expected `object`"),
    ],
)
def test_what_does_not_fit_is_named(field: str, value: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        profile_from_plain({**profile_to_plain(PROFILE), field: value})


@pytest.mark.parametrize("plain", [{}, [], "t1", None, 7])
def test_something_else_is_no_profile(plain: Any) -> None:
    with pytest.raises(ValueError, match=r"Expected|missing"):
        profile_from_plain(plain)
