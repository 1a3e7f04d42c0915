"""The bought card of Oasis: who may still buy one, and which five cards a buyer ends with (art. O 31-36, 71)."""

from collections.abc import Sequence

from controller.core.cards import Card
from controller.core.games.boxes import BankedBox, Decision
from controller.core.games.layout import Layout, add_card, check_cards, enter_cards, seat_place
from controller.core.refusal import Refusal, Refused, refuse

CARDS_EACH = 5


def can_sell_to(
    boxes: Sequence[BankedBox], blind: Sequence[int], box: BankedBox, amount_minor: int | None
) -> Refused | None:
    """Why a box may not buy (now or ever), in a fixed order; None when it may."""
    if box.folded:
        return refuse(Refusal.BOX_FOLDED, seat=box.seat)
    if box.decision is not Decision.PLAY:
        return refuse(Refusal.BET_MISSING, seat=box.seat)
    if box.bought:
        return refuse(Refusal.ALREADY_BOUGHT, seat=box.seat)
    if box.seat in blind:
        return refuse(Refusal.SEEN_IN_OTHER_BOX, seat=box.seat)
    later = next((other.seat for other in boxes if other.seat > box.seat and other.bought), None)
    if later is not None:
        return refuse(Refusal.LATER_BOX_HAS_BOUGHT, seat=box.seat, later=later)
    if amount_minor not in (None, box.ante_minor):
        return refuse(Refusal.BET_WRONG_AMOUNT, seat=box.seat, amount=amount_minor, exact=box.ante_minor)
    return None


def final_cards(layout: Layout, box: BankedBox) -> tuple[Card, ...]:
    """The five cards a box holds at the showdown; none while one of them is not known."""
    place = seat_place(box.seat)
    dealt = layout.at(place)
    if not box.bought:
        return dealt if len(dealt) == CARDS_EACH else ()
    shown = layout.at(f"{place}/final")
    if len(shown) == CARDS_EACH:
        return shown
    given, got = layout.at(f"{place}/out"), layout.at(f"{place}/in")
    if len(dealt) == CARDS_EACH and given and got:
        return (*(card for card in dealt if card not in given), *got)
    return ()


def read_bought_card(layout: Layout, boxes: Sequence[BankedBox], card: Card) -> Layout | Refused:
    """A card seen after a purchase: one of the buyer's own is the card given back, any other the card bought."""
    buyer = next((box for box in boxes if box.bought and not layout.at(f"{seat_place(box.seat)}/in")), None)
    returning = next((box for box in boxes if box.bought and card in layout.at(seat_place(box.seat))), None)
    if returning is not None and not layout.at(f"{seat_place(returning.seat)}/out"):
        return layout.with_cards(f"{seat_place(returning.seat)}/out", (card,))
    if buyer is None:
        return refuse(Refusal.CARDS_COMPLETE, card=card)
    return add_card(layout, f"{seat_place(buyer.seat)}/in", card)


def enter_box_cards(layout: Layout, box: BankedBox, cards: Sequence[Card]) -> Layout | Refused:
    """Cards of a box as people enter them: its five; of a buyer also the card given back and the one bought (two), or
    the five he holds now. No cards clears the box."""
    place = seat_place(box.seat)
    if not cards:
        for part in (place, f"{place}/in", f"{place}/out", f"{place}/final"):
            layout = layout.with_cards(part, ())
        return layout
    if not box.bought:
        return enter_cards(layout, place, cards, CARDS_EACH)
    if len(cards) == 2:
        return _enter_exchange(layout, place, cards[0], cards[1])
    shown = enter_cards(layout, f"{place}/final", cards, CARDS_EACH)
    return shown if isinstance(shown, Refused) else _checked_final(shown, place, cards)


def _enter_exchange(layout: Layout, place: str, given: Card, got: Card) -> Layout | Refused:
    dealt = layout.at(place)
    if dealt and given not in dealt:
        return refuse(Refusal.CARD_NOT_THERE, card=given, place=place)
    if got in dealt or got == given:
        return refuse(Refusal.DUPLICATE_CARD, card=got, place=place, other=place)
    refused = check_cards(layout, place, (given, got))
    return refused or layout.with_cards(f"{place}/out", (given,)).with_cards(f"{place}/in", (got,))


def _checked_final(layout: Layout, place: str, cards: Sequence[Card]) -> Layout | Refused:
    """What a buyer holds must be his dealt cards with one exchanged, where the dealt ones are known."""
    dealt = layout.at(place)
    new = [card for card in cards if card not in dealt]
    if dealt and len(new) != 1:
        return refuse(Refusal.CARD_NOT_THERE, card=" ".join(new) or "-", place=place)
    return layout
