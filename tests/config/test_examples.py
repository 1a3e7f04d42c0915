"""Every file that comes with the product loads, and its keys have the lines they stand on."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.hardware.devices import known_hardware
from controller.config import load, load_checked, preset_names
from controller.config.faults import Key
from controller.config.lines import key_lines
from controller.resources import config_directory

FILES = sorted(config_directory().glob("*.toml"))
ALL_FILES = sorted(config_directory().rglob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_example_can_run(file: Path) -> None:
    checked = load_checked(file, known_hardware())
    assert checked.faults == ()
    assert [str(one) for one in checked.warnings] == []


def test_there_is_an_example_of_every_kind_of_table() -> None:
    configs = [load(file) for file in FILES]
    tables = [table for config in configs for table in config.tables]
    assert {table.game for table in tables} == {"oasis", "holdem-bonus", "holdem-circle"}
    assert {device.driver for table in tables for device in table.devices} >= {
        "modbus_rtu_io",
        "dcon_io",
        "cctalk_coin",
        "line_reader",
        "hid_keypad",
        "alpha_sign",
    }
    assert {carousel.role for config in configs for carousel in config.carousels} == {"host", "member"}
    assert {table.jackpot.kind for table in tables} == {"progressive", "fixed", "none"}


def test_demo_links_three_games_on_simulated_ports() -> None:
    config = load(config_directory() / "demo.toml")
    assert [(table.id, table.game, table.carousel) for table in config.tables] == [
        ("t1", "oasis", "gran-carrusel"),
        ("t2", "holdem-bonus", "gran-carrusel"),
        ("t3", "holdem-circle", "gran-carrusel"),
    ]
    assert config.carousel("gran-carrusel").is_host
    assert config.mqtt is not None
    assert config.mqtt.embedded
    assert all(device.port.startswith("sim:") for table in config.tables for device in table.devices)
    assert all(table.draws.carta_magica and table.draws.jugador_afortunado for table in config.tables)


def test_pit_nodes_fit_together() -> None:
    first, second = (load(config_directory() / f"pit-node-{node}.example.toml") for node in "ab")
    theirs = tuple(table.id for table in second.members("gran-carrusel"))
    assert first.carousel("gran-carrusel").accept == theirs
    assert first.mqtt is not None
    assert second.mqtt is not None
    assert first.mqtt.host == second.mqtt.host


def test_presets_are_those_of_the_three_regulations() -> None:
    assert preset_names() == (
        "holdem_bonus_peru_2010",
        "holdem_circle_argentina_2009",
        "oasis_argentina_2010",
        "oasis_argentina_2010_fixed",
    )


def _paths(values: Any, path: Key = ()) -> Iterator[Key]:
    if path:
        yield path
    if isinstance(values, dict):
        for key, value in values.items():
            yield from _paths(value, (*path, key))
    elif isinstance(values, list):
        for index, value in enumerate(values):
            yield from _paths(value, (*path, index))


@pytest.mark.parametrize("file", ALL_FILES, ids=lambda file: file.name)
def test_every_key_has_its_line(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    lines, rows = key_lines(text), text.splitlines()
    assert set(lines) == set(_paths(tomllib.loads(text)))
    for key, line in lines.items():
        if isinstance(key[-1], str):
            assert key[-1] in rows[line - 1], key
