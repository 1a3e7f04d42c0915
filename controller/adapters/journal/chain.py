"""What the chain covers: canonical bytes of an entry, their hash, and the hash that ties it to all before.

    body hash = SHA-256("carrusel entry v1\\n" | wall_ms | six lengths | id | kind | actor | cause | body | postings)
    chain     = SHA-256("carrusel chain v1\\n" | previous chain | seq | body hash)

Numbers are big-endian: wall_ms signed 64 bits, lengths unsigned 32 bits, seq unsigned 64 bits. The chain before seq 1
is 32 zero bytes. The lengths make the concatenation unambiguous; the domains keep one hash from standing for the other.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import starmap
from typing import Any, cast

import msgspec

from controller.adapters.journal.errors import Fault, JournalDamaged
from controller.core.ledger import Entry, Posting

ENTRY_DOMAIN = b"carrusel entry v1\n"
CHAIN_DOMAIN = b"carrusel chain v1\n"
NO_CHAIN = bytes(32)
LAST_SEQ = 2**63 - 1
"""No database takes a higher one."""
GENESIS = "journal.genesis"
RESTORED = "journal.restored"

_LENGTHS = struct.Struct(">qIIIIII")
_SEQ = struct.Struct(">Q")
_encode = msgspec.json.Encoder(order="sorted").encode
_PLAIN = frozenset({str, int, bool, type(None)})
_KEYS = frozenset({str})
decode = msgspec.json.Decoder().decode
_decode_postings = msgspec.json.Decoder(tuple[Posting, ...]).decode


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a journal, or of a part of it: its seq (0 = empty) and the chain's 32 bytes there."""

    seq: int
    chain: bytes


class Record(msgspec.Struct, frozen=True, gc=False):
    """An entry as bytes that will be stored and hashed as they are. `cause` is the digest of the event behind it."""

    id: str
    kind: str
    actor: str
    cause: bytes
    body: bytes
    postings: bytes


class Row(msgspec.Struct, frozen=True, gc=False):
    """A stored entry, columns as in the table: a record at its place."""

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
    if type(value) is not dict or not _is_flat(value):
        _check_plain(value)
    return _encode(value)


def _is_flat(value: dict[Any, Any]) -> bool:
    """Whether all is plain at first sight, as in most bodies."""
    return _PLAIN.issuperset(map(type, value.values())) and _KEYS.issuperset(map(type, value))


def _check_plain(value: object) -> None:
    kind = type(value)
    if kind in _PLAIN:
        return
    if kind is dict:
        for key, item in cast(dict[object, object], value).items():
            if type(key) is not str:
                raise TypeError(f"a journal body has the key {key!r}: keys are str")
            _check_plain(item)
    elif kind is list or kind is tuple:
        for item in cast(Sequence[object], value):
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


def to_entry(row: Row) -> Entry:
    """The entry of a row; msgspec.DecodeError when its body or postings are not what an entry has."""
    return Entry(row.id, row.kind, decode(row.body), _decode_postings(row.postings), row.actor)


NOT_JSON = "the body is not JSON"
COLUMN_TYPES = (int, str, str, str, int, bytes, bytes, bytes, bytes)


def are_typed(rows: Sequence[Any]) -> bool:
    """Whether all columns hold their types: by column, which costs a fraction of looking at each row."""
    return all(
        set(map(type, values)) == {kind} for kind, values in zip(COLUMN_TYPES, zip(*rows, strict=True), strict=True)
    )


def typed(rows: Sequence[Any], after_seq: int) -> Iterator[Row]:
    """Stored columns after a seq as rows; JournalDamaged at the first of which a column holds another type."""
    if not rows or are_typed(rows):
        yield from starmap(Row, rows)
        return
    seq = after_seq
    for values in rows:
        if tuple(map(type, values)) != COLUMN_TYPES:
            raise JournalDamaged(seq + 1, Fault.ALTERED, "a column holds another type")
        seq = values[0]
        yield Row(*values)


def to_stored(row: Row) -> Stored:
    """The entry of a row whose chain was checked, with its place; JournalDamaged when what was chained is none."""
    try:
        entry = to_entry(row)
    except (msgspec.DecodeError, RecursionError) as error:
        raise JournalDamaged(row.seq, Fault.ALTERED, NOT_JSON) from error
    if type(entry.body) is not dict:
        raise JournalDamaged(row.seq, Fault.ALTERED, NOT_JSON)
    return Stored(row.seq, entry, row.wall_ms, row.chain, row.cause)


def body_hash(record: Record | Row, wall_ms: int) -> bytes:
    """SHA-256 over everything of an entry but its place."""
    text_id, kind, actor = record.id.encode(), record.kind.encode(), record.actor.encode()
    cause, body, postings = record.cause, record.body, record.postings
    lengths = _LENGTHS.pack(wall_ms, len(text_id), len(kind), len(actor), len(cause), len(body), len(postings))
    return sha256(b"".join((ENTRY_DOMAIN, lengths, text_id, kind, actor, cause, body, postings))).digest()


def chain_on(previous: bytes, seq: int, hashed: bytes) -> bytes:
    """The chain at seq, from the chain before it and the hash of the entry at seq."""
    return sha256(CHAIN_DOMAIN + previous + _SEQ.pack(seq) + hashed).digest()


def link(previous: bytes, row: Row) -> bytes:
    """The chain that a row must carry after `previous`."""
    return chain_on(previous, row.seq, body_hash(row, row.wall_ms))


def rows_on(head: Head, records: Iterable[Record], wall_ms: int) -> list[Row]:
    """The rows that append records after a head."""
    seq, chain = head.seq, head.chain
    rows = []
    for record in records:
        seq += 1
        chain = chain_on(chain, seq, body_hash(record, wall_ms))
        rows.append(
            Row(
                seq,
                record.id,
                record.kind,
                record.actor,
                wall_ms,
                record.cause,
                record.body,
                record.postings,
                chain,
            )
        )
    return rows


def same_content(record: Record, row: Row) -> bool:
    """Whether a stored row says the same as a record; the wall clock and the cause are no content."""
    return (record.kind, record.actor, record.body, record.postings) == (row.kind, row.actor, row.body, row.postings)


def identity(lives: Sequence[Row]) -> tuple[str, str]:
    """Name and present incarnation of a journal from its genesis and restores; JournalDamaged when it has none."""
    if not lives or lives[0].seq != 1 or lives[0].kind != GENESIS:
        raise JournalDamaged(1, Fault.BAD_GENESIS)
    try:
        name = decode(lives[0].body)["name"]
        incarnation = decode(lives[-1].body)["incarnation"]
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
