"""Oasis records that are refused, by name and place."""

from typing import Any

import pytest

from controller.settle import RecordFault, settle
from tests.settle.oasis_records import NINE, box, changed, hand

FAULTS = [
    ("seats.0.cards", "9d 8d 7d 6d 9d", "duplicate_card", "seats[0].cards", False),
    ("seats.1.cards", "9d Qh 4c 3d 2s", "duplicate_card", "seats[1].cards", False),
    ("dealer.cards", "Ah Kh 7c 4d 9d", "duplicate_card", "dealer.cards", False),
    ("seats.1.bought.in", "9d", "duplicate_card", "seats[1].bought.in", False),
    ("seats.1.bought.out", "9d", "card_not_there", "seats[1].bought.out", False),
    ("seats.1.bought.in", "Qd Qc", "wrong_card_count", "seats[1].bought", False),
    ("seats.1.folded", True, "bet_wrong_amount", "seats[1].bet", False),
    ("seats.0.cards", "9d 8d 7d 6d", "wrong_card_count", "seats[0].cards", False),
    ("dealer.cards", "Ah Kh 7c 4d 2h 3h", "wrong_card_count", "dealer.cards", False),
    ("seats.0.cards", "9d 8d 7d 6d 1x", "unknown_card", "seats[0].cards", False),
    ("seats.0.seat", 2, "duplicate_seat", "seats[1].seat", False),
    ("seats.0.seat", 8, "unknown_seat", "seats[0].seat", False),
    ("seats.0.bet", 2001, "bet_wrong_amount", "seats[0].bet", False),
    ("seats.0.ante", 999, "bet_below_minimum", "seats[0].ante", False),
    ("seats.0.ante", 50001, "bet_above_maximum", "seats[0].ante", False),
    ("hand", 1, "unknown_key", "hand", True),
    ("seats.0.colour", 1, "unknown_key", "seats[0].colour", True),
    ("table.limit", 1, "unknown_key", "table.limit", True),
    ("jackpot.pot", 1, "unknown_key", "jackpot.pot", True),
    ("jackpot.options.speed", 1, "unknown_key", "jackpot.options.speed", True),
    ("jackpot.prizes.five_of_a_kind", {"fixed": 1}, "unknown_key", "jackpot.prizes.five_of_a_kind", True),
    ("jackpot.prizes.flush", {"fixed": 1, "percent": 1}, "percent_or_fixed", "jackpot.prizes.flush", True),
    ("jackpot.prizes.flush", {}, "percent_or_fixed", "jackpot.prizes.flush", True),
    ("jackpot.prizes.flush.percent", 101, "percent_or_fixed", "jackpot.prizes.flush", True),
    ("jackpot.prizes.royal_flush.percent", 101, "too_large", "jackpot.prizes.royal_flush.percent", True),
    ("jackpot.prizes.royal_flush.per_credit", 1, "not_true_or_false", None, True),
    (
        "jackpot.prizes.royal_flush.per_credit",
        True,
        "percent_per_credit",
        "jackpot.prizes.royal_flush.per_credit",
        True,
    ),
    ("jackpot.options.lucky_seat_from", "the bar", "unknown_value", None, True),
    ("jackpot.options.lucky_seat_from", ["all_boxes"], "not_a_text", None, True),
    ("jackpot.options.draw_every", "never", "not_a_number", None, True),
    ("jackpot.options.draw_every", 0, "too_small", None, True),
    ("jackpot.options.draw_every", [], "not_a_number", None, True),
    ("jackpot.options.start_at_least_bets", 0.5, "not_a_whole_number", None, True),
    ("jackpot.options.accept_return_over_100", "yes", "not_true_or_false", None, True),
    ("draws.roulette", {}, "unknown_key", "draws.roulette", True),
    ("draws.carta_magica.card", "", "wrong_card_count", "draws.carta_magica.card", True),
    ("draws.jugador_afortunado.prize", ..., "missing_key", "draws.jugador_afortunado.prize", True),
    ("seats", ..., "missing_key", "seats", True),
    ("seats", {}, "not_a_list", "seats", True),
    ("seats.0", 1, "not_an_object", "seats[0]", True),
    ("seats.0.seat", ..., "missing_key", "seats[0].seat", True),
    ("seats.0.ante", -1000, "negative_amount", "seats[0].ante", True),
    ("seats.0.ante", 1000.5, "not_a_whole_number", "seats[0].ante", True),
    ("seats.0.ante", 1000.0, "not_a_whole_number", "seats[0].ante", True),
    ("seats.0.ante", "1000", "not_a_number", "seats[0].ante", True),
    ("seats.0.ante", True, "not_a_number", "seats[0].ante", True),
    ("seats.0.ante", None, "not_a_number", "seats[0].ante", True),
    ("jackpot.meter", 10**12 + 1, "amount_too_large", "jackpot.meter", True),
    ("jackpot.contribution_bp", 10_001, "too_large", "jackpot.contribution_bp", True),
    ("jackpot.credit", 0, "too_small", "jackpot.credit", True),
    ("jackpot.kind", "mystery", "unknown_value", "jackpot.kind", True),
    ("jackpot.options.royal_with_straight_flush", "both", "unknown_value", None, True),
    ("seats.0.folded", 1, "not_true_or_false", "seats[0].folded", True),
    ("seats.0.cards", ["9d"], "not_a_text", "seats[0].cards", True),
    ("dealer.cards", {"cards": "9h"}, "not_a_text", "dealer.cards", True),
    ("seats.0.cards", {"cards": {"cards": "9h"}}, "not_a_text", "seats[0].cards.cards", True),
    ("game", "bridge", "unknown_game", "game", True),
    ("game", ..., "missing_key", "game", True),
    ("jackpot.at", "t1", "at_without_linked", "jackpot.at", True),
    ("linked", [{"table": "t1", "meter": 1}], "meter_and_linked", "jackpot.meter", True),
]


@pytest.mark.requirement("R113")
@pytest.mark.article("O-68", "O-2", "O-22")
@pytest.mark.parametrize(("place", "value", "name", "at", "is_form"), FAULTS)
def test_faults_by_name_and_place(place: str, value: Any, name: str, at: str | None, is_form: bool) -> None:
    with pytest.raises(RecordFault) as raised:
        settle(changed(place, value))
    assert (raised.value.name, raised.value.at, raised.value.is_form) == (name, at or place, is_form)


@pytest.mark.parametrize(
    ("seat", "more", "name", "at"),
    [
        ({"shown": "x"}, {}, "not_true_or_false", "seats[0].shown"),
        ({"folded": 1}, {}, "not_true_or_false", "seats[0].folded"),
        ({"bought": 5}, {}, "not_an_object", "seats[0].bought"),
        ({"bought": {"out": "2s", "for": "2d"}}, {}, "unknown_key", "seats[0].bought.for"),
        ({"bet": 1.5}, {}, "not_a_whole_number", "seats[0].bet"),
        ({}, {"dealer": {"x": 5}}, "unknown_key", "dealer.x"),
        ({}, {"dealer": 5}, "not_a_text", "dealer"),
    ],
)
def test_a_void_record_has_the_form_of_any_other(
    seat: dict[str, Any], more: dict[str, Any], name: str, at: str
) -> None:
    with pytest.raises(RecordFault) as raised:
        settle({"game": "oasis", "void": True, "seats": [{"seat": 1, "ante": 1000, **seat}], **more})
    assert (raised.value.name, raised.value.at) == (name, at)


def linked_hand(linked: list[dict[str, Any]], at: str) -> dict[str, Any]:
    return {"game": "oasis", "jackpot": {"linked": linked, "at": at}, "seats": []}


@pytest.mark.parametrize(
    ("record", "name"),
    [
        (linked_hand([{"table": "t1", "meter": 1}], "t2"), "unknown_table"),
        (linked_hand([{"table": "t1", "meter": 1}, {"table": "t1", "meter": 1}], "t1"), "duplicate_table"),
        (linked_hand([{"table": "t1"}], "t1"), "missing_key"),
        ({**linked_hand([{"table": "t1", "meter": 1}], "t1"), "linked": []}, "linked_twice"),
        ({"game": "oasis", "jackpot": {"reserve": 5}, "linked": [{"table": "t1", "meter": 1}]}, "reserve_and_linked"),
    ],
)
def test_faults_of_linked_tables(record: dict[str, Any], name: str) -> None:
    with pytest.raises(RecordFault) as raised:
        settle(record)
    assert raised.value.name == name


def test_a_bought_card_of_a_folded_box_cannot_be() -> None:
    with pytest.raises(RecordFault) as raised:
        settle(hand(box(1, NINE, folded=True, bought={"out": "9d", "in": "Qd"})))
    assert (raised.value.name, raised.value.at) == ("box_folded", "seats[0].bought")


@pytest.mark.parametrize("every", [1, 500, "hand", "key"])
def test_what_binds_the_configuration_alone_is_read_and_changes_nothing(every: int | str) -> None:
    options = {
        "draw_every": every,
        "lucky_seat_from": "betting",
        "start_at_least_bets": 9,
        "accept_return_over_100": True,
    }
    record = hand(box(1, NINE))
    assert settle(hand(box(1, NINE), jackpot={"options": options})) == settle(record)
