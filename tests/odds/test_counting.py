"""Counts by combinatorics and by looking at every hand agree with the published ones and with each other."""

from collections import Counter
from itertools import combinations, islice
from math import comb

import numpy as np
import pytest

from controller.config.frequencies import COUNTS, HANDS
from controller.core.cards import DECK
from controller.core.hands import Category, named_category, strength
from controller.odds.counting import count_categories
from controller.odds.enumeration import enumerate_categories, judge

PUBLISHED_FIVE = [
    ("royal_flush", 4),
    ("straight_flush", 36),
    ("four_of_a_kind", 624),
    ("full_house", 3_744),
    ("flush", 5_108),
    ("straight", 10_200),
    ("three_of_a_kind", 54_912),
    ("two_pair", 123_552),
    ("pair", 1_098_240),
    ("ace_king", 167_280),
    ("high_card", 1_302_540 - 167_280),
]
PUBLISHED_SEVEN = [
    ("royal_flush", 4_324),
    ("straight_flush", 37_260),
    ("four_of_a_kind", 224_848),
    ("full_house", 3_473_184),
    ("flush", 4_047_644),
    ("straight", 6_180_020),
    ("three_of_a_kind", 6_461_620),
    ("two_pair", 31_433_400),
    ("pair", 58_627_800),
]


@pytest.mark.parametrize(("category", "number"), PUBLISHED_FIVE)
def test_five_cards(category: str, number: int) -> None:
    assert count_categories(5)[Category(category)] == number


@pytest.mark.parametrize(("category", "number"), PUBLISHED_SEVEN)
def test_seven_cards(category: str, number: int) -> None:
    assert count_categories(7)[Category(category)] == number


def test_seven_cards_without_a_pair_split_into_ace_king_and_the_rest() -> None:
    counts = count_categories(7)
    assert counts[Category.ACE_KING] + counts[Category.HIGH_CARD] == 23_294_460


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_every_hand_is_counted_once(cards: int) -> None:
    assert sum(count_categories(cards).values()) == comb(52, cards)


@pytest.mark.parametrize("cards", [5, 7])
def test_the_loader_uses_these_counts(cards: int) -> None:
    assert dict(COUNTS[cards]) == count_categories(cards)
    assert HANDS[cards] == comb(52, cards)


def test_looking_at_every_five_card_hand_gives_the_same() -> None:
    seen: list[tuple[int, int]] = []
    assert enumerate_categories(lambda done, total: seen.append((done, total))) == count_categories(5)
    assert seen[-1] == (2_598_960, 2_598_960)
    assert seen == sorted(seen)


def test_the_ranking_of_the_rules_puts_sampled_hands_where_the_enumeration_does() -> None:
    """Every 97th hand of five: ranked one by one by the rules' library, and by the arrays."""
    sample = list(islice(combinations(range(52), 5), 0, None, 97))
    cards = np.array(sample, dtype=np.int64)
    held = np.bitwise_or.reduce(1 << (cards // 4), axis=1)
    sums = np.add.reduce(1 << (3 * (cards // 4)), axis=1)
    suits = np.bitwise_or.reduce(1 << (cards % 4), axis=1)
    ranked = Counter(named_category(strength([DECK[card] for card in hand])) for hand in sample)
    assert {category: number for category, number in judge(held, sums, suits).items() if number} == dict(ranked)


@pytest.mark.parametrize("cards", [4, 8])
def test_other_numbers_of_cards_are_refused(cards: int) -> None:
    with pytest.raises(ValueError, match="5 to 7"):
        count_categories(cards)
