"""A stored entry as a verification reads it: of its body only what is asked for, from the bytes as they are stored."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from controller.adapters.journal.chain import Row, decode
from controller.engine.ledger_reading import record_from_json
from controller.engine.ledger_records import Record

_pairs = msgspec.json.Decoder(tuple[tuple[str, int], ...]).decode


class Reading(msgspec.Struct):
    """Kind and postings, and the body once it is asked for; msgspec.DecodeError when it is not JSON."""

    kind: str
    stored: bytes
    postings: tuple[tuple[str, int], ...]
    _body: Mapping[str, Any] | None = None
    _is_read: bool = False

    @property
    def body(self) -> Mapping[str, Any]:
        if self._body is None:
            self._body = decode(self.stored)
            self._is_read = True
        return self._body

    def ledger_record(self) -> Record:
        """The ledger's record in the body; ValueError when there is none, or its hash is not that of its content."""
        record = record_from_json(self.stored)
        self._is_read = True
        return record

    def read_through(self) -> None:
        """Read the body unless somebody has."""
        if not self._is_read:
            self._body = decode(self.stored)


Equation = Callable[[Reading], str | None]
"""Folds one entry after the other; says what does not add up after it, or None."""


def reading(row: Row) -> Reading:
    """msgspec.DecodeError when the postings are none."""
    return Reading(row.kind, row.body, _pairs(row.postings))
