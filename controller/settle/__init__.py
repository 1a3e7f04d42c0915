"""One recorded hand in, what everybody gets out; no hardware, no journal."""

from collections.abc import Callable, Mapping
from typing import Any

from controller.settle.bonus import settle_bonus
from controller.settle.circle import settle_circle
from controller.settle.faults import Fault
from controller.settle.form import RecordFault
from controller.settle.oasis import settle_oasis

GAMES: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "oasis": settle_oasis,
    "holdem-bonus": settle_bonus,
    "holdem-circle": settle_circle,
}
"""The function that answers the records of each game, by the record's `game`."""

__all__ = ["GAMES", "Fault", "RecordFault", "settle"]


def settle(record: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a hand record, amounts in minor units; raises RecordFault with the fault's name and place."""
    if not isinstance(record, Mapping):
        raise RecordFault(Fault.NOT_AN_OBJECT, "")
    if "game" not in record:
        raise RecordFault(Fault.MISSING_KEY, "game")
    game = record["game"]
    if not isinstance(game, str) or game not in GAMES:
        raise RecordFault(Fault.UNKNOWN_GAME, "game")
    return GAMES[game](record)
