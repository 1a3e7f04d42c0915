"""What a newcomer's machine lacks is installed where that is permitted, and else named as the line to type."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tidy.source_files import ROOT


class Machine:
    """A machine whose Python has no ensurepip, with an apt-get (and a sudo) that write down how they were called."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.tree = directory / "carrusel"
        for path in ("scripts/prepare.py", "pyproject.toml", "requirements/demo.lock", "requirements/dev.lock"):
            (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.tree / path)
        (directory / "python" / "ensurepip").mkdir(parents=True)
        (directory / "python" / "ensurepip" / "__init__.py").write_text("raise ImportError('not packaged')\n")
        (directory / "bin").mkdir()
        self.calls = directory / "calls"

    def has(self, program: str, *, exit_code: int) -> None:
        script = self.directory / "bin" / program
        script.write_text(f'#!/bin/sh\necho "{program} $*" >>{self.calls}\nexit {exit_code}\n')
        script.chmod(0o755)

    def prepare(self, *, user: int) -> subprocess.CompletedProcess[str]:
        """`prepare.py demo` as root (0) or, through a changed geteuid, as somebody else."""
        (self.directory / "python" / "sitecustomize.py").write_text(f"import os\nos.geteuid = lambda: {user}\n")
        environment = {"PATH": str(self.directory / "bin"), "PYTHONPATH": str(self.directory / "python")}
        command = [getattr(sys, "_base_executable", sys.executable), "scripts/prepare.py", "demo"]
        return subprocess.run(command, cwd=self.tree, env=environment, capture_output=True, text=True)

    def called(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


PACKAGE = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
LINE = f"sudo apt-get install -y {PACKAGE}"
INSTALL = f"apt-get install -y -q --no-install-recommends {PACKAGE}"


def test_without_permission_the_line_to_type_is_printed(machine: Machine) -> None:
    machine.has("apt-get", exit_code=0)
    machine.has("sudo", exit_code=1)
    ran = machine.prepare(user=1000)
    assert (ran.returncode, LINE in ran.stderr) == (2, True), ran.stdout + ran.stderr
    assert machine.called() == ["sudo -n true"]


def test_root_asks_apt_itself_and_names_the_line_when_that_fails(machine: Machine) -> None:
    machine.has("apt-get", exit_code=100)
    ran = machine.prepare(user=0)
    assert (ran.returncode, LINE in ran.stderr) == (2, True), ran.stdout + ran.stderr
    assert machine.called() == [INSTALL, "apt-get update -q", INSTALL]


def test_sudo_without_a_password_is_used(machine: Machine) -> None:
    machine.has("apt-get", exit_code=0)
    machine.has("sudo", exit_code=0)
    ran = machine.prepare(user=1000)
    assert ran.returncode == 2, "the package that was installed brought no ensurepip here"
    assert machine.called() == ["sudo -n true", f"sudo -n {INSTALL}"]


def test_without_apt_it_says_what_is_missing(machine: Machine) -> None:
    ran = machine.prepare(user=0)
    assert (ran.returncode, "venv and ensurepip modules are missing" in ran.stderr) == (2, True)


@pytest.mark.parametrize("program", [".ci/run", "scripts/lock"])
def test_scripts_can_be_run_and_parsed(program: str) -> None:
    assert os.access(ROOT / program, os.X_OK)
    assert subprocess.run(["bash", "-n", str(ROOT / program)]).returncode == 0
