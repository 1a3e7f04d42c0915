"""The command line's side of the daemon's local socket."""

import json
import socket
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.adapters.control import SOCKET, at_home
from controller.adapters.journal.errors import Fault, JournalDamaged, JournalError


class NoDaemon(JournalError):
    """Nobody answers at a state directory's socket."""


class DaemonJournal:
    """A journal that a daemon holds, asked over the socket in its state directory."""

    def __init__(self, directory: Path, name: str) -> None:
        self._directory = directory
        self.name = name

    @contextmanager
    def _connected(self) -> Iterator[socket.socket]:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            try:
                with at_home(self._directory) as place:
                    connection.connect(place)
            except OSError as error:
                raise NoDaemon(f"no daemon answers at {self._directory / SOCKET} ({error.strerror})") from error
            yield connection

    def ask(self, do: str, **arguments: object) -> Iterator[dict[str, Any]]:
        """All answers but the last. NoDaemon when nobody listens; JournalDamaged, JournalError as the daemon finds."""
        with self._connected() as connection, connection.makefile("rwb") as lines:
            lines.write(json.dumps({"do": do, "journal": self.name, **arguments}).encode() + b"\n")
            lines.flush()
            yield from _answers(lines)

    def check(self) -> None:
        """NoDaemon unless one listens and lets this user in."""
        with self._connected():
            pass

    def report(self, against: list[dict[str, Any]], keys: list[str]) -> dict[str, Any]:
        """What a verification within the daemon found."""
        (answer,) = self.ask("verify", against=against, keys=keys)
        report: dict[str, Any] = answer["report"]
        return report

    def entries(self, from_seq: int, to_seq: int | None) -> Iterator[dict[str, Any]]:
        """Stored entries as records."""
        for answer in self.ask("show", from_seq=from_seq, to_seq=to_seq):
            yield answer["entry"]

    def export_lines(self) -> Iterator[dict[str, Any]]:
        """The lines of an export."""
        for answer in self.ask("export"):
            yield answer["line"]

    def backup_into(self, target: Path) -> None:
        """Write a copy that the daemon makes to a file."""
        with target.open("wb") as file:
            for answer in self.ask("backup"):
                file.write(b64decode(answer["part"]))


def _answers(lines: Any) -> Iterator[dict[str, Any]]:
    for line in lines:
        answer = json.loads(line)
        if "end" in answer:
            return
        if "error" in answer:
            if answer["damaged"]:
                raise JournalDamaged(None, Fault.ALTERED, answer["error"])
            raise JournalError(answer["error"])
        yield answer
    raise JournalError("the daemon ended before its answer did")
