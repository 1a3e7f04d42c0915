"""`carrusel settle` and `carrusel rank`: files and lines in, answers and exit codes out."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controller.cli import app
from controller.commands.fault_words import fault_said
from controller.core.refusal import Refusal
from controller.settle import Fault, RecordFault

RUNNER = CliRunner(env={"LC_ALL": "en_US.UTF-8"})

GOOD: dict[str, Any] = {
    "game": "oasis",
    "jackpot": {"meter": 2_000_000, "contribution_bp": 0},
    "seats": [{"seat": 1, "ante": 1000, "credits": 1, "cards": "9d 8d 7d 6d 5d"}],
}
ANTE = "seats[0].ante"
TWICE = {**GOOD, "seats": [{"seat": 1, "ante": 1000, "credits": 1, "cards": "9d 8d 7d 6d 6d"}]}
UNKNOWN = {**GOOD, "colour": "red"}


def run(text: str, *options: str) -> tuple[int, str, str]:
    done = RUNNER.invoke(app, ["settle", "-", *options], input=text)
    return done.exit_code, done.stdout, done.stderr


def test_one_record_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps(GOOD))
    done = RUNNER.invoke(app, ["settle", str(file), "--json"])
    assert (done.exit_code, json.loads(done.stdout)["awards"][0]["amount"]) == (0, 200_000)


@pytest.mark.parametrize(
    ("text", "code", "name", "at"),
    [
        (json.dumps(TWICE), 1, "duplicate_card", "seats[0].cards"),
        (json.dumps(UNKNOWN), 2, "unknown_key", "colour"),
        ("{", 2, "not_json", "line 1 column 2"),
        ('{"game": "oasis",\n "seats" []}', 2, "not_json", "line 2 column 10"),
        ("", 2, "not_json", "line 1 column 1"),
        ("[" * 100_000, 2, "not_json", "line 1 column 1"),
        ('{"game": "oasis", "seats": [{"seat": ' + "1" * 5_000 + "}]}", 2, "too_large", "seats[0].seat"),
        ('{"game": "oasis", "seats": [{"seat": 1, "ante": -' + "1" * 5_000 + "}]}", 2, "negative_amount", ANTE),
        ('{"game": "oasis", "game": "oasis"}', 2, "duplicate_key", "game"),
        ('{"game": "oasis", "seats": [{}, {"seat": 1, "seat": 2}]}', 2, "duplicate_key", "seats[1].seat"),
        (
            '[{}, {"jackpot": {"options": {"a": 1, "b": 2, "b": {"b": 3}}}}]',
            2,
            "duplicate_key",
            "[1].jackpot.options.b",
        ),
        ('{"seats": [{"a": 1, "a": 1}], "at": 1, "at": 2}', 2, "duplicate_key", "at"),
        ('{"seats": [{"a": 1, "a": 1}], "at": {"b": 1, "b": 2}}', 2, "duplicate_key", "seats[0].a"),
        ("7", 2, "not_an_object", ""),
    ],
)
def test_faults_and_exit_codes(text: str, code: int, name: str, at: str) -> None:
    found, out, said = run(text)
    assert (found, json.loads(out)) == (code, {"error": name, "at": at})
    assert name in said


@pytest.mark.parametrize("number", ["0.5", "1000.0", "1e3", "-1e3", "NaN", "Infinity", "-Infinity"])
def test_a_number_that_is_not_whole_is_a_wrong_form(number: str) -> None:
    found, out, said = run(json.dumps({**GOOD, "seats": [{"seat": 1, "ante": "?"}]}).replace('"?"', number))
    assert (found, json.loads(out)) == (2, {"error": "not_a_whole_number", "at": ANTE})
    assert "seats[0].ante: a whole number is wanted, without a point or an exponent (not_a_whole_number)" in said


def test_what_the_games_refuse_costs_its_own_line_only() -> None:
    """One line for each way an action or an ante can be against the rules, and a good one after each."""
    seats = [{"seat": seat, "stack": 5_000, "cards": cards} for seat, cards in enumerate(("As Ad", "Ks Kd"), 1)]
    seats += [{"seat": seat, "stack": 5_000, "cards": cards} for seat, cards in enumerate(("Qs Qd", "Js Jd"), 3)]
    circle = {"game": "holdem-circle", "blinds": {"small": 100, "big": 200}, "button": 4, "seats": seats}
    called = ["3 call", "4 call", "1 call", "2 check"]
    refused = {
        "raise_below_minimum": ["3 raise 300"],
        "bet_above_stack": ["3 raise 5001"],
        "amount_missing": ["3 raise"],
        "bet_to_call": ["3 check"],
        "not_your_turn": ["4 call"],
        "seat_not_in_hand": ["9 call"],
        "box_folded": ["3 fold", "3 call"],
        "nothing_to_call": [*called[:3], "2 call"],
        "nothing_to_raise": [*called, "flop 1 raise 400"],
        "bet_wrong_amount": ["3 call 300"],
        "may_not_raise": ["3 raise 4900", "4 all_in", "1 fold", "2 fold", "3 raise 5000"],
    }
    records: list[dict[str, Any]] = []
    for script in refused.values():
        actions = []
        for line in script:
            street, words = ("flop", line[5:]) if line.startswith("flop") else ("preflop", line)
            seat, do, *to = words.split()
            actions.append({"street": street, "seat": int(seat), "do": do} | ({"to": int(to[0])} if to else {}))
        records += [{**circle, "actions": actions}, GOOD]
    for name, ante in (("bet_below_minimum", 999), ("bet_above_maximum", 50_001)):
        refused[name] = []
        records += [{**GOOD, "seats": [{"seat": 1, "ante": ante}]}, GOOD]
    code, out, said = run("\n".join(map(json.dumps, records)), "--lines")
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["error"] for answer in answers[::2]] == list(refused)
    assert (code, {answer.get("error") for answer in answers[1::2]}) == (1, {None})
    assert all(f"({name})" in said for name in refused)


@pytest.mark.parametrize(("language", "place"), [("es_AR.UTF-8", "renglón 3: "), ("en_US.UTF-8", "line 3: ")])
def test_every_reason_has_its_words(language: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record's fault is one of ours or any refusal of a game: a new one without words fails here, by its name."""
    monkeypatch.setenv("LC_ALL", language)
    for reason in (*Fault, *Refusal):
        said = fault_said(RecordFault(reason, "seats[0]"), "seats[0]", 3)
        assert said.startswith(f"{place}seats[0]: ")
        words = said.removeprefix(f"{place}seats[0]: ").removesuffix(f" ({reason.value})")
        assert len(words) > 4, reason
        assert reason.value not in words
        assert "{" not in words


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
    assert "line 2: seats[0].cards: the card is there twice (duplicate_card)" in said
    assert run(json.dumps(GOOD) + "\n", "--lines")[0] == 0


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_end_of_a_line_is_no_part_of_its_record(end: str) -> None:
    """What is cut short is told where it stops, in the one line that it is."""
    _, out, _ = run("{" + end, "--lines")
    assert json.loads(out) == {"error": "not_json", "at": "line 1 column 2"}


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


def test_bytes_that_are_no_text_cost_their_own_line_only(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b'{"game": "\xff"}\n' + json.dumps(GOOD).encode() + b"\n")
    done = RUNNER.invoke(app, ["settle", str(file), "--lines"])
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.exit_code, answers[0]) == (2, {"error": "not_utf8", "at": "byte 10"})
    assert answers[1]["awards"][0]["amount"] == 200_000
    assert "line 1: byte 10: this is not UTF-8 (not_utf8)" in done.stderr
    file.write_bytes(b"As \xfe\nAs Ks Qs Js Ts\n")
    done = RUNNER.invoke(app, ["rank", "--lines", str(file)])
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.exit_code, answers[0], answers[1]["strength"]) == (1, {"error": "not_utf8", "at": "byte 3"}, 7462)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = RUNNER.invoke(app, ["settle", str(tmp_path / "none.json")])
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


@pytest.mark.parametrize(("command", "line"), [("settle", json.dumps(GOOD)), ("rank", "As Ks Qs Js Ts")])
def test_long_work_shows_its_progress_to_who_looks_on(command: str, line: str, tmp_path: Path) -> None:
    """On a terminal's error stream alone; the answers go where they were sent."""
    file, answers = tmp_path / "lines", tmp_path / "answers"
    file.write_text(f"{line}\n" * 1_200)
    terminal, end = os.openpty()
    arguments = [sys.executable, "-m", "controller", command, str(file), "--lines"]
    with answers.open("wb") as output:
        work = subprocess.Popen(arguments, stdout=output, stderr=end, env={**os.environ, "TERM": "xterm"})
    os.close(end)
    shown = b""
    while chunk := _read(terminal):
        shown += chunk
    os.close(terminal)
    assert (work.wait(), len(answers.read_bytes().splitlines())) == (0, 1_200)
    assert "1,000" in shown.decode()
    assert "%" in shown.decode()


def _read(terminal: int) -> bytes:
    """What stands in a terminal; nothing once its other end is closed."""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""


def test_rank() -> None:
    done = RUNNER.invoke(app, ["rank", "As", "Ks", "Qs", "Js", "Ts", "2c", "--json"])
    answer = {"category": "royal_flush", "best": "As Ks Qs Js Ts", "strength": 7462}
    assert (done.exit_code, json.loads(done.stdout)) == (0, answer)
    assert RUNNER.invoke(app, ["rank", "5c 4d 3h 2s Ac"]).stdout == "Straight  5c 4d 3h 2s Ac  5854  (straight)\n"


@pytest.mark.parametrize(
    ("cards", "error", "at"),
    [
        ("As Ks", "wrong_card_count", "2 cards"),
        ("As As Qs Js Ts", "duplicate_card", "As"),
        ("As Ks Qs Js 1x", "unknown_card", "1x"),
    ],
)
def test_rank_of_no_hand(cards: str, error: str, at: str) -> None:
    done = RUNNER.invoke(app, ["rank", *cards.split(), "--json"])
    assert (done.exit_code, json.loads(done.stdout)) == (2, {"error": error, "at": at})
    for locale in ("es_AR.UTF-8", "en_US.UTF-8"):
        said = RUNNER.invoke(app, ["rank", *cards.split()], env={"LC_ALL": locale})
        assert (said.exit_code, at.split()[0] in said.stderr, error in said.stderr) == (2, True, False)


def test_rank_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text("As Ks Qs Js Ts\n")
    done = RUNNER.invoke(app, ["rank", "--lines", str(file)])
    assert (done.exit_code, json.loads(done.stdout)["strength"]) == (0, 7462)
    assert RUNNER.invoke(app, ["rank", "--lines", str(tmp_path / "none")]).exit_code == 2


def test_rank_of_many_lines() -> None:
    done = RUNNER.invoke(app, ["rank", "--lines"], input="As Ks Qs Js Ts\n\nAs As Qs Js Ts\n2c 2d 3h 4s 6c 7d 8h\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 1
    assert [answer.get("category", answer.get("error")) for answer in answers] == [
        "royal_flush",
        "duplicate_card",
        "pair",
    ]
    assert RUNNER.invoke(app, ["rank"]).exit_code == 2
