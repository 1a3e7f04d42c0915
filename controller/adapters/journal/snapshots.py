"""A machine's state as bytes and back: a cache that only the very code and settings that wrote it may read."""

import asyncio
import hmac
import sys
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from controller.adapters.journal import packing
from controller.adapters.journal.chain import Head
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.packing import pack, unpack
from controller.adapters.journal.store import Store

ROOMS = ("controller.core.", "controller.engine.")
"""Modules whose dataclasses, structs, Enums, named tuples and maps a snapshot may name; nothing else is called."""

_CONTROLLER = Path(__file__).resolve().parents[2]
_encode = msgspec.json.encode
_decode = msgspec.json.decode


class Snapshots:
    """Seals and opens snapshots of one machine.

    `settings` is whatever text decides how entries are folded besides the code (the configuration's text); `secret` is
    known to this node alone, so that a planted state is ignored like any other that does not fit.
    """

    def __init__(self, *, settings: str = "", secret: bytes = b"", rooms: tuple[str, ...] = ROOMS) -> None:
        self.code = code_fingerprint(settings)
        self._secret = secret
        self._rooms = rooms

    def load(self, journal: Journal) -> tuple[Any, Head] | None:
        """The newest state that this very code sealed on this very journal, and where it stands."""
        for seq, chain, code, digest, body in journal.ask_now(Store.snapshots):
            head = Head(seq, chain)
            if chain == journal.chain_at(seq) and (state := self.open(head, code, digest, body)) is not None:
                return state, head
        return None

    async def save(self, journal: Journal, head: Head, state: object) -> int:
        """Keep the state after `head` in place of older ones, sealed in a thread as it may be large; its bytes."""
        row = await asyncio.to_thread(self.seal, head, state)
        await journal.ask(partial(Store.save_snapshot, row=row))
        return len(row[-1])

    def save_now(self, journal: Journal, head: Head, state: object) -> None:
        """`save`, waiting in the calling thread."""
        journal.ask_now(partial(Store.save_snapshot, row=self.seal(head, state)))

    def seal(self, head: Head, state: object) -> tuple[int, bytes, str, bytes, bytes]:
        """The columns of a snapshot row; TypeError for a state that is not plain data."""
        body = _encode(pack(state, self._rooms))
        return (head.seq, head.chain, self.code, self._digest(head, body), body)

    def open(self, head: Head, code: str, digest: bytes, body: bytes) -> Any:
        """The state, or None when the snapshot is another version's, or not what was sealed."""
        if code != self.code or not hmac.compare_digest(digest, self._digest(head, body)):
            return None
        return unpack(_decode(body), self._rooms)

    def _digest(self, head: Head, body: bytes) -> bytes:
        place = f"carrusel snapshot v1\n{head.seq}\n{head.chain.hex()}\n{self.code}\n".encode()
        return hmac.digest(self._secret, place + body, "sha256")


def code_fingerprint(settings: str = "") -> str:
    """A hash of all that decides what a fold gives: core, engine, what makes settings of the configuration, these
    modules, Python's version, and the settings."""
    hashed = sha256(f"{sys.version_info[:2]}\n{settings}\n".encode())
    rooms = (_CONTROLLER / name for name in ("core", "engine", "config"))
    sources = [*(path for room in rooms for path in room.rglob("*.py")), Path(__file__), Path(packing.__file__)]
    for path in sorted(sources):
        hashed.update(f"{path.relative_to(_CONTROLLER)}\n".encode() + path.read_bytes())
    return hashed.hexdigest()
