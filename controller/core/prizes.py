"""Who is paid what out of a meter: one function for a table's own jackpot and for the carousel's (art. 54-60)."""

from dataclasses import dataclass, field
from enum import Enum

from controller.core.hands import Category


class RoyalWithStraightFlush(Enum):
    """Reading O-b: a royal and a straight flush in one hand."""

    HIGHEST_FIRST = "highest_first"
    STRAIGHT_FLUSH_FIRST = "straight_flush_first"
    RESTART_THEN_PAY = "restart_then_pay"


class PaidBy(Enum):
    """Where a prize comes from."""

    METER = "meter"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Prize:
    """One row of a prize list: a percentage of the meter, or a fixed sum in minor units (per credit or not)."""

    category: Category
    percent: int | None = None
    fixed_minor: int | None = None
    per_credit: bool = True


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes of a jackpot and how its open questions are read (O-b, O-f, O-g)."""

    rows: tuple[Prize, ...]
    royal_with_straight_flush: RoyalWithStraightFlush = RoyalWithStraightFlush.HIGHEST_FIRST
    fixed_prizes_from: PaidBy = PaidBy.HOUSE
    top_up_after_partial: bool = False


@dataclass(frozen=True, slots=True)
class Winner:
    """A box whose cards win a row: strength compares hands (higher wins, equal ties)."""

    seat: int
    category: Category
    strength: int
    credits: int


@dataclass(frozen=True, slots=True)
class Balance:
    """One table's part of a meter, in micros; a table's own jackpot is a carousel of one balance."""

    table: str
    micros: int
    start_micros: int
    reserve_micros: int = 0


@dataclass(frozen=True, slots=True)
class Award:
    """One prize: whole minor units, and the micros it takes from each table (none when the house pays)."""

    seat: int
    category: Category
    amount_minor: int
    paid_by: PaidBy
    article: str
    debits: tuple[tuple[str, int], ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Settlement:
    """The prizes of a hand in the order of payment, the balances after them, and what the house added per table."""

    awards: tuple[Award, ...]
    balances: tuple[Balance, ...]
    funding: tuple[tuple[str, int], ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
