"""`carrusel carousel profile|enrol`: what a node prints of its table, what the host refuses before it asks for PINs."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.cli import app
from controller.config.loader import load
from controller.engine.ledger_profiles import profile_from_plain

runner = CliRunner(env={"LC_ALL": "en_US.UTF-8"})
SITE = """
[site]
id = "casino"
name = "Casino"
[state]
directory = "{state}"
[mqtt]
[[carousels]]
id = "gran"
name = "Gran Carrusel"
{facts}
[[tables]]
id = "{table}"
name = "Mesa 1"
preset = "oasis_argentina_2010"
carousel = "gran"
"""
KEY = "9c41aa4ad3f3e5fe187639fe8d82c38f65152aa7cbe6fbaab51cc03f3cb39ead"
PEOPLE = ["--first", "ana", "--second", "bea", "--reason", "opening of the pit"]


def node(directory: Path, table: str, facts: str) -> Path:
    directory.mkdir()
    file = directory / "carrusel.toml"
    file.write_text(SITE.format(state=directory / "state", facts=facts, table=table))
    return file


@pytest.fixture
def member(tmp_path: Path) -> Path:
    return node(tmp_path / "member", "t2", f'role = "member"\nhost_keys = ["{KEY}"]')


@pytest.fixture
def host(tmp_path: Path) -> Path:
    return node(tmp_path / "host", "t1", 'accept = ["t2"]')


def profile(config: Path, table: str) -> str:
    result = runner.invoke(app, ["carousel", "profile", table, "--config", str(config)])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_a_profile_is_one_line_and_stays_the_same(member: Path) -> None:
    line = profile(member, "t2")
    assert line.count("\n") == 1
    said = profile_from_plain(json.loads(line))
    assert (said.table, said.currency, said.start_micros) == ("t2", "ARS", 500_000 * 10_000)
    assert profile(member, "t2") == line


def test_a_table_of_nobody_has_no_profile(member: Path) -> None:
    result = runner.invoke(app, ["carousel", "profile", "t9", "--config", str(member)])
    assert result.exit_code == 2
    assert "no table t9" in result.stderr


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"table": "t3"}, "does not accept t3"),
        ({"key": KEY[:-2]}, "is no table's profile"),
        ({"start_micros": -1}, "start is out of bounds"),
    ],
)
def test_a_wrong_profile_is_refused_before_anybody_is_asked(
    member: Path, host: Path, tmp_path: Path, change: dict[str, object], why: str
) -> None:
    file = tmp_path / "t2.json"
    file.write_text(json.dumps(json.loads(profile(member, "t2")) | change))
    result = runner.invoke(app, ["carousel", "enrol", "gran", "--config", str(host), "--profile", str(file), *PEOPLE])
    assert result.exit_code == 2
    assert why in result.stderr


ALONE = """
[[tables]]
id = "solo"
name = "Mesa 9"
preset = "oasis_argentina_2010"
"""


def test_who_is_let_in_by_whom(member: Path, host: Path) -> None:
    """A table that plays for itself is let into its own carousel of one, as after a restore."""
    host.write_text(host.read_text() + ALONE)
    hosting, playing = load(host), load(member)
    assert hosting.accepted("gran") == {"t1", "t2"}
    assert hosting.accepted("solo") == {"solo"}
    assert hosting.accepted("other") == set()
    assert playing.accepted("gran") == set()


@pytest.mark.parametrize("text", ["", "t2", "[" * 100_000, "{}"], ids=["empty", "word", "deep", "nothing"])
def test_something_else_is_no_profile(host: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "t2.json"
    file.write_text(text)
    result = runner.invoke(app, ["carousel", "enrol", "gran", "--config", str(host), "--profile", str(file), *PEOPLE])
    assert result.exit_code == 2
    assert "is no table's profile" in result.stderr


def test_a_member_enrols_nobody(member: Path, tmp_path: Path) -> None:
    file = tmp_path / "t2.json"
    file.write_text(profile(member, "t2"))
    result = runner.invoke(app, ["carousel", "enrol", "gran", "--config", str(member), "--profile", str(file), *PEOPLE])
    assert result.exit_code == 2
    assert "does not accept t2" in result.stderr
