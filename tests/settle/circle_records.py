"""Records of circle hands, written as short scripts."""

from typing import Any

BOARD = "2c 7d 9h Js Kd"
STRONG, EVEN, WEAK, LOW = "Ks Kh", "As Qs", "Ah Qh", "3d 4d"


def seat(number: int, stack: int = 100_000, cards: str = "", **more: Any) -> dict[str, Any]:
    return {"seat": number, "stack": stack, "cards": cards, **more}


def acts(street: str, *script: str) -> list[dict[str, Any]]:
    """`3 raise 5000`, `4 fold`, in one street."""
    actions = []
    for line in script:
        number, do, *to = line.split()
        actions.append({"street": street, "seat": int(number), "do": do, **({"to": int(to[0])} if to else {})})
    return actions


def checked(*seats: int, streets: tuple[str, ...] = ("flop", "turn", "river")) -> list[dict[str, Any]]:
    return [action for street in streets for action in acts(street, *(f"{each} check" for each in seats))]


def hand(seats: list[dict[str, Any]], actions: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "game": "holdem-circle",
        "blinds": {"small": 1_000, "big": 2_000},
        "rake_bp": 0,
        "rake_unit": 100,
        "button": 1,
        "seats": seats,
        "board": BOARD,
        "actions": actions,
        **more,
    }


def stacks(answer: dict[str, Any]) -> dict[int, int]:
    return {row["seat"]: row["stack"] for row in answer["stacks"]}


FOUR = [seat(1, cards=LOW), seat(2, cards=STRONG), seat(3, cards=EVEN), seat(4, cards=WEAK)]
LIMPED = acts("preflop", "4 call", "1 fold", "2 call", "3 check")
