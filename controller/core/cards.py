"""Playing cards as two letters, rank then suit: `As Kd Th 2c`."""

from typing import NewType

Card = NewType("Card", str)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[Card, ...] = tuple(Card(rank + suit) for rank in RANKS for suit in SUITS)
"""The 52 cards in one fixed order: a draw's number 0..51 is an index into it (part of the published draw rule)."""

_KNOWN = frozenset(DECK)


def parse_card(text: str) -> Card | None:
    """The card a text names, in any letter case and with 10 for T; None when it names none."""
    if text in _KNOWN:
        return Card(text)
    text = text.strip().replace("10", "T")
    card = Card(text[:1].upper() + text[1:].lower())
    return card if card in _KNOWN else None


def parse_cards(text: str) -> tuple[Card, ...] | None:
    """Cards separated by blanks or commas; None when one of them is no card (duplicates are the caller's affair)."""
    cards = tuple(parse_card(word) for word in text.replace(",", " ").split())
    return None if None in cards else tuple(card for card in cards if card is not None)
