"""`odds` as a person runs it: exact counts, returns at a meter, a simulated path and its picture."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import typer
from typer.testing import CliRunner, Result

from controller.commands.odds import odds

app = typer.Typer()
app.command()(odds)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def answer(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_oasis() -> None:
    told = answer("oasis", "--preset", "oasis_argentina_2010")
    assert told["hands"] == 2_598_960
    assert told["counts"]["straight_flush"] == 36
    assert [row["mean_hands"] for row in told["rows"]][:3] == [649_740, 72_193.333, 4_165]
    assert told["break_even_meter"] == [17_661_315, 35_322_631, 52_983_947, 70_645_263, 88_306_578]
    assert round(told["dealer_qualifies"]["value"], 3) == 0.563
    assert told["meter"] == 500_000


def test_return_grows_with_the_meter_and_is_one_at_break_even() -> None:
    values = [
        answer("oasis", "--meter", str(meter))["returns"][0]["at_meter"]["value"] for meter in (0, 10**7, 17_661_316)
    ]
    assert values == sorted(values)
    assert values[-1] == pytest.approx(1, abs=1e-6)


def test_bonus_counts_seven_cards_without_sampling() -> None:
    told = answer("holdem-bonus")
    assert (told["cards"], told["hands"]) == (7, 133_784_560)
    assert told["counts"]["royal_flush"] == 4_324


def test_circle_without_a_jackpot_still_counts() -> None:
    told = answer("holdem-circle")
    assert told["rows"] == told["returns"] == []
    assert told["hands"] == 133_784_560


def test_a_picture_that_cannot_be_written_is_told_before_anything_is_played(tmp_path: Path) -> None:
    result = run("oasis", "--simulate", "9", "--plot", str(tmp_path / "no" / "path.svg"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"carrusel: {tmp_path}/no/path.svg: no existe ese archivo o carpeta\n"


def test_an_unknown_preset_is_said_without_a_file() -> None:
    assert run("oasis", "--preset", "nothing").stderr.startswith("carrusel: preset desconocido 'nothing'; se conocen: ")


def test_a_meter_has_bounds() -> None:
    assert [run("oasis", "--meter", meter).exit_code for meter in ("-1", str(10**14), str(10**14 + 1))] == [2, 0, 2]


def test_every_hand_looked_at() -> None:
    text = run("oasis", "--enumerate").stdout
    assert "manos de cinco cartas miradas una por una" in text
    assert text.count("1.098.240") == 2
    told = answer("oasis", "--enumerate")
    assert told["enumerated"] == told["counts"]


def test_simulation_and_picture(tmp_path: Path) -> None:
    picture = tmp_path / "path.svg"
    told = answer("oasis", "--simulate", "2000000", "--seed", "3", "--plot", str(picture))
    assert told["simulation"]["hands"] == 2_000_000
    assert told["simulation"]["hits"]["straight_flush"] > 10
    assert ElementTree.fromstring(picture.read_text(encoding="utf-8")).tag.endswith("svg")
    for language, words in (
        ("en", ("simulated 2,000,000 hands", "meter 5,000.00 → ", "house funding 0.00; returned ")),
        ("es", ("2.000.000 manos simuladas", "pozo 5.000,00 → ", "aporte de la casa 0,00; volvió ")),
    ):
        text = run("oasis", "--simulate", "2000000", "--seed", "3", "--language", language)
        assert text.exit_code == 0
        assert [each for each in words if each not in text.stdout] == []


def test_every_figure_has_its_unit() -> None:
    told = run("oasis").stdout
    for text in (
        "una en (manos)",
        "0,3661 % de las manos, en una de 273,1",
        "con el pozo en 5.000,00 y a la larga:",
        "176.613,15",
        "pozo esperado cuando se gana entero 85.684,61",
        "importes en unidades de la moneda; --meter y --json los cuentan en unidades menores",
    ):
        assert text in told


def test_amounts_have_the_decimals_of_the_preset(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('preset = "oasis_argentina_2010"\ndecimals = 0\n')
    assert "con el pozo en 500.000 y a la larga:" in run("oasis", "--preset", str(mine)).stdout
    mine.write_text('preset = "oasis_argentina_2010"\ndecimals = 7\n')
    assert "decimals: se espera 0 a 2, no 7" in run("oasis", "--preset", str(mine)).stderr


def test_a_preset_file_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'preset = "oasis_argentina_2010"\n[jackpot.prizes]\nflush = { fixed = 5_000 }\n'
    )
    told = answer("oasis", "--preset", str(tmp_path / "mine.toml"))
    # T4 with flush 50 in place of 75.
    assert told["break_even_meter"][0] // 100 == (2_598_960 - 500 * 624 - 150 * 3_744 - 50 * 5_108) * 10 // 76


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("canasta",), "unknown game 'canasta'"),
        (("oasis", "--preset", "nothing"), "unknown preset 'nothing'"),
        (("oasis", "--preset", "holdem_bonus_peru_2010"), "the preset is for holdem-bonus, not for oasis"),
        (("oasis", "--plot", "x.svg"), "give --simulate N"),
        (("holdem-bonus", "--credits", "2", "--simulate", "9"), "at most 1 in this preset"),
        (("oasis", "--preset", "oasis_argentina_2010_fixed", "--simulate", "9"), "this preset has no meter"),
    ],
)
def test_bad_input_exits_2(arguments: tuple[str, ...], reason: str) -> None:
    result = run(*arguments, "--language", "en")
    assert result.exit_code == 2
    assert reason in result.stderr
    assert reason not in run(*arguments).stderr
