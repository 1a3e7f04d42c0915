"""Pots of chips put in: who can win which, what goes back, how a pot is shared to the last chip (art. C 58, 80-87)."""

import pytest

from controller.core.pots import Pot, build_pots, paid_by_seat, pay_pot, uncovered

POTS = [
    ("all put in as much", {1: 300, 2: 300, 3: 300}, (), 0, [(900, (1, 2, 3))]),
    ("an all-in for less: two pots", {1: 100, 2: 300, 3: 300}, (), 0, [(300, (1, 2, 3)), (400, (2, 3))]),
    ("who folded wins none, his chips stay", {1: 100, 2: 300, 3: 300}, (2,), 0, [(300, (1, 3)), (400, (3,))]),
    ("folded for less: no pot of its own", {1: 300, 2: 50, 3: 300, 4: 300}, (2,), 0, [(950, (1, 3, 4))]),
    (
        "a dead hand that had put in most: to the last pot",
        {1: 100, 2: 300, 3: 1_000},
        (3,),
        0,
        [(300, (1, 2)), (1_100, (2,))],
    ),
    ("missed blinds: in the main pot", {1: 100, 2: 300, 3: 300}, (), 70, [(370, (1, 2, 3)), (400, (2, 3))]),
    ("nobody has bet: missed blinds alone", {1: 0, 2: 0}, (), 70, [(70, (1, 2))]),
    ("three levels", {1: 10, 2: 20, 3: 30, 4: 30}, (), 0, [(40, (1, 2, 3, 4)), (30, (2, 3, 4)), (20, (3, 4))]),
]


@pytest.mark.article("C-58", "C-80", "C-86")
@pytest.mark.parametrize(("row", "put", "out", "dead", "pots"), POTS)
def test_pots(
    row: str, put: dict[int, int], out: tuple[int, ...], dead: int, pots: list[tuple[int, tuple[int, ...]]]
) -> None:
    built = build_pots(put, out, dead)
    assert [(pot.amount, pot.eligible) for pot in built] == pots
    assert sum(pot.amount for pot in built) == sum(put.values()) + dead


@pytest.mark.article("C-87")
@pytest.mark.parametrize(
    ("row", "put", "out", "back"),
    [
        ("covered", {1: 300, 2: 300}, (), None),
        ("in part", {1: 300, 2: 900, 3: 300}, (), (2, 600)),
        ("a folded hand covers what it had put in", {1: 300, 2: 900, 3: 500}, (3,), (2, 400)),
        ("a dead hand gets nothing back", {1: 300, 2: 900, 3: 300}, (2,), None),
    ],
)
def test_what_nobody_covers_goes_back(
    row: str, put: dict[int, int], out: tuple[int, ...], back: tuple[int, int] | None
) -> None:
    assert uncovered(put, out) == back


@pytest.mark.article("C-81", "C-82", "C-96")
@pytest.mark.parametrize(
    ("row", "amount", "button", "winners", "unit", "paid"),
    [
        ("one winner", 1_000, 1, (2,), 100, {2: 1_000}),
        ("even", 1_000, 1, (2, 3), 100, {2: 500, 3: 500}),
        ("the odd chip left of the button", 1_100, 1, (2, 3), 100, {2: 600, 3: 500}),
        ("the button itself comes last", 1_100, 2, (2, 3), 100, {2: 500, 3: 600}),
        ("across the highest seat", 1_100, 3, (2, 3), 100, {2: 600, 3: 500}),
        ("two odd chips go together", 500, 3, (1, 2, 3), 100, {1: 300, 2: 100, 3: 100}),
        ("smaller money than the chip is shared too", 1_050, 1, (2, 3), 100, {2: 550, 3: 500}),
    ],
)
def test_a_pot_is_shared_to_the_last_chip(
    row: str, amount: int, button: int, winners: tuple[int, ...], unit: int, paid: dict[int, int]
) -> None:
    pot = Pot(amount, (1, 2, 3))
    shared = pay_pot(pot, {seat: 9 if seat in winners else 1 for seat in pot.eligible}, button, 0, unit)
    assert paid_by_seat([shared]) == paid
    assert (shared.odd_to is None) == (shared.odd == 0)
    assert shared.odd_to in (None, next(seat for seat in paid if paid[seat] == max(paid.values())))
