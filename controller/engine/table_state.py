"""What a table knows: its settings, the hand in course, the last one, and what is open with people."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from controller.core.games.game import Game
from controller.core.jackpot import Contribution, Rates
from controller.core.prizes import PaidBy, PrizeList, Winner
from controller.engine.alarms import Alarm
from controller.engine.member import MemberSettings, MemberState

CARTA_MAGICA = "carta_magica"
JUGADOR_AFORTUNADO = "jugador_afortunado"


class JackpotKind(Enum):
    """A jackpot with a meter, one with fixed sums, or none."""

    PROGRESSIVE = "progressive"
    FIXED = "fixed"
    NONE = "none"


class LuckySeatFrom(Enum):
    """Reading O-p: which positions can be drawn for the Jugador Afortunado."""

    ALL_BOXES = "all_boxes"
    OCCUPIED = "occupied"
    BETTING = "betting"


@dataclass(frozen=True, slots=True)
class JackpotTerms:
    """The jackpot bet of a table: amounts in minor units, rates in basis points of the bet (art. 47-57)."""

    kind: JackpotKind
    credit_minor: int
    prizes: PrizeList
    main_bp: int = 0
    reserve_bp: int = 0
    max_credits: int = 5


@dataclass(frozen=True, slots=True)
class DrawTerms:
    """One of the two draws (art. 61-64, reading O-r).

    `every` n hands, 0 = by the dealer's key; `pool_bp` of each bet goes to the draw's own pool, 0 = the house pays.
    """

    kind: str
    prize_minor: int
    every: int = 1
    pool_bp: int = 0
    lucky_seat_from: LuckySeatFrom = LuckySeatFrom.ALL_BOXES


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Plain values of a table; the configuration makes them, the engine never reads a file.

    ante_assumed: no sensor sees the antes, so a box with a jackpot bet has the minimum ante.
    decks: ids of the decks in use, from hand to hand in turn where they alternate; shuffler: its serial number.
    """

    site: str
    table: str
    game: Game
    seats: tuple[int, ...]
    minimum_minor: int
    minor_micros: int
    jackpot: JackpotTerms
    member: MemberSettings
    draws: tuple[DrawTerms, ...] = ()
    ante_assumed: bool = False
    second_person_from_minor: int = 0
    decks: tuple[str, ...] = ()
    decks_alternate: bool = False
    shuffler: str = ""

    @property
    def rates(self) -> Rates:
        """Where each jackpot bet goes; a fixed jackpot has no meter, so only the draws' pools take a share."""
        pools = {terms.kind: terms.pool_bp for terms in self.draws}
        progressive = self.jackpot.kind is JackpotKind.PROGRESSIVE
        return Rates(
            meter_bp=self.jackpot.main_bp if progressive else 0,
            reserve_bp=self.jackpot.reserve_bp if progressive else 0,
            carta_magica_bp=pools.get(CARTA_MAGICA, 0),
            jugador_afortunado_bp=pools.get(JUGADOR_AFORTUNADO, 0),
        )


@dataclass(frozen=True, slots=True)
class DrawResult:
    """A result as journaled: a card for the Carta Mágica, a seat number as text for the Jugador Afortunado."""

    kind: str
    index: int
    outcome: str


class PrizeStatus(Enum):
    """A prize's way to the player."""

    PENDING = "pending"
    VERIFIED = "verified"
    PAID = "paid"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class DrawPrize:
    """A prize of a draw; the table itself grants it, from the house or from the draw's pool."""

    id: str
    hand: int
    kind: str
    seat: int
    amount_minor: int
    pool_micros: int
    status: PrizeStatus = PrizeStatus.PENDING


@dataclass(frozen=True, slots=True)
class Unread:
    """Credits that a sensor lost in a hand, with their bounds, waiting for a person."""

    id: str
    seat: int
    lost_min: int
    lost_max: int | None
    why: str
    hand: int = 0


def drawn_shares(contribution: Contribution) -> dict[str, int]:
    """Micros of a contribution that feed each draw's own pool."""
    return {
        CARTA_MAGICA: contribution.carta_magica_micros,
        JUGADOR_AFORTUNADO: contribution.jugador_afortunado_micros,
    }


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand: the game's own state, and what the jackpot and the draws know of it."""

    number: int
    game: Any
    credits: Mapping[int, int] = field(default_factory=dict)
    closed: bool = False
    frozen_list: str = ""
    contribution: Contribution = field(default_factory=Contribution)
    draw_key: bool = False
    draws_wanted: tuple[str, ...] = ()
    draws: tuple[DrawResult, ...] = ()
    named: Mapping[str, int] = field(default_factory=dict)
    prize_called: tuple[int, ...] = ()
    void_called: bool = False
    refused_credits: Mapping[int, int] = field(default_factory=dict)
    winners: tuple[Winner, ...] = ()
    revision: int = 0
    void: str = ""

    @property
    def draw_pending(self) -> bool:
        return len(self.draws) < len(self.draws_wanted)


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything that replay of the table's journal gives back."""

    hand: Hand
    link: MemberState
    last: Hand | None = None
    stops: Mapping[str, str] = field(default_factory=dict)
    closed_seats: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    chain: str = ""
    chain_next: int = 0
    chain_length: int = 0
    pools: Mapping[str, int] = field(default_factory=dict)
    draw_prizes: Mapping[str, DrawPrize] = field(default_factory=dict)
    unread: Mapping[str, Unread] = field(default_factory=dict)
    devices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seat_draw: tuple[str, ...] = ()
    """Players who wait for their seats to be drawn (art. C 18)."""
    wagered_micros: int = 0
    alarms: Mapping[str, Alarm] = field(default_factory=dict)
    decks_replaced: Mapping[str, str] = field(default_factory=dict)
    shuffler_status: str = ""


def with_item(mapping: Mapping[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    """A copy with one key set, or removed when the value is None."""
    copy = dict(mapping)
    if value is None:
        copy.pop(key, None)
    else:
        copy[key] = value
    return copy


def paid_by_of(prize: DrawPrize) -> PaidBy:
    """Who pays a draw's prize: its pool as far as it goes, else the house."""
    return PaidBy.METER if prize.pool_micros else PaidBy.HOUSE
