"""The program checks its own files at start: an altered, missing or planted one, and the daemon does not run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.adapters.self_check import altered_files
from tests.tidy.test_package import wheel

__all__ = ["wheel"]
MONEY = "controller/core/money.py"


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Path:
    """A directory with the wheel as pip installs it."""
    target = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile"]
    subprocess.run([*command, "--target", str(target), str(wheel)], check=True, stdin=subprocess.DEVNULL)
    return target


def start(installed: Path) -> tuple[int, str]:
    """`carrusel run` of that installation, on a configuration that is not there."""
    program = "from controller.__main__ import main; main()"
    command = [sys.executable, "-P", "-c", program, "run", "--config", "missing.toml"]
    environment = {**os.environ, "PYTHONPATH": str(installed), "LC_ALL": "en_US.UTF-8"}
    ran = subprocess.run(command, env=environment, cwd=installed.parent, capture_output=True, text=True)
    return ran.returncode, ran.stderr


@pytest.mark.slow
@pytest.mark.requirement("R65")
def test_an_altered_program_does_not_start(installed: Path) -> None:
    code, said = start(installed)
    assert (code, "missing.toml" in said, "installed" in said) == (2, True, False), said

    money = installed / MONEY
    whole = money.read_bytes()
    money.write_bytes(whole.replace(b"10_000", b"10_001", 1))
    assert money.read_bytes() != whole
    assert start(installed) == (2, f"carrusel: {MONEY} is not as it was installed\n")

    money.write_bytes(whole)
    (installed / "controller/planted.py").write_text("")
    assert start(installed) == (2, "carrusel: controller/planted.py is not as it was installed\n")

    (installed / "controller/planted.py").unlink()
    (installed / "display/locales/es.json").unlink()
    assert start(installed) == (2, "carrusel: display/locales/es.json is not as it was installed\n")


def test_a_source_tree_has_no_record() -> None:
    assert altered_files() is None
    assert altered_files("no-such-distribution") is None
