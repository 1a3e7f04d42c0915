"""Records of Oasis hands: the published one, and short ones of a single fact."""

import copy
from typing import Any

from controller.settle import settle

PUBLISHED: dict[str, Any] = {
    "game": "oasis",
    "table": {"minimum": 1000, "maximum": 50000},
    "jackpot": {
        "kind": "progressive",
        "credit": 100,
        "contribution_bp": 7000,
        "start": 500000,
        "meter": 1999650,
        "prizes": {
            "royal_flush": {"percent": 100},
            "straight_flush": {"percent": 10},
            "four_of_a_kind": {"fixed": 50000},
            "full_house": {"fixed": 15000},
            "flush": {"fixed": 7500},
        },
        "options": {"royal_with_straight_flush": "highest_first"},
    },
    "draws": {"carta_magica": {"card": "Qs", "prize": 5000}, "jugador_afortunado": {"seat": 4, "prize": 5000}},
    "seats": [
        {"seat": 1, "ante": 1000, "bet": 2000, "credits": 1, "cards": "9d 8d 7d 6d 5d", "folded": False},
        {
            "seat": 2,
            "ante": 1000,
            "bet": 2000,
            "credits": 4,
            "cards": "Qs Qh 4c 3d 2s",
            "bought": {"out": "2s", "in": "Qd"},
        },
    ],
    "dealer": {"cards": "Ah Kh 7c 4d 2h"},
    "void": False,
}


def changed(place: str, value: Any, record: dict[str, Any] = PUBLISHED) -> dict[str, Any]:
    """A copy of a record with the value at a place like `seats.0.ante` set, or removed when it is `...`."""
    copied = copy.deepcopy(record)
    *path, last = place.split(".")
    target: Any = copied
    for step in path:
        target = target[int(step)] if isinstance(target, list) else target.setdefault(step, {})
    if isinstance(target, list):
        target[int(last)] = value
    elif value is ...:
        del target[last]
    else:
        target[last] = value
    return copied


def box(seat: int, cards: str = "", **more: Any) -> dict[str, Any]:
    return {"seat": seat, "ante": 1000, "cards": cards, "credits": 1, **more}


ROYAL, ROYAL_OF_HEARTS = "As Ks Qs Js Ts", "Ah Kh Qh Jh Th"
NINE, NINE_OF_CLUBS, KING = "9d 8d 7d 6d 5d", "9c 8c 7c 6c 5c", "Kd Qd Jd Td 9d"
FOUR, FLUSH, NOTHING = "4c 4d 4h 4s 2c", "2h 3h 5h 8h Jh", "2c 3d 5s 8h Jc"


def hand(*seats: dict[str, Any], jackpot: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A record without a dealer: jackpot only, a meter of 20,000.00 and the preset's terms without a contribution."""
    terms = {"meter": 2_000_000, "contribution_bp": 0, **(jackpot or {})}
    return {"game": "oasis", "jackpot": terms, "seats": list(seats), **more}


def paid(record: dict[str, Any]) -> list[tuple[int, int]]:
    return [(award["seat"], award["amount"]) for award in settle(record)["awards"]]
