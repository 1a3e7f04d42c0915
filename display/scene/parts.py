"""Parts of a table screen beside its stage: the phase line, marks of the draws, notices."""

from __future__ import annotations

from dataclasses import dataclass

from display.qr import Qr
from display.scene.cards import check_cards
from display.scene.money import Amount
from display.scene.words import FallReason, NoticeCode, Phase, PrizeState


@dataclass(frozen=True, slots=True)
class PhaseLine:
    steps: tuple[Phase, ...]
    current: Phase

    def __post_init__(self) -> None:
        if self.current not in self.steps:
            raise ValueError(f"phase {self.current} is not one of the table's steps")


@dataclass(frozen=True, slots=True)
class CartaMagicaMark:
    """The drawn card, small, through the rest of the hand."""

    card: str
    winners: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_cards((self.card,))


@dataclass(frozen=True, slots=True)
class JugadorAfortunadoMark:
    """The drawn position, small, through the rest of the hand; `winner` is None when nobody wins.

    `positions` are those that were on the wheel; all seats when left out.
    """

    chosen: int
    winner: int | None
    amount: Amount
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawCheck:
    """The code that opens the page on which a player's phone makes a hand's draws again."""

    hand: int
    code: Qr


@dataclass(frozen=True, slots=True)
class Notice:
    """A line the players must read. `amount`, `fall` and `day` (2026-12-31) fill the words of codes that need them."""

    code: NoticeCode
    seats: tuple[int, ...] = ()
    amount: Amount | None = None
    fall: FallReason | None = None
    day: str | None = None


@dataclass(frozen=True, slots=True)
class OtherPrize:
    """A prize of another linked table, so that everybody knows why the amount in play was split.

    `amount` is None while it is still to be confirmed.
    """

    table: str
    category: str
    amount: Amount | None
    state: PrizeState
