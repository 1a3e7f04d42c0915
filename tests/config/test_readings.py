"""Every reading of the regulations is listed for the tables it concerns, with its articles and its setting."""

import re
from typing import Any

import pytest

from controller.config import Table, load_preset
from controller.config.readings import readings
from controller.core.money import Currency

PART_O = {f"O-{letter}" for letter in "abcdefghijklmnopqrs"}
CIRCLE = "holdem_circle_argentina_2009"


def table(preset: str, **changes: Any) -> Table:
    values = {"id": "t", "name": "T"} | load_preset(preset)
    return Table.model_validate(values | changes)


def ids(one: Table) -> set[str]:
    return {reading.id for reading in readings(one)}


@pytest.mark.requirement("R97")
def test_oasis_has_all_of_part_o() -> None:
    assert ids(table("oasis_argentina_2010")) == PART_O


def test_bonus_has_all_of_part_b_and_of_its_jackpot() -> None:
    assert ids(table("holdem_bonus_peru_2010")) == {f"B-{letter}" for letter in "abcdefg"} | {"B"} | PART_O


def test_circle_has_all_of_part_c_and_with_a_jackpot_of_part_o() -> None:
    own = {f"C-{letter}" for letter in "abcdefg"} | {"B-b"}
    assert ids(table(CIRCLE)) == own
    jackpot = load_preset(CIRCLE)["jackpot"] | {"kind": "progressive"}
    assert ids(table(CIRCLE, jackpot=jackpot)) == own | PART_O


def test_folded_boxes_are_read_as_their_game_plays_them() -> None:
    """Reading O-q: Peru's dealer shows the two cards (art. 8), the circle's go to the discard unseen."""
    jackpot = load_preset(CIRCLE)["jackpot"] | {"kind": "progressive"}
    jackpot = jackpot | {"options": jackpot["options"] | {"folded_box_keeps_jackpot": True}}
    circle, bonus = table(CIRCLE, jackpot=jackpot), table("holdem_bonus_peru_2010")
    stated = [{each.id: each.stated(one, Currency("ARS")) for each in readings(one)} for one in (circle, bonus)]
    assert [one["O-i"] for one in stated] == ["true", "false"]
    assert [one["O-q"] for one in stated] == [
        "lucky seat kept; its cards are not seen",
        "in both draws: its two cards are shown",
    ]


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
    assert [reading.stated(one, Currency("ARS")) for reading in readings(one) if reading.id == reading_id] == [answer]


def test_draws_and_inputs_answer_too() -> None:
    one = table(
        "oasis_argentina_2010",
        draws={"jugador_afortunado": {"prize": 1, "lucky_seat_from": "betting", "every": 3}},
        inputs=[{"device": "d", "input": 0, "means": "credit", "seat": 1, "mode": "level"}],
    )
    stated = [(reading.id, reading.stated(one, Currency("ARS"))) for reading in readings(one)]
    assert ("O-p", "betting") in stated
    assert ("O-r", "Jugador Afortunado in one of 3 hands") in stated
    assert ("O-s", "before no va más, from level sensors") in stated
