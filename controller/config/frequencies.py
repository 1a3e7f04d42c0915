"""How often each category falls: exact counts over all hands of five and of seven cards."""

from collections.abc import Mapping
from types import MappingProxyType

from controller.core.hands import Category

HANDS: Mapping[int, int] = MappingProxyType({5: 2_598_960, 7: 133_784_560})
"""Number of different hands by number of cards: C(52, 5) and C(52, 7)."""

_FIVE = {
    Category.ROYAL_FLUSH: 4,
    Category.STRAIGHT_FLUSH: 36,
    Category.FOUR_OF_A_KIND: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.THREE_OF_A_KIND: 54_912,
    Category.TWO_PAIR: 123_552,
    Category.PAIR: 1_098_240,
    Category.ACE_KING: 167_280,
    Category.HIGH_CARD: 1_135_260,
}
_SEVEN = {
    Category.ROYAL_FLUSH: 4_324,
    Category.STRAIGHT_FLUSH: 37_260,
    Category.FOUR_OF_A_KIND: 224_848,
    Category.FULL_HOUSE: 3_473_184,
    Category.FLUSH: 4_047_644,
    Category.STRAIGHT: 6_180_020,
    Category.THREE_OF_A_KIND: 6_461_620,
    Category.TWO_PAIR: 31_433_400,
    Category.PAIR: 58_627_800,
    Category.ACE_KING: 6_557_880,
    Category.HIGH_CARD: 16_736_580,
}
COUNTS: Mapping[int, Mapping[Category, int]] = MappingProxyType(
    {5: MappingProxyType(_FIVE), 7: MappingProxyType(_SEVEN)}
)
"""Hands of each category; ace_king is told apart from the other high cards."""
