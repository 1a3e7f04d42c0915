"""What the left part of a table screen shows while a hand is played, and when it cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from display.scene.cards import check_cards
from display.scene.circle import GameEnded, SeatDraw
from display.scene.money import Amount
from display.scene.prizes import PrizePaid, PrizePending, Royal
from display.scene.seat import MAX_CREDITS
from display.scene.words import ServiceReason, VoidReason


@dataclass(frozen=True, slots=True)
class Idle:
    """Open table, nothing bet yet: the amount and the invitation."""

    kind: ClassVar[str] = "idle"
    credit: Amount
    max_credits: int = MAX_CREDITS


@dataclass(frozen=True, slots=True)
class Bets:
    """Bets open: seats light up as credits arrive."""

    kind: ClassVar[str] = "bets"
    credit: Amount
    max_credits: int = MAX_CREDITS


@dataclass(frozen=True, slots=True)
class CartaMagica:
    """Articles 61-62: the card drawn for this hand, already journaled; `winners` once the cards are known."""

    kind: ClassVar[str] = "carta_magica"
    card: str
    prize: Amount
    winners: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_cards((self.card,))


@dataclass(frozen=True, slots=True)
class JugadorAfortunado:
    """Article 63: `positions` on the wheel, the journaled `chosen` one, and who wins by it (None: nobody)."""

    kind: ClassVar[str] = "jugador_afortunado"
    positions: tuple[int, ...]
    chosen: int
    winner: int | None
    prize: Amount

    def __post_init__(self) -> None:
        if self.chosen not in self.positions:
            raise ValueError(f"position {self.chosen} is not on the wheel")


@dataclass(frozen=True, slots=True)
class Hand:
    """The hand goes on: the phase line, the board where there is one, the small marks of both draws."""

    kind: ClassVar[str] = "hand"


@dataclass(frozen=True, slots=True)
class HandVoided:
    """The hand was voided: bets are returned, drawn prizes are cancelled."""

    kind: ClassVar[str] = "hand_voided"
    reason: VoidReason


@dataclass(frozen=True, slots=True)
class JackpotStopped:
    """The pit boss stopped the jackpot bets; the amount stays. ended: the day without bets has come."""

    ended: bool = False
    kind: ClassVar[str] = "jackpot_stopped"


@dataclass(frozen=True, slots=True)
class LinkLost:
    """No link with the carousel: jackpot bets suspended, the base game goes on.

    not_open: the table has not been let into its jackpot yet, which no player has seen open.
    """

    not_open: bool = False
    kind: ClassVar[str] = "link_lost"


@dataclass(frozen=True, slots=True)
class Stale:
    """The amount is unconfirmed since `since_ms` (UTC milliseconds)."""

    kind: ClassVar[str] = "stale"
    since_ms: int


@dataclass(frozen=True, slots=True)
class OutOfService:
    kind: ClassVar[str] = "out_of_service"
    reason: ServiceReason


Stage = (
    Idle
    | Bets
    | CartaMagica
    | JugadorAfortunado
    | Hand
    | PrizePending
    | PrizePaid
    | Royal
    | SeatDraw
    | HandVoided
    | GameEnded
    | JackpotStopped
    | LinkLost
    | Stale
    | OutOfService
)
