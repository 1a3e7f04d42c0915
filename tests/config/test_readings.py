"""Every reading of the regulations is listed for the tables it concerns, with its articles and its setting."""

import re
from typing import Any

import pytest

from controller.config import Table, load_preset
from controller.config.readings import readings


def table(preset: str, **changes: Any) -> Table:
    values = {"id": "t", "name": "T"} | load_preset(preset)
    return Table.model_validate(values | changes)


def ids(one: Table) -> set[str]:
    return {reading.id for reading in readings(one)}


@pytest.mark.requirement("R97")
def test_oasis_has_all_of_part_o() -> None:
    assert ids(table("oasis_argentina_2010")) == {f"O-{letter}" for letter in "abcdefghijklmnopqrs"}


def test_bonus_has_all_of_part_b() -> None:
    assert ids(table("holdem_bonus_peru_2010")) >= {f"B-{letter}" for letter in "abcdefg"}


def test_circle_has_all_of_part_c() -> None:
    assert ids(table("holdem_circle_argentina_2009")) >= {f"C-{letter}" for letter in "abcdefg"}


@pytest.mark.parametrize("preset", ["oasis_argentina_2010", "holdem_bonus_peru_2010", "holdem_circle_argentina_2009"])
def test_a_setting_is_a_key_of_the_table(preset: str) -> None:
    one = table(preset, draws={"jugador_afortunado": {"prize": 1}, "carta_magica": {"prize": 1}})
    for reading in readings(one):
        assert re.fullmatch(r"[\d, -]+", reading.articles)
        if reading.setting is None:
            continue
        here: Any = one
        for part in reading.setting.split("."):
            if part == "*" or isinstance(here, tuple):
                break
            here = getattr(here, part)


# setting changed, its value, the reading that answers with it
CHANGED: list[tuple[str, dict[str, Any], str, str]] = [
    ("options", {"royal_with_straight_flush": "restart_then_pay"}, "O-b", "restart_then_pay"),
    ("options", {"fixed_rows_multiply": False}, "O-e", "no row"),
    ("options", {"fixed_prizes_from": "meter"}, "O-f", "meter"),
    ("options", {"top_up_after_partial": True}, "O-g", "true"),
    ("options", {"folded_box_keeps_jackpot": True}, "O-i", "true"),
]


@pytest.mark.parametrize(("section", "change", "reading_id", "answer"), CHANGED)
def test_the_answer_follows_the_setting(section: str, change: dict[str, Any], reading_id: str, answer: str) -> None:
    jackpot = load_preset("oasis_argentina_2010")["jackpot"]
    one = table("oasis_argentina_2010", jackpot=jackpot | {section: jackpot[section] | change})
    assert [reading.stated(one) for reading in readings(one) if reading.id == reading_id] == [answer]


def test_draws_and_inputs_answer_too() -> None:
    one = table(
        "oasis_argentina_2010",
        draws={"jugador_afortunado": {"prize": 1, "lucky_seat_from": "betting", "every": 3}},
        inputs=[{"device": "d", "input": 0, "means": "credit", "seat": 1, "mode": "level"}],
    )
    stated = [(reading.id, reading.stated(one)) for reading in readings(one)]
    assert ("O-p", "betting") in stated
    assert ("O-r", "jugador_afortunado 3") in stated
    assert ("O-s", "before no va más, from level sensors") in stated
