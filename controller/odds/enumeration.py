"""All 2,598,960 hands of five cards, judged as arrays: the proof of the counts that everything else is computed from.

A card is seen as its rank (0 to 12) and suit (0 to 3). Of a hand three sums are enough: which ranks it holds (a bit
each), how many of each (three bits each), and which suits (a bit each). The sums of the first cards are built once and
shared by all hands that begin with them.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from controller.core.hands import Category

Ints = NDArray[np.int64]
Progress = Callable[[int, int], None]
"""Called with the hands done and the hands in all."""

CARDS = 52
IN_HAND = 5
_FIELD = 3
_ONES = sum(1 << (_FIELD * rank) for rank in range(13))
_ACE, _KING = 1 << 12, 1 << 11
_ROYAL = 0b11111 << 8


def enumerate_categories(progress: Progress | None = None) -> dict[Category, int]:
    """Hands of each category among all hands of five cards, each of them looked at; about half a second."""
    total = 2_598_960
    counts = dict.fromkeys(Category, 0)
    done = 0
    for first in range(CARDS - IN_HAND + 1):
        held, sums, suits = _hands_from(first)
        for category, number in judge(held, sums, suits).items():
            counts[category] += number
        done += len(held)
        if progress is not None:
            progress(done, total)
    return counts


def _hands_from(first: int) -> tuple[Ints, Ints, Ints]:
    """Rank bits, rank counts and suit bits of every hand whose lowest card is `first`."""
    card = np.arange(CARDS, dtype=np.int64)
    held_of, sum_of, suit_of = 1 << (card // 4), 1 << (_FIELD * (card // 4)), 1 << (card % 4)
    last = np.array([first], dtype=np.int64)
    held, sums, suits = held_of[last], sum_of[last], suit_of[last]
    for missing in range(IN_HAND - 1, 0, -1):
        room = CARDS - missing - last
        origin = np.repeat(np.arange(len(last)), room)
        starts = np.repeat(np.cumsum(room) - room, room)
        last = last[origin] + 1 + (np.arange(len(origin)) - starts)
        held = held[origin] | held_of[last]
        sums = sums[origin] + sum_of[last]
        suits = suits[origin] | suit_of[last]
    return held, sums, suits


def judge(held: Ints, sums: Ints, suits: Ints) -> dict[Category, int]:
    """Number of hands of each category, given rank bits, rank counts (three bits each) and suit bits of each hand."""
    flush = (suits & (suits - 1)) == 0
    distinct = _DISTINCT[held]
    straight = _STRAIGHT[held]
    three = (sums & (sums >> 1) & _ONES) != 0
    four = (sums & (_ONES << 2)) != 0
    royal = flush & (held == _ROYAL)
    high = (distinct == 5) & ~straight & ~flush
    ace_king = high & ((held & (_ACE | _KING)) == (_ACE | _KING))
    found = {
        Category.ROYAL_FLUSH: royal,
        Category.STRAIGHT_FLUSH: flush & straight & ~royal,
        Category.FOUR_OF_A_KIND: four,
        Category.FULL_HOUSE: (distinct == 2) & ~four,
        Category.FLUSH: flush & ~straight,
        Category.STRAIGHT: straight & ~flush,
        Category.THREE_OF_A_KIND: (distinct == 3) & three,
        Category.TWO_PAIR: (distinct == 3) & ~three,
        Category.PAIR: distinct == 4,
        Category.ACE_KING: ace_king,
        Category.HIGH_CARD: high & ~ace_king,
    }
    return {category: int(np.count_nonzero(hands)) for category, hands in found.items()}


def _is_run(held: int) -> bool:
    ranks = [rank for rank in range(13) if held >> rank & 1]
    in_row = all(higher - lower == 1 for lower, higher in pairwise(ranks))
    return len(ranks) == IN_HAND and (in_row or ranks == [0, 1, 2, 3, 12])


_DISTINCT = np.array([held.bit_count() for held in range(1 << 13)], dtype=np.int8)
_STRAIGHT = np.array([_is_run(held) for held in range(1 << 13)], dtype=bool)
