"""Exact counts of categories by combinatorics, for five to seven cards.

A hand holds a flush or not. A flush takes five different ranks, and the two cards left of seven make neither a full
house nor four of a kind with them: only a straight flush outranks it. Eight cards would leave room for a full house.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb, prod

from controller.core.hands import Category

_RANKS = range(13)
_ACE, _KING = 12, 11
_RUNS = (*(frozenset(range(low, low + 5)) for low in range(8, -1, -1)), frozenset({12, 0, 1, 2, 3}))
_ROYAL = _RUNS[0]


def count_categories(cards: int) -> dict[Category, int]:
    """Hands of each category among all C(52, cards); cards is 5, 6 or 7, else ValueError. The best five count."""
    return dict(_counted(cards))


@cache
def _counted(cards: int) -> dict[Category, int]:
    if cards not in (5, 6, 7):
        raise ValueError(f"categories are counted for 5 to 7 cards, not {cards}")
    counts = dict.fromkeys(Category, 0)
    _count_flushes(cards, counts)
    for multiplicities in _rank_patterns(cards):
        counts[_without_flush(multiplicities)] += _suits_without_flush(multiplicities, cards)
    return counts


def _count_flushes(cards: int, counts: dict[Category, int]) -> None:
    """Four suits, `suited` cards of one of them and the rest from the other 39 cards."""
    for suited in range(5, cards + 1):
        others = 4 * comb(39, cards - suited)
        for ranks in combinations(_RANKS, suited):
            held = frozenset(ranks)
            if held >= _ROYAL:
                category = Category.ROYAL_FLUSH
            elif any(run <= held for run in _RUNS):
                category = Category.STRAIGHT_FLUSH
            else:
                category = Category.FLUSH
            counts[category] += others


def _rank_patterns(cards: int, rank: int = 0) -> Iterator[tuple[int, ...]]:
    """Every way to say how many cards of each of the ranks from `rank` up a hand holds."""
    if rank == 12:
        if cards <= 4:
            yield (cards,)
        return
    for held in range(min(4, cards) + 1):
        for rest in _rank_patterns(cards - held, rank + 1):
            yield (held, *rest)


def _without_flush(multiplicities: tuple[int, ...]) -> Category:
    groups = sorted(multiplicities, reverse=True)
    held = frozenset(rank for rank in _RANKS if multiplicities[rank])
    if groups[0] == 4:
        return Category.FOUR_OF_A_KIND
    if groups[0] == 3 and groups[1] >= 2:
        return Category.FULL_HOUSE
    if any(run <= held for run in _RUNS):
        return Category.STRAIGHT
    if groups[0] == 3:
        return Category.THREE_OF_A_KIND
    if groups[0] == 2:
        return Category.TWO_PAIR if groups[1] == 2 else Category.PAIR
    return Category.ACE_KING if multiplicities[_ACE] and multiplicities[_KING] else Category.HIGH_CARD


def _suits_without_flush(multiplicities: tuple[int, ...], cards: int) -> int:
    """Ways to give suits to the cards of a pattern so that no suit holds five.

    For one suit, `by_held[n]` counts the ways in which n ranks hold a card of it: a rank of c cards holds the suit in
    C(3, c − 1) of its ways and lacks it in C(3, c).
    """
    present = [count for count in multiplicities if count]
    ways = prod(comb(4, count) for count in present)
    if len(present) < 5:
        return ways
    by_held = [1]
    for count in present:
        has, lacks = comb(3, count - 1), comb(3, count)
        grown = [0] * (len(by_held) + 1)
        for held, number in enumerate(by_held):
            grown[held] += number * lacks
            grown[held + 1] += number * has
        by_held = grown
    return ways - 4 * sum(by_held[5 : cards + 1])
