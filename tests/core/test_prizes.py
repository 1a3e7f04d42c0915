"""Prizes out of a meter, row by row: whole centavos unless said otherwise, the expected result last."""

import pytest

from controller.core.hands import Category
from controller.core.prizes import (
    Balance,
    PaidBy,
    Prize,
    PrizeList,
    RoyalWithStraightFlush,
    Settlement,
    Winner,
    settle_prizes,
)

CENTAVO = 10_000
PROGRESSIVE_ROWS = (
    Prize(Category.ROYAL_FLUSH, percent=100),
    Prize(Category.STRAIGHT_FLUSH, percent=10),
    Prize(Category.FOUR_OF_A_KIND, fixed_minor=50_000),
    Prize(Category.FULL_HOUSE, fixed_minor=15_000),
    Prize(Category.FLUSH, fixed_minor=7_500),
)
PROGRESSIVE = PrizeList(PROGRESSIVE_ROWS)
FIXED = PrizeList(
    (
        Prize(Category.ROYAL_FLUSH, fixed_minor=300_000, per_credit=False),
        Prize(Category.STRAIGHT_FLUSH, fixed_minor=80_000, per_credit=False),
        Prize(Category.FOUR_OF_A_KIND, fixed_minor=25_000),
        Prize(Category.STRAIGHT, fixed_minor=5_000),
    )
)
CATEGORY_OF = {
    "royal": (Category.ROYAL_FLUSH, 7462),
    "king": (Category.STRAIGHT_FLUSH, 7461),
    "nine": (Category.STRAIGHT_FLUSH, 7457),
    "wheel": (Category.STRAIGHT_FLUSH, 7453),
    "four": (Category.FOUR_OF_A_KIND, 7300),
    "full": (Category.FULL_HOUSE, 7150),
    "flush": (Category.FLUSH, 6000),
    "straight": (Category.STRAIGHT, 5860),
}


def winners(hands: str, credits: int = 1) -> list[Winner]:
    """Boxes 1, 2, 3... with the named hands."""
    return [Winner(seat, *CATEGORY_OF[name], credits) for seat, name in enumerate(hands.split(), 1)]


def settle(
    hands: str, meter: int, prizes: PrizeList = PROGRESSIVE, start: int = 500_000, reserve: int = 0, credits: int = 1
) -> Settlement:
    own = Balance("t1", meter * CENTAVO, start * CENTAVO, reserve * CENTAVO)
    return settle_prizes(prizes, [own], winners(hands, credits), CENTAVO)


def amounts(settled: Settlement) -> list[int]:
    return [award.amount_minor for award in settled.awards]


def meter_after(settled: Settlement) -> int:
    return settled.balances[0].micros // CENTAVO


HIGHEST = RoyalWithStraightFlush.HIGHEST_FIRST
STRAIGHT = RoyalWithStraightFlush.STRAIGHT_FLUSH_FIRST
RESTART = RoyalWithStraightFlush.RESTART_THEN_PAY


@pytest.mark.requirement("O58")
@pytest.mark.article("O-58", "O-d", "O-h")
@pytest.mark.parametrize(
    ("hands", "meter", "start", "reserve", "paid", "after", "house_adds"),
    [
        ("royal", 2_000_000, 500_000, 0, [2_000_000], 500_000, 500_000),
        ("royal royal", 2_000_001, 500_000, 0, [1_000_000, 1_000_000], 500_001, 500_000),
        ("royal royal royal", 2_000_000, 500_000, 0, [666_666] * 3, 500_002, 500_000),
        ("royal royal royal royal", 3, 500_000, 0, [], 500_003, 500_000),
        ("royal", 2_000_000, 500_000, 120_000, [2_000_000], 500_000, 380_000),
        ("royal", 2_000_000, 500_000, 500_000, [2_000_000], 500_000, 0),
        ("royal", 2_000_000, 500_000, 700_000, [2_000_000], 700_000, 0),
        ("royal royal", 2_000_001, 500_000, 700_000, [1_000_000, 1_000_000], 700_001, 0),
    ],
)
def test_royals_share_the_whole_and_the_meter_restarts(
    hands: str, meter: int, start: int, reserve: int, paid: list[int], after: int, house_adds: int
) -> None:
    settled = settle(hands, meter, start=start, reserve=reserve)
    assert amounts(settled) == paid
    assert meter_after(settled) == after
    assert settled.balances[0].reserve_micros == 0
    assert sum(micros for _, micros in settled.funding) == house_adds * CENTAVO
    assert sum(micros for _, micros in settled.reserve_used) == reserve * CENTAVO
    assert settled.restarted
    assert {award.article for award in settled.awards} <= {"58"}


@pytest.mark.requirement("O59")
@pytest.mark.article("O-59", "O-c", "O-d", "B-a")
@pytest.mark.parametrize(
    ("hands", "meter", "paid", "after"),
    [
        ("nine", 2_000_000, [200_000], 1_800_000),
        ("nine", 1_999_999, [199_999], 1_800_000),
        ("nine", 9, [], 9),
        ("king nine", 1_000_000, [100_000, 90_000], 810_000),
        ("wheel king nine", 1_000_000, [100_000, 90_000, 81_000], 729_000),
        ("nine nine", 1_000_000, [100_000, 100_000], 800_000),
        ("king nine nine", 1_000_000, [100_000, 100_000, 100_000], 700_000),
        ("king king nine", 1_000_000, [100_000, 100_000, 80_000], 720_000),
        ("king king nine nine", 1_000_000, [100_000, 100_000, 100_000, 100_000], 600_000),
        ("nine nine nine nine nine nine nine nine nine nine", 1_000_009, [100_000] * 10, 9),
        ("king nine nine nine nine nine nine nine nine nine nine", 1_000_000, [100_000] + [90_000] * 10, 0),
    ],
)
def test_straight_flushes_take_ten_percent(hands: str, meter: int, paid: list[int], after: int) -> None:
    settled = settle(hands, meter)
    assert amounts(settled) == paid
    assert meter_after(settled) == after
    assert (settled.funding, settled.restarted) == ((), False)
    assert {award.article for award in settled.awards} <= {"59"}


@pytest.mark.requirement("X1")
@pytest.mark.article("O-b")
@pytest.mark.parametrize(
    ("reading", "hands", "meter", "paid", "after"),
    [
        (HIGHEST, "nine royal", 2_000_000, [2_000_000], 500_000),
        (HIGHEST, "nine nine royal royal royal", 1_000_001, [333_333] * 3, 500_002),
        (STRAIGHT, "nine royal", 2_000_000, [200_000, 1_800_000], 500_000),
        (STRAIGHT, "king nine royal royal", 2_000_000, [200_000, 180_000, 810_000, 810_000], 500_000),
        (RESTART, "nine royal", 2_000_000, [2_000_000, 50_000], 450_000),
        (RESTART, "nine nine royal", 2_000_000, [2_000_000, 50_000, 50_000], 400_000),
        (RESTART, "king nine royal royal", 2_000_001, [1_000_000, 1_000_000, 50_000, 45_000], 405_001),
    ],
)
def test_royal_with_straight_flush(
    reading: RoyalWithStraightFlush, hands: str, meter: int, paid: list[int], after: int
) -> None:
    settled = settle(hands, meter, PrizeList(PROGRESSIVE_ROWS, royal_with_straight_flush=reading))
    assert amounts(settled) == paid
    assert meter_after(settled) == after


@pytest.mark.article("O-b")
def test_ten_percent_of_the_restart_value_is_not_of_the_remainder() -> None:
    reading = PrizeList(PROGRESSIVE_ROWS, royal_with_straight_flush=RESTART)
    assert amounts(settle("royal royal nine", 2_000_001, reading, start=499_999)) == [1_000_000, 1_000_000, 49_999]
    assert amounts(settle("royal nine", 2_000_000, reading, reserve=700_000)) == [2_000_000, 70_000]


@pytest.mark.requirement("O54")
@pytest.mark.article("O-54", "O-55", "O-56", "O-e")
@pytest.mark.parametrize(
    ("prizes", "hands", "credits", "paid", "articles"),
    [
        (PROGRESSIVE, "four", 1, [50_000], ["56"]),
        (PROGRESSIVE, "four", 5, [250_000], ["56"]),
        (PROGRESSIVE, "full flush", 3, [45_000, 22_500], ["56", "56"]),
        (PROGRESSIVE, "straight", 5, [], []),
        (PROGRESSIVE, "nine", 5, [200_000], ["59"]),
        (FIXED, "royal", 5, [300_000], ["55"]),
        (FIXED, "nine", 5, [80_000], ["55"]),
        (FIXED, "four", 5, [125_000], ["54"]),
        (FIXED, "straight", 2, [10_000], ["54"]),
    ],
)
def test_fixed_rows(prizes: PrizeList, hands: str, credits: int, paid: list[int], articles: list[str]) -> None:
    settled = settle(hands, 2_000_000, prizes, credits=credits)
    assert amounts(settled) == paid
    assert [award.article for award in settled.awards] == articles
    house = [award for award in settled.awards if award.paid_by is PaidBy.HOUSE]
    assert all(award.debits == () for award in house)
    assert meter_after(settled) == 2_000_000 - sum(paid) + sum(award.amount_minor for award in house)


@pytest.mark.article("O-f")
@pytest.mark.parametrize(
    ("hands", "meter", "paid", "after", "house_adds"),
    [
        ("four", 2_000_000, [50_000], 1_950_000, 0),
        ("four nine", 2_000_000, [200_000, 50_000], 1_750_000, 0),
        ("four", 30_000, [50_000], 0, 20_000),
        ("four royal", 2_000_000, [2_000_000, 50_000], 450_000, 500_000),
    ],
)
def test_fixed_rows_from_the_meter(hands: str, meter: int, paid: list[int], after: int, house_adds: int) -> None:
    settled = settle(hands, meter, PrizeList(PROGRESSIVE_ROWS, fixed_prizes_from=PaidBy.METER))
    assert amounts(settled) == paid
    assert {award.paid_by for award in settled.awards} == {PaidBy.METER}
    assert meter_after(settled) == after
    assert sum(micros for _, micros in settled.funding) == house_adds * CENTAVO


@pytest.mark.article("O-g", "O-57")
@pytest.mark.parametrize(
    ("top_up", "meter", "reserve", "after", "reserve_after", "house_adds"),
    [
        (False, 500_000, 0, 450_000, 0, 0),
        (True, 500_000, 0, 500_000, 0, 50_000),
        (True, 500_000, 20_000, 500_000, 0, 30_000),
        (True, 500_000, 70_000, 500_000, 20_000, 0),
        (True, 600_000, 70_000, 540_000, 70_000, 0),
    ],
)
def test_meter_below_its_start_after_a_partial_prize(
    top_up: bool, meter: int, reserve: int, after: int, reserve_after: int, house_adds: int
) -> None:
    settled = settle("nine", meter, PrizeList(PROGRESSIVE_ROWS, top_up_after_partial=top_up), reserve=reserve)
    assert meter_after(settled) == after
    assert settled.balances[0].reserve_micros == reserve_after * CENTAVO
    assert sum(micros for _, micros in settled.funding) == house_adds * CENTAVO


LINKED = [
    Balance("t1", 600_000 * CENTAVO, 500_000 * CENTAVO),
    Balance("t2", 900_001 * CENTAVO, 400_000 * CENTAVO),
    Balance("t3", 500_000 * CENTAVO, 300_000 * CENTAVO, 350_000 * CENTAVO),
]


@pytest.mark.requirement("R16")
@pytest.mark.article("O-n", "O-65")
@pytest.mark.parametrize(
    ("hands", "paid", "after"),
    [
        ("nine", [200_000], [5_400_000_300, 8_100_009_450, 4_500_000_250]),
        ("royal", [2_000_001], [5_000_000_000, 4_000_000_000, 3_500_000_000]),
        ("royal royal", [1_000_000, 1_000_000], [5_000_003_000, 4_000_004_500, 3_500_002_500]),
        ("four", [50_000], [6_000_000_000, 9_000_010_000, 5_000_000_000]),
    ],
)
def test_linked_tables_pay_in_proportion_to_the_last_micro(hands: str, paid: list[int], after: list[int]) -> None:
    settled = settle_prizes(PROGRESSIVE, LINKED, winners(hands), CENTAVO)
    assert amounts(settled) == paid
    assert [balance.micros for balance in settled.balances] == after


@pytest.mark.article("B-13", "B-f")
def test_bonus_rows_cite_their_own_article_and_are_not_multiplied() -> None:
    rows = (Prize(Category.STRAIGHT_FLUSH, percent=10), Prize(Category.FLUSH, fixed_minor=7_500, per_credit=False))
    settled = settle("nine flush", 1_000_000, PrizeList(rows, article="13"), credits=3)
    assert [(award.amount_minor, award.article) for award in settled.awards] == [(100_000, "13"), (7_500, "13")]


def test_who_gets_nothing_is_said() -> None:
    assert settle("nine royal", 2_000_000).notes == ("nothing_left_after_royal seat 1",)
    assert settle("nine", 9).notes == ("nothing_left seat 1",)
