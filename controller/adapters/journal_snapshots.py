"""A machine's state as bytes and back: a cache that only the very code and settings that wrote it may read."""

import asyncio
import hmac
import importlib
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from controller.adapters.journal import Journal
from controller.adapters.journal_chain import Head
from controller.adapters.journal_store import Store

ROOMS = ("controller.core.", "controller.engine.")
"""Modules whose dataclasses, Enums, named tuples and maps a snapshot may name; nothing else is imported or called."""

_CONTROLLER = Path(__file__).resolve().parent.parent
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

    async def save(self, journal: Journal, head: Head, state: object) -> None:
        """Keep the state after `head` in place of older ones; it is sealed in a thread, as it may be large."""
        row = await asyncio.to_thread(self.seal, head, state)
        await journal.ask(partial(Store.save_snapshot, row=row))

    def save_now(self, journal: Journal, head: Head, state: object) -> None:
        """`save`, waiting in the calling thread."""
        journal.ask_now(partial(Store.save_snapshot, row=self.seal(head, state)))

    def seal(self, head: Head, state: object) -> tuple[int, bytes, str, bytes, bytes]:
        """The columns of a snapshot row; TypeError for a state that is not plain data."""
        body = _encode(_pack(state, self._rooms))
        return (head.seq, head.chain, self.code, self._digest(head, body), body)

    def open(self, head: Head, code: str, digest: bytes, body: bytes) -> Any:
        """The state, or None when the snapshot is another version's, or not what was sealed."""
        if code != self.code or not hmac.compare_digest(digest, self._digest(head, body)):
            return None
        return _unpack(_decode(body), self._rooms)

    def _digest(self, head: Head, body: bytes) -> bytes:
        place = f"carrusel snapshot v1\n{head.seq}\n{head.chain.hex()}\n{self.code}\n".encode()
        return hmac.digest(self._secret, place + body, "sha256")


def code_fingerprint(settings: str = "") -> str:
    """A hash of all that decides what a fold gives: core, engine, what makes settings of the configuration, this
    module, Python's version, and the settings."""
    hashed = sha256(f"{sys.version_info[:2]}\n{settings}\n".encode())
    rooms = (_CONTROLLER / name for name in ("core", "engine", "config"))
    sources = [*(path for room in rooms for path in room.rglob("*.py")), Path(__file__)]
    for path in sorted(sources):
        hashed.update(f"{path.relative_to(_CONTROLLER)}\n".encode() + path.read_bytes())
    return hashed.hexdigest()


def _pack(value: Any, rooms: tuple[str, ...]) -> Any:
    """Plain values as they are; everything else as a list that begins with its tag."""
    if isinstance(value, Enum):
        return ["enum", _name(type(value), rooms), value.name]
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, Mapping):
        begin = ["dict"] if type(value) is dict else ["map", _name(type(value), rooms)]
        return [*begin, *[[_pack(key, rooms), _pack(item, rooms)] for key, item in value.items()]]
    if isinstance(value, tuple) and type(value) is not tuple:
        return ["named", _name(type(value), rooms), *[_pack(item, rooms) for item in value]]
    for tag, kind in (("tuple", tuple), ("list", list)):
        if type(value) is kind:
            return [tag, *[_pack(item, rooms) for item in value]]
    if isinstance(value, (set, frozenset)):
        return ["frozenset", *[_pack(item, rooms) for item in value]]
    if isinstance(value, bytes):
        return ["bytes", value.hex()]
    if is_dataclass(value) and not isinstance(value, type):
        packed = [[each.name, _pack(getattr(value, each.name), rooms)] for each in fields(value)]
        return ["data", _name(type(value), rooms), *packed]
    raise TypeError(f"a snapshot cannot hold {value!r}")


def _unpack(value: Any, rooms: tuple[str, ...]) -> Any:
    if not isinstance(value, list):
        return value
    tag, *rest = value
    match tag:
        case "enum":
            return _class(rest[0], rooms)[rest[1]]
        case "dict":
            return {_unpack(key, rooms): _unpack(item, rooms) for key, item in rest}
        case "map":
            return _class(rest[0], rooms)({_unpack(key, rooms): _unpack(item, rooms) for key, item in rest[1:]})
        case "named":
            return _class(rest[0], rooms)(*[_unpack(item, rooms) for item in rest[1:]])
        case "tuple":
            return tuple([_unpack(item, rooms) for item in rest])
        case "list":
            return [_unpack(item, rooms) for item in rest]
        case "frozenset":
            return frozenset(_unpack(item, rooms) for item in rest)
        case "bytes":
            return bytes.fromhex(rest[0])
        case _:
            return _rebuild(_class(rest[0], rooms), rest[1:], rooms)


def _rebuild(kind: Any, packed: list[Any], rooms: tuple[str, ...]) -> Any:
    """A dataclass with the fields it had; its constructor's checks passed when it was made."""
    made = object.__new__(kind)
    for name, value in packed:
        object.__setattr__(made, name, _unpack(value, rooms))
    return made


def _name(kind: type, rooms: tuple[str, ...]) -> str:
    if not kind.__module__.startswith(rooms):
        raise TypeError(f"a snapshot cannot hold a {kind.__module__}.{kind.__qualname__}")
    return f"{kind.__module__}:{kind.__qualname__}"


def _class(name: str, rooms: tuple[str, ...]) -> Any:
    module, _, qualified = name.partition(":")
    found: Any = importlib.import_module(module) if module.startswith(rooms) else None
    for part in qualified.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type) or not (is_dataclass(found) or issubclass(found, (Enum, Mapping, tuple))):
        raise TypeError(f"a snapshot names {name}, which is no value of the engine")
    return found
