"""Who has button and blinds next: dead button, dead small blind, both; and questions that are refused."""

from typing import Any

import pytest

from controller.settle import RecordFault, settle

NEXT = [
    ("C-43 one seat on", (1, 2, 3), [1, 2, 3, 4], [], (2, 3, 4)),
    ("C-43 empty seats skipped", (2, 5, 6), [2, 5, 6, 9], [], (5, 6, 9)),
    ("C-43 round the table", (3, 4, 1), [1, 2, 3, 4], [], (4, 1, 2)),
    ("C-77 dead button", (1, 2, 3), [1, 3, 4, 5, 6], [2], (1, 3, 4)),
    ("C-78 dead small blind", (1, 2, 3), [1, 2, 4, 5, 6], [3], (2, None, 4)),
    ("C-79 both", (1, 2, 3), [1, 4, 5, 6], [2, 3], (1, None, 4)),
    ("C-78 the hand after: the button has nowhere to go", (2, None, 4), [1, 2, 4, 5, 6], [], (2, 4, 5)),
    ("the button's player left", (1, 2, 3), [2, 3, 4, 5], [1], (2, 3, 4)),
    ("somebody else left", (1, 2, 3), [1, 2, 3, 5, 6], [4], (2, 3, 5)),
    ("still named among the seats", (1, 2, 3), [1, 2, 3, 4, 5, 6], [2], (1, 3, 4)),
]


@pytest.mark.article("C-36", "C-41", "C-43", "C-76", "C-77", "C-78", "C-79", "C-d")
@pytest.mark.parametrize(("row", "previous", "seats", "eliminated", "expected"), NEXT)
def test_next_hand(
    row: str,
    previous: tuple[int, int | None, int],
    seats: list[int],
    eliminated: list[int],
    expected: tuple[int, int | None, int],
) -> None:
    names = ("button", "small_blind", "big_blind")
    asked = {"previous": dict(zip(names, previous, strict=True)), "seats": seats, "eliminated": eliminated}
    answer = settle({"game": "holdem-circle", "next_hand": asked})
    assert answer == dict(zip(names, expected, strict=True))


@pytest.mark.article("C-21")
def test_the_first_button_is_the_highest_occupied_number() -> None:
    answer = settle({"game": "holdem-circle", "next_hand": {"seats": [2, 3, 5, 8]}})
    assert answer == {"button": 8, "small_blind": 2, "big_blind": 3}


NEXT_FAULTS = [
    ({"seats": [1, 2, 3, 4.0]}, "not_a_whole_number", "next_hand.seats[3]"),
    ({"seats": [1, 2, 3]}, "too_few_players", "next_hand.seats"),
    ({"seats": [1, 2, 2, 3]}, "duplicate_seat", "next_hand.seats[2]"),
    ({"seats": [1, 2, 3, 11]}, "too_large", "next_hand.seats[3]"),
    ({"seats": [1, 2, 3, "4"]}, "not_a_number", "next_hand.seats[3]"),
    ({"seats": "1"}, "not_a_list", "next_hand.seats"),
    (
        {"previous": {"button": 9, "small_blind": 3, "big_blind": 2}, "seats": [1, 2, 3, 4]},
        "blinds_out_of_order",
        "next_hand.previous.big_blind",
    ),
    (
        {"previous": {"button": 1, "small_blind": 3, "big_blind": 3}, "seats": [1, 2, 3, 4]},
        "duplicate_seat",
        "next_hand.previous.big_blind",
    ),
    ({"seats": [1, 2, 3, 4], "last": 1}, "unknown_key", "next_hand.last"),
]


@pytest.mark.parametrize(("asked", "name", "at"), NEXT_FAULTS)
def test_questions_that_are_refused(asked: dict[str, Any], name: str, at: str) -> None:
    with pytest.raises(RecordFault) as caught:
        settle({"game": "holdem-circle", "next_hand": asked})
    assert (caught.value.name, caught.value.at) == (name, at)
