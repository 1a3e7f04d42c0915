"""What people say of money that a restored backup had open."""

from dataclasses import dataclass
from enum import Enum


class RestoredOutcome(Enum):
    """What became of it after the backup was taken."""

    COUNTED = "counted"
    RETURNED = "returned"
    PAID = "paid"
    NOT_PAID = "not_paid"


@dataclass(frozen=True, slots=True)
class RestoredSettled:
    """Two people say what became of one piece of it."""

    item: str
    outcome: RestoredOutcome
    reason: str
