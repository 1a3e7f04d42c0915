"""Ranking of five to seven cards: category, best five, a strength that compares (art. O 8-9, 19-21; B 12; C 92-94)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from phevaluator.evaluator import evaluate_cards

from controller.core.cards import DECK, RANKS, Card


class Category(Enum):
    """Categories from the highest to the lowest; the values are the names used in files, messages and journals."""

    ROYAL_FLUSH = "royal_flush"
    STRAIGHT_FLUSH = "straight_flush"
    FOUR_OF_A_KIND = "four_of_a_kind"
    FULL_HOUSE = "full_house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three_of_a_kind"
    TWO_PAIR = "two_pair"
    PAIR = "pair"
    ACE_KING = "ace_king"
    HIGH_CARD = "high_card"


@dataclass(frozen=True, slots=True)
class Rank:
    """What cards are worth. strength: 1 to 7,462, higher wins, equal ties; best: the five cards that make it,
    the cards that name the category first, then falling (an ace that plays low stands last)."""

    category: Category
    strength: int
    best: tuple[Card, ...]


HIGHEST_STRENGTH = 7462
"""Number of hands of different worth: the royal flush has this strength, 7-5-4-3-2 has 1."""

# The lowest strength of each category, from the number of different hands in it: 1 royal, 9 straight flushes,
# 156 fours, 156 full houses, 1,277 flushes, 10 straights, 858 threes, 858 two pairs, 2,860 pairs, 1,277 high cards.
_LOWEST_STRENGTH: tuple[tuple[int, Category], ...] = (
    (7462, Category.ROYAL_FLUSH),
    (7453, Category.STRAIGHT_FLUSH),
    (7297, Category.FOUR_OF_A_KIND),
    (7141, Category.FULL_HOUSE),
    (5864, Category.FLUSH),
    (5854, Category.STRAIGHT),
    (4996, Category.THREE_OF_A_KIND),
    (4138, Category.TWO_PAIR),
    (1278, Category.PAIR),
    (1, Category.HIGH_CARD),
)
_LOWEST_PAIR = 1278
# 164 of the 1,277 high cards hold an ace and a king (three of eleven ranks below, less A-K-Q-J-10).
_LOWEST_ACE_KING = _LOWEST_PAIR - 164

_INDEX = {card: index for index, card in enumerate(DECK)}
_WHEEL = (RANKS.index("5"), RANKS.index("4"), RANKS.index("3"), RANKS.index("2"), RANKS.index("A"))


def strength(cards: Sequence[Card]) -> int:
    """Strength alone of five to seven different cards, where many are compared; ValueError on another count."""
    return HIGHEST_STRENGTH + 1 - int(evaluate_cards(*(_INDEX[card] for card in cards)))


def category_of(hand_strength: int) -> Category:
    """The category a strength belongs to (never ace_king: see `named_category`)."""
    return next(category for lowest, category in _LOWEST_STRENGTH if hand_strength >= lowest)


def named_category(hand_strength: int) -> Category:
    """The category with ace_king told apart from the other high cards, as pay tables with that row need it."""
    return Category.ACE_KING if _LOWEST_ACE_KING <= hand_strength < _LOWEST_PAIR else category_of(hand_strength)


def qualifies(hand_strength: int) -> bool:
    """Whether the bank's hand is at least an ace and a king (art. O 5, 41)."""
    return hand_strength >= _LOWEST_ACE_KING


def rank(cards: Sequence[Card]) -> Rank:
    """Category, strength and best five of five to seven different cards; ValueError on another count or a duplicate."""
    if len(set(cards)) != len(cards):
        raise ValueError(f"the same card twice in {' '.join(cards)}")
    hand_strength = strength(cards)
    category = category_of(hand_strength)
    return Rank(category, hand_strength, _best_five(category, cards))


def _rank_index(card: Card) -> int:
    return _INDEX[card] // 4


def _best_five(category: Category, cards: Sequence[Card]) -> tuple[Card, ...]:
    falling = sorted(cards, key=lambda card: -_INDEX[card])
    if category in (Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH, Category.FLUSH):
        suits = [card[1] for card in falling]
        flush_suit = max("cdhs", key=suits.count)
        falling = [card for card in falling if card[1] == flush_suit]
    if category in (Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH, Category.STRAIGHT):
        return _highest_run(falling)
    if category in (Category.FLUSH, Category.HIGH_CARD):
        return tuple(falling[:5])
    return _grouped(category, falling)


def _highest_run(falling: Sequence[Card]) -> tuple[Card, ...]:
    by_rank: dict[int, Card] = {}
    for card in falling:
        by_rank.setdefault(_rank_index(card), card)
    runs = [tuple(range(top, top - 5, -1)) for top in range(12, 3, -1)] + [_WHEEL]
    run = next(run for run in runs if all(index in by_rank for index in run))
    return tuple(by_rank[index] for index in run)


def _grouped(category: Category, falling: Sequence[Card]) -> tuple[Card, ...]:
    sizes = {
        Category.FOUR_OF_A_KIND: (4,),
        Category.FULL_HOUSE: (3, 2),
        Category.THREE_OF_A_KIND: (3,),
        Category.TWO_PAIR: (2, 2),
        Category.PAIR: (2,),
    }[category]
    rest = list(falling)
    best: list[Card] = []
    for size in sizes:
        held = [card[0] for card in rest]
        named = next(letter for letter in held if held.count(letter) >= size)
        best += [card for card in rest if card[0] == named][:size]
        rest = [card for card in rest if card not in best]
    return tuple(best + rest[: 5 - len(best)])
