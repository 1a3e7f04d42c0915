"""The first accounts of a node, made at its console."""

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from controller.cli import app
from controller.commands.console_words import secret
from tests.api.office import site_file

PIN = "314159"


@pytest.fixture
def config(tmp_path: Path) -> str:
    return str(site_file(tmp_path))


def run(*arguments: str, typed: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(app, ["users", *arguments], input=typed, env={"LC_ALL": "en_US.UTF-8"})
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
    assert "ana  Pit boss  disabled  Ana" in run("list", "--config", config)[1]
    assert run("passwd", "carla", "--config", config, typed="928374\n928374\n")[0] == 0


def given(config: str) -> dict[str, bool]:
    return {user["login"]: user["pin_given"] for user in json.loads(run("list", "--config", config, "--json")[1])}


@pytest.mark.promise("P11")
def test_a_pin_is_given_until_its_owner_sets_another(config: str) -> None:
    add(config, "carla", "admin")
    assert given(config) == {"carla": True}
    wrong = run("passwd", "carla", "--own", "--config", config, typed="999999\n928374\n928374\n")
    assert (wrong[0], "not accepted" in wrong[1]) == (1, True)
    assert given(config) == {"carla": True}
    assert run("passwd", "carla", "--own", "--config", config, typed=f"{PIN}\n928374\n928374\n")[0] == 0
    assert given(config) == {"carla": False}
    assert run("passwd", "carla", "--config", config, typed="837465\n837465\n")[0] == 0
    assert given(config) == {"carla": True}


@pytest.mark.parametrize("name", ["\u3164\u2800", "Ana\u202eatsocA", "Ana\x1b[31m", "   "])
def test_a_name_that_is_not_seen_as_it_is_is_refused(config: str, name: str) -> None:
    typed = run("add", "ana", "--config", config, "--role", "admin", "--name", name, typed=f"{PIN}\n{PIN}\n")
    assert typed[0] == 2 and "Name: " in typed[1]
    assert given(config) == {}


@pytest.mark.parametrize(
    ("login", "role", "pin", "code", "said"),
    [
        ("ana", "king", PIN, 2, "pit_boss, technician, auditor or admin"),
        ("Ana Acosta", "admin", PIN, 2, "Account: is not written as wanted"),
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
    assert run("passwd", "nobody", "--config", config)[0] == 1


def test_a_bad_login_is_named_before_a_pin_is_asked_for(config: str) -> None:
    code, told = run("add", "Ana Acosta", "--config", config, "--role", "admin", "--name", "Ana", typed="")
    assert (code, "PIN of" in told) == (2, False)


def test_reading_makes_nothing(config: str, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert run("list", "--config", config) == (0, "no accounts yet\n")
    spanish = CliRunner().invoke(app, ["users", "list", "--config", config], env={"LC_ALL": "es_AR.UTF-8"})
    assert (spanish.exit_code, spanish.output) == (0, "todavía no hay cuentas\n")
    assert run("list", "--config", config, "--json") == (0, "[]\n")
    for command in ("passwd", "disable"):
        code, told = run(command, "nobody", "--config", config)
        assert (code, "There is no such account" in told, "PIN of" in told) == (1, True, False)
    assert sorted(tmp_path.rglob("*")) == before


class Interrupted:
    """Somebody who presses Ctrl-C where a PIN is asked for, and the rest of the line after it."""

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return f"{PIN}\n"


def test_ctrl_c_at_a_pin_is_heard_at_once_within_a_loop_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """`carousel promote` asks while it holds the journal of the people."""

    async def ask() -> str:
        return secret("PIN of ana")

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr("sys.stdin", Interrupted())
    with pytest.raises(BaseException) as ended:
        asyncio.run(ask())
    assert isinstance(ended.value, typer.Abort)
    assert signal.getsignal(signal.SIGINT) is before
