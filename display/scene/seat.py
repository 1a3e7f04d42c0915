"""A seat as the strip or the circle shows it."""

from __future__ import annotations

from dataclasses import dataclass

from display.scene.money import Amount
from display.scene.words import PrizeState, SeatAction, SeatState

MAX_CREDITS = 5


@dataclass(frozen=True, slots=True)
class SeatWin:
    """The newest prize of a seat. `percent_bp` when it is a share of the progressive."""

    category: str
    state: PrizeState
    amount: Amount | None = None
    percent_bp: int | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat (box) as the strip or the circle shows it. `stack` and `bet` belong to the circle game."""

    number: int
    state: SeatState
    credits: int = 0
    bought_card: bool = False
    deciding: bool = False
    lucky: bool = False
    win: SeatWin | None = None
    action: SeatAction | None = None
    stack: Amount | None = None
    bet: Amount | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.credits <= MAX_CREDITS:
            raise ValueError(f"seat {self.number}: credits out of 0..{MAX_CREDITS}: {self.credits}")
