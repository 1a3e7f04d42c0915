"""A ledger record read back from a journal or a message: its kind says what its body is, its hash that it is whole."""

import msgspec

from controller.engine.epoch import Epoch
from controller.engine.ledger_records import KINDS, Record, hash_of

_encode = msgspec.json.Encoder().encode


class _Written(msgspec.Struct, gc=False):
    """A record as JSON, its body left as it is written until the kind is known."""

    kind: str
    seq: int
    epoch: Epoch
    prev: str
    hash: str
    body: msgspec.Raw


class _Holder(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A journal's body that holds a record: a host's alone, a table's with the epoch of the host that sent it.

    Nothing else may stand beside it, as nobody would read it.
    """

    record: _Written
    sender: Epoch | None = None


_written = msgspec.json.Decoder(_Written).decode
_holder = msgspec.json.Decoder(_Holder).decode
_BODIES = {kind: msgspec.json.Decoder(body).decode for kind, body in KINDS.items()}


def record_from_plain(plain: object) -> Record:
    """The record again; ValueError when a field does not fit, the kind is unknown or the hash is not its content's."""
    return _read(_written(_encode(plain)))


def record_from_json(text: bytes) -> Record:
    """The record in the bytes of a journal's body, read once; ValueError as `record_from_plain`."""
    return _read(_holder(text).record)


def _read(written: _Written) -> Record:
    decode = _BODIES.get(written.kind)
    if decode is None:
        raise ValueError(f"not a ledger record of a known kind: {written.kind[:64]!r}")
    body = decode(written.body)
    if hash_of(written.seq, written.epoch, written.prev, body) != written.hash:
        raise ValueError(f"ledger record {written.seq}: its hash is not that of its content")
    return Record(written.seq, written.epoch, written.prev, body, written.hash)
