"""Files that are no journal, given to `carrusel journal`: told in words, and nothing is left beside them."""

import os
import socket
from pathlib import Path

import pytest

from controller.adapters.journal.journal import Journal
from tests.adapters.journal_fixtures import bet
from tests.adapters.test_journal_command import command


@pytest.mark.parametrize("kind", ["fifo", "socket", "device"])
@pytest.mark.parametrize("line", ["verify {}", "show {}", "export {} out", "backup {} out", "restore {} out.db"])
def test_what_is_no_regular_file_is_no_journal(tmp_path: Path, kind: str, line: str) -> None:
    place = Path("/dev/null") if kind == "device" else tmp_path / "place"
    if kind == "fifo":
        os.mkfifo(place)
    with socket.socket(socket.AF_UNIX) as listener:
        if kind == "socket":
            listener.bind(str(place))
        arguments = [each.format(place) if each == "{}" else each for each in line.split()]
        result = command(*(tmp_path / each if each.startswith("out") else each for each in arguments))
    assert (result.exit_code, result.stderr) == (2, f"carrusel: {place} is not a regular file\n")
    assert [each.name for each in tmp_path.iterdir()] == [place.name] * (kind != "device")


@pytest.mark.parametrize("line", ["show {}", "export {} out", "backup {} out", "restore {} out.db"])
def test_an_export_is_no_journal_and_not_called_damaged(tmp_path: Path, line: str) -> None:
    path, file = tmp_path / "t1.db", tmp_path / "whole.jsonl"
    with Journal.open(path, name="t1") as journal:
        journal.append_now([bet(1)], 0)
    assert command("export", path, file).exit_code == 0
    arguments = [file if each == "{}" else each for each in line.split()]
    result = command(*(tmp_path / each if str(each).startswith("out") else each for each in arguments))
    said = f"carrusel: {file} is an export, not the journal or a backup of it\n"
    assert (result.exit_code, result.stderr) == (2, said)
    assert not list(tmp_path.glob("out*"))
