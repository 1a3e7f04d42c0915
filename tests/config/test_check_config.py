"""`check-config` as an operator runs it: exit codes, faults on the error stream, figures, one JSON object."""

import json
import os
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from controller.commands.check_config import check_config
from controller.resources import config_directory

app = typer.Typer()
app.command()(check_config)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_a_good_file_prints_its_figures() -> None:
    result = run(str(config_directory() / "oasis-modbus.example.toml"), "--language", "en")
    assert result.exit_code == 0
    for text in ("649,740", "48.35 %", "73.41 %", "176,613.15 ARS", "O-b", "highest_first", "can run; 0 warnings"):
        assert text in result.output


@pytest.mark.requirement("R97")
def test_figures_in_the_language_of_the_site() -> None:
    result = run(str(config_directory() / "oasis-modbus.example.toml"))
    assert result.exit_code == 0
    for text in ("649.740", "48,35 %", "73,41 %", "176.613,15 ARS", "quién paga las filas fijas: la casa", "0 avisos"):
        assert text in result.output


FIGURES = [
    ("es", "oasis-modbus", "de cada apuesta: 20,00 % al pozo, 5,00 % a la reserva, 0,00 % a los sorteos"),
    ("en", "oasis-modbus", "start value 25,000.00 ARS, at least 5,000.00 ARS (art. 57)"),
    ("es", "oasis-modbus", "pozo esperado cuando se gana entero 89.472,02 ARS"),
    ("en", "oasis-modbus", "one in (hands)"),
    ("es", "holdem-bonus", "apuesta de bono: 80,00 PEN"),
    ("en", "holdem-circle", "rake floored to: 5.00 ARS"),
]


@pytest.mark.parametrize(("language", "example", "text"), FIGURES)
def test_every_figure_has_its_unit(language: str, example: str, text: str) -> None:
    """Sums as money, parts as percentages, odds as hands."""
    result = run(str(config_directory() / f"{example}.example.toml"), "--language", language)
    assert text in result.stdout
    for unit in (" bp", " pb", "in minor units", "en unidades menores,"):
        assert unit not in result.stdout


def test_a_good_file_as_json() -> None:
    result = run(str(config_directory() / "holdem-bonus.example.toml"), "--json")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert answer["ok"] is True
    assert answer["faults"] == []
    [table] = answer["figures"]["tables"]
    jackpot = table["jackpot"]
    assert [row["one_in"] for row in jackpot["rows"]] == [30_940, 3_591, 595, 39, 33]
    assert jackpot["returns"][0]["total"]["bp"] == 6_086
    assert jackpot["other_reading"]["top_row"] == "1 in 649,740"
    assert jackpot["contribution"] == {"displayed_bp": 2_000, "reserve_bp": 500, "draw_pools_bp": 0}


@pytest.mark.parametrize(
    ("listen", "address"),
    [
        ("10.0.0.7:8071", "http://10.0.0.7:8071"),
        ("0.0.0.0:81", "http://127.0.0.1:81"),
        ("[::]:81", "http://[::1]:81"),
        ("unix:/run/carrusel/screens.sock", "unix:/run/carrusel/screens.sock:"),
    ],
)
def test_a_screen_s_address_is_what_its_own_machine_reaches(listen: str, address: str, tmp_path: Path) -> None:
    file = tmp_path / "pit.toml"
    text = (config_directory() / "pit-node-a.example.toml").read_text("utf-8")
    file.write_text(text.replace('"127.0.0.1:8071"', f'"{listen}"'), "utf-8")
    assert f"{address}/table/mesa-1" in json.loads(run(str(file), "--json").stdout)["figures"]["screens"]


def test_the_screens_addresses_are_said() -> None:
    table, sign = "http://127.0.0.1:8071/table/mesa-1", "http://127.0.0.1:8071/signage/gran-carrusel"
    pit = str(config_directory() / "pit-node-a.example.toml")
    told = run(pit, "--language", "es").stdout
    assert f"\n  {table}\n" in told and f"\n  {sign}\n" in told
    assert {table, sign} < set(json.loads(run(pit, "--json").stdout)["figures"]["screens"])


@pytest.mark.requirement("R06", "R07", "R20", "R34")
def test_the_terms_of_a_jackpot_are_stated() -> None:
    """Start and reset, growth split into displayed, reserve and draws, limit, odds, reasonable step, access."""
    answer = json.loads(run(str(config_directory() / "demo.toml"), "--json").stdout)
    assert "floored" in answer["figures"]["rounding"]
    access = answer["figures"]["access"]
    assert set(access) == {"pit_boss", "technician", "auditor", "admin"}
    assert "seed_start" in access["pit_boss"]
    assert not {"seed_start", "seed_meter", "carousel", "prizes"} & set(access["auditor"])
    for table in answer["figures"]["tables"]:
        jackpot = table["jackpot"]
        assert set(jackpot["contribution"]) == {"displayed_bp", "reserve_bp", "draw_pools_bp"}
        assert jackpot["start"] >= jackpot["start_bound"]
        assert jackpot["unreasonable_credits_per_hand"] == table["seats"] * jackpot["max_credits"]
        assert {"ceiling", "hit_rate", "expected_trigger", "break_even_meter"} <= set(jackpot)
        assert all(0 < row["one_in"] <= 100_000_000 for row in jackpot["rows"])
        assert len(table["terms"]) == 64


@pytest.mark.requirement("R51")
def test_a_bad_file_names_every_fault_and_exits_2(tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    file.write_text(
        '[site]\nid = "a"\nname = "A"\ncolour = 1\n[[tables]]\nid = "t"\nname = "T"\npreset = "oasis_argentina_2010"\n'
        "[tables.jackpot]\nstart = 5\n"
    )
    spanish = run(str(file))
    assert spanish.exit_code == 2
    assert f"falla: {file}:4: site.colour: clave desconocida" in spanish.stderr
    assert "0,05 ARS es menos que 5.000 ×" in spanish.stderr
    result = run(str(file), "--language", "en")
    assert result.exit_code == 2
    assert f"{file}:4: site.colour: unknown key" in result.stderr
    assert f"{file}:10: tables[0].jackpot.start: 0.05 ARS is below 5,000 ×" in result.stderr
    answer = json.loads(run(str(file), "--json").stdout)
    assert answer["ok"] is False
    assert answer["figures"] is None
    assert [(fault["key"], fault["line"]) for fault in answer["faults"]] == [
        ("site.colour", 4),
        ("tables[0].jackpot.start", 10),
    ]


def test_a_driver_that_would_not_take_its_settings(tmp_path: Path) -> None:
    text = (config_directory() / "oasis-modbus.example.toml").read_text(encoding="utf-8")
    file = tmp_path / "site.toml"
    file.write_text(text.replace('profile = "waveshare_io_8ch"', 'profile = "waveshare"'))
    [fault] = json.loads(run(str(file), "--json").stdout)["faults"]
    assert fault["key"] == "tables[0].devices[0].settings"
    assert "unknown profile 'waveshare'" in fault["reason"]


def test_a_missing_file_exits_2(tmp_path: Path) -> None:
    assert run(str(tmp_path / "no.toml")).exit_code == 2


@pytest.mark.parametrize("kind", ["pipe", "device", "directory"])
def test_what_is_no_regular_file_is_refused_and_not_waited_for(kind: str, tmp_path: Path) -> None:
    file = {"pipe": tmp_path / "pipe", "device": Path("/dev/zero"), "directory": tmp_path}[kind]
    if kind == "pipe":
        os.mkfifo(file)
    result = run(str(file))
    assert result.exit_code == 2
    assert f"{file}: no es un archivo común" in result.stderr
    assert f"{file}: not a regular file" in run(str(file), "--language", "en").stderr


@pytest.mark.parametrize("name", ["demo.toml", "carousel-host.example.toml"])
def test_carousels_are_listed(name: str) -> None:
    answer = json.loads(run(str(config_directory() / name), "--json").stdout)
    [carousel] = answer["figures"]["carousels"]
    assert carousel["role"] == "host"
    assert carousel["tables"] or carousel["accept"]
