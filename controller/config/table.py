"""A table: its game, limits, jackpot, draws, link and hardware; and the circle game's own terms."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from controller.config.base import Amount, Identifier, Model, Positive, PositiveAmount, RateBp, Seat, Switch, Text
from controller.config.devices import Device, Input, Keypad, Output, Reader, Sign
from controller.config.jackpot import Draws, Jackpot
from controller.core.hands import Category
from controller.core.prizes import PrizeList

GameName = Literal["oasis", "holdem-bonus", "holdem-circle"]


class Limits(Model):
    """Lowest and highest first bet (ante) in minor units (art. O 22-23, B 9); the circle game has its blinds."""

    minimum: PositiveAmount = 1000
    maximum: PositiveAmount = 50_000


class Base(Model):
    """Pay tables of the base game, to one; amounts and tables are configuration, never code."""

    pays: Mapping[Category, Positive] = Field(default_factory=dict)
    """Oasis: what the second bet pays by hand (art. 10)."""
    payout_limit: PositiveAmount | None = None
    """Most a box is paid on its second bet in one hand, in minor units."""
    ante_pays_from: Category = Category.STRAIGHT
    """Hold'em bonus: the ante is paid from this hand up (art. 13)."""


class Blinds(Model):
    """Fixed for a game (art. C 7)."""

    small: PositiveAmount
    big: PositiveAmount


class Circle(Model):
    """Terms of the circle game; amounts in minor units."""

    blinds: Blinds
    rake_bp: RateBp = 500
    rake_unit: PositiveAmount = 100
    """Smallest chip: the rake is floored to it, pot by pot (reading C-a)."""
    rake_without_flop: Switch = True
    duration_minutes: Positive = 120
    buy_in_minimum: PositiveAmount
    rebuy_minimum: PositiveAmount
    buy_total_maximum: PositiveAmount | None = None
    players_minimum: Annotated[int, Field(strict=True, ge=4, le=10)] = 4
    action_seconds: Positive = 60
    countdown_seconds: Positive = 10


class Deck(Model):
    """A deck in use; its id is stored with each hand (art. O 10, 14, 24)."""

    id: Identifier
    back: Text


class Table(Model):
    """One table as it runs: preset and site file merged."""

    id: Identifier
    name: Text
    game: GameName
    preset: str | None = None
    regulation: str | None = None
    seats: Seat
    seat_strip: Literal["ascending", "descending"] = "descending"
    """Order in which the table's screen shows the boxes, left to right."""
    carousel: Identifier | None = None
    on_link_loss: Literal["stop_bets", "continue"] = "stop_bets"
    link_loss_hours: Annotated[int, Field(strict=True, ge=0, le=720)] = 24
    """With `continue`: after so many hours without the host jackpot bets stop until both agree again; 0: never."""
    limits: Limits = Limits()
    base: Base = Base()
    circle: Circle | None = None
    jackpot: Jackpot = Jackpot()
    jackpot_changes: Literal["between_hands", "after_reset"] = "between_hands"
    """When changed terms of the jackpot take effect: after_reset waits until it was won (New Zealand, France)."""
    draws: Draws = Draws()
    cards_read: Literal["deal", "showdown", "none"] = "none"
    ante_from: Literal["sensor", "assumed"] = "assumed"
    """assumed: a box with a jackpot credit has the minimum ante; sensor: an input says so."""
    decks: tuple[Deck, ...] = ()
    deck_use: Literal["one", "alternate"] = "one"
    shuffler: str | None = None
    """Serial number of the shuffler, stored with each hand."""
    second_person_from: Amount | None = None
    """Payments of at least this many minor units take two people; absent: as the site says."""
    screen: Switch = True
    """The table has its own screen (served at /table/{id})."""
    devices: tuple[Device, ...] = ()
    inputs: tuple[Input, ...] = ()
    outputs: tuple[Output, ...] = ()
    readers: tuple[Reader, ...] = ()
    keypads: tuple[Keypad, ...] = ()
    signs: tuple[Sign, ...] = ()

    def prize_list(self) -> PrizeList:
        """The prize list of this table's jackpot as the rules take it."""
        return self.jackpot.prize_list()

    @property
    def carousel_id(self) -> str:
        """The carousel its jackpot lives in; a table of its own is a carousel of one."""
        return self.carousel or self.id

    @property
    def linked(self) -> bool:
        return self.carousel is not None

    @property
    def lowest_bet(self) -> Amount:
        """Lowest jackpot bet in minor units: one credit."""
        return self.jackpot.credit

    @property
    def unreasonable_credits_per_hand(self) -> int:
        """Bound of a reasonable counter step per hand, in credits."""
        return self.jackpot.unreasonable_credits_per_hand or self.seats * self.jackpot.max_credits
