"""What happened, as the devices and the people report it: frozen values that the engine decides on."""

from dataclasses import dataclass, field
from enum import Enum

from controller.core.cards import Card


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
    PRIZE = "prize"
    HAND_OVER = "hand_over"


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
    """Cards of a place entered by people: place is `seat-3`, `dealer` or `board`."""

    place: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """A misread card replaced, with a trace (old and new stay in the journal)."""

    place: str
    old: Card
    new: Card


@dataclass(frozen=True, slots=True)
class ClockRan:
    """The deadline the game had set is reached (art. C 50): seconds are the adapter's affair."""

    deadline_id: str


GameEvent = AntePlaced | AnteWithdrawn | KeyPressed | CardRead | CardsEntered | CardCorrected | ClockRan


@dataclass(frozen=True, slots=True)
class Envelope:
    """An event on its way in: a unique id (a replay changes nothing), who reports it, and the second person if any."""

    id: str
    event: object
    actor: str = "table"
    second: str | None = None
    facts: tuple[tuple[str, str], ...] = field(default=())
