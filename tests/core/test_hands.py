"""Ranking against a second evaluator, and the order of hands as the regulations give it."""

import hashlib
from itertools import combinations, pairwise

import eval7
import pytest

from controller.core.cards import DECK, RANKS, Card, parse_cards
from controller.core.hands import Category, category_of, named_category, qualifies, rank, strength

EVAL7_NAMES = {
    "Straight Flush": {Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH},
    "Quads": {Category.FOUR_OF_A_KIND},
    "Full House": {Category.FULL_HOUSE},
    "Flush": {Category.FLUSH},
    "Straight": {Category.STRAIGHT},
    "Trips": {Category.THREE_OF_A_KIND},
    "Two Pair": {Category.TWO_PAIR},
    "Pair": {Category.PAIR},
    "High Card": {Category.HIGH_CARD},
}
EVAL7_CARDS = {card: eval7.Card(card) for card in DECK}


def cards(text: str) -> tuple[Card, ...]:
    parsed = parse_cards(text)
    assert parsed is not None
    return parsed


def deals(seed: str, count: int, size: int) -> list[tuple[Card, ...]]:
    """Deals of different cards out of a SHA-256 stream (a partial Fisher-Yates shuffle)."""
    deck, answer = list(DECK), []
    for number in range(count):
        stream = int.from_bytes(hashlib.sha256(f"{seed}/{number}".encode()).digest(), "big")
        for place in range(size):
            stream, step = divmod(stream, 52 - place)
            deck[place], deck[place + step] = deck[place + step], deck[place]
        answer.append(tuple(deck[:size]))
    return answer


@pytest.mark.article("O-19")
@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_second_evaluator_agrees_on_category_and_order(size: int) -> None:
    hands = deals(f"hands of {size}", 100_000, size)
    ours = [strength(hand) for hand in hands]
    theirs = [eval7.evaluate([EVAL7_CARDS[card] for card in hand]) for hand in hands]
    by_ours: dict[int, int] = {}
    for our, their in zip(ours, theirs, strict=True):
        assert by_ours.setdefault(our, their) == their
        assert category_of(our) in EVAL7_NAMES[eval7.handtype(their)]
    assert all(by_ours[low] < by_ours[high] for low, high in pairwise(sorted(by_ours)))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_best_five_are_among_the_cards_and_worth_the_same(size: int) -> None:
    for hand in deals(f"best of {size}", 5_000, size):
        ranked = rank(hand)
        assert len(set(ranked.best)) == 5
        assert set(ranked.best) <= set(hand)
        assert strength(ranked.best) == ranked.strength == max(strength(five) for five in combinations(hand, 5))


HANDS_FALLING = [
    ("As Ks Qs Js Ts", "royal_flush"),
    ("Kd Qd Jd Td 9d", "straight_flush"),
    ("5h 4h 3h 2h Ah", "straight_flush"),
    ("Ac Ad Ah As Kd", "four_of_a_kind"),
    ("2c 2d 2h 2s 3d", "four_of_a_kind"),
    ("Ac Ad Ah Ks Kd", "full_house"),
    ("2c 2d 2h 3s 3d", "full_house"),
    ("Ad Kd Qd Jd 9d", "flush"),
    ("7c 5c 4c 3c 2c", "flush"),
    ("As Ks Qs Js Td", "straight"),
    ("6s 5s 4s 3s 2d", "straight"),
    ("5s 4s 3s 2d As", "straight"),
    ("Ac Ad Ah Ks Qd", "three_of_a_kind"),
    ("2c 2d 2h 4s 3d", "three_of_a_kind"),
    ("Ac Ad Kh Ks Qd", "two_pair"),
    ("3c 3d 2h 2s 4d", "two_pair"),
    ("Ac Ad Kh Qs Jd", "pair"),
    ("2c 2d 5h 4s 3d", "pair"),
    ("Ac Kd Qh Js 9d", "high_card"),
    ("Ac Kd 4h 3s 2d", "high_card"),
    ("Ac Qd Jh Ts 9d", "high_card"),
    ("7c 5d 4h 3s 2d", "high_card"),
]


@pytest.mark.article("O-19", "B-12", "C-6", "C-92")
@pytest.mark.parametrize(("hand", "category"), HANDS_FALLING)
def test_category(hand: str, category: str) -> None:
    assert rank(cards(hand)).category.value == category


@pytest.mark.article("O-19", "O-8", "C-6")
def test_order_of_hands_with_the_low_ace_as_the_lowest_straight() -> None:
    strengths = [strength(cards(hand)) for hand, _ in HANDS_FALLING]
    assert strengths == sorted(set(strengths), reverse=True)
    assert (strengths[0], strengths[-1]) == (7462, 1)


@pytest.mark.article("O-9")
def test_suits_are_equal() -> None:
    assert len({strength(tuple(Card(r + suit) for r in "AKQJ9")) for suit in "cdhs"}) == 1


TIES = [
    ("O-21.1", "9c 9d 9h 9s 2d", "8c 8d 8h 8s Ad", 1),
    ("O-21.2", "9c 9d 9h 2s 2d", "8c 8d 8h As Ad", 1),
    ("O-21.3", "Ad 5d 4d 3d 2c", "Kd Qd Jd 9d 8c", 1),
    ("O-21.3", "Ad 9d 4d 3d 2d", "Ac 8c 7c 6c 5c", 1),
    ("O-21.4", "6s 5s 4s 3s 2d", "5c 4s 3s 2d Ah", 1),
    ("O-21.5", "9c 9d 9h 3s 2d", "8c 8d 8h As Kd", 1),
    ("O-21.6", "Kc Kd 3h 3s 2d", "Qc Qd Jh Js Ad", 1),
    ("O-21.6", "Kc Kd 4h 4s 2d", "Kh Ks 3h 3s Ad", 1),
    ("O-21.6", "Kc Kd 4h 4s 5d", "Kh Ks 4c 4d Ad", -1),
    ("O-21.7", "Kc Kd 4h 3s 2d", "Qh Qs Ac Jd Td", 1),
    ("O-21.7", "Kc Kd Jh 3s 2d", "Kh Ks Th 9s 8d", 1),
    ("O-21.7", "Kc Kd Jh 4s 2d", "Kh Ks Js 3s 2c", 1),
    ("B-12.h", "Ac Kd 9h 4s 2d", "Ad Kh 8h 7s 6d", 1),
    ("O-19.10", "Qc Jd 9h 4s 2d", "Qh Js 9s 4d 3d", -1),
    ("O-20", "Qc Jd 9h 4s 2d", "Qh Js 9s 4d 2s", 0),
]


@pytest.mark.article("O-21", "O-20", "B-12", "C-93", "C-94")
@pytest.mark.parametrize(("article", "ours", "theirs", "answer"), TIES)
def test_ties(article: str, ours: str, theirs: str, answer: int) -> None:
    first, second = strength(cards(ours)), strength(cards(theirs))
    assert (first > second) - (first < second) == answer


@pytest.mark.article("O-41", "O-5")
@pytest.mark.parametrize(
    ("hand", "bank_plays"),
    [
        ("Ac Kd 4h 3s 2d", True),
        ("Ac Kd Qh Js 9d", True),
        ("Ac Qd Jh Ts 9d", False),
        ("Kc Qd Jh Ts 8d", False),
        ("2c 2d 5h 4s 3d", True),
        ("5s 4s 3s 2d As", True),
    ],
)
def test_bank_qualifies_with_ace_king_or_better(hand: str, bank_plays: bool) -> None:
    assert qualifies(strength(cards(hand))) is bank_plays


@pytest.mark.article("O-41")
def test_bank_qualifies_in_as_many_hands_as_published() -> None:
    """167,280 ace-king hands: 164 sets of ranks, each in 4^5 - 4 mixtures of suits."""
    below = [set(ranks) for ranks in combinations(RANKS[:11], 3)]
    mixed = [cards(f"Ac Kd {a}h {b}s {c}c") for a, b, c in (sorted(ranks) for ranks in below)]
    assert sum(named_category(strength(hand)) is Category.ACE_KING for hand in mixed) * (4**5 - 4) == 167_280


@pytest.mark.article("O-66")
def test_cards_are_worth_the_same_in_any_order() -> None:
    for hand in deals("orders", 2_000, 7):
        assert rank(hand) == rank(hand[::-1]) == rank((*hand[3:], *hand[:3]))


def test_ace_king_is_named_only_where_asked() -> None:
    assert named_category(strength(cards("Ac Kd 4h 3s 2d"))) is Category.ACE_KING
    assert rank(cards("Ac Kd 4h 3s 2d")).category is Category.HIGH_CARD
    assert named_category(strength(cards("Ac Qd 4h 3s 2d"))) is Category.HIGH_CARD


@pytest.mark.article("C-92")
def test_best_five_of_seven_in_the_order_they_are_read() -> None:
    assert rank(cards("3s As Ad 3d 3h Kd Kh")).best == cards("3s 3h 3d As Ad")
    assert rank(cards("5d As 2s 3s 4s 5s Kd")).best == cards("5s 4s 3s 2s As")
    assert rank(cards("2c Kc 9d 9h 4s Jd Qd")).best == cards("9h 9d Kc Qd Jd")


@pytest.mark.parametrize("hand", ["As Ks Qs Js", "As As Qs Js Ts", "As Ks Qs Js Ts 2s 3s 4s"])
def test_wrong_counts_and_duplicates_are_no_hands(hand: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        rank(cards(hand))
