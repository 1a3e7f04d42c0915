"""The one database connection of a journal: its statements in SQL, for SQLite and PostgreSQL alike."""

from collections.abc import Callable, Iterable, Sequence
from itertools import starmap
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert
from sqlalchemy.exc import DBAPIError

from controller.adapters.journal.chain import NO_CHAIN, Head, Row
from controller.adapters.journal.errors import Fault, JournalDamaged, JournalError, JournalFailed, JournalUnfit
from controller.adapters.journal.schema import (
    REVISION,
    CheckpointRow,
    CosignatureRow,
    EntryRow,
    MentionRow,
    SnapshotRow,
)
from controller.adapters.journal.subjects import SPAN, Mentions, is_hand, subjects_of

_COLUMNS = "seq, id, kind, actor, wall_ms, cause, body, postings, chain"
_REVISIONS = frozenset(f"{number:04}" for number in range(1, int(REVISION) + 1))
_IDS_AT_ONCE = 500
"""Old SQLite builds take 999 parameters."""
_MENTIONED_AT_ONCE = 1_000


class Store:
    """Statements on a connection that is held exclusively. Not thread-safe: the journal's thread alone uses it.

    The hot statements are compiled once by SQLAlchemy Core and run on the driver's own cursor; Core's execution of a
    one-row insert would cost more than the commit. `errors` is what the driver raises, `duplicate` what it raises for a
    stored id; `hold` is asked first in each transaction, and raises one of `errors` when somebody else has the journal.
    `why` says what such an error means to people. `settled` is asked after each commit, and raises one of `errors` when
    it is not where it should be.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        begin: str,
        mark: str,
        errors: tuple[type[Exception], ...],
        duplicate: type[Exception],
        release: Callable[[], None],
        full: Callable[[Exception], bool],
        damaged: Callable[[Exception], bool],
        hold: Callable[["Store"], None] = lambda store: None,
        why: Callable[[Exception], str] = str,
        settled: Callable[[], None] = lambda: None,
    ) -> None:
        self.connection = connection
        self.errors = errors
        self.duplicate = duplicate
        self.is_full = full
        self.why = why
        self._is_damaged = damaged
        self.dialect = connection.dialect.name
        self._begin, self._mark, self._release, self._hold, self._settled = begin, mark, release, hold, settled
        self._mentions = Mentions()
        driver: Any = connection.connection.driver_connection
        self.driver = driver
        self.cursor: Any = driver.cursor()
        models: tuple[Any, ...] = (EntryRow, MentionRow, CheckpointRow, CosignatureRow, SnapshotRow)
        self._inserts = {model: str(insert(model.__table__).compile(dialect=connection.dialect)) for model in models}
        for signed in (CheckpointRow, CosignatureRow):  # the same place signed twice says the same
            self._inserts[signed] += " ON CONFLICT DO NOTHING"

    def explain(self, error: Exception) -> JournalError:
        """What a driver's error means to somebody who reads or opens the journal."""
        if self._is_damaged(error):
            damage: JournalError = JournalDamaged(None, Fault.FILE_DAMAGE, str(error))
        elif self.is_full(error):
            damage = JournalFailed("the journal cannot be opened: the disk is full")
        else:
            damage = JournalFailed(f"the journal cannot be read: {error}")
        damage.__cause__ = error
        return damage

    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Any]:
        """Rows of a query written with `?`."""
        return list(self.cursor.execute(sql.replace("?", self._mark), parameters).fetchall())

    def _typed(self, sql: str, types: tuple[type, ...]) -> list[Any]:
        """Rows whose columns hold what the tables declare, which a damaged file need not."""
        rows = self.fetch(sql)
        for row in rows:
            if tuple(map(type, row)) != types:
                raise JournalDamaged(None, Fault.FILE_DAMAGE, f"a row holds other types than it may: {sql}")
        return rows

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> None:
        self.cursor.execute(sql.replace("?", self._mark), parameters)

    def begin(self) -> None:
        self.cursor.execute(self._begin)
        self._hold(self)

    def commit(self) -> None:
        self.cursor.execute("COMMIT")
        self._settled()

    def rollback(self) -> None:
        self._mentions.forget()
        self.cursor.execute("ROLLBACK")

    def append(self, rows: Sequence[Row]) -> None:
        """Entries after the last, with their mentions.

        About each bytes object sqlite3 asks its adapters; a bytearray it takes as it is.
        """
        bound = [
            (
                row.seq,
                row.id,
                row.kind,
                row.actor,
                row.wall_ms,
                bytearray(row.cause),
                bytearray(row.body),
                bytearray(row.postings),
                bytearray(row.chain),
            )
            for row in rows
        ]
        self.insert(EntryRow, bound)
        self.insert(MentionRow, self._mentions.of((row.seq, row.kind, row.body) for row in rows))

    def insert(self, model: type[Any], rows: Sequence[Sequence[object]]) -> None:
        """Rows in the column order of the model."""
        if len(rows) == 1:
            self.cursor.execute(self._inserts[model], rows[0])
        elif rows:
            self.cursor.executemany(self._inserts[model], rows)

    def rows_of(self, ids: Iterable[str]) -> dict[str, Row]:
        """The stored entries among ids."""
        wanted = list(ids)
        found: dict[str, Row] = {}
        for start in range(0, len(wanted), _IDS_AT_ONCE):
            part = wanted[start : start + _IDS_AT_ONCE]
            marks = ", ".join("?" * len(part))
            rows = self.fetch(f"SELECT {_COLUMNS} FROM entries WHERE id IN ({marks})", part)
            found.update((row[1], Row(*row)) for row in rows)
        return found

    def caused(self, ids: Iterable[str]) -> dict[str, list[Row]]:
        """By id: the stored entry and those right after it with the same cause."""
        found = {}
        for entry_id, first in self.rows_of(ids).items():
            rows = [first]
            while first.cause and (row := self.row_at(rows[-1].seq + 1)) is not None and row.cause == first.cause:
                rows.append(row)
            found[entry_id] = rows
        return found

    def page(self, after_seq: int, limit: int) -> list[Any]:
        """Up to `limit` entries after a seq, as plain tuples in the order of `Row`."""
        sql = f"SELECT {_COLUMNS} FROM entries WHERE seq > ? ORDER BY seq LIMIT ?"
        return self.fetch(sql, (after_seq, limit))

    def moments(self, after_seq: int, limit: int) -> list[tuple[int, int]]:
        """Seq and wall milliseconds of up to `limit` entries after a seq, in order."""
        return self.fetch("SELECT seq, wall_ms FROM entries WHERE seq > ? ORDER BY seq LIMIT ?", (after_seq, limit))

    def row_at(self, seq: int) -> Row | None:
        rows = self.fetch(f"SELECT {_COLUMNS} FROM entries WHERE seq = ?", (seq,))
        return Row(*rows[0]) if rows else None

    def about(self, subject: str, before: int, limit: int) -> list[Row]:
        """The newest `limit` entries about a subject that lie before a seq, newest first."""
        columns = ", ".join(f"entries.{name}" for name in _COLUMNS.split(", "))
        mentioned = "SELECT seq FROM mentions WHERE subject = ? AND seq < ? ORDER BY seq DESC LIMIT ?"
        near = "entries.seq >= mentioned.seq AND entries.seq < mentioned.seq + ? AND entries.seq < ?"
        sql = f"SELECT {columns} FROM ({mentioned}) AS mentioned JOIN entries ON {near} ORDER BY entries.seq DESC"
        found: dict[int, Row] = {}
        for values in self.fetch(sql, (subject, before, limit, SPAN if is_hand(subject) else 1, before)):
            row = Row(*values)
            if subject in subjects_of(row.kind, row.body):
                found[row.seq] = row
        return list(found.values())[:limit]

    def mentions(self) -> list[Any]:
        """Subject and seq of every mention."""
        return self._typed("SELECT subject, seq FROM mentions", (str, int))

    def remake_mentions(self) -> None:
        """All mentions anew from the entries, in one transaction."""
        self.begin()
        try:
            self.execute("DELETE FROM mentions")
            made, seq = Mentions(), 0
            while rows := self.page(seq, _MENTIONED_AT_ONCE):
                self.insert(MentionRow, made.of((row.seq, row.kind, row.body) for row in starmap(Row, rows)))
                seq = rows[-1][0]
        except self.errors:
            self.rollback()
            raise
        self.commit()

    def head(self) -> Head:
        rows = self.fetch("SELECT seq, chain FROM entries ORDER BY seq DESC LIMIT 1")
        return Head(*rows[0]) if rows else Head(0, NO_CHAIN)

    def incarnations(self) -> list[Row]:
        """Genesis and restores, oldest first."""
        kinds = "kind IN ('journal.genesis', 'journal.restored')"
        return [Row(*row) for row in self.fetch(f"SELECT {_COLUMNS} FROM entries WHERE {kinds} ORDER BY seq")]

    def checkpoints(self, *, newest: bool = False) -> list[Any]:
        """Seq, incarnation, chain, key and signature of every checkpoint, oldest first, or of the newest alone."""
        sql = "SELECT seq, incarnation, chain, public_key, signature FROM checkpoints ORDER BY seq"
        sql += " DESC LIMIT 1" if newest else ""
        return self._typed(sql, (int, str, bytes, bytes, bytes))

    def cosignatures(self) -> list[Any]:
        """Seq, node, key and signature of every cosignature."""
        sql = "SELECT seq, node, public_key, signature FROM cosignatures ORDER BY seq, node"
        return self._typed(sql, (int, str, bytes, bytes))

    def snapshots(self) -> list[Any]:
        """Seq, chain, code, digest and state of every snapshot, newest first."""
        sql = "SELECT seq, chain, code, digest, state FROM snapshots ORDER BY seq DESC"
        return self._typed(sql, (int, bytes, str, bytes, bytes))

    def save_snapshot(self, row: Sequence[object]) -> None:
        """Keep a snapshot in place of all older ones."""
        self.begin()
        try:
            self.execute("DELETE FROM snapshots")
            self.insert(SnapshotRow, [row])
        except self.errors:
            self.rollback()
            raise
        self.commit()

    def migrate(self, *, create: bool = True) -> None:
        """Bring the tables to the newest revision in one transaction.

        JournalUnfit for a journal of a later version, and when there are no tables and none are to be made; what the
        driver raises when it cannot.
        """
        known = self._revision()
        if known is None and not create:
            raise JournalUnfit("there is no journal in this database")
        if known == REVISION:
            return
        if known is not None and known not in _REVISIONS:
            place = self.connection.engine.url.database
            raise JournalUnfit(f"the tables of {place} are of revision {known}, this version knows {REVISION}")
        from alembic import command  # slow to import, and a start seldom migrates
        from alembic.config import Config

        scripts = Config()
        scripts.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        scripts.attributes["connection"] = self.connection
        try:
            with self.connection.begin():  # Alembic then neither begins nor commits; the driver's BEGIN is ours to send
                self.begin()
                command.upgrade(scripts, REVISION)
        except DBAPIError as wrapped:
            raise wrapped.orig or wrapped from wrapped

    def _revision(self) -> str | None:
        there = "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
        if self.dialect == "postgresql":
            there = "SELECT 1 WHERE to_regclass('alembic_version') IS NOT NULL"
        if not self.fetch(there):
            return None
        rows = self.fetch("SELECT version_num FROM alembic_version")
        return str(rows[0][0]) if rows else None

    def close(self) -> None:
        try:
            self.cursor.close()
            self.connection.close()
            self.connection.engine.dispose()
        finally:
            self._release()
