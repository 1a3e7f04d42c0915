"""What only the circle game shows: blinds, pots, the clocks, the draw of seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from display.scene.money import Amount
from display.scene.words import ClockPhase


@dataclass(frozen=True, slots=True)
class ActionClock:
    """The clock of the seat to act. `remaining_ms` counts from the moment the scene is handed to the feed."""

    seat: int
    phase: ClockPhase
    remaining_ms: int
    total_ms: int
    to_call: Amount | None = None


@dataclass(frozen=True, slots=True)
class Pot:
    """`index` 0 is the main pot, 1.. the side pots; `eligible` are the seats that can win it."""

    index: int
    amount: Amount
    eligible: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PotResult:
    """How a pot of the hand just played was paid: `amount` without what the house keeps, to one seat or shared out.

    `category`: of the winning cards, where they were shown.
    """

    index: int
    amount: Amount
    winners: tuple[int, ...]
    category: str | None = None

    def __post_init__(self) -> None:
        if not self.winners:
            raise ValueError(f"pot {self.index} is paid to nobody")


@dataclass(frozen=True, slots=True)
class Circle:
    """What only the circle game shows. `button`, `small_blind`, `big_blind` are seats (None: dead or not posted).

    `results`: the pots of the hand just played, until the next one begins.
    `game_remaining_ms` counts from the moment the scene is handed to the feed; None when no game is on.
    """

    button: int | None
    small_blind: int | None
    big_blind: int | None
    small_blind_amount: Amount
    big_blind_amount: Amount
    pots: tuple[Pot, ...] = ()
    clock: ActionClock | None = None
    game_remaining_ms: int | None = None
    game_number: int | None = None
    last_hand: bool = False
    rake_bp: int = 0
    results: tuple[PotResult, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatDrawRow:
    """`arrival` is the order of arrival, `seat` the drawn one (None: still to draw)."""

    arrival: int
    seat: int | None


@dataclass(frozen=True, slots=True)
class SeatDraw:
    """Article 18 of the circle game: arrival order and drawn seat side by side; `current` is the one just drawn."""

    kind: ClassVar[str] = "seat_draw"
    rows: tuple[SeatDrawRow, ...]
    current: int | None = None


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The circle game ended: by time or with the minimum of players left."""

    kind: ClassVar[str] = "game_ended"
