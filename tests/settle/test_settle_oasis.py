"""Oasis records: the published example, then one fact in each row, the expected result last."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.settle import settle
from tests.settle.oasis_records import (
    FLUSH,
    FOUR,
    KING,
    NINE,
    NINE_OF_CLUBS,
    NOTHING,
    PUBLISHED,
    ROYAL,
    ROYAL_OF_HEARTS,
    box,
    changed,
    hand,
    paid,
)

ANSWER = {
    "awards": [
        {
            "seat": 1,
            "from": "jackpot",
            "category": "straight_flush",
            "amount": 200000,
            "paid_by": "meter",
            "article": "59",
        },
        {"seat": 2, "from": "carta_magica", "amount": 5000, "paid_by": "house", "article": "62"},
    ],
    "base": [
        {"seat": 1, "ante": 1000, "bet": 100000, "purchase": 0, "net": 101000, "reason": "straight_flush"},
        {"seat": 2, "ante": 1000, "bet": 6000, "purchase": -1000, "net": 6000, "reason": "three_of_a_kind"},
    ],
    "meter": {
        "before": 1999650,
        "contribution": 350,
        "after": 1800000,
        "contribution_micros": 3500000,
        "after_micros": 18000000000,
    },
    "notes": [],
}


def test_the_published_example() -> None:
    assert settle(PUBLISHED) == ANSWER


@pytest.mark.requirement("R113")
@pytest.mark.article("O-j", "O-67", "O-68", "O-69")
def test_a_void_hand_is_the_identity_even_when_its_cards_cannot_be() -> None:
    record = changed("seats.1.cards", "9d 9d 4c", changed("void", True))
    answer = settle(record)
    assert (answer["awards"], answer["base"], answer["notes"]) == ([], [], ["void"])
    assert answer["meter"]["before"] == answer["meter"]["after"] == 1999650
    assert answer["meter"]["contribution_micros"] == 0


ACE_KING = "Ac Kd 7h 6s 4d"
LOW = {"ace_king": {"fixed": 300}}
OWN = {"kind": "fixed", "prizes": {"royal_flush": {"fixed": 9_000}, "flush": {"fixed": 10}}}
JACKPOTS = [
    ("O-58 one royal", [box(1, ROYAL)], {}, [(1, 2_000_000)], 500_000),
    ("O-58 two royals", [box(1, ROYAL), box(2, ROYAL_OF_HEARTS)], {}, [(1, 1_000_000), (2, 1_000_000)], 500_000),
    ("O-d odd centavo", [box(1, ROYAL), box(2, ROYAL_OF_HEARTS)], {"meter": 7}, [(1, 3), (2, 3)], 500_001),
    ("O-59 one straight flush", [box(1, NINE)], {}, [(1, 200_000)], 1_800_000),
    ("O-59 equal ones", [box(1, NINE), box(2, NINE_OF_CLUBS)], {}, [(1, 200_000), (2, 200_000)], 1_600_000),
    ("O-59 the higher first", [box(1, NINE_OF_CLUBS), box(2, KING)], {}, [(2, 200_000), (1, 180_000)], 1_620_000),
    ("O-b highest first", [box(1, NINE), box(2, ROYAL)], {}, [(2, 2_000_000)], 500_000),
    (
        "O-b straight flush first",
        [box(1, NINE), box(2, ROYAL)],
        {"options": {"royal_with_straight_flush": "straight_flush_first"}},
        [(1, 200_000), (2, 1_800_000)],
        500_000,
    ),
    (
        "O-b restart then pay",
        [box(1, NINE), box(2, ROYAL)],
        {"options": {"royal_with_straight_flush": "restart_then_pay"}},
        [(2, 2_000_000), (1, 50_000)],
        450_000,
    ),
    ("O-e fixed rows by credits", [box(1, FOUR, credits=3)], {}, [(1, 150_000)], 2_000_000),
    ("O-e not percentages", [box(1, NINE, credits=5)], {}, [(1, 200_000)], 1_800_000),
    ("O-56 flush", [box(1, FLUSH)], {}, [(1, 7_500)], 2_000_000),
    (
        "O-50 ace-king, where a list pays it",
        [box(1, ACE_KING), box(2, NOTHING)],
        {"prizes": LOW},
        [(1, 300)],
        2_000_000,
    ),
    ("O-50 nothing", [box(1, NOTHING)], {}, [], 2_000_000),
    ("O-48 without a bet", [box(1, ROYAL, credits=0)], {}, [], 2_000_000),
    ("a box whose cards are unknown", [box(1)], {}, [], 2_000_000),
    ("O-f from the meter", [box(1, FOUR)], {"options": {"fixed_prizes_from": "meter"}}, [(1, 50_000)], 1_950_000),
    ("O-g stays", [box(1, NINE)], {"meter": 500_000}, [(1, 50_000)], 450_000),
    (
        "O-g topped up",
        [box(1, NINE)],
        {"meter": 500_000, "options": {"top_up_after_partial": True}},
        [(1, 50_000)],
        500_000,
    ),
    ("O-h reserve above start", [box(1, ROYAL)], {"reserve": 600_000, "reserve_bp": 0}, [(1, 2_000_000)], 600_000),
    ("O-h reserve at the preset's 5 %", [box(1, ROYAL)], {"reserve": 600_000}, [(1, 2_000_000)], 600_005),
    ("O-h reserve below start", [box(1, ROYAL)], {"reserve": 100_000}, [(1, 2_000_000)], 500_000),
    ("O-i folded", [box(1, ROYAL, folded=True)], {}, [], 2_000_000),
    (
        "O-i folded, kept",
        [box(1, ROYAL, folded=True)],
        {"options": {"folded_box_keeps_jackpot": True}},
        [(1, 2_000_000)],
        500_000,
    ),
    ("O-34 bought", [box(1, ROYAL, bought={"out": "Ts", "in": "9s"})], {}, [], 2_000_000),
    ("O-k boxes of one player", [box(1, FLUSH), box(2, FOUR)], {}, [(2, 50_000), (1, 7_500)], 2_000_000),
    ("O-54 fixed, per credit", [box(1, FOUR, credits=2)], {"kind": "fixed"}, [(1, 50_000)], 2_000_000),
    ("O-55 fixed royal", [box(1, ROYAL, credits=2)], {"kind": "fixed"}, [(1, 300_000)], 2_000_000),
    ("O-55 fixed straight flush", [box(1, NINE, credits=2)], {"kind": "fixed"}, [(1, 80_000)], 2_000_000),
    (
        "O-55 a list of its own",
        [box(1, ROYAL, credits=2), box(2, FLUSH, credits=2)],
        OWN,
        [(1, 9_000), (2, 20)],
        2_000_000,
    ),
    ("none", [box(1, ROYAL)], {"kind": "none"}, [], 2_000_000),
    ("O-57 contribution", [box(1, NOTHING, credits=5)], {"contribution_bp": 2_000}, [], 2_000_100),
    ("O-a it joins before the prize", [box(1, NINE)], {"contribution_bp": 10_000}, [(1, 200_010)], 1_800_090),
    ("ceiling", [box(1, NOTHING)], {"contribution_bp": 10_000, "ceiling": 2_000_060}, [], 2_000_060),
]


@pytest.mark.requirement("O54", "O58", "O59", "R31")
@pytest.mark.article(
    "O-54", "O-55", "O-57", "O-58", "O-59", "O-60", "O-a", "O-b", "O-e", "O-f", "O-g", "O-h", "O-i", "O-k"
)
@pytest.mark.parametrize(("row", "seats", "jackpot", "awards", "after"), JACKPOTS)
def test_jackpot(
    row: str, seats: list[dict[str, Any]], jackpot: dict[str, Any], awards: list[tuple[int, int]], after: int
) -> None:
    record = hand(*seats, jackpot=jackpot)
    assert paid(record) == awards
    assert settle(record)["meter"]["after"] == after


@pytest.mark.requirement("R16")
@pytest.mark.article("O-65", "O-n")
@pytest.mark.parametrize("beside", [True, False])
def test_linked_tables(beside: bool) -> None:
    linked = {
        "linked": [
            {"table": "t1", "meter": 600_000, "start": 500_000},
            {"table": "t2", "meter": 399_900, "start": 300_000},
            {"table": "t3", "meter": 1_000_000, "start": 200_000},
        ],
        "at": "t2",
    }
    record = hand(box(1, NINE), jackpot={"contribution_bp": 10_000})
    del record["jackpot"]["meter"]
    (record if beside else record["jackpot"]).update(linked)
    answer = settle(record)
    assert [award["amount"] for award in answer["awards"]] == [200_000]
    assert answer["tables"] == [
        {"table": "t1", "meter": 540_000, "meter_micros": 5_400_000_000, "start": 500_000},
        {"table": "t2", "meter": 360_000, "meter_micros": 3_600_000_000, "start": 300_000},
        {"table": "t3", "meter": 900_000, "meter_micros": 9_000_000_000, "start": 200_000},
    ]
    assert (answer["meter"]["before"], answer["meter"]["after"]) == (1_999_900, 1_800_000)
    royal = settle(changed("seats.0.cards", ROYAL, record))
    assert [table["meter"] for table in royal["tables"]] == [500_000, 300_000, 200_000]


DRAWS = [
    ("O-62 dealt", box(1, "Qs 3d 5s 8h Jc"), [("carta_magica", 5_000)]),
    ("O-62 without a jackpot bet", box(1, "Qs 3d 5s 8h Jc", credits=0), []),
    ("O-62 not dealt", box(1, NOTHING), []),
    ("O-64 a buyer", box(1, "Qs 3d 5s 8h Jc", bought={"out": "3d", "in": "2d"}), [("carta_magica", 5_000)]),
    ("O-m given back", box(1, "Qs 3d 5s 8h Jc", bought={"out": "Qs", "in": "2d"}), [("carta_magica", 5_000)]),
    ("O-m bought", box(1, NOTHING, bought={"out": "3d", "in": "Qs"}), []),
    ("O-q folded", box(1, "Qs 3d 5s 8h Jc", folded=True), []),
    ("O-q folded and shown", box(1, "Qs 3d 5s 8h Jc", folded=True, shown=True), [("carta_magica", 5_000)]),
    ("O-63 the seat", box(4, NOTHING), [("jugador_afortunado", 6_000)]),
    ("O-63 without a jackpot bet", box(4, NOTHING, credits=0), []),
    ("O-q folded lucky seat", box(4, NOTHING, folded=True), [("jugador_afortunado", 6_000)]),
    ("both", box(4, "Qs 3d 5s 8h Jc"), [("carta_magica", 5_000), ("jugador_afortunado", 6_000)]),
]


@pytest.mark.requirement("R105", "O34")
@pytest.mark.article("O-61", "O-62", "O-63", "O-64", "O-m", "O-q", "O-r")
@pytest.mark.parametrize(("row", "seat", "won"), DRAWS)
def test_draws(row: str, seat: dict[str, Any], won: list[tuple[str, int]]) -> None:
    draws = {"carta_magica": {"card": "Qs", "prize": 5_000}, "jugador_afortunado": {"seat": 4, "prize": 6_000}}
    answer = settle(hand(seat, draws=draws))
    assert [(award["from"], award["amount"]) for award in answer["awards"]] == won
    assert answer["meter"]["after"] == 2_000_000


@pytest.mark.requirement("R37")
@pytest.mark.article("O-49", "O-52")
@pytest.mark.parametrize(
    ("seat", "credit", "note"),
    [
        (box(1, NINE, ante=0), 100, "no_ante seat 1"),
        (box(1, NINE, credits=6), 100, "too_many_credits seat 1"),
        (box(1, NINE, credits=5), 201, "credits_above_table_minimum seat 1"),
    ],
)
def test_a_jackpot_bet_that_breaks_a_rule_is_noted_and_left_out(seat: dict[str, Any], credit: int, note: str) -> None:
    answer = settle(hand(seat, jackpot={"credit": credit, "contribution_bp": 2_000}))
    assert (answer["awards"], answer["notes"]) == ([], [note])
    assert answer["meter"]["contribution_micros"] == 0


def test_keys_left_out_take_the_presets_value() -> None:
    answer = settle({"game": "oasis", "seats": [box(1, FOUR, credits=2)]})
    assert answer["meter"] == {
        "before": 500_000,
        "contribution": 40,
        "after": 500_040,
        "contribution_micros": 400_000,
        "after_micros": 5_000_400_000,
    }
    assert [award["amount"] for award in answer["awards"]] == [100_000]
    assert answer["base"] == []


@pytest.mark.article("O-17")
def test_base_needs_a_dealer_an_ante_and_cards() -> None:
    seats = [box(1, NINE), box(2, "", ante=2_000, folded=True), box(3), box(4, "", ante=0, credits=0)]
    answer = settle(hand(*seats, dealer={"cards": "Ah Kh 7c 4d 2h"}))
    assert [(row["seat"], row["net"]) for row in answer["base"]] == [(1, 101_000), (2, -2_000)]


@settings(max_examples=100)
@given(
    deck=st.permutations([rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]),
    credits=st.lists(st.integers(0, 7), min_size=3, max_size=3),
    folded=st.lists(st.booleans(), min_size=3, max_size=3),
    meter=st.integers(0, 10**10),
    void=st.booleans(),
)
def test_any_hand_conserves_the_meter_and_a_void_changes_nothing(
    deck: list[str], credits: list[int], folded: list[bool], meter: int, void: bool
) -> None:
    seats = [
        {**box(seat, " ".join(deck[5 * seat : 5 * seat + 5])), "credits": credits[seat - 1], "folded": folded[seat - 1]}
        for seat in (1, 2, 3)
    ]
    dealer = {"cards": " ".join(deck[:5])}
    options = {"fixed_prizes_from": "meter"}
    answer = settle(
        hand(*seats, jackpot={"meter": meter, "contribution_bp": 2_000, "options": options}, dealer=dealer, void=void)
    )
    figures, awards = answer["meter"], answer["awards"]
    if void:
        assert (awards, figures["after_micros"]) == ([], meter * 10_000)
        return
    bets = sum(count for count in credits if 1 <= count <= 5)
    assert figures["contribution_micros"] == bets * 200_000
    taken = sum(award["amount"] for award in awards) * 10_000
    restarted = any(award["category"] == "royal_flush" for award in awards)
    funded = figures["after_micros"] - (meter * 10_000 + figures["contribution_micros"] - taken)
    assert funded >= 0
    assert restarted or funded == 0 or figures["after_micros"] == 0
    assert all(row["net"] == row["ante"] + row["bet"] + row["purchase"] for row in answer["base"])
