"""A sound journal, and what verification finds when it is looked at."""

from collections.abc import Callable

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal.chain import Head, Record, rows_on
from controller.adapters.journal.checkpoints import Checkpoint
from controller.adapters.journal.errors import Fault, JournalDamaged
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import Report, damaged, verify
from tests.adapters.journal_fixtures import bet
from tests.adapters.journal_places import NAME, Place

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
COLUMNS = ("id", "kind", "actor", "wall_ms", "cause", "body", "postings", "chain")
ENTRIES = 30


def fill(place: Place, count: int, every: int = 10) -> None:
    with Journal.open(place.url, name=NAME, key=KEY, incarnation="aa", checkpoint_every=every) as journal:
        entries = [bet(number) for number in range(count - 1)]
        for start in range(0, count - 1, 7):
            part = entries[start : start + 7]
            journal.append_now(part, 1_000 + start, causes={entry.id: entry.id.encode() for entry in part})


def opened(place: Place) -> Journal:
    place.wait_free()  # a server lets a session go a moment after it was closed
    return Journal.open(place.url, name=NAME, create=False)


def look(place: Place, against: tuple[Checkpoint, ...] = ()) -> Report:
    place.wait_free()
    try:
        with Journal.open(place.url, create=False) as journal:
            return verify(journal, against=against)
    except JournalDamaged as error:
        return damaged(error)


def first(report: Report) -> tuple[int | None, Fault]:
    assert report.findings, "nothing was found"
    return report.findings[0].seq, report.findings[0].fault


def rewritten(place: Place, seq: int, change: Callable[[Record], Record]) -> list[tuple[object, ...]]:
    """All rows from a seq on, chained anew by somebody who knows how."""
    with opened(place) as journal:
        rows = journal.ask_now(lambda store: store.page(0, 1000))
    head = Head(seq - 1, rows[seq - 2][-1])
    made: list[tuple[object, ...]] = []
    for _, entry_id, kind, actor, wall_ms, cause, body, postings, _ in rows[seq - 1 :]:
        record = Record(entry_id, kind, actor, cause, body, postings)
        (row,) = rows_on(head, [change(record) if head.seq == seq - 1 else record], wall_ms)
        head = Head(row.seq, row.chain)
        made.append(msgspec.structs.astuple(row))
    return made


def plant(place: Place, rows: list[tuple[object, ...]]) -> None:
    inserts = [("INSERT INTO entries VALUES (?,?,?,?,?,?,?,?,?)", row) for row in rows]
    place.tamper(("DELETE FROM entries WHERE seq >= ?", (rows[0][0],)), *inserts)
