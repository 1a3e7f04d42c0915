"""The boxes of a banked game while a hand is played, and the limits of the ante."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from controller.core.refusal import Refusal, Refused, refuse


class Decision(Enum):
    """What a box answered when it was asked (art. O 28-30, B 11)."""

    PLAY = "play"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class BankedBox:
    """A box with an ante, in minor units; the later bets follow from it."""

    seat: int
    ante_minor: int
    decision: Decision | None = None
    bought: bool = False
    turn_bet: bool | None = None
    river_bet: bool | None = None

    @property
    def folded(self) -> bool:
        return self.decision is Decision.FOLD


def box_at(boxes: Sequence[BankedBox], seat: int | None) -> BankedBox | None:
    """The box of a seat, None when it has no ante."""
    return next((box for box in boxes if box.seat == seat), None)


def with_box(boxes: Sequence[BankedBox], box: BankedBox) -> tuple[BankedBox, ...]:
    """The boxes with one of them new or replaced, by seat: clockwise from the dealer's left."""
    return tuple(sorted((*without_box(boxes, box.seat), box), key=lambda each: each.seat))


def without_box(boxes: Sequence[BankedBox], seat: int) -> tuple[BankedBox, ...]:
    """The boxes without one of them."""
    return tuple(box for box in boxes if box.seat != seat)


def played_boxes(boxes: Sequence[BankedBox]) -> tuple[BankedBox, ...]:
    """The boxes that have not folded."""
    return tuple(box for box in boxes if not box.folded)


def check_ante(seats: Sequence[int], minimum: int, maximum: int, seat: int, amount: int) -> Refused | None:
    """Why an ante cannot stand: an unknown box, or an amount outside the table's limits (art. O 22-23, B 9g)."""
    if seat not in seats:
        return refuse(Refusal.UNKNOWN_SEAT, seat=seat)
    if amount < minimum:
        return refuse(Refusal.BET_BELOW_MINIMUM, seat=seat, amount=amount, minimum=minimum)
    if amount > maximum:
        return refuse(Refusal.BET_ABOVE_MAXIMUM, seat=seat, amount=amount, maximum=maximum)
    return None
