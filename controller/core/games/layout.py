"""The cards of one hand by place, each card once, and the trace of corrected ones; shared by the banked games.

A place is `seat-3`, `dealer` or `board`; a part after a slash (`seat-3/in`) belongs to the same owner.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from controller.core.cards import DECK, Card
from controller.core.refusal import Refusal, Refused, refuse

DEALER = "dealer"
BOARD = "board"
_KNOWN = frozenset(DECK)


def seat_place(seat: int) -> str:
    """The place of a box's dealt cards."""
    return f"seat-{seat}"


def owner_of(place: str) -> str:
    """The place without its part: `seat-3/in` belongs to `seat-3`."""
    return place.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Correction:
    """A misread card replaced: both stay on record."""

    place: str
    old: Card
    new: Card


@dataclass(frozen=True, slots=True)
class Layout:
    """Cards by place in the order they came; no card lies with two owners."""

    places: tuple[tuple[str, tuple[Card, ...]], ...] = field(default=())
    corrections: tuple[Correction, ...] = field(default=())

    def at(self, place: str) -> tuple[Card, ...]:
        """The cards of a place, none when nothing is known of it."""
        return next((cards for name, cards in self.places if name == place), ())

    def with_cards(self, place: str, cards: Sequence[Card]) -> "Layout":
        """The layout with a place's cards replaced, without any check; an empty place is forgotten."""
        others = tuple((name, held) for name, held in self.places if name != place)
        return replace(self, places=(*others, (place, tuple(cards))) if cards else others)

    def holder(self, card: Card) -> str | None:
        """The place that holds a card, if one does."""
        return next((name for name, cards in self.places if card in cards), None)


def check_cards(layout: Layout, place: str, cards: Sequence[Card]) -> Refused | None:
    """Why cards cannot lie at a place: no card of the deck, twice the same, or with another owner already."""
    for index, card in enumerate(cards):
        if card not in _KNOWN:
            return refuse(Refusal.UNKNOWN_CARD, card=card, place=owner_of(place))
        if card in cards[:index]:
            return refuse(Refusal.DUPLICATE_CARD, card=card, place=owner_of(place), other=owner_of(place))
        for name, held in layout.places:
            if card in held and owner_of(name) != owner_of(place):
                return refuse(Refusal.DUPLICATE_CARD, card=card, place=owner_of(place), other=owner_of(name))
    return None


def add_card(layout: Layout, place: str, card: Card) -> Layout | Refused:
    """One more card at a place, as a reader sees it; a card that lies anywhere already is refused, so a card read
    twice changes nothing."""
    holder = layout.holder(card)
    if holder is not None:
        return refuse(Refusal.DUPLICATE_CARD, card=card, place=owner_of(place), other=owner_of(holder))
    return check_cards(layout, place, (card,)) or layout.with_cards(place, (*layout.at(place), card))


def read_in_order(layout: Layout, card: Card, order: Sequence[tuple[str, int]]) -> Layout | Refused:
    """One more card at the first place of an order (place, cards it holds) that is not complete."""
    place = next((place for place, need in order if len(layout.at(place)) < need), None)
    return refuse(Refusal.CARDS_COMPLETE, card=card) if place is None else add_card(layout, place, card)


def is_complete(layout: Layout, places: Sequence[tuple[str, int]]) -> bool:
    """Whether every place holds all of its cards."""
    return all(len(layout.at(place)) == need for place, need in places)


def enter_cards(layout: Layout, place: str, cards: Sequence[Card], need: int) -> Layout | Refused:
    """All cards of a place as people enter them; no cards clears the place, any other count is refused."""
    if cards and len(cards) != need:
        return refuse(Refusal.WRONG_CARD_COUNT, place=owner_of(place), cards=len(cards), need=need)
    return check_cards(layout, place, cards) or layout.with_cards(place, cards)


def correct_card(layout: Layout, place: str, old: Card, new: Card) -> Layout | Refused:
    """A misread card replaced wherever its owner holds it, with its trace."""
    parts = [name for name, cards in layout.places if owner_of(name) == owner_of(place) and old in cards]
    if not parts:
        return refuse(Refusal.CARD_NOT_THERE, card=old, place=owner_of(place))
    holder = layout.holder(new)
    if holder is not None:
        return refuse(Refusal.DUPLICATE_CARD, card=new, place=owner_of(place), other=owner_of(holder))
    refused = check_cards(layout, place, (new,))
    if refused is not None:
        return refused
    for part in parts:
        layout = layout.with_cards(part, tuple(new if card == old else card for card in layout.at(part)))
    return replace(layout, corrections=(*layout.corrections, Correction(place, old, new)))


def first_incomplete(layout: Layout, places: Sequence[tuple[str, int]]) -> Refused | None:
    """The first place that holds some but not all of its cards, by name and counts."""
    for place, need in places:
        have = len(layout.at(place))
        if 0 < have < need:
            return refuse(Refusal.CARDS_MISSING, place=owner_of(place), cards=have, need=need)
    return None
