"""What happened, as the devices and the people report it: frozen values that the engine decides on."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from controller.core.cards import Card
from controller.core.causes import PoolCause
from controller.core.circle_events import CircleEvent


class Key(Enum):
    """Dealer's keys of all games; a game refuses those it does not use by name."""

    CLOSE_BETS = "close_bets"
    PLAY = "play"
    FOLD = "fold"
    BUY = "buy"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"
    DEAL = "deal"
    DRAW = "draw"
    PRIZE = "prize"
    HAND_OVER = "hand_over"
    VOID = "void"
    SHUFFLE_DONE = "shuffle_done"
    LID_OPEN = "lid_open"


@dataclass(frozen=True, slots=True)
class CreditWagered:
    """Jackpot credits put down at a box (art. 49); `manual` when the dealer or a pit boss entered them (art. 13)."""

    seat: int
    credits: int = 1
    manual: bool = False


@dataclass(frozen=True, slots=True)
class CreditWithdrawn:
    """Credits taken back before no va más (reading O-s)."""

    seat: int
    credits: int = 1


@dataclass(frozen=True, slots=True)
class AntePlaced:
    """An ante at a box; amount in minor units, None = the table minimum."""

    seat: int
    amount_minor: int | None = None


@dataclass(frozen=True, slots=True)
class AnteWithdrawn:
    """The ante was taken back before no va más."""

    seat: int


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A dealer's key. seat None = the box whose turn it is; amount in minor units where the key takes one."""

    key: Key
    seat: int | None = None
    amount_minor: int | None = None


@dataclass(frozen=True, slots=True)
class CardRead:
    """A reader saw the next card in dealing order (or at the showdown, when the table is set so)."""

    card: Card
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class CardsEntered:
    """Cards of a place entered by people: place is `seat-3`, `dealer` or `board`; refused once `hand` is over."""

    place: str
    cards: tuple[Card, ...]
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """A misread card replaced, with a trace (old and new stay in the journal); refused when `hand` is over by now."""

    place: str
    old: Card
    new: Card
    hand: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClockRan:
    """The deadline the game had set is reached (art. C 50): seconds are the adapter's affair."""

    deadline_id: str


@dataclass(frozen=True, slots=True)
class BoxesShared:
    """One player plays several boxes in this hand and sees the cards of one of them only (art. 71)."""

    seats: tuple[int, ...]
    seen: int


GameEvent = (
    AntePlaced
    | AnteWithdrawn
    | BoxesShared
    | KeyPressed
    | CardRead
    | CardsEntered
    | CardCorrected
    | ClockRan
    | CircleEvent
)


class VoidReason(Enum):
    """Why a hand is void; a typed reason is always asked for."""

    EXCHANGED_INFORMATION = "exchanged_information"
    DEAL_ERROR = "deal_error"
    BANK_CARD_EXPOSED = "bank_card_exposed"
    WRONG_CARD_COUNT = "wrong_card_count"
    FOREIGN_BET = "foreign_bet"
    DEVICE_FAULT = "device_fault"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class TableStarted:
    """The daemon started; the nonce tells two copies of one journal apart."""

    nonce: str


@dataclass(frozen=True, slots=True)
class DrawChainCommitted:
    """The end of a new seed chain, published before its first use (see core/draws.py); `length` draws can be made."""

    commitment: str
    length: int


@dataclass(frozen=True, slots=True)
class DrawSeedRevealed:
    """Seed number `index` of the chain, hexadecimal, asked for by a hand whose bets are closed."""

    index: int
    seed: str


@dataclass(frozen=True, slots=True)
class DrawWinnerNamed:
    """The dealer and a second person name the box that holds the Carta Mágica where no reader sees the cards."""

    kind: str
    seat: int
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class HandVoided:
    """A hand is void (art. 67-69, C 61): the one in course, or the last one when `hand` names it."""

    reason: VoidReason
    note: str = ""
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class HandCorrected:
    """A misread card of the last hand, found after it was over; prizes are worked out again as a higher revision."""

    hand: int
    place: str
    old: Card
    new: Card
    reason: str = ""


@dataclass(frozen=True, slots=True)
class JackpotBetsStopped:
    """No jackpot bets at this table until the same source resumes them; the base game goes on."""

    source: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class JackpotBetsResumed:
    """The source that had stopped the jackpot bets has no more objection; people say in the note why."""

    source: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class SeatsClosed:
    """Seats that cannot take jackpot bets since a device is gone; no seats = it is back."""

    source: str
    seats: tuple[int, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class CreditsUnread:
    """A sensor lost between `lost_min` and `lost_max` credits (None: no bound known); never counted as bets."""

    seat: int
    lost_min: int
    lost_max: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class CreditsSettled:
    """The pit boss settles unread credits: so many were bets of the open hand, the others were none."""

    unread: str
    credits: int = 0


@dataclass(frozen=True, slots=True)
class PrizeVerified:
    """A pit boss has seen the cards of a pending prize."""

    prize: str


@dataclass(frozen=True, slots=True)
class PrizePaid:
    """A verified prize was paid by hand. expected: the cash that two people agreed on, in minor units; None: unsaid."""

    prize: str
    expected_minor: int | None = None


@dataclass(frozen=True, slots=True)
class PrizeAdvanced:
    """Two people pay on an open claim while the link is lost (link rule 7); amount in minor units."""

    hand: int
    seat: int
    amount_minor: int
    reason: str


@dataclass(frozen=True, slots=True)
class LeaveAsked:
    """Two people take the table out of its carousel (link rule 8)."""

    reason: str
    cause: PoolCause | None = None


@dataclass(frozen=True, slots=True)
class PrizeCallDismissed:
    """The dealer had pressed `prize` and there was none."""


@dataclass(frozen=True, slots=True)
class LinkStateChanged:
    """The link to the carousel's host is up or down."""

    up: bool


@dataclass(frozen=True, slots=True)
class LinkSilent:
    """The carousel's host was not heard for so many minutes more, by this machine's own count."""

    minutes: int


@dataclass(frozen=True, slots=True)
class HistoryContradicted:
    """Another node keeps what this journal's chain was at a seq (hex), signed, and the journal holds nothing of it."""

    seq: int
    chain: str


@dataclass(frozen=True, slots=True)
class AlarmRaised:
    """Something is wrong at `source` (a device, a link, the clock, a table's counters): `code` is a stable word.

    attention: it asks for a person. The same code and source while open changes nothing.
    """

    code: str
    source: str
    detail: str = ""
    seat: int | None = None
    attention: bool = True


@dataclass(frozen=True, slots=True)
class AlarmCleared:
    """What had raised the alarm is over."""

    code: str
    source: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class AlarmAcknowledged:
    """A person has seen to an open alarm; if its cause happens again it is raised again."""

    code: str
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Which count of which device an event is: (serial, channel, epoch, counter) is the same for ever."""

    device: str
    serial: str
    channel: str
    epoch: int
    counter: int
    raw: str = ""


@dataclass(frozen=True, slots=True)
class DeviceRemembered:
    """What a driver must find again after a restart (serial, epoch, counters, bases): plain strings and integers."""

    device: str
    memory: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Envelope:
    """An event on its way in: a unique id (a replay changes nothing), who reports it, and the second person if any.

    `source` is set for events counted by a device: they are journaled whatever becomes of them, so that the device's
    counters are exact after a restart.
    """

    id: str
    event: object
    actor: str = "table"
    second: str | None = None
    source: Source | None = None
