"""Circle records that are refused, by name and place."""

from typing import Any

import pytest

from controller.settle import RecordFault, settle
from tests.settle.circle_records import EVEN, FOUR, LIMPED, LOW, STRONG, WEAK, acts, checked, hand, seat, stacks

REFUSED = [
    ("less than call and one big blind", "4 raise 3999", "raise_below_minimum", "actions[0].to"),
    ("below it again", "4 raise 10000|1 raise 11999", "raise_below_minimum", "actions[1].to"),
    ("no raise at all", "4 raise 2000", "raise_below_minimum", "actions[0].to"),
    ("more than the stack", "4 raise 100001", "bet_above_stack", "actions[0].to"),
    ("no amount", "4 raise", "amount_missing", "actions[0].to"),
    ("a bet where there is one", "4 bet 4000", "bet_to_call", "actions[0].do"),
    ("check where there is a bet", "4 check", "bet_to_call", "actions[0].do"),
    ("call where there is none", "4 call|1 call|2 call|3 call", "nothing_to_call", "actions[3].do"),
    ("wrong turn", "1 call", "not_your_turn", "actions[0].seat"),
    ("not in the hand", "7 call", "seat_not_in_hand", "actions[0].seat"),
    ("folded already", "4 fold|1 call|2 call|3 raise 4000|4 call", "box_folded", "actions[4].seat"),
    ("call of another amount", "4 call 1500", "bet_wrong_amount", "actions[0].to"),
    ("all in of another amount", "4 all_in 1500", "bet_wrong_amount", "actions[0].to"),
    ("a fold with all that the call takes", "4 raise 4000|1 fold 4000", "bet_wrong_amount", "actions[1].to"),
    ("nobody decides", "", "decision_missing", "actions[0]"),
]


@pytest.mark.article("C-44", "C-47", "C-48")
@pytest.mark.parametrize(("row", "script", "name", "at"), REFUSED)
def test_actions_that_are_refused(row: str, script: str, name: str, at: str) -> None:
    with pytest.raises(RecordFault) as caught:
        settle(hand(FOUR, acts("preflop", *(script.split("|") if script else ()))))
    assert (caught.value.name, caught.value.at) == (name, at)


@pytest.mark.parametrize("told", ["3 check 3000", "2 check", "4 check", "3 raise 8000", "3 fold"])
def test_what_else_is_told_of_a_complete_hand_is_refused(told: str) -> None:
    seats = [seat(1, cards=LOW), seat(2, 2_000, STRONG), seat(3, cards=EVEN), seat(4, cards=WEAK)]
    with pytest.raises(RecordFault, match="hand_is_complete"):
        settle(hand(seats, acts("preflop", "4 fold", "1 fold", "2 call", told)))


FAULTS = [
    ("three players", {"seats": FOUR[:3]}, "too_few_players", "seats"),
    ("eleven", {"seats": [seat(n) for n in range(1, 12)]}, "too_many_players", "seats"),
    ("a seat twice", {"seats": [*FOUR, seat(4)]}, "duplicate_seat", "seats[4].seat"),
    ("a card twice", {"seats": [*FOUR[:3], seat(4, cards="Ks 2h")]}, "duplicate_card", "seats[3].cards"),
    ("three cards", {"seats": [*FOUR[:3], seat(4, cards="5s 2h 2s")]}, "wrong_card_count", "seats[3].cards"),
    ("a board of two", {"board": "2c 7d"}, "wrong_card_count", "board"),
    ("rake above 5 %", {"rake_bp": 501}, "rake_above_five_percent", "rake_bp"),
    ("negative", {"rake_unit": -1}, "negative_amount", "rake_unit"),
    ("a fraction of a chip", {"blinds": {"small": 0.5}}, "not_a_whole_number", "blinds.small"),
    ("too much", {"seats": [*FOUR[:3], seat(4, 10**12 + 1)]}, "amount_too_large", "seats[3].stack"),
    ("no stack", {"seats": [*FOUR[:3], seat(4, 0)]}, "too_small", "seats[3].stack"),
    ("unknown key", {"blind": 1}, "unknown_key", "blind"),
    ("unknown key of a seat", {"seats": [*FOUR[:3], seat(4, ante=1)]}, "unknown_key", "seats[3].ante"),
    ("blinds upside down", {"blinds": {"small": 3_000, "big": 2_000}}, "small_blind_above_big", "blinds.small"),
    ("blind of nobody", {"big_blind": 9}, "seat_not_in_hand", "big_blind"),
    ("one seat for both blinds", {"small_blind": 3, "big_blind": 3}, "duplicate_seat", "big_blind"),
    ("the big blind first", {"small_blind": 3, "big_blind": 2}, "blinds_out_of_order", "big_blind"),
    ("the button's small blind", {"small_blind": 1, "big_blind": 2}, "blinds_out_of_order", "big_blind"),
    ("wrong street", {"actions": acts("flop", "4 fold")}, "wrong_street", "actions[0].street"),
    ("after the end", {"actions": [*LIMPED, *checked(2, 3, 4, 2)]}, "wrong_street", "actions[7].street"),
    ("a board too short", {"board": "2c 7d 9h"}, "cards_missing", "board"),
    ("nobody shows", {"seats": [seat(n) for n in range(1, 5)]}, "cards_missing", "seats"),
    ("unknown action", {"actions": acts("preflop", "4 jump")}, "unknown_value", "actions[0].do"),
    ("no action", {"actions": [{"street": "preflop", "seat": 4}]}, "missing_key", "actions[0].do"),
    ("missed more than held", {"seats": [*FOUR[:3], seat(4, 500, missed=500)]}, "bet_above_stack", "seats[3].missed"),
]


@pytest.mark.article("C-4", "C-5", "C-16")
@pytest.mark.parametrize(("row", "change", "name", "at"), FAULTS)
def test_records_that_are_refused(row: str, change: dict[str, Any], name: str, at: str) -> None:
    record = {**hand(FOUR, [*LIMPED, *checked(2, 3, 4)]), **change}
    with pytest.raises(RecordFault) as caught:
        settle(record)
    assert (caught.value.name, caught.value.at) == (name, at)


@pytest.mark.parametrize(
    ("change", "name", "at"),
    [
        ({"actions": [{"foo": -1}]}, "unknown_key", "actions[0].foo"),
        ({"actions": [{"street": "preflop", "seat": 4}]}, "missing_key", "actions[0].do"),
        ({"actions": acts("preflop", "4 jump")}, "unknown_value", "actions[0].do"),
        ({"actions": acts("noon", "4 call")}, "unknown_value", "actions[0].street"),
        ({"actions": acts("preflop", "4 raise -1")}, "negative_amount", "actions[0].to"),
        ({"actions": {}}, "not_a_list", "actions"),
        ({"board": {"z": 1}}, "unknown_key", "board.z"),
        ({"board": "Zz"}, "unknown_card", "board"),
    ],
)
def test_a_void_record_has_the_form_of_any_other(change: dict[str, Any], name: str, at: str) -> None:
    with pytest.raises(RecordFault) as caught:
        settle({**hand(FOUR, LIMPED), "void": True, **change})
    assert (caught.value.name, caught.value.at) == (name, at)


def test_a_void_record_may_end_anywhere_and_have_no_actions() -> None:
    for actions in (LIMPED[:2], []):
        answer = settle(hand(FOUR, actions, void=True, board="2c 2c"))
        assert stacks(answer) == dict.fromkeys((1, 2, 3, 4), 100_000)
    record = hand(FOUR, [], void=True)
    del record["actions"]
    assert settle(record)["notes"] == ["void"]
