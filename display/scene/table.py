"""Everything a table screen shows at one time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from display.scene.cards import check_cards
from display.scene.circle import Circle
from display.scene.meter import DrawPrize, Meter, PrizeRow
from display.scene.money import PESOS, Amount, Currency
from display.scene.parts import CartaMagicaMark, DrawCheck, JugadorAfortunadoMark, Notice, OtherPrize, PhaseLine
from display.scene.prizes import StandingPrize
from display.scene.seat import MAX_CREDITS, Seat
from display.scene.stages import Stage
from display.scene.wire import fields_of
from display.scene.words import DrawEvery, PrizeNote


@dataclass(frozen=True, slots=True)
class TableScreen:
    """Everything a table screen shows at one time.

    `label` is the table's number as written on it ("4"); `game` a key of the catalogue ("oasis", "holdem_bonus",
    "holdem_circle") or the site's own name. `meter` is None with a fixed jackpot or without one. `board_slots` is 5
    where the game has a board. `seats_descending` puts the highest seat on the left, as the players face the screen.
    `draw_check` takes players to the newest revealed draws of the table. `standing`: this table's prizes that wait to
    be paid while it deals on, the largest first; those on the stage are not among them. `max_credits`: as many as a
    seat may bet, so many pips it has.
    """

    kind: ClassVar[str] = "table"
    table_id: str
    label: str
    game: str
    stage: Stage
    seats: tuple[Seat, ...]
    currency: Currency = PESOS
    max_credits: int = MAX_CREDITS
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
    standing: tuple[StandingPrize, ...] = ()
    seats_descending: bool = False
    draw_check: DrawCheck | None = None

    def __post_init__(self) -> None:
        check_cards(self.board)

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, **fields_of(self)}
