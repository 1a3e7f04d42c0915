"""What a table knows: its settings, the hand in course, the last one, and what is open with people."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from controller.core.games.game import Game
from controller.core.jackpot import Contribution, Rates
from controller.core.prizes import PrizeList, Winner
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
    checklist_from_minor: prizes from this sum on are paid only when the list of checks is done; None: none is.
    decks: ids of the decks in use, from hand to hand in turn where they alternate; shuffler: its serial number.
    bound: the most a hand can add to meter and reserve; ceiling: of its part of the meter; terms: SHA-256 of the
    jackpot terms; terms_after_reset: a change of the jackpot's terms waits until the jackpot is won.
    draws_hold: hands wait for a draw whose source failed, instead of going on without; draws_outside: two people may
    set an outside input of the draws.
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
    checklist_from_minor: int | None = None
    decks: tuple[str, ...] = ()
    decks_alternate: bool = False
    shuffler: str = ""
    bound_micros: int | None = None
    ceiling_micros: int | None = None
    terms: str = ""
    terms_after_reset: bool = False
    draws_hold: bool = False
    draws_outside: bool = False

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


@dataclass(frozen=True)
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
class Hold:
    """A prize that people hold back: why, in a word of the list and in theirs, and who."""

    reason: str
    note: str
    actor: str


@dataclass(frozen=True)
class SlipNote:
    """The latest slip of a prize: its number, the entry that holds what it says, how often it was copied.

    void: why it is void, empty while it is in force. withheld, amount (of the whole prize as computed), difference
    (of what is paid by an override): minor units.
    """

    number: int
    entry: str
    withheld_minor: int
    amount_minor: int
    copies: int = 0
    void: str = ""
    difference_minor: int = 0


@dataclass(frozen=True)
class Override:
    """Another amount than the computed one, by two people. amounts: minor units of what was payable then.

    paid: it was paid so; earlier: differences that were paid before, since a prize may be corrected and paid again.
    """

    amount_minor: int
    computed_minor: int
    reason: str
    note: str
    actor: str
    second: str
    paid: bool = False
    earlier_minor: int = 0

    @property
    def difference_minor(self) -> int:
        return self.amount_minor - self.computed_minor


@dataclass(frozen=True, slots=True)
class Check:
    """What was done with a large prize's cards, the number of the bag they are in, and who said so."""

    done: tuple[str, ...]
    seal: str
    actor: str


@dataclass(frozen=True, slots=True)
class Unread:
    """Credits that a sensor lost in a hand, with their bounds, waiting for a person."""

    id: str
    seat: int
    lost_min: int
    lost_max: int | None
    why: str
    hand: int = 0


@dataclass(frozen=True, slots=True)
class Restored:
    """Money that a restore left open, until two people say what became of it.

    kind: hand (its bets), draw or award (a prize that was not paid). closed: the hand's no va más was in the backup;
    shares: where its bets went, or would go. pool: the draw whose pool gave `pool_micros`, or the account of an award.
    """

    id: str
    kind: str
    hand: int
    seat: int | None
    micros: int
    closed: bool = False
    shares: Contribution = field(default_factory=Contribution)
    pool: str = ""
    pool_micros: int = 0


def drawn_shares(contribution: Contribution) -> dict[str, int]:
    """Micros of a contribution that feed each draw's own pool."""
    return {
        CARTA_MAGICA: contribution.carta_magica_micros,
        JUGADOR_AFORTUNADO: contribution.jugador_afortunado_micros,
    }


@dataclass(frozen=True)
class Hand:
    """One hand: the game's own state, and what the jackpot and the draws know of it.

    settings: what it is played by, as canonical JSON; "" = as the machine was built. outside: the draws' outside input,
    frozen with the bets.
    """

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
    settings: str = ""
    outside: str = ""

    @property
    def draw_pending(self) -> bool:
        return len(self.draws) < len(self.draws_wanted)


@dataclass(frozen=True, slots=True)
class PendingSettings:
    """Settings that wait for their moment. settings: all of them, canonical JSON; resets: times that the carousel's
    jackpot had been won when they were asked for; vouched: two people answer for their jackpot terms; day:
    not before it (2026-12-31), "" once it has come."""

    settings: str
    terms: str
    entry: str
    actor: str
    second: str
    reason: str
    resets: int = 0
    vouched: bool = False
    day: str = ""


@dataclass(frozen=True, slots=True)
class SettingsBook:
    """file: what the site's file said at the last start, canonical JSON; "" = never noted.

    count: changes that took effect. vouched: SHA-256 of the newest jackpot terms in force that people answer for.
    unconfirmed: SHA-256 of terms, in force or waiting, that the file brought and nobody has confirmed.
    history: ids of the newest entries about settings, oldest first.
    """

    file: str = ""
    count: int = 0
    pending: PendingSettings | None = None
    vouched: str = ""
    unconfirmed: str = ""
    history: tuple[str, ...] = ()


@dataclass(frozen=True)
class LampOnTest:
    """The one lamp that is lit for people to look at: the id of its test, its seat, what it means there."""

    id: str
    seat: int
    lamp: str


@dataclass(frozen=True)
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
    lamp_test: bool = False
    lamp_on_test: LampOnTest | None = None
    holds: Mapping[str, Hold] = field(default_factory=dict)
    """Prizes held back by people, by id."""
    checks: Mapping[str, Check] = field(default_factory=dict)
    overrides: Mapping[str, Override] = field(default_factory=dict)
    """Other amounts than the computed ones, by the prize's id; see `table_overrides` for what is in force."""
    slips: Mapping[str, SlipNote] = field(default_factory=dict)
    """The latest slip of each prize, by the prize's id."""
    slip_last: int = 0
    slip_series: int = 0
    """How often the journal was restored from a backup, which may lack slips that were printed."""
    restored: Mapping[str, Restored] = field(default_factory=dict)
    """What restores left open, by id."""
    book: SettingsBook = field(default_factory=SettingsBook)
    draws_off: str = ""
    """Why the draws' source gives nothing, "" while it does."""
    draws_outside: tuple[str, str] = ("", "")
    """The outside input of the draws to come, and where it was published."""
    orphans_micros: int = 0
    """Money of draws' pools that are no more, in the table's register of orphans."""
    begun_minor: int = 0
    """Micros of the minor unit that this journal's amounts were written in; 0: by a start that did not say so."""


def with_item(mapping: Mapping[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    """A copy with one key set, or removed when the value is None."""
    copy = dict(mapping)
    if value is None:
        copy.pop(key, None)
    else:
        copy[key] = value
    return copy
