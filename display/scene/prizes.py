"""The paper: a prize pending, paid, and the royal that takes the whole screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from display.scene.cards import check_cards
from display.scene.money import Amount
from display.scene.words import PrizeState


@dataclass(frozen=True, slots=True)
class PrizeWin:
    """One winning seat on the cheque. `percent_bp` and `of` tell how a share came about (10 % of …).

    `amount` is None while it is still to be confirmed.
    """

    seat: int
    category: str
    amount: Amount | None
    state: PrizeState
    cards: tuple[str, ...] = ()
    percent_bp: int | None = None
    of: Amount | None = None
    credits: int | None = None

    def __post_init__(self) -> None:
        check_cards(self.cards)


@dataclass(frozen=True, slots=True)
class StandingPrize:
    """A prize beside the table's own course: unpaid, or paid a moment ago; no amount while it is to be confirmed."""

    seat: int
    category: str
    amount: Amount | None
    state: PrizeState


@dataclass(frozen=True, slots=True)
class PrizePending:
    """Won, not yet paid. Prizes of the meter give `before`, `held` (their sum) and `in_play`; of the house, None."""

    kind: ClassVar[str] = "prize_pending"
    wins: tuple[PrizeWin, ...]
    before: Amount | None = None
    held: Amount | None = None
    in_play: Amount | None = None


@dataclass(frozen=True, slots=True)
class PrizePaid:
    """Paid and recorded (article 60): the stamp with its journal entry, the meter before and after."""

    kind: ClassVar[str] = "prize_paid"
    wins: tuple[PrizeWin, ...]
    entry: int
    paid_at_ms: int
    before: Amount | None = None
    after: Amount | None = None


@dataclass(frozen=True, slots=True)
class Royal:
    """Article 58: the whole progressive. `amount` is the whole, `wins` the equal shares, `restart` the new meter."""

    kind: ClassVar[str] = "royal"
    wins: tuple[PrizeWin, ...]
    amount: Amount
    state: PrizeState
    restart: Amount | None = None
    entry: int | None = None
    paid_at_ms: int | None = None
