"""What the chain covers: canonical bytes of an entry, their hash, and the hash that ties it to all before.

    body hash = SHA-256("carrusel entry v1\\n" | wall_ms | six lengths | id | kind | actor | cause | body | postings)
    chain     = SHA-256("carrusel chain v1\\n" | previous chain | seq | body hash)

Numbers are big-endian: wall_ms signed 64 bits, lengths unsigned 32 bits, seq unsigned 64 bits. The chain before seq 1
is 32 zero bytes. The lengths make the concatenation unambiguous; the domains keep one hash from standing for the other.
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple, cast

import msgspec

from controller.adapters.journal_errors import Fault, JournalDamaged
from controller.core.ledger import Entry, Posting

ENTRY_DOMAIN = b"carrusel entry v1\n"
CHAIN_DOMAIN = b"carrusel chain v1\n"
NO_CHAIN = bytes(32)
GENESIS = "journal.genesis"
RESTORED = "journal.restored"

_LENGTHS = struct.Struct(">qIIIIII")
_SEQ = struct.Struct(">Q")
_encode = msgspec.json.Encoder(order="sorted").encode
_PLAIN = frozenset({str, int, bool, type(None)})
_KEYS = frozenset({str})
_decode = msgspec.json.Decoder().decode


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a journal, or of a part of it: its seq (0 = empty) and the chain's 32 bytes there."""

    seq: int
    chain: bytes


class Record(NamedTuple):
    """An entry as bytes that will be stored and hashed as they are. `cause` is the digest of the event behind it."""

    id: str
    kind: str
    actor: str
    cause: bytes
    body: bytes
    postings: bytes


class Row(NamedTuple):
    """A stored entry, columns as in the table."""

    seq: int
    id: str
    kind: str
    actor: str
    wall_ms: int
    cause: bytes
    body: bytes
    postings: bytes
    chain: bytes


@dataclass(frozen=True, slots=True)
class Stored:
    """An entry read back: its place, the informative wall clock of its commit, the chain there, and its cause."""

    seq: int
    entry: Entry
    wall_ms: int
    chain: bytes
    cause: bytes = b""

    def as_record(self) -> dict[str, Any]:
        """Plain values for JSON."""
        entry = self.entry
        return {
            "seq": self.seq,
            "id": entry.id,
            "kind": entry.kind,
            "actor": entry.actor,
            "wall_ms": self.wall_ms,
            "body": entry.body,
            "postings": [[posting.account, posting.micros] for posting in entry.postings],
            "chain": self.chain.hex(),
        }


def canonical(value: object) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8; TypeError for floats and for keys that are not str.

    A tuple is written as an array, so it comes back as a list.
    """
    _check_plain(value)
    return _encode(value)


def _check_plain(value: object) -> None:
    kind = type(value)
    if kind in _PLAIN:
        return
    if kind is dict:
        flat = cast(dict[object, object], value)
        if _PLAIN.issuperset(map(type, flat.values())) and _KEYS.issuperset(map(type, flat)):
            return
        for key, item in flat.items():
            if type(key) is not str:
                raise TypeError(f"a journal body has the key {key!r}: keys are str")
            if type(item) not in _PLAIN:
                _check_plain(item)
    elif kind is list or kind is tuple:
        for item in cast(Sequence[object], value):
            if type(item) not in _PLAIN:
                _check_plain(item)
    else:
        raise TypeError(f"a journal body holds {value!r}: only str, int, bool, None, lists and dicts are stored")


def to_record(entry: Entry, cause: bytes = b"") -> Record:
    """The bytes of an entry; TypeError when its body or a posting holds anything that is not exact."""
    for _, micros in entry.postings:
        if type(micros) is not int:
            raise TypeError(f"entry {entry.id} moves {micros!r} micros: only int is exact")
    body = entry.body if type(entry.body) is dict else dict(entry.body)
    return Record(entry.id, entry.kind, entry.actor, cause, canonical(body), _encode(entry.postings))


def to_stored(row: Row) -> Stored:
    """The entry of a row whose chain was checked."""
    postings = tuple(map(Posting._make, _decode(row.postings)))
    entry = Entry(row.id, row.kind, _decode(row.body), postings, row.actor)
    return Stored(row.seq, entry, row.wall_ms, row.chain, row.cause)


def body_hash(record: Record, wall_ms: int) -> bytes:
    """SHA-256 over everything of an entry but its place."""
    record_id, kind_text, actor_text, cause, body, postings = record
    text_id, kind, actor = record_id.encode(), kind_text.encode(), actor_text.encode()
    lengths = _LENGTHS.pack(wall_ms, len(text_id), len(kind), len(actor), len(cause), len(body), len(postings))
    return sha256(b"".join((ENTRY_DOMAIN, lengths, text_id, kind, actor, cause, body, postings))).digest()


def chain_on(previous: bytes, seq: int, hashed: bytes) -> bytes:
    """The chain at seq, from the chain before it and the hash of the entry at seq."""
    return sha256(CHAIN_DOMAIN + previous + _SEQ.pack(seq) + hashed).digest()


def link(previous: bytes, row: Row) -> bytes:
    """The chain that a row must carry after `previous`."""
    seq, text_id, kind, actor, wall_ms, cause, body, postings, _ = row
    return chain_on(previous, seq, body_hash(Record(text_id, kind, actor, cause, body, postings), wall_ms))


def rows_on(head: Head, records: Iterable[Record], wall_ms: int) -> list[Row]:
    """The rows that append records after a head."""
    seq, chain = head.seq, head.chain
    rows = []
    for record in records:
        seq += 1
        chain = chain_on(chain, seq, body_hash(record, wall_ms))
        record_id, kind, actor, cause, body, postings = record
        rows.append(Row(seq, record_id, kind, actor, wall_ms, cause, body, postings, chain))
    return rows


def same_content(record: Record, row: Row) -> bool:
    """Whether a stored row says the same as a record; the wall clock and the cause are no content."""
    return (record.kind, record.actor, record.body, record.postings) == (row.kind, row.actor, row.body, row.postings)


def identity(lives: Sequence[Row]) -> tuple[str, str]:
    """Name and present incarnation of a journal from its genesis and restores; JournalDamaged when it has none."""
    if not lives or lives[0].seq != 1 or lives[0].kind != GENESIS:
        raise JournalDamaged(1, Fault.BAD_GENESIS)
    try:
        name = _decode(lives[0].body)["name"]
        incarnation = _decode(lives[-1].body)["incarnation"]
    except (msgspec.DecodeError, KeyError, TypeError) as error:
        raise JournalDamaged(lives[-1].seq, Fault.BAD_GENESIS) from error
    return str(name), str(incarnation)


def genesis(name: str, incarnation: str) -> Entry:
    """The first entry of a journal: what it is called, and the random id of this life of it."""
    body: dict[str, Any] = {"format": 1, "incarnation": incarnation, "name": name}
    return Entry(f"genesis:{incarnation}", GENESIS, body, actor="journal")


def restored(incarnation: str, old_incarnation: str, old: Head) -> Entry:
    """The entry that opens a new incarnation on top of a backup, naming where the old one was left."""
    previous = {"head": old.chain.hex(), "incarnation": old_incarnation, "seq": old.seq}
    body: dict[str, Any] = {"incarnation": incarnation, "previous": previous}
    return Entry(f"restored:{incarnation}", RESTORED, body, actor="journal")
