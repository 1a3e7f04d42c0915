"""Figures of the configuration on their way to the engine: what a key says is what the table does."""

from pathlib import Path
from typing import Any

import pytest

from controller.config import load
from controller.config.model import Config
from controller.config.plain import game_of, table_ceiling, table_settings
from tests.config.sites import SITE, TABLE, check

BASE = """
[site]
id = "s"
name = "S"
{site}
[mqtt]
[[carousels]]
id = "gran"
name = "Gran"
accept = ["other-1", "other-2"]
{carousel}
[[tables]]
id = "t1"
name = "Mesa 1"
preset = "oasis_argentina_2010"
carousel = "gran"
{table}
[[tables]]
id = "t2"
name = "Mesa 2"
preset = "oasis_argentina_2010"
carousel = "gran"
"""


def config_of(directory: Path, site: str = "", carousel: str = "", table: str = "") -> Config:
    path = directory / "site.toml"
    path.write_text(BASE.format(site=site, carousel=carousel, table=table))
    return load(path)


@pytest.mark.parametrize(
    ("site", "table", "expected"),
    [
        ("", "", 0),
        ("second_person_from = 100_000", "", 100_000),
        ("second_person_from = 100_000", "second_person_from = 5_000", 5_000),
        ("second_person_from = 100_000", "second_person_from = 0", 0),
    ],
)
def test_from_what_sum_on_two_people_pay(tmp_path: Path, site: str, table: str, expected: int) -> None:
    config = config_of(tmp_path, site=site, table=table)
    assert table_settings(config, config.table("t1"), "i").second_person_from_minor == expected


@pytest.mark.parametrize(
    ("carousel", "table", "expected"),
    [
        ("", "", None),
        ("ceiling = 40_000_000", "", 10_000_000),
        ("ceiling = 40_000_001", "", 10_000_000),
        ("", "jackpot = { ceiling = 7_000_000 }", 7_000_000),
        ("ceiling = 40_000_000", "jackpot = { ceiling = 7_000_000 }", 7_000_000),
        ("ceiling = 40_000_000", "jackpot = { ceiling = 70_000_000 }", 10_000_000),
    ],
)
def test_the_tables_of_a_carousel_share_its_ceiling(
    tmp_path: Path, carousel: str, table: str, expected: int | None
) -> None:
    config = config_of(tmp_path, carousel=carousel, table=table)
    assert table_ceiling(config, config.table("t1")) == expected


def test_decks_shuffler_and_payout_limit_reach_the_table(tmp_path: Path) -> None:
    lines = [
        'decks = [{ id = "red", back = "red" }, { id = "blue", back = "blue" }]',
        'deck_use = "alternate"',
        'shuffler = "DM-4711"',
        "base = { payout_limit = 1_000_000 }",
    ]
    config = config_of(tmp_path, table="\n".join(lines))
    settings: Any = table_settings(config, config.table("t1"), "i")
    assert (settings.decks, settings.decks_alternate, settings.shuffler) == (("red", "blue"), True, "DM-4711")
    game: Any = game_of(config, config.table("t1"))
    assert game.settings.payout_limit_minor == 1_000_000


@pytest.mark.parametrize(
    ("written", "fits"),
    [
        ("ab" * 32, True),
        (" ".join(["ABAB"] * 16), True),
        (" ".join(["abab"] * 15), False),
        ("  ".join(["abab"] * 16), False),
        ("zz" * 32, False),
    ],
)
def test_a_key_is_taken_as_people_are_shown_it(tmp_path: Path, written: str, fits: bool) -> None:
    """In groups of four, as a panel and a console show it; kept as a message carries it."""
    carousel = f'[[carousels]]\nid = "gran"\nname = "Gran"\nrole = "member"\nhost_keys = ["{written}"]\n'
    checked = check(tmp_path, SITE + "[mqtt]\n" + carousel + TABLE)
    assert (checked.config is not None) == fits, checked.faults
    if checked.config is not None:
        assert checked.config.carousels[0].host_keys == ("ab" * 32,)
