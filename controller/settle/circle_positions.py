"""Button and blinds in records of the circle game: where they are, and where they go in the next hand."""

from collections.abc import Collection
from typing import Any

from controller.core.button import Positions, first_positions, next_clockwise, next_positions, positions_at
from controller.settle.faults import Fault
from controller.settle.form import Fields, RecordFault, impossible, no_integer

PLACES = 10
FEWEST_PLAYERS = 4
FEWEST_IN_HAND = 2
NEXT = ("previous", "seats", "eliminated")
POSITIONS = ("button", "small_blind", "big_blind")


def read_positions(record: Fields, playing: Collection[int], seats: Collection[int]) -> Positions:
    """The button of a record and the blinds on its left; a record with a dead blind names both blinds itself.

    The button may lie at a place that is not in the hand (dead button, art. 77), a named blind be owed by a seat that
    is away (art. 38).
    """
    if len(playing) < FEWEST_IN_HAND:
        raise impossible(Fault.TOO_FEW_PLAYERS, "seats")
    button = record.whole("button", most=PLACES, least=1)
    if "small_blind" not in record and "big_blind" not in record:
        return positions_at(button, playing)
    small = _seat_or_none(record, "small_blind")
    if "big_blind" in record:
        big = record.whole("big_blind", most=PLACES, least=1)
    else:
        big = next_clockwise(button if small is None else small, playing)
    for key, seat in (("small_blind", small), ("big_blind", big)):
        if seat is not None and seat not in seats:
            raise impossible(Fault.SEAT_NOT_IN_HAND, record.place(key))
    return _in_order(record, Positions(button, small, big))


def answer_next_hand(record: Fields) -> dict[str, Any]:
    """Button and blinds of the hand after (art. 21, 41-43, 77-79); without `previous`, of the first one."""
    asked = record.object("next_hand", NEXT)
    eliminated = _seats(asked, "eliminated") if "eliminated" in asked else ()
    seats = [seat for seat in _seats(asked, "seats") if seat not in eliminated]
    if len(seats) < FEWEST_PLAYERS:
        raise impossible(Fault.TOO_FEW_PLAYERS, asked.place("seats"))
    if "previous" in asked:
        found = next_positions(_read_previous(asked.object("previous", POSITIONS)), seats)
    else:
        found = first_positions(seats)
    return {"button": found.button, "small_blind": found.small_blind, "big_blind": found.big_blind}


def _read_previous(fields: Fields) -> Positions:
    previous = Positions(
        fields.whole("button", most=PLACES, least=1),
        _seat_or_none(fields, "small_blind"),
        fields.whole("big_blind", most=PLACES, least=1),
    )
    return _in_order(fields, previous)


def _in_order(fields: Fields, positions: Positions) -> Positions:
    """From the button clockwise comes the small blind and then the big one, each of another seat (art. 42-44)."""
    small, big = positions.small_blind, positions.big_blind
    if small == big:
        raise impossible(Fault.DUPLICATE_SEAT, fields.place("big_blind"))
    first = next_clockwise(positions.button, (big,) if small is None else (small, big))
    if small not in (None, first):
        raise impossible(Fault.BLINDS_OUT_OF_ORDER, fields.place("big_blind"))
    return positions


def _seat_or_none(fields: Fields, key: str) -> int | None:
    if key not in fields or fields.raw(key) is None:
        return None
    return fields.whole(key, most=PLACES, least=1)


def _seats(fields: Fields, key: str) -> tuple[int, ...]:
    """A list of different seat numbers."""
    value = fields.raw(key)
    if not isinstance(value, list):
        raise RecordFault(Fault.NOT_A_LIST, fields.place(key))
    for index, seat in enumerate(value):
        place = f"{fields.place(key)}[{index}]"
        if type(seat) is not int:
            raise RecordFault(no_integer(seat), place)
        if not 1 <= seat <= PLACES:
            raise RecordFault(Fault.TOO_SMALL if seat < 1 else Fault.TOO_LARGE, place)
        if seat in value[:index]:
            raise impossible(Fault.DUPLICATE_SEAT, place)
    return tuple(value)
