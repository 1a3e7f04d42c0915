"""The catalogue: both languages say the same things, every key that is asked for exists, amounts are written right."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from pathlib import Path

import pytest

from display import scene
from display.scene import Amount, Currency
from display.texts import Catalogue, CatalogueError, amount_text, choose_language, load, screen_texts

DISPLAY = Path(scene.__file__).parents[1]
PLACES = re.compile(r"\{(\w+)\}")
# Keys whose last part is a value of a scene: every value needs its text.
BY_VALUE: tuple[tuple[str, type[StrEnum]], ...] = (
    ("phase.", scene.Phase),
    ("prize_note.", scene.PrizeNote),
    ("prizes.draws.", scene.DrawEvery),
    ("fall.", scene.FallReason),
    ("service.", scene.ServiceReason),
    ("voided.", scene.VoidReason),
    ("seat.win.", scene.PrizeState),
    ("other.", scene.PrizeState),
    ("action.", scene.SeatAction),
    ("notice.", scene.NoticeCode),
)
CATEGORIES = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "pair",
    "ace_king",
    "high_card",
    "carta_magica",
    "jugador_afortunado",
)


def test_both_languages_have_the_same_keys_and_places() -> None:
    spanish, english = screen_texts("es"), screen_texts("en")
    assert list(spanish.texts) == list(english.texts)
    for key, text in spanish.texts.items():
        assert sorted(PLACES.findall(text)) == sorted(PLACES.findall(english.texts[key])), key


@pytest.mark.parametrize(("prefix", "values"), BY_VALUE)
def test_every_value_of_a_scene_has_a_text(prefix: str, values: type[StrEnum]) -> None:
    missing = [value for value in values if not screen_texts("es").has(prefix + value)]
    assert not missing


def test_every_category_stage_and_card_has_a_text() -> None:
    texts = screen_texts("es")
    stages = [one.kind for one in scene.Stage.__args__]
    wanted = [f"category.{name}" for name in CATEGORIES] + [f"chip.{kind}" for kind in stages]
    wanted += [f"rank.{rank}" for rank in "A23456789TJQK"] + [f"suit.{suit}" for suit in "shdc"]
    assert not [key for key in wanted if not texts.has(key)]


def test_every_key_that_a_page_asks_for_exists_and_every_text_is_asked_for() -> None:
    texts = screen_texts("es")
    sources = [path.read_text("utf-8") for path in DISPLAY.rglob("*") if path.suffix in {".js", ".html"}]
    asked = {key for source in sources for key in re.findall(r"""["`]([a-z_]+(?:\.[a-z_-]+)+)["`]""", source)}
    keys = {key for key in asked if key.split(".")[0] in {known.split(".")[0] for known in texts.texts}}
    unknown = {key for key in keys if not texts.has(key) and not texts.has(f"{key}.one")}
    assert not unknown
    prefixes = {prefix for source in sources for prefix in re.findall(r"""`([a-z_]+(?:\.[a-z_]+)*\.)\$\{""", source)}
    prefixes |= {"title.", "circle."}
    said = keys | {f"{key}.{number}" for key in keys for number in ("one", "other")}
    unused = [key for key in texts.texts if key not in said and not any(key.startswith(one) for one in prefixes)]
    assert not unused


@pytest.mark.parametrize(
    ("minor", "decimals", "language", "written"),
    [
        ("0", 2, "es", "$ 0,00"),
        ("5", 2, "es", "$ 0,05"),
        ("99", 2, "es", "$ 0,99"),
        ("100", 2, "es", "$ 1,00"),
        ("99999", 2, "es", "$ 999,99"),
        ("100000", 2, "es", "$ 1.000,00"),
        ("123456789", 2, "es", "$ 1.234.567,89"),
        ("4823761540", 2, "es", "$ 48.237.615,40"),
        ("123456789", 2, "en", "$ 1,234,567.89"),
        ("1234567", 0, "es", "$ 1.234.567"),
        ("1234567", 3, "es", "$ 1.234,567"),
        ("99999999999999999999", 2, "es", "$ 999.999.999.999.999.999,99"),
    ],
)
def test_amounts_as_each_language_writes_them(minor: str, decimals: int, language: str, written: str) -> None:
    assert amount_text(Amount(minor), Currency("ARS", "$", decimals), language).replace("\u00a0", " ") == written


def test_signage_drops_the_fraction_which_floors() -> None:
    assert amount_text(Amount("199"), Currency(), "es", fraction=False) == "$\u00a01"


def test_a_catalogue_refuses_what_it_does_not_hold(tmp_path: Path) -> None:
    (tmp_path / "es.json").write_text(json.dumps({"a.one": "{count} hora", "a.other": "{count} horas", "b": "{who}"}))
    texts = load(tmp_path, "es")
    assert (texts.count("a", 1), texts.count("a", 3), texts.text("b", who="yo")) == ("1 hora", "3 horas", "yo")
    for key in ("c", "b"):
        with pytest.raises(CatalogueError, match=key):
            texts.text(key)
    with pytest.raises(CatalogueError, match="'fr'"):
        load(tmp_path, "fr")
    (tmp_path / "en.json").write_text('{"a": {"b": "c"}}')
    with pytest.raises(CatalogueError, match="flat"):
        load(tmp_path, "en")


@pytest.mark.parametrize(
    ("asked", "default", "chosen"), [("en", "es", "en"), (None, "en", "en"), ("xx", "en", "en"), (None, "xx", "es")]
)
def test_language_asked_for_then_the_sites_then_spanish(asked: str | None, default: str, chosen: str) -> None:
    assert choose_language(asked, default) == chosen


def test_catalogue_is_a_value() -> None:
    assert Catalogue("es", {"a": "b"}) == Catalogue("es", {"a": "b"})
