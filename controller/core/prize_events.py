"""What people do with a prize beside verifying and paying it: they hold it back, check it, and write its slip."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class HoldReason(Enum):
    """Why a prize waits although it could be paid: a closed list; the note beside it says the rest."""

    CAMERA_REVIEW = "camera_review"
    CARDS_DISPUTED = "cards_disputed"
    DECK_COUNT = "deck_count"
    IDENTITY = "identity"
    INSPECTOR = "inspector"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PrizePutOnHold:
    """A pit boss holds a prize back: nobody verifies or pays it until two people release it."""

    prize: str
    reason: HoldReason
    note: str = ""


@dataclass(frozen=True, slots=True)
class PrizeHoldReleased:
    """Two people let a prize that was held back go on its way."""

    prize: str
    reason: str


class CheckItem(Enum):
    """What is done with the cards of a large prize before it is paid."""

    CARDS_TO_CAMERA = "cards_to_camera"
    DECK_COUNTED = "deck_counted"
    HAND_SEALED = "hand_sealed"


@dataclass(frozen=True, slots=True)
class PrizeChecked:
    """A person has done so much of the list; `seal` is the number of the bag in which the hand is kept."""

    prize: str
    done: tuple[CheckItem, ...]
    seal: str = ""


@dataclass(frozen=True, slots=True)
class SlipIssued:
    """The slip of a prize is written: what the tax office takes of it, and what else stands on the paper.

    withheld, proposed: minor units; another sum than the proposed one takes a note. facts: plain values (names, cards).
    """

    prize: str
    withheld_minor: int
    proposed_minor: int
    facts: Mapping[str, Any]
    note: str = ""


@dataclass(frozen=True, slots=True)
class SlipCopied:
    """One more copy of a prize's slip is printed, with the same number and the word that it is a copy."""

    prize: str


class SlipVoidReason(Enum):
    """Why a slip is void; it keeps its number."""

    WRONG_DATA = "wrong_data"
    PRIZE_CHANGED = "prize_changed"
    SPOILED = "spoiled"


@dataclass(frozen=True, slots=True)
class SlipVoided:
    """A slip is void; another one may be issued for its prize."""

    prize: str
    reason: SlipVoidReason
    note: str


class OverrideReason(Enum):
    """Why another amount than the computed one is paid: a closed list; the note beside it says the rest."""

    DISPLAY_DIFFERED = "display_differed"
    METER_FAULT = "meter_fault"
    AUTHORITY_RULING = "authority_ruling"
    SETTLEMENT = "settlement"
    PAID_ELSEWHERE = "paid_elsewhere"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PrizeOverridden:
    """Two people have another amount paid than what is payable of a verified prize; the house bears the difference.

    amount: minor units, 0 = nothing more is paid; the computed amount takes an override back. expected: the computed
    amount that they saw, None: unsaid.
    """

    prize: str
    amount_minor: int
    override: OverrideReason
    note: str
    expected_minor: int | None = None
