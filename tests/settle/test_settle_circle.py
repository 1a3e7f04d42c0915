"""Circle hands where Argentina's text decides: raises, short blinds, odd chips, rake by pot; and what is refused."""

from typing import Any

import pytest

from controller.settle import RecordFault, settle

BOARD = "2c 7d 9h Js Kd"
STRONG, EVEN, WEAK, LOW = "Ks Kh", "As Qs", "Ah Qh", "3d 4d"


def seat(number: int, stack: int = 100_000, cards: str = "", **more: Any) -> dict[str, Any]:
    return {"seat": number, "stack": stack, "cards": cards, **more}


def acts(street: str, *script: str) -> list[dict[str, Any]]:
    """`3 raise 5000`, `4 fold`, in one street."""
    actions = []
    for line in script:
        number, do, *to = line.split()
        actions.append({"street": street, "seat": int(number), "do": do, **({"to": int(to[0])} if to else {})})
    return actions


def checked(*seats: int, streets: tuple[str, ...] = ("flop", "turn", "river")) -> list[dict[str, Any]]:
    return [action for street in streets for action in acts(street, *(f"{each} check" for each in seats))]


def hand(seats: list[dict[str, Any]], actions: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "game": "holdem-circle",
        "blinds": {"small": 1_000, "big": 2_000},
        "rake_bp": 0,
        "rake_unit": 100,
        "button": 1,
        "seats": seats,
        "board": BOARD,
        "actions": actions,
        **more,
    }


def stacks(answer: dict[str, Any]) -> dict[int, int]:
    return {row["seat"]: row["stack"] for row in answer["stacks"]}


FOUR = [seat(1, cards=LOW), seat(2, cards=STRONG), seat(3, cards=EVEN), seat(4, cards=WEAK)]
LIMPED = acts("preflop", "4 call", "1 fold", "2 call", "3 check")


def test_a_hand_from_blinds_to_showdown() -> None:
    answer = settle(hand(FOUR, [*LIMPED, *checked(2, 3, 4)]))
    assert answer["pots"] == [
        {
            "amount": 6_000,
            "rake": 0,
            "eligible": [2, 3, 4],
            "winners": [2],
            "share": 6_000,
            "odd_chip": 0,
            "odd_chip_to": None,
        }
    ]
    assert stacks(answer) == {1: 100_000, 2: 104_000, 3: 98_000, 4: 98_000}
    assert [(row["seat"], row["put"], row["net"], row["reason"]) for row in answer["base"]] == [
        (1, 0, 0, "folded"),
        (2, 2_000, 4_000, "three_of_a_kind"),
        (3, 2_000, -2_000, "lost"),
        (4, 2_000, -2_000, "lost"),
    ]


RAKE = [
    ("C-95 five percent, floored to the chip", 500, 100, True, (6_000, 300), 103_700),
    ("C-96 rounded down", 500, 500, True, (6_000, 0), 104_000),
    ("C-5 a lower rate", 250, 50, True, (6_000, 150), 103_850),
    ("C-f no flop, no rake does not bite after the flop", 500, 100, False, (6_000, 300), 103_700),
]


@pytest.mark.requirement("X5")
@pytest.mark.article("C-5", "C-95", "C-96", "C-a", "C-f")
@pytest.mark.parametrize(("row", "rate", "unit", "without_flop", "pot", "after"), RAKE)
def test_rake(row: str, rate: int, unit: int, without_flop: bool, pot: tuple[int, int], after: int) -> None:
    record = hand(FOUR, [*LIMPED, *checked(2, 3, 4)], rake_bp=rate, rake_unit=unit, rake_without_flop=without_flop)
    answer = settle(record)
    assert [(each["amount"], each["rake"]) for each in answer["pots"]] == [pot]
    assert stacks(answer)[2] == after


@pytest.mark.article("C-f", "C-87")
@pytest.mark.parametrize(("without_flop", "rake"), [(True, 200), (False, 0)])
def test_everybody_folds_before_the_flop(without_flop: bool, rake: int) -> None:
    """The uncovered part of the raise goes back before the rake: 2,000 + 2,000 + 1,000 are the pot."""
    actions = acts("preflop", "4 raise 9000", "1 fold", "2 fold", "3 fold")
    answer = settle(hand(FOUR, actions, board="", rake_bp=500, rake_unit=100, rake_without_flop=without_flop))
    assert [(pot["amount"], pot["rake"], pot["winners"]) for pot in answer["pots"]] == [(5_000, rake, [4])]
    assert stacks(answer)[4] == 103_000 - rake
    assert answer["base"][3]["reason"] == "uncontested"


@pytest.mark.article("C-58", "C-80", "C-a", "C-86", "C-87")
def test_each_pot_has_its_own_rake_and_winner() -> None:
    seats = [seat(1, 3_150, STRONG), seat(2, 7_050, EVEN), seat(3, 20_000, WEAK), seat(4, 90_000, LOW)]
    actions = acts("preflop", "4 raise 20000", "1 all_in 3150", "2 all_in 7050", "3 all_in 20000")
    answer = settle(hand(seats, actions, rake_bp=500, rake_unit=100))
    assert [(pot["amount"], pot["rake"], pot["eligible"], pot["winners"]) for pot in answer["pots"]] == [
        (12_600, 600, [1, 2, 3, 4], [1]),
        (11_700, 500, [2, 3, 4], [2, 3]),
        (25_900, 1_200, [3, 4], [3]),
    ]
    assert stacks(answer) == {1: 12_000, 2: 5_600, 3: 5_600 + 24_700, 4: 70_000}


ODD = [
    ("first left of the button", 1, [3, 4], 3),
    ("the button moves it", 3, [3, 4], 4),
    ("beyond the highest number", 4, [3, 4], 3),
]


@pytest.mark.requirement("X5")
@pytest.mark.article("C-82", "C-94")
@pytest.mark.parametrize(("row", "button", "winners", "odd_to"), ODD)
def test_odd_chip_goes_left_of_the_button(row: str, button: int, winners: list[int], odd_to: int) -> None:
    order = [(button + step) % 4 + 1 for step in range(4)]
    seats = [seat(1, cards=LOW), seat(2, cards="5c 6h"), seat(3, cards=EVEN), seat(4, cards=WEAK)]
    small, big, first, last = order
    actions = acts("preflop", f"{first} call", f"{last} call", f"{small} call", f"{big} check")
    (pot,) = settle(hand(seats, [*actions, *checked(*order)], button=button, rake_bp=350, rake_unit=100))["pots"]
    assert (pot["rake"], pot["winners"], pot["share"]) == (200, winners, 3_900)
    (pot,) = settle(hand(seats, [*actions, *checked(*order)], button=button, rake_bp=375, rake_unit=100))["pots"]
    assert (pot["rake"], pot["share"], pot["odd_chip"], pot["odd_chip_to"]) == (300, 3_800, 100, odd_to)


@pytest.mark.requirement("X5")
@pytest.mark.article("C-82")
def test_odd_chips_pot_by_pot() -> None:
    """Two pots with a tie each: every one gives its own odd chip to the first winner left of the button."""
    tied = ["Ac Qc", "Ad Qd", "Ah Qh"]
    seats = [
        seat(1, 5_000, tied[0]),
        seat(2, 5_000, tied[1]),
        seat(3, 5_100, tied[2]),
        seat(4, 3_000, LOW),
        seat(5, 1_100, "4c 5c"),
    ]
    actions = acts("preflop", "4 all_in", "5 all_in", "1 all_in", "2 all_in", "3 call 5000")
    answer = settle(hand(seats, actions))
    assert [(pot["amount"], pot["share"], pot["odd_chip"], pot["odd_chip_to"]) for pot in answer["pots"]] == [
        (5_500, 1_800, 100, 2),
        (7_600, 2_500, 100, 2),
        (6_000, 2_000, 0, None),
    ]


@pytest.mark.article("C-47", "C-48")
@pytest.mark.parametrize(
    ("row", "script", "pot"),
    [
        ("call and one big blind", "4 raise 4000|1 fold|2 fold|3 call", 9_000),
        ("one big blind again, not the last raise", "4 raise 10000|1 raise 12000|2 fold|3 fold|4 call", 27_000),
    ],
)
def test_lowest_raise(row: str, script: str, pot: int) -> None:
    opened = acts("preflop", *script.split("|"))
    left = (3, 4) if opened[-1]["seat"] == 3 else (4, 1)
    answer = settle(hand(FOUR, [*opened, *checked(*left)]))
    assert [each["amount"] for each in answer["pots"]] == [pot]


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
    ("nobody decides", "", "decision_missing", "actions[0]"),
]


@pytest.mark.article("C-44", "C-47", "C-48")
@pytest.mark.parametrize(("row", "script", "name", "at"), REFUSED)
def test_actions_that_are_refused(row: str, script: str, name: str, at: str) -> None:
    with pytest.raises(RecordFault) as caught:
        settle(hand(FOUR, acts("preflop", *(script.split("|") if script else ()))))
    assert (caught.value.name, caught.value.at) == (name, at)


@pytest.mark.article("C-b")
def test_a_short_all_in_does_not_reopen_the_betting() -> None:
    seats = [seat(1, 7_000, LOW), seat(2, cards=STRONG), seat(3, cards=EVEN), seat(4, cards=WEAK)]
    opened = acts("preflop", "4 raise 6000", "1 all_in 7000", "2 call 7000", "3 fold")
    with pytest.raises(RecordFault, match=r"may_not_raise at actions\[4\].do"):
        settle(hand(seats, [*opened, *acts("preflop", "4 raise 20000")]))
    answer = settle(hand(seats, [*opened, *acts("preflop", "4 call 7000"), *checked(2, 4)]))
    assert stacks(answer)[2] == 116_000


@pytest.mark.article("C-b")
def test_who_has_not_acted_may_still_raise_a_short_all_in_and_opens_it_again() -> None:
    seats = [seat(1, 7_000, LOW), seat(2, cards=STRONG), seat(3, cards=EVEN), seat(4, cards=WEAK)]
    actions = acts("preflop", "4 raise 6000", "1 all_in 7000", "2 raise 9000", "3 fold", "4 raise 11000", "2 call")
    answer = settle(hand(seats, [*actions, *checked(2, 4)]))
    assert stacks(answer) == {1: 0, 2: 100_000 - 11_000 + 23_000 + 8_000, 3: 98_000, 4: 89_000}


@pytest.mark.article("C-c", "C-44")
def test_with_a_short_big_blind_the_others_owe_the_full_one() -> None:
    seats = [seat(1, cards=LOW), seat(2, cards=STRONG), seat(3, 1_500, EVEN), seat(4, cards=WEAK)]
    with pytest.raises(RecordFault, match=r"bet_wrong_amount at actions\[0\].to"):
        settle(hand(seats, acts("preflop", "4 call 1500")))
    actions = [*acts("preflop", "4 call 2000", "1 fold", "2 call 2000"), *checked(2, 4)]
    answer = settle(hand(seats, actions))
    assert [(pot["amount"], pot["eligible"]) for pot in answer["pots"]] == [(4_500, [2, 3, 4]), (1_000, [2, 4])]


@pytest.mark.article("C-c")
def test_a_small_blind_above_the_short_big_blind_needs_no_call() -> None:
    seats = [seat(1, cards=LOW), seat(2, cards=EVEN), seat(3, 700, STRONG), seat(4, cards=WEAK)]
    answer = settle(hand(seats, acts("preflop", "4 fold", "1 fold")))
    assert stacks(answer) == {1: 100_000, 2: 99_300, 3: 1_400, 4: 100_000}


@pytest.mark.article("C-78", "C-79")
@pytest.mark.parametrize("spare", [(), ("3 check",), ("3 check 2000",)])
def test_a_check_that_nobody_can_answer_may_be_told(spare: tuple[str, ...]) -> None:
    """The small blind is all-in, the big blind alone has chips: some tables ask it, ours does not."""
    seats = [seat(1, cards=LOW), seat(2, 2_000, STRONG), seat(3, cards=EVEN), seat(4, cards=WEAK)]
    answer = settle(hand(seats, acts("preflop", "4 fold", "1 fold", "2 call", *spare)))
    assert stacks(answer) == {1: 100_000, 2: 4_000, 3: 98_000, 4: 100_000}


@pytest.mark.parametrize("told", ["3 check 3000", "2 check", "4 check", "3 raise 8000", "3 fold"])
def test_what_else_is_told_of_a_complete_hand_is_refused(told: str) -> None:
    seats = [seat(1, cards=LOW), seat(2, 2_000, STRONG), seat(3, cards=EVEN), seat(4, cards=WEAK)]
    with pytest.raises(RecordFault, match="hand_is_complete"):
        settle(hand(seats, acts("preflop", "4 fold", "1 fold", "2 call", told)))


def test_a_hand_with_a_dead_small_blind() -> None:
    actions = [*acts("preflop", "4 fold", "1 fold", "2 call 2000", "3 check"), *checked(2, 3)]
    answer = settle(hand(FOUR, actions, small_blind=None, big_blind=3))
    assert stacks(answer) == {1: 100_000, 2: 102_000, 3: 98_000, 4: 100_000}


@pytest.mark.article("C-38")
def test_missed_blinds_are_in_the_pot_and_no_part_of_the_bet() -> None:
    seats = [*FOUR[:3], seat(4, cards=WEAK, missed=3_000)]
    answer = settle(hand(seats, [*LIMPED, *checked(2, 3, 4)]))
    assert [pot["amount"] for pot in answer["pots"]] == [9_000]
    assert (stacks(answer)[4], answer["base"][3]["put"]) == (95_000, 5_000)


@pytest.mark.article("C-71")
def test_a_seat_without_cards_does_not_win_by_cards() -> None:
    seats = [FOUR[0], seat(2), *FOUR[2:]]
    assert stacks(settle(hand(seats, [*LIMPED, *checked(2, 3, 4)])))[2] == 98_000


@pytest.mark.article("C-e", "C-92")
def test_the_best_five_of_seven_and_the_wheel() -> None:
    seats = [seat(1, cards="9c 9d"), seat(2, cards="Ah 3h"), seat(3, cards="Kh Kc"), seat(4, cards="Qc Jc")]
    actions = [*LIMPED, *checked(2, 3, 4)]
    answer = settle(hand(seats, actions, board="2c 4d 5s Ks 8d"))
    assert [row["reason"] for row in answer["base"]] == ["folded", "straight", "lost", "lost"]


@pytest.mark.requirement("R113")
@pytest.mark.article("C-61")
def test_a_void_hand_changes_nothing() -> None:
    answer = settle(hand([*FOUR[:3], seat(4, cards="As As As")], [], void=True))
    assert (answer["pots"], answer["notes"], set(stacks(answer).values())) == ([], ["void"], {100_000})


@pytest.mark.article("C-g")
def test_a_circle_table_with_a_jackpot() -> None:
    seats = [FOUR[0], seat(2, cards="7c 7h", credits=2), seat(3, cards="2d 2h", credits=1), FOUR[3]]
    jackpot = {
        "kind": "progressive",
        "credit": 100,
        "contribution_bp": 2_000,
        "start": 500_000,
        "meter": 600_000,
        "prizes": {"four_of_a_kind": {"fixed": 5_000}},
    }
    answer = settle(hand(seats, [*LIMPED, *checked(2, 3, 4)], board="7s 7d 2c 3c Kd", jackpot=jackpot))
    assert [(award["seat"], award["amount"]) for award in answer["awards"]] == [(2, 10_000)]
    assert answer["meter"]["after"] == 600_060


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
    ({"seats": [1, 2, 3, 4], "last": 1}, "unknown_key", "next_hand.last"),
]


@pytest.mark.parametrize(("asked", "name", "at"), NEXT_FAULTS)
def test_questions_that_are_refused(asked: dict[str, Any], name: str, at: str) -> None:
    with pytest.raises(RecordFault) as caught:
        settle({"game": "holdem-circle", "next_hand": asked})
    assert (caught.value.name, caught.value.at) == (name, at)
