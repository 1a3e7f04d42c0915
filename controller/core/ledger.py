"""Journal entries and their postings over named accounts; every entry sums to zero."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec


class LedgerBroken(Exception):
    """An entry does not balance or an equation does not hold: the daemon stops rather than go on."""


class Posting(NamedTuple):
    """An amount moved into (+) or out of (-) an account, in micros."""

    account: str
    micros: int


class Entry(msgspec.Struct, frozen=True):
    """One fact of the journal. `id` is unique in the journal; the same id with other content is a conflict.

    `body` holds only str, int, bool, None, lists and dicts with str keys (canonical JSON, hashed as stored).
    A struct, as each bet makes one and a start or a verification makes all of them again.
    """

    id: str
    kind: str
    body: Mapping[str, Any]
    postings: tuple[Posting, ...] = ()
    actor: str = "table"


def move(source: str, target: str, micros: int) -> tuple[Posting, ...]:
    """The two postings that move an amount between accounts; none for an amount of zero."""
    return () if micros == 0 else (Posting(source, -micros), Posting(target, micros))


def check_balanced(entry: Entry) -> Entry:
    """The entry itself when its postings sum to zero; raises LedgerBroken otherwise."""
    total = sum_of(entry.postings)
    if total != 0:
        raise LedgerBroken(f"entry {entry.id} ({entry.kind}) is out of balance by {total} micros")
    return entry


def sum_of(postings: Iterable[tuple[str, int]]) -> int:
    """Micros of all postings together: zero when they balance."""
    total = 0
    for _, micros in postings:
        total += micros
    return total


def balances(entries: Iterable[Entry]) -> dict[str, int]:
    """Micros by account over entries."""
    sums: dict[str, int] = {}
    for entry in entries:
        for posting in entry.postings:
            sums[posting.account] = sums.get(posting.account, 0) + posting.micros
    return sums
