"""Circle hands where Argentina's text decides: raises, short blinds, odd chips, rake by pot."""

import pytest

from controller.settle import RecordFault, settle
from tests.settle.circle_records import EVEN, FOUR, LIMPED, LOW, STRONG, WEAK, acts, checked, hand, seat, stacks


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


@pytest.mark.article("C-g", "O-49")
@pytest.mark.parametrize(("credit", "notes"), [(1_000, []), (1_001, ["credits_above_table_minimum seat 2"])])
def test_a_circle_tables_least_bet_is_its_big_blind(credit: int, notes: list[str]) -> None:
    seats = [FOUR[0], seat(2, cards=STRONG, credits=2), FOUR[2], FOUR[3]]
    terms = {"kind": "progressive", "credit": credit, "prizes": {"four_of_a_kind": {"fixed": 5_000}}}
    assert settle(hand(seats, [*LIMPED, *checked(2, 3, 4)], jackpot=terms))["notes"] == notes


@pytest.mark.article("O-q")
def test_a_folded_hands_cards_are_not_seen_and_win_no_magic_card() -> None:
    seats = [seat(1, cards=LOW, credits=1), seat(2, cards=STRONG, credits=1), FOUR[2], FOUR[3]]
    drawn = {"carta_magica": {"card": "3d", "prize": 500}, "jugador_afortunado": {"seat": 1, "prize": 700}}
    answer = settle(hand(seats, [*LIMPED, *checked(2, 3, 4)], draws=drawn))
    assert [(award["seat"], award["from"]) for award in answer["awards"]] == [(1, "jugador_afortunado")]
