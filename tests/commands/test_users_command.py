"""The first accounts of a node, made at its console."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.cli import app
from tests.api.office import site_file

PIN = "314159"


@pytest.fixture
def config(tmp_path: Path) -> str:
    return str(site_file(tmp_path))


def run(*arguments: str, typed: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(app, ["users", *arguments], input=typed)
    return result.exit_code, result.output


def add(config: str, login: str, role: str, pin: str = PIN) -> tuple[int, str]:
    return run("add", login, "--config", config, "--role", role, "--name", login.title(), typed=f"{pin}\n{pin}\n")


def test_accounts_are_added_listed_and_shut(config: str) -> None:
    assert add(config, "carla", "admin")[0] == 0
    assert add(config, "ana", "pit_boss")[0] == 0
    code, told = run("list", "--config", config, "--json")
    assert code == 0
    assert [(user["login"], user["role"]) for user in json.loads(told)] == [("ana", "pit_boss"), ("carla", "admin")]
    assert PIN not in told and "argon2" not in told
    assert run("disable", "ana", "--config", config)[0] == 0
    assert "ana  pit_boss  disabled  Ana" in run("list", "--config", config)[1]
    assert run("passwd", "carla", "--config", config, typed="928374\n928374\n")[0] == 0


@pytest.mark.parametrize(
    ("login", "role", "pin", "code", "said"),
    [
        ("ana", "king", PIN, 2, "pit_boss, technician, auditor or admin"),
        ("Ana Acosta", "admin", PIN, 2, "login"),
        ("ana", "admin", "12345", 2, "six digits"),
        ("ana", "admin", "123456", 2, "too easy"),
        ("ana", "admin", "777777", 2, "too easy"),
    ],
)
def test_what_is_wrong_is_said(config: str, login: str, role: str, pin: str, code: int, said: str) -> None:
    got, told = add(config, login, role, pin)
    assert got == code and said in told


def test_refusals_of_the_machine_exit_1(config: str) -> None:
    add(config, "carla", "admin")
    assert add(config, "carla", "admin")[0] == 1
    code, told = run("disable", "carla", "--config", config)
    assert (code, "last_admin" in told) == (1, True)
    assert run("passwd", "nobody", "--config", config, typed=f"{PIN}\n{PIN}\n")[0] == 1
