"""What hands, settings and numbers of credits are called where a configuration is told to people."""

from collections.abc import Mapping

from controller.config.texts import Said, counted, said
from controller.core.hands import Category

HANDS: Mapping[Category, Said] = {
    Category.ROYAL_FLUSH: said("royal flush"),
    Category.STRAIGHT_FLUSH: said("straight flush"),
    Category.FOUR_OF_A_KIND: said("four of a kind"),
    Category.FULL_HOUSE: said("full house"),
    Category.FLUSH: said("flush"),
    Category.STRAIGHT: said("straight"),
    Category.THREE_OF_A_KIND: said("three of a kind"),
    Category.TWO_PAIR: said("two pair"),
    Category.PAIR: said("pair"),
    Category.ACE_KING: said("ace-king"),
    Category.HIGH_CARD: said("high card"),
}
SETTINGS: Mapping[str, Said] = {
    "highest_first": said("the highest first: the royal takes all, the straight flush its part of the rest"),
    "straight_flush_first": said("the straight flush first, the royal what remains"),
    "restart_then_pay": said("the royal first, the straight flush its part of the restart value"),
    "house": said("the house"),
    "meter": said("the meter"),
    "pool": said("a pool of the draw's own"),
    "first_five": said("the first five"),
    "best_of_seven": said("the best five of seven"),
    "hole_and_flop": said("the two of the box and the flop"),
    "all_boxes": said("every box, empty ones too"),
    "occupied": said("the occupied boxes"),
    "betting": said("the boxes with a jackpot bet"),
    "progressive": said("progressive"),
    "fixed": said("of fixed sums"),
    "none": said("none"),
    "host": said("host"),
    "member": said("member"),
    **{category.value: words for category, words in HANDS.items()},
}
"""A setting as it stands in a file, to what it means."""


def meaning(setting: str) -> str:
    """What a setting of a file means; itself where it is a name."""
    return SETTINGS.get(setting, setting)


def credits_said(credits: int) -> Said:
    return counted(credits, "{count} credit", "{count} credits")
