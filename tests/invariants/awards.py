"""What a hand's winners get and what it does to the pools, in fractions: the checker's own, of articles 54 to 59."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

CENTAVO = 10_000


@dataclass
class Pools:
    """One table's money: main, what is stored for the next start (reserve and overflow), the start value."""

    main: int = 0
    stored: int = 0
    start: int = 0


@dataclass
class Prize:
    """One award as the checker knows it: who won, what each seat gets, and what it does to the pools.

    fixed: what the rows of fixed sums paid at that table in that hand. overflow: what came out of it, by table.
    """

    place: int
    winners: tuple[Any, ...]
    held: bool
    fixed: dict[str, int]
    released: bool = False
    amounts: dict[int, int] = field(default_factory=dict)
    effect: dict[str, tuple[int, int]] = field(default_factory=dict)
    overflow: dict[str, int] = field(default_factory=dict)
    funding: int = 0
    taken: int = 0

    @property
    def depends_on_meter(self) -> bool:
        """Whether some of its amounts are parts of the meter, which may come to nothing."""
        return any(winner.category.value in ("royal_flush", "straight_flush") for winner in self.winners)


def shares(amount: int, weights: dict[str, int]) -> dict[str, int]:
    """An amount split in proportion, the largest fractions first, ties by name."""
    total = sum(weights.values())
    if total == 0:
        return dict.fromkeys(weights, 0)
    exact = {name: Fraction(amount) * weight / total for name, weight in weights.items()}
    whole = {name: int(value) for name, value in exact.items()}
    by_rest = sorted(weights, key=lambda name: (whole[name] - exact[name], name))
    for name in by_rest[: amount - sum(whole.values())]:
        whole[name] += 1
    return whole


def play_out(
    winners: tuple[Any, ...], pools: dict[str, Pools], fixed: dict[str, int]
) -> tuple[dict[int, int], dict[str, tuple[int, int]], int]:
    """Minor units by seat, the change of (main, stored) by table, and what the house adds (art. 54-59, O-b to O-h)."""
    main = {name: pool.main for name, pool in pools.items()}
    stored = {name: pool.stored for name, pool in pools.items()}
    amounts: dict[int, int] = {}
    funding = 0

    def take(seat: int, minor: int) -> None:
        if minor:
            amounts[seat] = minor
            for name, micros in shares(minor * CENTAVO, dict(main)).items():
                main[name] -= micros

    ranked = sorted(winners, key=lambda winner: (-winner.strength, winner.seat))
    royals = [winner for winner in ranked if winner.category.value == "royal_flush"]
    flushes = [winner for winner in ranked if winner.category.value == "straight_flush"]
    if royals:
        each = int(Fraction(sum(main.values()), len(royals)) / CENTAVO)
        for winner in royals:
            take(winner.seat, each)
        for name, pool in pools.items():
            house = max(pool.start - stored[name], 0)
            main[name] += stored[name] + house
            funding += house
            stored[name] = 0
    else:
        initial = left = sum(main.values())
        for strength in sorted({winner.strength for winner in flushes}, reverse=True):
            equals = [winner for winner in flushes if winner.strength == strength]
            basis = left if len(equals) == 1 else initial
            minor = min(int(Fraction(basis, 10) / CENTAVO), int(Fraction(left, len(equals)) / CENTAVO))
            for winner in equals:
                take(winner.seat, minor)
                left -= minor * CENTAVO
    for winner in ranked:
        if winner.category.value in fixed:
            amounts[winner.seat] = fixed[winner.category.value] * winner.credits
    effect = {name: (main[name] - pool.main, stored[name] - pool.stored) for name, pool in pools.items()}
    return amounts, effect, funding
