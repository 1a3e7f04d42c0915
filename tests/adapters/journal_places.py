"""A place of one journal, `t1`, in either database: copied, and changed behind the journal's back."""

import contextlib
import secrets
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psycopg

from controller.adapters.journal.store import Store
from tests.services import Postgres, wait_until

NAME = "t1"
_TABLES = ("entries", "mentions", "checkpoints", "cosignatures", "snapshots")
Statement = str | tuple[str, tuple[object, ...]]
"""SQL with `?`, and what stands for those."""


class Place(Protocol):
    """Nobody has the journal open while it is copied or tampered with."""

    @property
    def url(self) -> str: ...

    @property
    def name(self) -> str: ...

    def copy(self) -> "Place":
        """A place with the content that this one had at the first copy; what became of an earlier copy is gone."""

    def tamper(self, *statements: Statement) -> None:
        """Somebody who has the database to himself, guards and all."""

    def wait_free(self) -> None:
        """Wait until a process that was killed holds the journal no more."""


@dataclass(frozen=True)
class SqlitePlace:
    path: Path
    name: str = NAME

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path}"

    def copy(self) -> "SqlitePlace":
        return SqlitePlace(Path(shutil.copy(self.path, self.path.with_name(f"{secrets.token_hex(6)}.db"))))

    def tamper(self, *statements: Statement) -> None:
        with contextlib.closing(sqlite3.connect(self.path)) as connection, connection:
            for guard in ("change", "go"):
                connection.execute(f"DROP TRIGGER IF EXISTS entries_never_{guard}")
            for sql, values in map(_with_values, statements):
                connection.execute(sql, values)

    def wait_free(self) -> None:
        """The lock goes with the process."""


@dataclass(frozen=True)
class PostgresPlace:
    """A schema of a database. Its copies are itself, put back to what it was, as databases take long to make."""

    server: Postgres
    database: str
    name: str = NAME

    @classmethod
    def new(cls, server: Postgres) -> "PostgresPlace":
        return cls(server, server.create_database().rpartition("/")[2])

    @property
    def url(self) -> str:
        return self.server.url(self.database)

    def copy(self) -> "PostgresPlace":
        self.wait_free()
        with contextlib.closing(self._superuser()) as superuser:
            if superuser.execute("SELECT to_regnamespace('kept')").fetchone() == (None,):
                superuser.execute("CREATE SCHEMA kept")
                for table in _TABLES:
                    superuser.execute(f"CREATE TABLE kept.old_{table} AS TABLE {table}")
            for table in _TABLES:
                superuser.execute(f"DELETE FROM {table}")
                superuser.execute(f"INSERT INTO {table} SELECT * FROM kept.old_{table}")
        return self

    def _superuser(self) -> psycopg.Connection:
        return self.server.session(self.database, search_path=self.name, session_replication_role="replica")

    def tamper(self, *statements: Statement) -> None:
        with contextlib.closing(self._superuser()) as superuser:
            for sql, values in map(_with_values, statements):
                superuser.execute(sql.replace("?", "%s"), values)

    def end_sessions(self) -> None:
        """The server ends every session with the journal, as it does when a machine is gone."""
        ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s"
        with contextlib.closing(self.server.session()) as session:
            session.execute(ended, (self.database,))

    def wait_free(self) -> None:
        others = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
        with contextlib.closing(self.server.session()) as session:
            wait_until(
                lambda: session.execute(others, (self.database,)).fetchone() == (0,),
                what="the server lets the killed process's session go",
            )


def _with_values(statement: Statement) -> tuple[str, tuple[object, ...]]:
    return (statement, ()) if isinstance(statement, str) else statement


def disarm(store: Store) -> None:
    """Take the guards of the entries away on the journal's own connection."""
    if store.dialect == "postgresql":
        store.execute("SET session_replication_role = replica")
    else:
        store.execute("DROP TRIGGER IF EXISTS entries_never_change")


def new_place(database: str, directory: Path, server: Callable[[], Postgres]) -> Place:
    """database: `sqlite` or `postgresql`; server: asked for the latter alone."""
    return PostgresPlace.new(server()) if database == "postgresql" else SqlitePlace(directory / f"{NAME}.db")
