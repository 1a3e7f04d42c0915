"""The daemon's local socket: what the command line asks of journals that the daemon holds. It only reads.

One line of JSON asks, lines of JSON answer; the last has `end`, or `error` with `damaged` when an entry does not hold.

    {"do": "verify", "journal": NAME, "against": [CHECKPOINT…], "keys": [HEX…]}   {"report": …} {"end": true}
    {"do": "show", "journal": NAME, "from_seq": N, "to_seq": N or null}           {"entry": …}… {"end": true}
    {"do": "export", "journal": NAME}                                             {"line": …}… {"end": SEQ}
    {"do": "backup", "journal": NAME}                                             {"part": BASE64}… {"end": true}
"""

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import socket
import struct
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.adapters.journal.backup import copy_beside_commits
from controller.adapters.journal.chain import LAST_SEQ
from controller.adapters.journal.checkpoints import Checkpoint
from controller.adapters.journal.equations import equations
from controller.adapters.journal.errors import JournalDamaged, JournalError, JournalFailed
from controller.adapters.journal.export import export_lines
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify

SOCKET = "control.sock"
PATIENCE_S = 30.0
"""How long a client may leave a line unasked or unread."""
LONGEST = 1_000_000
"""Bytes of a request."""
PART = 1 << 16
SPARE = 1 << 24
"""Bytes that a copy leaves free: the commits beside it come first."""
_PEER = struct.Struct("3i")

Answers = Iterator[dict[str, Any]]


class Control:
    """The socket of one daemon over its journals by name; one client after the other, served beside the commits."""

    def __init__(self, directory: Path, journals: Mapping[str, Journal]) -> None:
        self._directory = directory
        self._journals = journals
        self._asks: Mapping[str, Callable[[Journal, Mapping[str, Any]], Answers]] = {
            "verify": _verify,
            "show": _show,
            "export": _export,
            "backup": self._backup,
        }

    async def run(self) -> None:
        """Serve until cancelled; the socket goes with the daemon that made it."""
        for left in self._directory.glob(".backup-*"):  # of a daemon that was killed under one
            left.unlink()
        loop = asyncio.get_running_loop()
        with bound(self._directory) as listening:
            while True:
                connection, _ = await loop.sock_accept(listening)
                with connection:
                    connection.settimeout(PATIENCE_S)
                    try:
                        await asyncio.to_thread(self.answer, connection)
                    finally:
                        with contextlib.suppress(OSError):  # the thread of a cancelled answer ends by it
                            connection.shutdown(socket.SHUT_RDWR)

    def answer(self, connection: socket.socket) -> None:
        """Answer one client; one that is not the owner, or goes away, is let go."""
        if not is_owner(connection):
            return
        with contextlib.suppress(OSError), connection.makefile("rwb") as lines:
            for answer in self._answers(lines.readline(LONGEST)):
                lines.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def _answers(self, line: bytes) -> Answers:
        try:
            request = json.loads(line)
            ask, name = self._asks[request["do"]], str(request["journal"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            yield {"error": f"not a request: {error!r}", "damaged": False}
            return
        journal = self._journals.get(name)
        if journal is None:
            yield {"error": f"this daemon has no journal {name}", "damaged": False}
            return
        try:
            yield from ask(journal, request)
        except JournalDamaged as error:
            yield {"error": str(error), "damaged": True}
        except (JournalError, ValueError, KeyError, TypeError, AttributeError) as error:
            yield {"error": str(error), "damaged": False}

    def _backup(self, journal: Journal, request: Mapping[str, Any]) -> Answers:
        """The copy is made in the state directory, where the daemon may write wherever the client may."""
        copy = self._directory / f".backup-{secrets.token_hex(8)}"
        held = sum(part.stat().st_size for part in self._directory.glob(f"{journal.name}.db*"))
        if shutil.disk_usage(self._directory).free < held + SPARE:
            raise JournalFailed(f"no room for a copy of {held} bytes beside the journals in {self._directory}")
        try:
            copy_beside_commits(journal, copy)
            with copy.open("rb") as file:
                while part := file.read(PART):
                    yield {"part": b64encode(part).decode()}
        finally:
            for left in self._directory.glob(f"{copy.name}*"):
                left.unlink()
        yield {"end": True}


def _verify(journal: Journal, request: Mapping[str, Any]) -> Answers:
    """Every entry, checkpoint and equation; the file's pages are checked at rest, as that would hold up commits."""
    against = [Checkpoint.from_record(each) for each in request.get("against", ())]
    keys = [bytes.fromhex(text) for text in request.get("keys", ())]
    report = verify(journal, equations=equations(), against=against, keys=keys, pages=False)
    yield {"report": report.as_record()}
    yield {"end": True}


def _show(journal: Journal, request: Mapping[str, Any]) -> Answers:
    last = _seq(request.get("to_seq") or journal.head.seq)
    for stored in journal.entries(max(_seq(request.get("from_seq", 1)) - 1, 0)):
        if stored.seq > last:
            break
        yield {"entry": stored.as_record()}
    yield {"end": True}


def _seq(asked: object) -> int:
    """A place in a journal, cut to what there can be; ValueError for what is none."""
    if type(asked) is not int:
        raise ValueError(f"not a place: {asked!r}")
    return min(asked, LAST_SEQ)


def _export(journal: Journal, request: Mapping[str, Any]) -> Answers:
    head = journal.head
    for line in export_lines(journal, head):
        yield {"line": line}
    yield {"end": head.seq}


@contextlib.contextmanager
def bound(directory: Path) -> Iterator[socket.socket]:
    """A listening socket that nobody but the owner may open, in place of what a killed daemon left."""
    with at_home(directory) as place, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        (directory / SOCKET).unlink(missing_ok=True)
        os.fchmod(listening.fileno(), 0o600)  # before bind, so that it is never there with more
        listening.bind(place)
        listening.listen(8)
        listening.setblocking(False)
        try:
            yield listening
        finally:
            (directory / SOCKET).unlink(missing_ok=True)


@contextlib.contextmanager
def at_home(directory: Path) -> Iterator[str]:
    """A name of the directory's socket that is short enough for the kernel (107 bytes), however deep it lies."""
    descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}/{SOCKET}"
    finally:
        os.close(descriptor)


def is_owner(connection: socket.socket) -> bool:
    """Whether the other side runs as this daemon's user, or as root (unix(7), SO_PEERCRED)."""
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    _, user, _ = _PEER.unpack(told)
    return user in (0, os.geteuid())
