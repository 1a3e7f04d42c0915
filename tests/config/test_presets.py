"""The presets hold the published pay tables, and a site changes single keys on top of them."""

from pathlib import Path

import pytest

from controller.config import ConfigError, Jackpot, Table, load, load_preset
from controller.config.presets import merge
from controller.core.hands import Category
from controller.core.prizes import PaidBy, Prize, RoyalWithStraightFlush
from tests.config.sites import SITE, check, found


def table(preset: str) -> Table:
    return Table.model_validate({"id": "t", "name": "T"} | load_preset(preset))


def rows(jackpot: Jackpot) -> list[tuple[str, int | None, int | None, bool]]:
    return [(row.category.value, row.percent, row.fixed_minor, row.per_credit) for row in jackpot.prize_list().rows]


@pytest.mark.article("O-10")
def test_oasis_base_table() -> None:
    assert [pays for _, pays in sorted(table("oasis_argentina_2010").base.pays.items(), key=lambda one: -one[1])] == [
        *(100, 50, 20, 7, 5, 4, 3, 2, 1, 1),
    ]


@pytest.mark.article("O-56")
def test_oasis_progressive() -> None:
    preset = table("oasis_argentina_2010")
    assert rows(preset.jackpot) == [
        ("royal_flush", 100, None, False),
        ("straight_flush", 10, None, False),
        ("four_of_a_kind", None, 50_000, True),
        ("full_house", None, 15_000, True),
        ("flush", None, 7_500, True),
    ]
    assert (preset.jackpot.contribution_bp, preset.jackpot.reserve_bp) == (2_000, 500)
    assert preset.jackpot.start == 5_000 * preset.jackpot.credit
    prizes = preset.prize_list()
    assert prizes.royal_with_straight_flush is RoyalWithStraightFlush.HIGHEST_FIRST
    assert prizes.fixed_prizes_from is PaidBy.HOUSE
    assert not prizes.top_up_after_partial
    assert prizes.article is None


@pytest.mark.article("O-54", "O-55")
def test_oasis_fixed_does_not_multiply_the_top_rows() -> None:
    preset = table("oasis_argentina_2010_fixed")
    assert preset.jackpot.kind == "fixed"
    assert rows(preset.jackpot) == [
        ("royal_flush", None, 300_000, False),
        ("straight_flush", None, 80_000, False),
        ("four_of_a_kind", None, 25_000, True),
        ("full_house", None, 15_000, True),
        ("flush", None, 10_000, True),
        ("straight", None, 5_000, True),
    ]


@pytest.mark.article("O-55")
def test_a_fixed_jackpot_spares_its_top_rows_without_being_told() -> None:
    jackpot = Jackpot.model_validate({"kind": "fixed", "prizes": {"royal_flush": {"fixed": 9}, "flush": {"fixed": 1}}})
    assert jackpot.prize_list().rows == (
        Prize(Category.ROYAL_FLUSH, None, 9, False),
        Prize(Category.FLUSH, None, 1, True),
    )


@pytest.mark.article("B-13", "B-b", "B-f")
def test_peru_bonus() -> None:
    preset = table("holdem_bonus_peru_2010")
    assert rows(preset.jackpot) == [
        ("royal_flush", 100, None, False),
        ("straight_flush", 10, None, False),
        ("four_of_a_kind", None, 50_000, False),
        ("full_house", None, 15_000, False),
        ("flush", None, 7_500, False),
    ]
    assert preset.prize_list().article == "13"
    assert (preset.jackpot.credit, preset.jackpot.cards_counted) == (2_000, 7)
    assert preset.base.ante_pays_from is Category.STRAIGHT


@pytest.mark.article("C-5", "C-14", "C-50")
def test_circle() -> None:
    circle = table("holdem_circle_argentina_2009").circle
    assert circle is not None
    assert (circle.rake_bp, circle.duration_minutes) == (500, 120)
    assert (circle.action_seconds, circle.countdown_seconds, circle.players_minimum) == (60, 10, 4)


def test_a_site_changes_one_key_and_keeps_the_rest(tmp_path: Path) -> None:
    text = '[[tables]]\nid = "t"\nname = "T"\npreset = "oasis_argentina_2010"\n[tables.limits]\nmaximum = 9_000\n'
    checked = check(tmp_path, SITE + text)
    assert checked.config is not None
    limits = checked.config.table("t").limits
    assert (limits.minimum, limits.maximum) == (1_000, 9_000)


def test_a_prize_row_is_replaced_whole_and_false_removes_it() -> None:
    under = {"jackpot": {"prizes": {"flush": {"fixed": 5, "per_credit": False}, "straight": {"fixed": 3}}}}
    over = {"jackpot": {"prizes": {"flush": {"percent": 1}, "straight": False}}}
    assert merge(under, over) == {"jackpot": {"prizes": {"flush": {"percent": 1}}}}


def test_a_preset_of_ones_own_stands_on_another(tmp_path: Path) -> None:
    (tmp_path / "presets").mkdir()
    mine = 'preset = "oasis_argentina_2010"\n[jackpot]\nstart = 600_000\n'
    (tmp_path / "presets" / "mine.toml").write_text(mine)
    checked = check(tmp_path, SITE + '[[tables]]\nid = "t"\nname = "T"\npreset = "mine"\n')
    assert checked.config is not None
    assert checked.config.table("t").jackpot.start == 600_000
    assert checked.config.table("t").jackpot.contribution_bp == 2_000


def test_a_fault_in_a_preset_is_named_there(tmp_path: Path) -> None:
    (tmp_path / "presets").mkdir()
    mine = 'preset = "oasis_argentina_2010"\n[jackpot]\nstart = 4_000\n'
    (tmp_path / "presets" / "mine.toml").write_text(mine)
    checked = check(tmp_path, SITE + '[[tables]]\nid = "t"\nname = "T"\npreset = "mine"\n')
    assert [(fault.file, fault.line, fault.key) for fault in checked.faults] == [
        (str(tmp_path / "presets" / "mine.toml"), 3, "tables[0].jackpot.start")
    ]


def test_presets_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "presets").mkdir()
    (tmp_path / "presets" / "a.toml").write_text('preset = "b"\n')
    (tmp_path / "presets" / "b.toml").write_text('preset = "a"\n')
    checked = check(tmp_path, SITE + '[[tables]]\nid = "t"\nname = "T"\npreset = "a"\nseats = 7\ngame = "oasis"\n')
    assert any("circle: a → b → a" in reason for _, _, reason in found(checked))


def test_unknown_preset() -> None:
    with pytest.raises(ConfigError, match="unknown preset 'oasis_2011'"):
        load_preset("oasis_2011")


def test_a_preset_cannot_leave_its_directory() -> None:
    with pytest.raises(ConfigError, match="without its directory"):
        load_preset("../demo")


def test_other_decimals_than_the_preset_has(tmp_path: Path) -> None:
    text = SITE + "decimals = 0\n" + '[[tables]]\nid = "t"\nname = "T"\npreset = "oasis_argentina_2010"\n'
    assert ("tables[0].preset", 9, "decimals of its amounts: 2; of the site's currency: 0") in found(
        check(tmp_path, text)
    )


def test_load_raises_with_every_fault(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text("[site]\ncolour = 1\n")
    with pytest.raises(ConfigError) as raised:
        load(tmp_path / "site.toml")
    assert {fault.key for fault in raised.value.faults} >= {"site.colour", "site.id", "site.name"}
