"""Hands played at a live table and told as records: `settle` answers in everything what the table did."""

from itertools import cycle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.core.games.circle_state import CircleState
from controller.core.hands import rank
from controller.settle import settle
from tests.core.circle_play import after, game, opened_by, refused, stacks_of
from tests.settle.circle_live import LiveTable, Played
from tests.settle.circle_records import acts, hand, seat

CHOICES = st.lists(st.integers(0, 100_000), min_size=1, max_size=300)
HANDS = 3


def hands_of(choices: list[int], most: int = HANDS) -> list[Played]:
    picked = cycle(choices)
    # A run of choices that ends is begun anew a little further on: always the same one would never end a deck.
    turn = 0

    def choose(among: int) -> int:
        nonlocal turn
        turn += 1
        return (next(picked) + turn // len(choices)) % among

    return LiveTable(choose).hands(most)


def pots_at_the_table(over: CircleState) -> list[dict[str, Any]]:
    assert over.payout is not None
    return [
        {
            "amount": pot.amount,
            "rake": pot.rake,
            "eligible": list(pot.eligible),
            "winners": list(pot.winners),
            "share": pot.share,
            "odd_chip": pot.odd,
            "odd_chip_to": pot.odd_to,
        }
        for pot in over.payout.pots
    ]


def base_at_the_table(played: Played) -> list[dict[str, Any]]:
    rows = [(row, dict(row.bets)) for row in played.table.settlement(played.over)]
    return [
        {"seat": row.seat, "put": -bets["put"], "won": bets["won"], "net": row.net, "reason": row.reason}
        for row, bets in rows
    ]


def awards_at_the_table(played: Played) -> list[tuple[int, str, int]]:
    """What the rows of pairs pay on the cards that the table counts, and the magic card among those it shows."""
    awards = []
    for row in played.record["seats"]:
        cards = played.table.jackpot_cards(played.over, row["seat"])
        made = rank(cards).category.value if cards is not None and row["credits"] else ""
        pays = played.record["jackpot"]["prizes"].get(made, {"fixed": 0})["fixed"]
        if pays:
            awards.append((row["seat"], made, pays * row["credits"]))
        if row["credits"] and "As" in played.table.magic_cards(played.over, row["seat"]):
            awards.append((row["seat"], "carta_magica", 500))
    return sorted(awards)


@pytest.mark.article("C-38", "C-44", "C-58", "C-71", "C-78", "C-82", "C-87", "C-90", "C-95", "C-a", "C-b", "C-c", "C-f")
@settings(max_examples=120, deadline=None)
@given(CHOICES)
def test_settle_answers_what_the_live_table_did(choices: list[int]) -> None:
    for played in hands_of(choices):
        answer = settle(played.record)
        assert answer["pots"] == pots_at_the_table(played.over)
        assert answer["base"] == base_at_the_table(played)
        live = stacks_of(played.table, played.over)
        assert {row["seat"]: row["stack"] for row in answer["stacks"]} == {
            row["seat"]: live[row["seat"]] for row in played.record["seats"]
        }
        told = [(row["seat"], row.get("category", row["from"]), row["amount"]) for row in answer["awards"]]
        assert sorted(told) == awards_at_the_table(played)


@settings(max_examples=60, deadline=None)
@given(CHOICES)
def test_no_chip_is_lost_and_the_order_of_seats_says_nothing(choices: list[int]) -> None:
    for played in hands_of(choices):
        record, answer = played.record, settle(played.record)
        rake = sum(pot["rake"] for pot in answer["pots"])
        assert sum(row["stack"] for row in answer["stacks"]) + rake == sum(each["stack"] for each in record["seats"])
        assert sum(row["net"] for row in answer["base"]) == -rake
        assert all(pot["rake"] * 10_000 <= pot["amount"] * record["rake_bp"] for pot in answer["pots"])
        turned = settle({**record, "seats": record["seats"][::-1]})
        assert (turned["stacks"], turned["pots"]) == (answer["stacks"], answer["pots"])


@pytest.mark.article("C-61")
@settings(max_examples=20, deadline=None)
@given(CHOICES)
def test_a_void_is_the_identity(choices: list[int]) -> None:
    for played in hands_of(choices, most=1):
        answer = settle({**played.record, "void": True})
        told = ({"seat": each["seat"], "stack": each["stack"]} for each in played.record["seats"])
        assert answer["stacks"] == sorted(told, key=lambda row: row["seat"])


def seat_3_of(stack: int) -> dict[int, int]:
    return {1: 10_000, 2: 10_000, 3: stack, 4: 10_000}


# What the short big blind at seat 3 has, what seats 4 and 1 do, and who is asked then: the small blind of 1,000 at
# seat 2, or nobody.
ASKED: list[tuple[str, int, tuple[str, ...], int | None]] = [
    ("a short big blind below the small one", 700, ("4 fold", "1 fold"), None),
    ("a short big blind of the small one", 1_000, ("4 fold", "1 fold"), None),
    ("a short big blind above the small one", 1_500, ("4 fold", "1 fold"), 2),
    ("another player in", 700, ("4 call", "1 fold"), 2),
    ("a whole big blind", 2_000, ("4 fold", "1 fold"), 2),
]


@pytest.mark.article("C-44", "C-87", "C-90", "C-c")
@pytest.mark.parametrize(("row", "stack", "script", "asked"), ASKED)
def test_who_covers_a_short_big_blind_is_not_asked(
    row: str, stack: int, script: tuple[str, ...], asked: int | None
) -> None:
    """The live table and `settle` by one rule, in the same places."""
    table = game(small_blind=1_000, big_blind=2_000, buy_in_minimum=1)
    live = after(table, opened_by(table, seat_3_of(stack), button=1), *(line.split()[1] for line in script))
    assert table.turn(live) == asked
    seats = [seat(number, chips) for number, chips in seat_3_of(stack).items()]
    record = hand(seats, acts("preflop", *script), board="")
    with pytest.raises(Exception, match="decision_missing" if asked else "cards_missing"):
        settle(record)


@pytest.mark.article("C-87", "C-c")
def test_who_is_not_asked_cannot_lose_the_hand_by_the_clock() -> None:
    table = game(small_blind=1_000, big_blind=2_000, buy_in_minimum=1)
    live = after(table, opened_by(table, seat_3_of(700), button=1), "fold", "fold")
    assert (table.deadline(live), live.returned) == (None, (2, 300))
    assert refused(table, live, "fold") == "wrong_phase"
