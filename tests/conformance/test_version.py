"""The command line says which version runs, and the one that the project declares."""

import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.cli import app

ROOT = Path(__file__).parents[2]


@pytest.mark.requirement("R90")
def test_the_version_is_printed() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    answer = CliRunner().invoke(app, ["--version"])
    assert (answer.exit_code, answer.output) == (0, f"carrusel {declared}\n")
