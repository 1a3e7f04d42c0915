"""Button and blinds from hand to hand: dead button, dead small blind, newcomers (art. C 21-25, 41-43, 76-79)."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Positions:
    """Seats of the button and the blinds; small_blind None = none is posted in this hand."""

    button: int
    small_blind: int | None
    big_blind: int


def next_clockwise(seat: int, seats: Collection[int]) -> int:
    """The first of the seats on the left of a seat; the seat itself comes last."""
    return min(seats, key=lambda other: (other <= seat, other))


def positions_at(button: int, seats: Collection[int]) -> Positions:
    """The blinds where nobody is missing: the two seats on the button's left (art. 42, 44)."""
    small = next_clockwise(button, seats)
    return Positions(button, small, next_clockwise(small, seats))


def first_positions(seats: Collection[int]) -> Positions:
    """The first hand: the button at the first occupied seat on the dealer's right, the highest number (art. 21)."""
    return positions_at(max(seats), seats)


def next_positions(previous: Positions, seats: Collection[int]) -> Positions:
    """The hand after: the big blind moves to the next seat, its seat owes the small blind, that one's has the button.

    Who should have the button and is gone leaves it where it is (77), who owes the small blind and is gone leaves the
    hand without one (78), or both (79). `seats` are those that can be given a blind.
    """
    small = previous.small_blind
    return Positions(
        button=small if small is not None and small in seats else previous.button,
        small_blind=previous.big_blind if previous.big_blind in seats else None,
        big_blind=next_clockwise(previous.big_blind, seats),
    )


def seat_for_newcomer(big_blind: int, occupied: Collection[int], places: int) -> int | None:
    """The free seat nearest to the big blind, clockwise (art. 22); None when the table is full."""
    free = [seat for seat in range(1, places + 1) if seat not in occupied]
    return next_clockwise(big_blind, free) if free else None


def must_wait(seat: int, positions: Positions, places: int) -> bool:
    """Whether a newcomer at this seat waits: between the button and the big blind he plays no hand yet (art. 23)."""
    distance = (seat - positions.button) % places
    return 0 < distance < (positions.big_blind - positions.button) % places
