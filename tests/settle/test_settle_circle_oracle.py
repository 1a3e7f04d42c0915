"""Pots, side pots, odd chips and stacks of the circle game against pokerkit, where the rules agree."""

from itertools import cycle

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from controller.core.cards import DECK
from controller.settle import settle
from tests.settle.circle_oracle import play

STACKS = st.lists(st.one_of(st.integers(200, 1_000), st.integers(1_000, 20_000)), min_size=4, max_size=10)


@pytest.mark.article("C-58", "C-80", "C-82", "C-86", "C-94")
@settings(max_examples=80, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(STACKS, st.permutations(DECK), st.lists(st.integers(0, 10_000), min_size=1, max_size=80))
def test_hands_end_as_pokerkit_ends_them(stacks: list[int], deck: list[str], choices: list[int]) -> None:
    picked = cycle(choices)
    hand = play(stacks, deck, lambda among: next(picked) % among)
    answer = settle(hand.record)
    odd = sum(pot["odd_chip"] for pot in answer["pots"])
    # Our odd chips go pot by pot to the first winner left of the button; pokerkit hands them out otherwise.
    assert all(abs(row["stack"] - hand.stacks[row["seat"]]) <= odd for row in answer["stacks"])
    assert sum(row["stack"] for row in answer["stacks"]) == sum(stacks)
