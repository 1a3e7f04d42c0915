"""Backups of a journal, and its restore as a new incarnation."""

import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from controller.adapters.journal.chain import Row, identity, restored, rows_on, to_record
from controller.adapters.journal.checkpoints import Checkpoint
from controller.adapters.journal.errors import JournalDamaged, JournalFailed, JournalUnfit
from controller.adapters.journal.journal import PAGE, Journal, is_server, open_store
from controller.adapters.journal.schema import CheckpointRow, CosignatureRow
from controller.adapters.journal.sqlite import kept_free
from controller.adapters.journal.store import Store
from controller.adapters.journal.verify import Report, verify

_UNREAD = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)
"""What SQLite says when it is the journal, not the copy, that the disk fails."""


def backup(journal: Journal, target: Path) -> None:
    """A consistent copy of a journal in a SQLite file, through the connection that holds it (commits wait meanwhile).

    JournalUnfit when the target exists. The copy is for `restore` and for reading; it is the same incarnation, so it
    must never be run as it is: the other nodes would see a fork.
    """
    check_free(target)
    with _finished_as(target) as partial_file:
        if journal.dialect == "sqlite":
            journal.ask_now(partial(_copy_pages, target=partial_file))
        else:
            with closing(_made(partial_file)) as store:
                _copy_rows(journal, store)


def copy_beside_commits(journal: Journal, target: Path) -> None:
    """`backup` by rows up to the present head: commits go on meanwhile. JournalUnfit when the target exists."""
    check_free(target)
    with _finished_as(target) as partial_file, closing(_made(partial_file)) as store:
        _copy_rows(journal, store)


@contextmanager
def written_backup(target: Path) -> Iterator[Path]:
    """A file to write a backup to that somebody else made; it is on the disk as `target` when all went well."""
    check_free(target)
    with _finished_as(target) as partial_file:
        yield partial_file


def restore(source: Path, url: str | Path, *, wall_ms: int, against: Sequence[Checkpoint] = ()) -> Report:
    """A new journal at `url` from a backup: its entries, and one that opens a new incarnation and names the old head.

    The backup is verified first (`against` outside checkpoints): JournalDamaged when it does not hold. JournalUnfit
    when there is a journal at `url` already, JournalInUse while a daemon writes one of that name. Returns the report on
    the backup.
    """
    with Journal.open(source, create=False) as old:
        report = verify(old, against=against)
        if not report.ok:
            first = report.findings[0]
            raise JournalDamaged(first.seq, first.fault, first.detail)
        if is_server(url):
            _restore_into(url, old, wall_ms)
        else:
            target = Path(str(url).removeprefix("sqlite:///"))
            check_free(target)
            with kept_free(target), _finished_as(target) as partial_file:
                _restore_into(partial_file, old, wall_ms)
    return report


def check_free(target: Path) -> None:
    """Raise JournalUnfit when a file, or what SQLite left of one, is at the target, or its directory is not there."""
    if not target.parent.is_dir():
        raise JournalUnfit(f"no directory {target.parent}")
    for path in (target, target.with_name(target.name + "-wal"), target.with_name(target.name + "-journal")):
        if path.exists():
            raise JournalUnfit(f"{path} exists; move it away first")


def _restore_into(url: str | Path, old: Journal, wall_ms: int) -> None:
    with closing(_made(url, old.name)) as store:
        _copy_rows(old, store, wall_ms=wall_ms, incarnation=secrets.token_hex(16))


def _made(url: str | Path, name: str | None = None) -> Store:
    """The connection of a copy; what fails here is the copy's place, not the journal that is copied."""
    try:
        return open_store(url, name=name, create=True)
    except JournalFailed as failed:
        raise _not_copied(failed.__cause__ or failed) from failed


def _not_copied(error: BaseException) -> JournalFailed:
    full = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
    full = full or getattr(error, "sqlstate", None) == "53100"
    why = "the disk is full" if full else " ".join(str(error).split())
    return JournalFailed(f"the copy could not be written: {why}")


def _copy_pages(store: Store, target: Path) -> None:
    with closing(sqlite3.connect(target)) as copy:
        try:
            store.driver.backup(copy)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in _UNREAD:
                raise
            raise _not_copied(error) from error


def _copy_rows(old: Journal, store: Store, *, wall_ms: int = 0, incarnation: str | None = None) -> None:
    """All rows up to the head in one transaction, and the entry of the restore when it is one."""
    try:
        store.migrate()
        if store.head().seq:
            raise JournalUnfit(f"there is a journal {old.name} already")
        _copy(old, store, wall_ms, incarnation)
    except store.errors as error:
        raise _not_copied(error) from error


def _copy(old: Journal, store: Store, wall_ms: int, incarnation: str | None) -> None:
    store.begin()
    seq, last = 0, old.head.seq
    while seq < last and (rows := old.ask_now(partial(Store.page, after_seq=seq, limit=min(PAGE, last - seq)))):
        store.append([Row(*row) for row in rows])
        seq = rows[-1][0]
    models: tuple[tuple[Any, Any], ...] = ((CheckpointRow, Store.checkpoints), (CosignatureRow, Store.cosignatures))
    for model, read in models:
        store.insert(model, [row for row in old.ask_now(read) if row[0] <= last])
    if incarnation is not None:
        _, before = identity(store.incarnations())
        head = store.head()
        store.append(rows_on(head, [to_record(restored(incarnation, before, head))], wall_ms))
    store.commit()


@contextmanager
def _finished_as(target: Path) -> Iterator[Path]:
    """A file to write; on the disk under the target's name when all went well."""
    partial_file = target.with_name(target.name + ".part")
    _clear(partial_file)  # what a copy left that was killed
    try:
        os.close(os.open(partial_file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield partial_file
        if partial_file.with_name(partial_file.name + "-wal").exists():
            raise JournalFailed(f"{target} could not be written whole: is the disk full?")
        _sync(partial_file)
        check_free(target)  # somebody may have put a file there meanwhile
        partial_file.replace(target)
        _sync(target.parent)
    finally:  # a copy that fails halfway, for want of room as a rule, gives the room back
        _clear(partial_file)


def _clear(partial_file: Path) -> None:
    for left in ("", ".lock", "-wal", "-journal"):
        partial_file.with_name(partial_file.name + left).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
