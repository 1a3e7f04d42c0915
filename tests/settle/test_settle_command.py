"""`carrusel settle` and `carrusel rank`: files and lines in, answers and exit codes out."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from controller.commands.rank import rank
from controller.commands.settle import settle

APP = typer.Typer()
APP.command("settle")(settle)
APP.command("rank")(rank)
RUNNER = CliRunner()

GOOD: dict[str, Any] = {
    "game": "oasis",
    "jackpot": {"meter": 2_000_000, "contribution_bp": 0},
    "seats": [{"seat": 1, "ante": 1000, "credits": 1, "cards": "9d 8d 7d 6d 5d"}],
}
TWICE = {**GOOD, "seats": [{"seat": 1, "ante": 1000, "credits": 1, "cards": "9d 8d 7d 6d 6d"}]}
UNKNOWN = {**GOOD, "colour": "red"}


def run(text: str, *options: str) -> tuple[int, str, str]:
    done = RUNNER.invoke(APP, ["settle", "-", *options], input=text)
    return done.exit_code, done.stdout, done.stderr


def test_one_record_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps(GOOD))
    done = RUNNER.invoke(APP, ["settle", str(file), "--json"])
    assert (done.exit_code, json.loads(done.stdout)["awards"][0]["amount"]) == (0, 200_000)


@pytest.mark.parametrize(
    ("text", "code", "name", "at"),
    [
        (json.dumps(TWICE), 1, "duplicate_card", "seats[0].cards"),
        (json.dumps(UNKNOWN), 2, "unknown_key", "colour"),
        ("{", 2, "not_json", ""),
        ("", 2, "not_json", ""),
        ("[" * 100_000, 2, "not_json", ""),
        ('{"game": ' + "1" * 5_000 + "}", 2, "not_json", ""),
        ('{"game": "oasis", "game": "oasis"}', 2, "duplicate_key", "game"),
        ("7", 2, "not_an_object", ""),
    ],
)
def test_faults_and_exit_codes(text: str, code: int, name: str, at: str) -> None:
    found, out, said = run(text)
    assert (found, json.loads(out)) == (code, {"error": name, "at": at})
    assert name in said


def test_a_list_is_answered_by_a_list_in_order() -> None:
    code, out, _ = run(json.dumps([GOOD, TWICE, UNKNOWN, GOOD]))
    answers = json.loads(out)
    assert code == 2
    assert [answer.get("error") for answer in answers] == [None, "duplicate_card", "unknown_key", None]
    assert answers[1]["at"] == "[1].seats[0].cards"


def test_lines_go_on_after_a_hand_that_cannot_be() -> None:
    lines = "\n".join([json.dumps(GOOD), json.dumps(TWICE), "", "no json", json.dumps(GOOD)])
    code, out, said = run(lines, "--lines")
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 2
    assert [answer.get("error") for answer in answers] == [None, "duplicate_card", "not_json", None]
    assert answers[1]["at"] == "seats[0].cards"
    assert "line 2: duplicate_card" in said
    assert run(json.dumps(GOOD) + "\n", "--lines")[0] == 0


@pytest.mark.parametrize("key", ["\ud800", "caña"])
def test_a_key_that_no_output_can_spell_costs_its_own_line_only(key: str) -> None:
    """Half a surrogate pair is well-formed JSON, and no encoding writes it."""
    sent = json.dumps({"game": "oasis", key: 1}) + "\n" + json.dumps(GOOD) + "\n"
    command = [sys.executable, "-m", "controller", "settle", "--lines", "-"]
    done = subprocess.run(
        command, input=sent.encode(), capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, answers[0]) == (2, {"error": "unknown_key", "at": key})
    assert answers[1]["awards"][0]["amount"] == 200_000


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = RUNNER.invoke(APP, ["settle", str(tmp_path / "none.json")])
    assert (done.exit_code, "none.json" in done.stderr) == (2, True)


LINES_IN_FLAT_MEMORY = """
import io, json, resource, sys
from controller.commands.settle import _settle_lines
line = json.dumps(json.loads(sys.argv[1])).encode() + b"\\n"
class Lines(io.RawIOBase):
    def __init__(self, count): self.left = count
    def __iter__(self): return self
    def __next__(self):
        if not self.left: raise StopIteration
        self.left -= 1
        return line
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
sys.stdout = open("/dev/null", "w")
_settle_lines(Lines(500))
first = peak()
_settle_lines(Lines(5_000))
sys.stderr.write(str(peak() - first))
"""


def test_lines_are_read_in_flat_memory() -> None:
    """Ten times as many lines raise the peak by less than a megabyte."""
    done = subprocess.run(
        [sys.executable, "-c", LINES_IN_FLAT_MEMORY, json.dumps(GOOD)], capture_output=True, text=True, check=True
    )
    assert int(done.stderr) < 1_024


def test_rank() -> None:
    done = RUNNER.invoke(APP, ["rank", "As", "Ks", "Qs", "Js", "Ts", "2c", "--json"])
    answer = {"category": "royal_flush", "best": "As Ks Qs Js Ts", "strength": 7462}
    assert (done.exit_code, json.loads(done.stdout)) == (0, answer)
    assert RUNNER.invoke(APP, ["rank", "5c 4d 3h 2s Ac"]).stdout == "straight  5c 4d 3h 2s Ac  5854\n"


@pytest.mark.parametrize(
    ("cards", "error"),
    [("As Ks", "wrong_card_count"), ("As As Qs Js Ts", "duplicate_card"), ("As Ks Qs Js 1x", "unknown_card")],
)
def test_rank_of_no_hand(cards: str, error: str) -> None:
    done = RUNNER.invoke(APP, ["rank", *cards.split(), "--json"])
    assert (done.exit_code, json.loads(done.stdout)["error"]) == (1, error)
    assert RUNNER.invoke(APP, ["rank", *cards.split()]).stderr == f"{error}\n"


def test_rank_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text("As Ks Qs Js Ts\n")
    done = RUNNER.invoke(APP, ["rank", "--lines", str(file)])
    assert (done.exit_code, json.loads(done.stdout)["strength"]) == (0, 7462)
    assert RUNNER.invoke(APP, ["rank", "--lines", str(tmp_path / "none")]).exit_code == 2


def test_rank_of_many_lines() -> None:
    done = RUNNER.invoke(APP, ["rank", "--lines"], input="As Ks Qs Js Ts\n\nAs As Qs Js Ts\n2c 2d 3h 4s 6c 7d 8h\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 1
    assert [answer.get("category", answer.get("error")) for answer in answers] == [
        "royal_flush",
        "duplicate_card",
        "pair",
    ]
    assert RUNNER.invoke(APP, ["rank"]).exit_code == 2
