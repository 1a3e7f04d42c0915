"""The demo's cards: shuffled by the kernel's random source, or stacked so that a straight flush falls early."""

import secrets

from controller.core.cards import DECK, Card

STRAIGHT_FLUSH: tuple[Card, ...] = tuple(Card(each) for each in ("9d", "8d", "7d", "6d", "5d"))


def shuffled() -> list[Card]:
    """All 52 cards in an order that nobody can foresee (Fisher and Yates)."""
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        other = secrets.randbelow(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def stacked(cards: tuple[Card, ...], places: tuple[int, ...]) -> list[Card]:
    """A shuffled deck in which the cards lie at these places of the deal (0 = dealt first)."""
    others = iter(card for card in shuffled() if card not in cards)
    set_aside = dict(zip(places, cards, strict=True))
    return [set_aside[place] if place in set_aside else next(others) for place in range(len(DECK))]
