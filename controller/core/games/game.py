"""What every game offers to the table: states stepped by events, the boxes, the cards that count, and the advice."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from controller.core.cards import Card
from controller.core.events import GameEvent
from controller.core.refusal import Refused


class Stage(Enum):
    """The three things a table must know of any hand: bets may be placed, it is played, or it is over."""

    BETS = "bets"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Box:
    """One box as screens and jackpots see it; amounts in minor units."""

    seat: int
    ante_minor: int = 0
    cards: tuple[Card, ...] = field(default=())
    folded: bool = False
    bought: bool = False
    decided: bool = False
    stack_minor: int | None = None


@dataclass(frozen=True, slots=True)
class BaseResult:
    """Advice for the dealer on one box: what each bet brings beyond its return, in minor units (negative = lost).

    uncapped: what the second bet would bring without the house's payout limit; None where the limit changes nothing.
    """

    seat: int
    reason: str
    net: int
    bets: tuple[tuple[str, int], ...] = field(default=())
    uncapped: int | None = None


@dataclass(frozen=True, slots=True)
class Deadline:
    """A running clock: its id and its length in seconds from the moment it was set."""

    id: str
    seconds: int


class Game(Protocol):
    """A game's state machine. States are frozen; `step` answers the next state or a refusal by name."""

    name: str

    def first_hand(self) -> Any:
        """State of the first hand of a table: bets open."""

    def next_hand(self, state: Any) -> Any:
        """State of the hand after this one (which is over or void): bets open; what a game carries over is kept."""

    def undone(self, state: Any) -> Any | Refused:
        """The present hand's state (bets open) once the hand before it is void: the same where the table holds nothing
        of it, else what that hand moved goes back; or why it cannot."""

    def step(self, state: Any, event: GameEvent) -> Any | Refused:
        """The state after an event, or why it is refused. Pure and deterministic: replay uses it too."""

    def follows(self, state: Any) -> GameEvent | None:
        """What the rules do next by themselves, in the same commit as what came before; None for most games."""

    def stage(self, state: Any) -> Stage: ...

    def phase(self, state: Any) -> str:
        """Name of the game's own phase, a key of the catalogue: `phase.<name>`."""

    def turn(self, state: Any) -> int | None:
        """Seat asked to act, if any."""

    def boxes(self, state: Any) -> tuple[Box, ...]:
        """The boxes with an ante (seated players in the circle game), by seat."""

    def has_ante(self, state: Any, seat: int) -> bool: ...

    def dealer(self, state: Any) -> tuple[Card, ...]: ...

    def board(self, state: Any) -> tuple[Card, ...]: ...

    def jackpot_cards(self, state: Any, seat: int) -> tuple[Card, ...] | None:
        """The cards of a box that count for the jackpot, None while unknown or when the box lost its right."""

    def lost_jackpot(self, state: Any, seat: int) -> bool:
        """Whether the box lost the progressive (bought a card, folded: art. 34, readings O-i, B-c)."""

    def magic_cards(self, state: Any, seat: int) -> tuple[Card, ...]:
        """The dealt cards of a box that can match the Carta Mágica (readings O-m, O-q)."""

    def settlement(self, state: Any) -> tuple[BaseResult, ...]:
        """The base game's result, as advice; empty while cards are missing."""

    def deadline(self, state: Any) -> tuple[str, int] | None:
        """A running clock: its id and its length in seconds from the moment it was set (circle game, art. 50)."""
