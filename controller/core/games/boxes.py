"""The boxes of a banked game while a hand is played, and the limits of the ante."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from controller.core.events import AntePlaced, AnteWithdrawn, KeyPressed
from controller.core.refusal import Refusal, Refused, refuse

BET_PER_ANTE = 2
"""The second bet is exactly twice the ante: art. O 2, 30; the flop bet: art. B 9f, 11."""


class CardsRead(Enum):
    """When a reader sees the cards, if the table has one."""

    DEAL = "deal"
    SHOWDOWN = "showdown"
    NONE = "none"


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


def place_ante(
    boxes: Sequence[BankedBox], event: AntePlaced, seats: Sequence[int], minimum: int, maximum: int
) -> tuple[BankedBox, ...] | Refused:
    """The boxes with an ante put down or changed; no amount = the table's minimum."""
    amount = minimum if event.amount_minor is None else event.amount_minor
    refused = check_ante(seats, minimum, maximum, event.seat, amount)
    return refused or with_box(boxes, BankedBox(event.seat, amount))


def withdraw_ante(boxes: Sequence[BankedBox], event: AnteWithdrawn) -> tuple[BankedBox, ...] | Refused:
    """The boxes without one that took its ante back."""
    if box_at(boxes, event.seat) is None:
        return refuse(Refusal.NO_ANTE, seat=event.seat)
    return without_box(boxes, event.seat)


def decide(
    boxes: Sequence[BankedBox], asked: int | None, event: KeyPressed, decision: Decision
) -> tuple[BankedBox, ...] | Refused:
    """The boxes after one of them plays or folds in its turn; no seat = the box asked (art. O 28-30, B 11)."""
    seat = asked if event.seat is None else event.seat
    box = box_at(boxes, seat)
    if seat is None or asked is None:
        return refuse(Refusal.ALREADY_DECIDED)
    if box is None:
        return refuse(Refusal.SEAT_NOT_IN_HAND, seat=seat)
    if box.decision is not None:
        return refuse(Refusal.ALREADY_DECIDED, seat=seat)
    if seat != asked:
        return refuse(Refusal.NOT_YOUR_TURN, seat=seat, turn=asked)
    exact = BET_PER_ANTE * box.ante_minor
    if decision is Decision.PLAY and event.amount_minor not in (None, exact):
        return refuse(Refusal.BET_WRONG_AMOUNT, seat=seat, amount=event.amount_minor, exact=exact)
    return with_box(boxes, replace(box, decision=decision))
