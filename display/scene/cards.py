"""Cards as scenes name them: rank and suit, `Qh`."""

from __future__ import annotations

import re

CARD = re.compile(r"^[2-9TJQKA][shdc]$")


def check_cards(cards: tuple[str, ...]) -> None:
    """Raises ValueError for what is no card."""
    for card in cards:
        if not CARD.match(card):
            raise ValueError(f"not a card: {card!r}")
