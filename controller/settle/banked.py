"""What the records of Oasis and of Texas Hold'em Bonus share: limits, seats, the order of a settlement."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from controller.core.games.boxes import check_ante
from controller.core.games.game import BaseResult
from controller.settle.faults import Fault
from controller.settle.form import Fields, impossible
from controller.settle.terms import preset

RECORD = ("game", "table", "jackpot", "linked", "at", "draws", "seats", "dealer", "void")


@dataclass(frozen=True, slots=True)
class Limits:
    """The ante's limits in minor units, and how many boxes the table has."""

    minimum_minor: int
    maximum_minor: int
    seats: int


def read_limits(record: Fields, game: str, known: Collection[str]) -> tuple[Limits, Fields]:
    """The limits of a record's table, the preset's where it is silent; and the table's other keys."""
    table = record.object("table", ("minimum", "maximum", "seats", *known))
    defaults = preset(game, "progressive")
    limits = Limits(
        minimum_minor=table.whole("minimum", defaults["limits"]["minimum"]),
        maximum_minor=table.whole("maximum", defaults["limits"]["maximum"]),
        seats=table.whole("seats", defaults["seats"], most=10, least=1),
    )
    return limits, table


def read_seats(record: Fields, limits: Limits, known: Collection[str]) -> Iterator[tuple[Fields, int, int]]:
    """Each box of a record with its seat and ante; a seat twice, or an ante outside the limits, cannot be."""
    seen: set[int] = set()
    for fields in record.objects("seats", known):
        seat = fields.whole("seat", most=10, least=1)
        if seat in seen:
            raise impossible(Fault.DUPLICATE_SEAT, fields.place("seat"))
        if seat > limits.seats:
            raise impossible(Fault.UNKNOWN_SEAT, fields.place("seat"))
        seen.add(seat)
        ante = fields.whole("ante", 0)
        if ante:
            check_amount(fields, ante, limits, seat)
        yield fields, seat, ante


def check_amount(fields: Fields, ante: int, limits: Limits, seat: int) -> None:
    """Raises when an ante is outside the table's limits (art. O 22-23, B 9g)."""
    refused = check_ante((seat,), limits.minimum_minor, limits.maximum_minor, seat, ante)
    if refused is not None:
        raise impossible(refused.reason, fields.place("ante"))


def check_bet(fields: Fields, key: str, allowed: Collection[int], default: int) -> int:
    """A bet that must be one of the exact amounts the game allows."""
    bet = fields.whole(key, default)
    if bet not in allowed:
        raise impossible(Fault.BET_WRONG_AMOUNT, fields.place(key))
    return bet


def base_row(result: BaseResult) -> dict[str, Any]:
    """One row of the answer's `base`."""
    return {"seat": result.seat, **dict(result.bets), "net": result.net, "reason": result.reason}
