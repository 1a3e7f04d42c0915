"""Whatever stands in a record, it is answered or refused by name; the amounts of an answer are whole."""

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.settle import RecordFault, settle

OASIS: dict[str, Any] = {
    "game": "oasis",
    "table": {"minimum": 1000, "maximum": 50000},
    "jackpot": {
        "kind": "progressive",
        "credit": 100,
        "start": 500000,
        "meter": 2000000,
        "prizes": {"royal_flush": {"percent": 100}, "flush": {"fixed": 7500}},
        "options": {"royal_with_straight_flush": "highest_first"},
    },
    "draws": {"carta_magica": {"card": "Qs", "prize": 5000}, "jugador_afortunado": {"seat": 4, "prize": 5000}},
    "seats": [
        {"seat": 1, "ante": 1000, "bet": 2000, "credits": 1, "cards": "9d 8d 7d 6d 2d", "folded": False},
        {"seat": 2, "ante": 1000, "credits": 4, "cards": "Qs Qh 4c 3d 2s", "bought": {"out": "2s", "in": "Qd"}},
    ],
    "dealer": {"cards": "Ah Kh 7c 4d 2h"},
    "void": False,
}
BONUS: dict[str, Any] = {
    "game": "holdem-bonus",
    "jackpot": {"linked": [{"table": "t1", "meter": 5}, {"table": "t2", "meter": 9, "start": 2}], "at": "t2"},
    "seats": [{"seat": 1, "ante": 2000, "turn_bet": 2000, "credits": 1, "cards": "9d 8d"}],
    "board": "Kd Qd 2d 5s 6s",
    "dealer": {"cards": "Ah Kh"},
}
CIRCLE: dict[str, Any] = {
    "game": "holdem-circle",
    "blinds": {"small": 100, "big": 200},
    "rake_bp": 300,
    "rake_unit": 10,
    "rake_without_flop": True,
    "button": 7,
    "small_blind": 2,
    "big_blind": 4,
    "jackpot": {"kind": "fixed", "credit": 10, "prizes": {"pair": {"fixed": 70}}},
    "draws": {"carta_magica": {"card": "Qs", "prize": 500}},
    "seats": [
        {"seat": 2, "stack": 5_000, "cards": "9d 8d", "credits": 2, "missed": 100},
        {"seat": 4, "stack": 150, "cards": "Qs Qh", "credits": 1},
        {"seat": 6, "stack": 9_000, "cards": "3c 3s"},
        {"seat": 7, "stack": 900, "cards": "Ac 2d"},
        {"seat": 9, "stack": 700, "away": True},
    ],
    "board": "Kd Td 7h 5s 6s",
    "actions": [
        {"street": "preflop", "seat": 6, "do": "raise", "to": 600},
        {"street": "preflop", "seat": 7, "do": "all_in"},
        {"street": "preflop", "seat": 2, "do": "call", "to": 900},
        {"street": "preflop", "seat": 6, "do": "call"},
        {"street": "flop", "seat": 2, "do": "bet", "to": 300},
        {"street": "flop", "seat": 6, "do": "fold"},
    ],
    "void": False,
}
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 11),
    st.sampled_from(
        [10**12, 10**12 + 1, 0.5, 1.0, float("nan"), "", "Qs", "As Ks Qs Js Ts", "meter", "t2", "fixed", "fold", "turn"]
    ),
    st.text(max_size=4),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.sampled_from(["cards", "percent", "fixed", "seat", "x"]), st.integers(0, 100), max_size=2),
)


NEXT_HAND: dict[str, Any] = {
    "game": "holdem-circle",
    "next_hand": {
        "previous": {"button": 1, "small_blind": 2, "big_blind": 3},
        "seats": [1, 3, 4, 5, 6],
        "eliminated": [2],
    },
}


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in a record."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, each in inside for found in [(*path, key), *places(each, (*path, key))]]


def whole(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(whole(each) for each in (value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float)


@settings(max_examples=500)
@given(record=st.sampled_from([OASIS, BONUS, CIRCLE, NEXT_HAND]), data=st.data())
def test_any_value_anywhere_is_answered_or_refused_by_name(record: dict[str, Any], data: st.DataObject) -> None:
    changed: Any = copy.deepcopy(record)
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(changed) or [("game",)]))
        target = changed
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = data.draw(VALUES)
    try:
        answer = settle(changed)
    except RecordFault as fault:
        assert fault.name
        return
    assert whole(answer)
    if "meter" not in answer:
        return
    assert all(award["amount"] > 0 for award in answer["awards"])
    assert answer["meter"]["after_micros"] >= 0


def test_the_records_as_they_stand_are_answered() -> None:
    assert len(settle(OASIS)["awards"]) == 2
    assert settle(BONUS)["awards"][0]["category"] == "flush"
    awards = [(award["seat"], award.get("category", award["from"])) for award in settle(CIRCLE)["awards"]]
    assert awards == [(4, "pair"), (4, "carta_magica")]
    assert settle(CIRCLE)["stacks"][4] == {"seat": 9, "stack": 700}
    assert settle(NEXT_HAND) == {"button": 1, "small_blind": 3, "big_blind": 4}
