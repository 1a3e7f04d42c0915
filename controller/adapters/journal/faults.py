"""What exactly is wrong with a stored journal: pages that cannot be read, and rows that do not fit the chain."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from controller.adapters.journal.chain import Row, are_typed, body_hash, chain_on, link, typed
from controller.adapters.journal.errors import Fault, JournalDamaged, JournalError
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.store import Store

PAGE = 5000


def rows_in_order(journal: Journal) -> Iterator[Row]:
    """All rows in order; JournalDamaged where the file cannot be read, or a column holds another type."""
    seq = 0
    while True:
        rows, unreadable = journal.ask_now(partial(_page, seq=seq, limit=PAGE))
        if unreadable:
            yield from _until_unreadable(journal, seq)
        if not rows:
            return
        yield from typed(rows, seq)
        seq = rows[-1][0]


def _page(store: Store, seq: int, limit: int) -> tuple[list[Any], str]:
    try:
        return store.page(seq, limit), ""
    except store.errors as error:
        return [], str(error)


def _until_unreadable(journal: Journal, seq: int) -> Iterator[Row]:
    """Row by row up to the one that cannot be read."""
    while True:
        rows, unreadable = journal.ask_now(partial(_page, seq=seq, limit=1))
        if unreadable:
            raise JournalDamaged(seq + 1, Fault.FILE_DAMAGE, unreadable)
        if not rows:
            return
        yield from typed(rows, seq)
        seq = rows[0][0]


def diagnose(journal: Journal, previous: bytes, row: Row) -> JournalDamaged:
    """What kind of fault it is that a row does not fit the chain before it."""
    following = list(_following(journal, row.seq))
    own = body_hash(row, row.wall_ms)
    before = None
    for other in following:
        there = chain_on(previous, row.seq, body_hash(other, other.wall_ms))
        moved_whole = there == other.chain and chain_on(before or there, other.seq, own) == row.chain
        if there == row.chain or moved_whole:
            return JournalDamaged(row.seq, Fault.SWAPPED, f"what belongs here is at seq {other.seq}")
        before = other.chain
    if not following or link(row.chain, following[0]) == following[0].chain:
        return JournalDamaged(row.seq, Fault.ALTERED, "the entry is not what was chained")
    if link(chain_on(previous, row.seq, own), following[0]) == following[0].chain:
        return JournalDamaged(row.seq, Fault.ALTERED, "the chain value is not what was written")
    return JournalDamaged(row.seq, Fault.BAD_CHAIN, "from here on nothing fits: inserted, removed or rewritten")


def _following(journal: Journal, seq: int) -> Iterator[Row]:
    """Readable rows after a seq."""
    while True:
        rows, unreadable = journal.ask_now(partial(_page, seq=seq, limit=PAGE))
        good = [Row(*values) for values in rows if are_typed([values])]
        yield from good
        if unreadable or not good:
            return
        seq = good[-1].seq


def file_faults(journal: Journal) -> str:
    """What SQLite itself says of the file (pages, indexes, constraints); empty when it is sound."""
    if journal.dialect != "sqlite":
        return ""
    try:
        said = [str(row[0]) for row in journal.ask_now(lambda store: store.fetch("PRAGMA integrity_check(5)"))]
    except JournalError as error:
        said = [str(error)]
    return "" if said == ["ok"] else "; ".join(said)
