"""The progressive on a screen, and what the prize list says of it."""

from __future__ import annotations

from dataclasses import dataclass

from display.scene.money import Amount
from display.scene.wire import plain
from display.scene.words import FallReason, Freshness, PrizeState


@dataclass(frozen=True, slots=True)
class MeterFall:
    """The last recorded entry by which a meter went down: its journal entry number and why."""

    entry: int
    reason: FallReason


@dataclass(frozen=True, slots=True)
class Meter:
    """A progressive as the ledger held it at `as_of_ms` (UTC milliseconds).

    `amount` leaves the process only while `freshness` is FRESH: otherwise the screen gets the number of digits alone.
    `fall` is the newest recorded fall, so that the drums go back once per entry and never otherwise.
    `carousel` and `linked_tables` (labels, own one included) are set when the amount is a sum of linked tables.
    `limit` is the ceiling that contributions do not pass, where the jackpot has one; never below `amount`.
    """

    amount: Amount
    as_of_ms: int
    freshness: Freshness = Freshness.FRESH
    carousel: str | None = None
    linked_tables: tuple[str, ...] = ()
    fall: MeterFall | None = None
    limit: Amount | None = None

    def __post_init__(self) -> None:
        if self.limit is not None and int(self.limit.minor) < int(self.amount.minor):
            raise ValueError(f"a limit below the amount: {self.limit.minor} < {self.amount.minor}")

    def to_dict(self) -> dict[str, object]:
        shown = self.amount.minor if self.freshness is Freshness.FRESH else None
        return {
            "amount": shown,
            "digits": len(self.amount.minor),
            "as_of_ms": self.as_of_ms,
            "freshness": self.freshness.value,
            "carousel": self.carousel,
            "linked_tables": list(self.linked_tables),
            "fall": plain(self.fall),
            "limit": plain(self.limit),
        }


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """One row of the prize list: a share of the progressive (`percent_bp`, with `today` what it is now) or `fixed`."""

    category: str
    percent_bp: int | None = None
    today: Amount | None = None
    fixed: Amount | None = None
    per_credit: bool = False
    mark: PrizeState | None = None

    def __post_init__(self) -> None:
        if (self.percent_bp is None) == (self.fixed is None):
            raise ValueError(f"prize row {self.category} needs either percent_bp or fixed")


@dataclass(frozen=True, slots=True)
class DrawPrize:
    """What a draw pays: `draw` is "carta_magica" or "jugador_afortunado"; `drawn` marks the row while it is shown."""

    draw: str
    amount: Amount
    drawn: bool = False
