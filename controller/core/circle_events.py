"""What people tell the circle game besides the dealer's keys: players, chips, sanctions, mistakes (art. C 18-70)."""

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class SeatsDrawAsked:
    """The players of a game have arrived, in this order: their seats are to be drawn (art. 18)."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatsDrawn:
    """The controller's draw before a game (art. 18): players in order of arrival, and the seat drawn for each."""

    players: tuple[str, ...]
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameOpened:
    """A new game begins with the players present (art. 16, 28); the one before has ended, or there was none."""


@dataclass(frozen=True, slots=True)
class PlayerSeated:
    """A player takes a seat with chips (art. 19, 22-25); amount in minor units, None = what the rules ask."""

    seat: int
    chips_minor: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player takes his chips and leaves, between hands only (art. 34-35)."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayerRested:
    """A player rests (art. 37-38), from the next hand on."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayerReturned:
    """A resting player is back; blinds that he missed go into the pot of the next hand (art. 38)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rebought:
    """More chips (art. 29-33); told in a hand, they come into play after it."""

    seat: int
    chips_minor: int


@dataclass(frozen=True, slots=True)
class StackCounted:
    """Two people have counted a player's chips between hands: the table goes on with what lies there."""

    seat: int
    chips_minor: int
    reason: str


class Sanction(Enum):
    """What the sector chief imposes (art. 70)."""

    WARNING = "warning"
    HAND_DEAD = "hand_dead"
    PLAYER_OUT = "player_out"


@dataclass(frozen=True, slots=True)
class Sanctioned:
    """A sanction with its reason (art. 70)."""

    seat: int
    sanction: Sanction
    reason: str


@dataclass(frozen=True, slots=True)
class HandsKilled:
    """Cards mixed with another player's (both hands are dead, art. 66) or with the discard (art. 69)."""

    seats: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class HandRestored:
    """The sector chief puts a hand together again that was discarded by the dealer's misreading (art. 69)."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class BetOutOfTurn:
    """Chips put down out of turn (art. 57): `to_minor` is the seat's total in the street."""

    seat: int
    to_minor: int


@dataclass(frozen=True, slots=True)
class AbsentSeatDealt:
    """The dealer is dealing to a seat that does not play; its cards are collected after the deal (art. 62)."""

    seat: int


@dataclass(frozen=True, slots=True)
class ShowdownTold:
    """Where no reader sees cards: the seats at the showdown from the best hand down, equal hands together (art. 72)."""

    ranking: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class BetsCovered:
    """The only player left to act has put in as much as anybody: he is not asked (art. 44, 87, 90, reading C-c)."""


CircleEvent = (
    SeatsDrawn
    | GameOpened
    | PlayerSeated
    | PlayerLeft
    | PlayerRested
    | PlayerReturned
    | Rebought
    | StackCounted
    | Sanctioned
    | HandsKilled
    | HandRestored
    | BetOutOfTurn
    | AbsentSeatDealt
    | ShowdownTold
    | BetsCovered
)
PEOPLE_EVENTS: tuple[type, ...] = (
    GameOpened,
    PlayerSeated,
    PlayerLeft,
    PlayerRested,
    PlayerReturned,
    Rebought,
    StackCounted,
    Sanctioned,
    HandsKilled,
    HandRestored,
    BetOutOfTurn,
    AbsentSeatDealt,
    ShowdownTold,
)
CIRCLE_EVENTS: tuple[type, ...] = (SeatsDrawn, BetsCovered, *PEOPLE_EVENTS)
"""All of them. Nobody tells `SeatsDrawn`, which follows from a seed of the draw chain, nor `BetsCovered`, which follows
from another event of the game."""
