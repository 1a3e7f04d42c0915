"""Texas Hold'em Bonus records; the expected result stands last in a row."""

from typing import Any

import pytest

from controller.settle import RecordFault, settle

BOARD = "9h 8h 7h 2c 3d"


def box(seat: int, cards: str = "", **more: Any) -> dict[str, Any]:
    return {"seat": seat, "ante": 2_000, "cards": cards, "credits": 1, **more}


def hand(*seats: dict[str, Any], board: str = BOARD, **more: Any) -> dict[str, Any]:
    jackpot = {"meter": 3_000_000, "contribution_bp": 0, **more.pop("jackpot", {})}
    return {"game": "holdem-bonus", "jackpot": jackpot, "seats": list(seats), "board": board, **more}


BASE = [
    ("wins with a pair: ante returned", box(1, "9c Kd"), "8c Kh", ("pair", 0, 4_000, 0, 0, 4_000)),
    ("wins with a straight: ante paid", box(1, "Tc Jd"), "8c Kd", ("straight", 2_000, 4_000, 0, 0, 6_000)),
    ("with turn bet", box(1, "9c Kd", turn_bet=2_000), "8c Kh", ("pair", 0, 4_000, 2_000, 0, 6_000)),
    ("with river bet", box(1, "9c Kd", river_bet=2_000), "8c Kh", ("pair", 0, 4_000, 0, 2_000, 6_000)),
    (
        "loses all",
        box(1, "4c Kd", turn_bet=2_000, river_bet=2_000),
        "9c Kh",
        ("lost", -2_000, -4_000, -2_000, -2_000, -10_000),
    ),
    ("folded: ante lost", box(1, "4c Kd", folded=True), "9c Kh", ("folded", -2_000, 0, 0, 0, -2_000)),
    ("tie: all returned", box(1, "Ac Kd", turn_bet=2_000), "Ad Kc", ("tie", 0, 0, 0, 0, 0)),
    ("the highest other card", box(1, "Ac Qd"), "Ad Jc", ("high_card", 0, 4_000, 0, 0, 4_000)),
    ("the dealer always plays", box(1, "4c 5d"), "Jd 6c", ("lost", -2_000, -4_000, 0, 0, -6_000)),
]


@pytest.mark.article("B-11", "B-12", "B-13", "B-e")
@pytest.mark.parametrize(("row", "seat", "dealer", "result"), BASE)
def test_base_game(row: str, seat: dict[str, Any], dealer: str, result: tuple[str, int, int, int, int, int]) -> None:
    (base,) = settle(hand(seat, dealer={"cards": dealer}))["base"]
    bets = (base["ante"], base["flop_bet"], base["turn_bet"], base["river_bet"])
    assert (base["reason"], *bets, base["net"]) == result


@pytest.mark.article("B-13")
def test_ante_pays_from_another_hand_where_the_site_says_so() -> None:
    seat, dealer = box(1, "Tc Jd"), {"cards": "8c Kd"}
    (base,) = settle(hand(seat, dealer=dealer, table={"ante_pays_from": "flush"}))["base"]
    assert base["ante"] == 0


BONUS = [
    ("B-13 royal", box(1, "As Ks"), "Qs Js Ts 2c 3d", {}, [(1, 3_000_000)], 2_000_000),
    ("B-13 straight flush", box(1, "Th Jh"), BOARD, {}, [(1, 300_000)], 2_700_000),
    ("B-13 four of a kind", box(1, "9c 9d"), "9h 9s 7h 2c 3d", {}, [(1, 50_000)], 3_000_000),
    ("B-13 full house", box(1, "9c 9d"), "9h 7s 7h 2c 3d", {}, [(1, 15_000)], 3_000_000),
    ("B-13 flush", box(1, "Kh 2h"), BOARD, {}, [(1, 7_500)], 3_000_000),
    ("B-13 straight pays nothing", box(1, "Tc Jd"), BOARD, {}, [], 3_000_000),
    ("B-f not multiplied", box(1, "Kh 2h", credits=2), BOARD, {"credit": 1_000}, [(1, 7_500)], 3_000_000),
    (
        "B-f multiplied where the site says so",
        box(1, "Kh 2h", credits=2),
        BOARD,
        {"credit": 1_000, "options": {"fixed_rows_multiply": True}},
        [(1, 15_000)],
        3_000_000,
    ),
    ("B-b best of seven", box(1, "Kh 2h"), "9h 8c 7c 4h 3h", {}, [(1, 7_500)], 3_000_000),
    (
        "B-b two and the flop",
        box(1, "Kh 2h"),
        "9h 8c 7c 4h 3h",
        {"options": {"bonus_cards": "hole_and_flop"}},
        [],
        3_000_000,
    ),
    (
        "B-b two and the flop, made there",
        box(1, "Kh 2h"),
        BOARD,
        {"options": {"bonus_cards": "hole_and_flop"}},
        [(1, 7_500)],
        3_000_000,
    ),
    ("B-c folded", box(1, "Kh 2h", folded=True), BOARD, {}, [], 3_000_000),
    ("B-d restart", box(1, "As Ks"), "Qs Js Ts 2c 3d", {"start": 1_000}, [(1, 3_000_000)], 1_000),
    ("no board", box(1, "Kh 2h"), "", {}, [], 3_000_000),
]


@pytest.mark.article("B-9", "B-13", "B-b", "B-c", "B-d", "B-f", "B-g")
@pytest.mark.parametrize(("row", "seat", "board", "jackpot", "awards", "after"), BONUS)
def test_bonus(
    row: str, seat: dict[str, Any], board: str, jackpot: dict[str, Any], awards: list[tuple[int, int]], after: int
) -> None:
    answer = settle(hand(seat, board=board, jackpot=jackpot))
    assert [(award["seat"], award["amount"]) for award in answer["awards"]] == awards
    assert {award["article"] for award in answer["awards"]} <= {"13"}
    assert answer["meter"]["after"] == after


@pytest.mark.article("B-a")
def test_a_straight_flush_on_the_board_is_everybodys() -> None:
    seats = [box(seat, cards) for seat, cards in enumerate(["2c 2d", "3c 3d", "4c 4d"], 1)]
    answer = settle(hand(*seats, board="9h 8h 7h 6h 5h"))
    assert [award["amount"] for award in answer["awards"]] == [300_000] * 3
    higher = settle(hand(*seats, box(4, "Th Jh"), board="9h 8h 7h 6h 5h"))
    assert [(award["seat"], award["amount"]) for award in higher["awards"]] == [
        (4, 300_000),
        (1, 300_000),
        (2, 300_000),
        (3, 300_000),
    ]


@pytest.mark.article("O-q")
def test_the_two_cards_of_a_box_match_a_drawn_card_also_when_folded() -> None:
    draws = {"carta_magica": {"card": "Kh", "prize": 5_000}}
    seats = [box(1, "Kh 2h", folded=True)]
    assert [award["seat"] for award in settle(hand(*seats, draws=draws))["awards"]] == [1]
    on_the_board = settle(hand(box(1, "Kc 2h"), board="9h 8c 7c 4h Kh", draws=draws))
    assert on_the_board["awards"] == []


@pytest.mark.article("B-8", "B-11")
@pytest.mark.parametrize(
    ("record", "name", "at"),
    [
        (hand(box(1, "Kh")), "wrong_card_count", "seats[0].cards"),
        (hand(box(1, "Kh 2h 3h", folded=True)), "wrong_card_count", "seats[0].cards"),
        (hand(box(1, "Kh 9h")), "duplicate_card", "board"),
        (hand(box(1, "Kh 2h"), dealer={"cards": "Kh 3h"}), "duplicate_card", "dealer.cards"),
        (hand(box(1, "Kh 2h"), board="9h 8h 7h 2c"), "wrong_card_count", "board"),
        (hand(box(1, "Kh 2h", flop_bet=2_000)), "bet_wrong_amount", "seats[0].flop_bet"),
        (hand(box(1, "Kh 2h", turn_bet=4_000)), "bet_wrong_amount", "seats[0].turn_bet"),
        (hand(box(1, "Kh 2h", folded=True, river_bet=2_000)), "bet_wrong_amount", "seats[0].river_bet"),
        (hand(box(1, "Kh 2h", bet=4_000)), "unknown_key", "seats[0].bet"),
        (hand(box(1, "Kh 2h", ante=1_999)), "bet_below_minimum", "seats[0].ante"),
    ],
)
def test_faults(record: dict[str, Any], name: str, at: str) -> None:
    with pytest.raises(RecordFault) as raised:
        settle(record)
    assert (raised.value.name, raised.value.at) == (name, at)


@pytest.mark.parametrize(
    ("change", "name", "at"),
    [
        ({"board": 7}, "not_a_text", "board"),
        ({"dealer": {"x": 1}}, "unknown_key", "dealer.x"),
        ({"dealer": "Kx"}, "unknown_card", "dealer"),
        ({"seats": [box(1, turn_bet="2000")]}, "not_a_number", "seats[0].turn_bet"),
    ],
)
def test_a_void_record_has_the_form_of_any_other(change: dict[str, Any], name: str, at: str) -> None:
    with pytest.raises(RecordFault) as raised:
        settle({**hand(box(1, "Kh 2h"), void=True), **change})
    assert (raised.value.name, raised.value.at) == (name, at)


def test_void_is_the_identity() -> None:
    answer = settle(hand(box(1, "Kh Kh 2h"), void=True, jackpot={"contribution_bp": 5_000}))
    assert (answer["awards"], answer["base"], answer["meter"]["after"]) == ([], [], 3_000_000)
