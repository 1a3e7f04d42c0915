"""Ratio of the enumeration: all five-card hands made and judged, beside the bare judging of hands that lie ready."""

import sys
import time
from itertools import chain, combinations

import numpy as np

from controller.core.hands import Category
from controller.odds.enumeration import Ints, enumerate_categories, judge

HANDS = 2_598_960
ROUNDS = 3
MOST_RATIO = 3


def ready_hands() -> Ints:
    """All hands of five cards as five columns of card numbers, 0 to 51: the layout that numpy judges fastest."""
    cards = np.fromiter(chain.from_iterable(combinations(range(52), 5)), dtype=np.int64, count=HANDS * 5)
    return np.ascontiguousarray(cards.reshape(HANDS, 5).T)


def bare_evaluation(cards: Ints) -> dict[Category, int]:
    """The least a vectorised evaluation does: three sums over the cards of each hand, and the verdict."""
    ranks = cards // 4
    held = np.bitwise_or.reduce(1 << ranks, axis=0)
    sums = np.add.reduce(1 << (3 * ranks), axis=0)
    suits = np.bitwise_or.reduce(1 << (cards % 4), axis=0)
    return judge(held, sums, suits)


def measure() -> dict[str, float]:
    """Best of some rounds, in seconds of this machine, and their ratio."""
    cards = ready_hands()
    bare, whole = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        expected = bare_evaluation(cards)
        bare.append(time.perf_counter() - start)
        start = time.perf_counter()
        found = enumerate_categories()
        whole.append(time.perf_counter() - start)
        if found != expected:
            raise AssertionError("the enumeration and the bare evaluation disagree")
    return {"bare_s": min(bare), "enumeration_s": min(whole), "ratio": min(whole) / min(bare)}


def main() -> int:
    figures = measure()
    print(f"bare evaluation        {figures['bare_s']:10.3f} s")
    print(f"enumeration            {figures['enumeration_s']:10.3f} s")
    print(f"ratio                  {figures['ratio']:10.2f} (at most {MOST_RATIO})")
    return 0 if figures["ratio"] <= MOST_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
