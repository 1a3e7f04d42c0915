"""Everything a carousel's sign shows at one time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from display.scene.meter import Meter
from display.scene.money import PESOS, Amount, Currency
from display.scene.wire import fields_of
from display.scene.words import PrizeState, SignageState


@dataclass(frozen=True, slots=True)
class SignageTable:
    """A linked table: its number, its game, its own part of the amount, and whether its link is up."""

    label: str
    game: str
    amount: Amount | None = None
    linked: bool = True


@dataclass(frozen=True, slots=True)
class SignagePrize:
    """A prize on signage; `at_ms` (UTC milliseconds) when it was won or paid; no amount while it is to be confirmed."""

    table: str
    category: str
    amount: Amount | None
    state: PrizeState
    at_ms: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SignageScreen:
    """Everything a signage screen shows: the carousel's amount in play, its tables, last prizes, prizes pending.

    ends: the day from which no jackpot bets are taken (2026-12-31), if it was announced; ended: it has come.
    Newest first in `last_prizes` and `pending`. Signage drops the fraction (floor) by itself.
    """

    kind: ClassVar[str] = "signage"
    carousel_id: str
    name: str
    meter: Meter
    tables: tuple[SignageTable, ...]
    currency: Currency = PESOS
    state: SignageState = SignageState.FRESH
    last_prizes: tuple[SignagePrize, ...] = ()
    pending: tuple[SignagePrize, ...] = ()
    just_paid: SignagePrize | None = None
    ends: str | None = None
    ended: bool = False

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, **fields_of(self)}
