"""The closed set of scenes a screen can be asked to show: frozen values, amounts as strings of whole minor units."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import ClassVar

from display.qr import Qr

CARD = re.compile(r"^[2-9TJQKA][shdc]$")
MAX_CREDITS = 5


# --- Money ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Currency:
    """How amounts are written. `decimals` is how many digits of `Amount.minor` are the fraction (0 to 6)."""

    code: str = "ARS"
    symbol: str = "$"
    decimals: int = 2

    def __post_init__(self) -> None:
        if not 0 <= self.decimals <= 6:
            raise ValueError(f"decimals out of 0..6: {self.decimals}")


@dataclass(frozen=True, slots=True)
class Amount:
    """Whole minor units (centavos) as decimal digits, floored by the caller; a screen never shows a negative amount."""

    minor: str

    def __post_init__(self) -> None:
        if not (self.minor.isascii() and self.minor.isdigit()) or (len(self.minor) > 1 and self.minor[0] == "0"):
            raise ValueError(f"not whole minor units: {self.minor!r}")

    @classmethod
    def of(cls, minor: int) -> Amount:
        """From an int of minor units, zero or more."""
        return cls(str(minor))


# --- Words the screens know -------------------------------------------------------------------------------------------


class Freshness(StrEnum):
    """What is known of an amount. Anything but FRESH is drawn as closed shutters, without a digit."""

    FRESH = "fresh"
    STALE = "stale"
    LOST = "lost"


class SeatState(StrEnum):
    FREE = "free"
    PLAYING = "playing"
    FOLDED = "folded"
    WAITING = "waiting"
    RESTING = "resting"
    ELIMINATED = "eliminated"
    CLOSED = "closed"
    UNKNOWN = "unknown"


class SeatAction(StrEnum):
    """What a seat did last in this betting round, as the screen names it."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"
    FOLD = "fold"


class PrizeState(StrEnum):
    PENDING = "pending"
    PAID = "paid"
    CANCELLED = "cancelled"


class Phase(StrEnum):
    """Steps of a hand. A table names its own sequence in `PhaseLine.steps`."""

    BETS = "bets"
    NO_MORE_BETS = "no_more_bets"
    DEAL = "deal"
    DECISIONS = "decisions"
    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    SHOWDOWN = "showdown"
    SETTLEMENT = "settlement"
    CLOSED = "closed"


class PrizeNote(StrEnum):
    """Rules printed under the prize list (article 53 and the readings of which cards count)."""

    FIRST_FIVE_CARDS = "first_five_cards"
    BEST_OF_SEVEN = "best_of_seven"
    HOLE_AND_FLOP = "hole_and_flop"
    BOUGHT_CARD_EXCLUDED = "bought_card_excluded"
    FOLDED_EXCLUDED = "folded_excluded"


class DrawEvery(StrEnum):
    """How often the draws of the list are made."""

    HAND = "hand"
    SOME_HANDS = "some_hands"
    DEALER_KEY = "dealer_key"


class FallReason(StrEnum):
    """Why a meter went down. A screen lets its drums go back for these only."""

    PAYMENT = "payment"
    AWARD = "award"
    ADJUSTMENT = "adjustment"
    TRANSFER = "transfer"
    RESET = "reset"
    VOID = "void"


class NoticeCode(StrEnum):
    JACKPOT_CLOSED_AT_SEATS = "jackpot_closed_at_seats"
    JACKPOT_BETS_STOPPED = "jackpot_bets_stopped"
    CREDITS_RETURNED = "credits_returned"
    BET_NOT_TAKEN = "bet_not_taken"
    REBUY = "rebuy"
    LAST_HAND = "last_hand"
    DEALER_NOT_QUALIFIED = "dealer_not_qualified"
    READER_MANUAL = "reader_manual"
    METER_FELL = "meter_fell"


class ServiceReason(StrEnum):
    """Why a table takes no jackpot bets, in the words shown to players."""

    CLOSED = "closed"
    DEVICE_FAULT = "device_fault"
    JOURNAL_FAULT = "journal_fault"
    STARTING = "starting"
    MAINTENANCE = "maintenance"


class VoidReason(StrEnum):
    CARD_ERROR = "card_error"
    EXPOSED_CARD = "exposed_card"
    INFORMATION = "information"
    WRONG_COUNT = "wrong_count"
    OTHER = "other"


class ClockPhase(StrEnum):
    """Article 50 of the circle game: the time to act, then the last seconds counted aloud."""

    ACTION = "action"
    LAST_SECONDS = "last_seconds"


# --- Parts of a table screen ------------------------------------------------------------------------------------------


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
    """

    amount: Amount
    as_of_ms: int
    freshness: Freshness = Freshness.FRESH
    carousel: str | None = None
    linked_tables: tuple[str, ...] = ()
    fall: MeterFall | None = None

    def to_dict(self) -> dict[str, object]:
        shown = self.amount.minor if self.freshness is Freshness.FRESH else None
        return {
            "amount": shown,
            "digits": len(self.amount.minor),
            "as_of_ms": self.as_of_ms,
            "freshness": self.freshness.value,
            "carousel": self.carousel,
            "linked_tables": list(self.linked_tables),
            "fall": _plain(self.fall),
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


@dataclass(frozen=True, slots=True)
class SeatWin:
    """The newest prize of a seat. `percent_bp` when it is a share of the progressive."""

    category: str
    state: PrizeState
    amount: Amount | None = None
    percent_bp: int | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat (box) as the strip or the circle shows it. `stack` and `bet` belong to the circle game."""

    number: int
    state: SeatState
    credits: int = 0
    bought_card: bool = False
    deciding: bool = False
    lucky: bool = False
    win: SeatWin | None = None
    action: SeatAction | None = None
    stack: Amount | None = None
    bet: Amount | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.credits <= MAX_CREDITS:
            raise ValueError(f"seat {self.number}: credits out of 0..{MAX_CREDITS}: {self.credits}")


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
        _check_cards((self.card,))


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
class ActionClock:
    """The clock of the seat to act. `remaining_ms` counts from the moment the scene is handed to the feed."""

    seat: int
    phase: ClockPhase
    remaining_ms: int
    total_ms: int
    to_call: Amount | None = None


@dataclass(frozen=True, slots=True)
class Pot:
    """`index` 0 is the main pot, 1.. the side pots; `eligible` are the seats that can win it."""

    index: int
    amount: Amount
    eligible: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Circle:
    """What only the circle game shows. `button`, `small_blind`, `big_blind` are seats (None: dead or not posted).

    `game_remaining_ms` counts from the moment the scene is handed to the feed; None when no game is on.
    """

    button: int | None
    small_blind: int | None
    big_blind: int | None
    small_blind_amount: Amount
    big_blind_amount: Amount
    pots: tuple[Pot, ...] = ()
    clock: ActionClock | None = None
    game_remaining_ms: int | None = None
    game_number: int | None = None
    last_hand: bool = False
    rake_bp: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """A line the players must read. `amount` and `fall` fill the words of the codes that need them."""

    code: NoticeCode
    seats: tuple[int, ...] = ()
    amount: Amount | None = None
    fall: FallReason | None = None


@dataclass(frozen=True, slots=True)
class OtherPrize:
    """A prize of another linked table, so that everybody knows why the amount in play was split."""

    table: str
    category: str
    amount: Amount
    state: PrizeState


@dataclass(frozen=True, slots=True)
class PrizeWin:
    """One winning seat on the cheque. `percent_bp` and `of` tell how a share came about (10 % of …)."""

    seat: int
    category: str
    amount: Amount
    state: PrizeState
    cards: tuple[str, ...] = ()
    percent_bp: int | None = None
    of: Amount | None = None
    credits: int | None = None

    def __post_init__(self) -> None:
        _check_cards(self.cards)


# --- Stages: what the left part of a table screen shows ---------------------------------------------------------------


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
        _check_cards((self.card,))


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


@dataclass(frozen=True, slots=True)
class SeatDrawRow:
    """`arrival` is the order of arrival, `seat` the drawn one (None: still to draw)."""

    arrival: int
    seat: int | None


@dataclass(frozen=True, slots=True)
class SeatDraw:
    """Article 18 of the circle game: arrival order and drawn seat side by side; `current` is the one just drawn."""

    kind: ClassVar[str] = "seat_draw"
    rows: tuple[SeatDrawRow, ...]
    current: int | None = None


@dataclass(frozen=True, slots=True)
class HandVoided:
    """The hand was voided: bets are returned, drawn prizes are cancelled."""

    kind: ClassVar[str] = "hand_voided"
    reason: VoidReason


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The circle game ended: by time or with the minimum of players left."""

    kind: ClassVar[str] = "game_ended"


@dataclass(frozen=True, slots=True)
class JackpotStopped:
    """The pit boss stopped the jackpot bets; the amount is known and stays."""

    kind: ClassVar[str] = "jackpot_stopped"


@dataclass(frozen=True, slots=True)
class LinkLost:
    """No link with the carousel: jackpot bets suspended, the base game goes on."""

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


# --- Screens ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableScreen:
    """Everything a table screen shows at one time.

    `label` is the table's number as written on it ("4"); `game` a key of the catalogue ("oasis", "holdem_bonus",
    "holdem_circle") or the site's own name. `meter` is None with a fixed jackpot or without one. `board_slots` is 5
    where the game has a board. `seats_descending` puts the highest seat on the left, as the players face the screen.
    `draw_check` takes players to the newest revealed draws of the table.
    """

    kind: ClassVar[str] = "table"
    table_id: str
    label: str
    game: str
    stage: Stage
    seats: tuple[Seat, ...]
    currency: Currency = Currency()
    hand_number: int | None = None
    phase: PhaseLine | None = None
    minimum: Amount | None = None
    maximum: Amount | None = None
    meter: Meter | None = None
    prizes: tuple[PrizeRow, ...] = ()
    draw_prizes: tuple[DrawPrize, ...] = ()
    draw_every: DrawEvery = DrawEvery.HAND
    draw_every_hands: int = 1
    prize_notes: tuple[PrizeNote, ...] = ()
    carta_magica: CartaMagicaMark | None = None
    jugador_afortunado: JugadorAfortunadoMark | None = None
    board: tuple[str, ...] = ()
    board_slots: int = 0
    circle: Circle | None = None
    notices: tuple[Notice, ...] = ()
    other_prizes: tuple[OtherPrize, ...] = ()
    seats_descending: bool = False
    draw_check: DrawCheck | None = None

    def __post_init__(self) -> None:
        _check_cards(self.board)

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, **_fields(self)}


class SignageState(StrEnum):
    FRESH = "fresh"
    STALE = "stale"
    LOST = "lost"
    OUT_OF_SERVICE = "out_of_service"


@dataclass(frozen=True, slots=True)
class SignageTable:
    """A linked table: its number, its game, its own part of the amount, and whether its link is up."""

    label: str
    game: str
    amount: Amount | None = None
    linked: bool = True


@dataclass(frozen=True, slots=True)
class SignagePrize:
    """A prize on signage; `at_ms` (UTC milliseconds) when it was won or paid."""

    table: str
    category: str
    amount: Amount
    state: PrizeState
    at_ms: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SignageScreen:
    """Everything a signage screen shows: the carousel's amount in play, its tables, last prizes, prizes pending.

    Newest first in `last_prizes` and `pending`. Signage drops the fraction (floor) by itself.
    """

    kind: ClassVar[str] = "signage"
    carousel_id: str
    name: str
    meter: Meter
    tables: tuple[SignageTable, ...]
    currency: Currency = Currency()
    state: SignageState = SignageState.FRESH
    last_prizes: tuple[SignagePrize, ...] = ()
    pending: tuple[SignagePrize, ...] = ()
    just_paid: SignagePrize | None = None

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, **_fields(self)}


Screen = TableScreen | SignageScreen


def screen_id(scene: Screen) -> str:
    """The feed's name of the screens that show this scene: `table-{id}` or `signage-{carousel}`."""
    return f"table-{scene.table_id}" if isinstance(scene, TableScreen) else f"signage-{scene.carousel_id}"


def to_json(scene: Screen) -> str:
    """Canonical JSON: sorted keys, no blanks, so equal scenes are equal bytes."""
    return json.dumps(scene.to_dict(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _check_cards(cards: tuple[str, ...]) -> None:
    for card in cards:
        if not CARD.match(card):
            raise ValueError(f"not a card: {card!r}")


def _fields(value: object) -> dict[str, object]:
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}  # type: ignore[arg-type]  # callers pass dataclasses


def _plain(value: object) -> object:
    if isinstance(value, Amount):
        return value.minor
    if isinstance(value, Meter):
        return value.to_dict()
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value):
        kind = getattr(type(value), "kind", None)
        return _fields(value) if kind is None else {"kind": kind, **_fields(value)}
    return value
