"""A journal in a PostgreSQL database: one schema per journal, held by one session and written under its own term."""

import contextlib
import secrets
from dataclasses import dataclass, field
from functools import partial

import psycopg
from sqlalchemy import Engine, NullPool, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from controller.adapters.journal.errors import JournalInUse, JournalUnfit
from controller.adapters.journal.store import Store

DRIVER = "postgresql+psycopg"
_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('carrusel journal ' || ?, 0))"
_JOURNALS = (
    "SELECT table_schema FROM information_schema.tables WHERE table_name = 'checkpoints' AND table_schema IN"
    " (SELECT table_schema FROM information_schema.tables WHERE table_name = 'entries') ORDER BY table_schema"
)
_STANDBYS = "current_setting('synchronous_standby_names')"
_WARNING = "01000"
_ASK_S = 2
"""How long an ended session asks what it ended for."""
_SILENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 11_000,
}
"""Of libpq, unless the URL says otherwise: a server whose network is gone answers nothing, not even that. A session
without an answer of its machine for eleven seconds has ended; one whose server only waits for a standby has not."""
_TERMS = (
    "BEGIN",
    "SELECT pg_advisory_xact_lock(hashtextextended('carrusel journals', 0))",
    "CREATE SCHEMA IF NOT EXISTS carrusel",
    "CREATE TABLE IF NOT EXISTS carrusel.terms (journal text PRIMARY KEY, term bigint NOT NULL, holder text NOT NULL)",
    "COMMIT",
)
"""Beside the journals' own schemas: the term of each journal, and who raised it to that."""


class TakenOver(psycopg.OperationalError):
    """Another host has raised the journal's term since: this one writes nothing more."""


class Unreplicated(psycopg.OperationalError):
    """A commit that no standby has, or would have, where the server is to wait for one: nothing more is written."""


def engine_of(url: str, **options: object) -> Engine:
    """Sessions of a database, one at a time, and ended without a word: one that is lost has no more to hear.

    options: of libpq. JournalUnfit for an address that is none; it is not repeated, as it may hold a password.
    """
    try:
        place = make_url(url).set(drivername=DRIVER)
    except (ArgumentError, ValueError) as error:
        raise JournalUnfit("the address of the database is none: postgresql://USER@HOST:PORT/DATABASE") from error
    options = {name: value for name, value in _SILENCE.items() if name not in place.query} | options
    return create_engine(
        place,
        isolation_level="AUTOCOMMIT",
        poolclass=NullPool,
        pool_reset_on_return=None,
        paramstyle="format",
        connect_args=options,
    )


@dataclass(slots=True)
class Hold:
    """The right of one opened journal to write: its first transaction raises the term, each later one must find it so.

    The row is locked to the end of the transaction, so that of two hosts that both believe to hold the journal (a lock
    lost behind their backs, a pool that shared it) only the one that raised the term last commits.
    """

    journal: str
    replicated: bool = False
    """Whether a commit must wait for a standby; a server that was told otherwise meanwhile is found out here."""
    term: int = 0
    holder: str = field(default_factory=lambda: secrets.token_hex(16))
    gave_up: str = ""
    """What the server said when it ended its wait for a standby, as somebody asked it to (`pg_cancel_backend`)."""

    def find(self, store: Store) -> None:
        """Take note of the term that is there now."""
        for statement in _TERMS:
            store.execute(statement)
        new = "INSERT INTO carrusel.terms VALUES (?, 0, '') ON CONFLICT DO NOTHING"
        store.execute(new, (self.journal,))
        ((found,),) = store.fetch("SELECT term FROM carrusel.terms WHERE journal = ?", (self.journal,))
        self.term = found + 1

    def check(self, store: Store) -> None:
        """Raise the term, or find it as this host raised it; TakenOver otherwise."""
        self.gave_up = ""
        ours = f"SELECT {_STANDBYS} FROM carrusel.terms WHERE journal = ? AND term = ? AND holder = ? FOR UPDATE"
        found = store.fetch(ours, (self.journal, self.term, self.holder))
        if not found:
            raised = "UPDATE carrusel.terms SET term = ?, holder = ? WHERE journal = ? AND term = ?"
            before = (self.term, self.holder, self.journal, self.term - 1)
            found = store.fetch(f"{raised} RETURNING {_STANDBYS}", before)
        if not found:
            raise TakenOver(self.taken_over)
        if self.replicated and found == [("",)]:
            raise Unreplicated("synchronous_standby_names is empty: a commit would be on one machine alone")

    def hear(self, notice: psycopg.errors.Diagnostic) -> None:
        """A notice of the server; the one warning that comes with a commit is that of an ended wait."""
        if notice.sqlstate == _WARNING:
            self.gave_up = notice.message_primary or _WARNING

    def settled(self) -> None:
        """Raise Unreplicated when the last commit is on this server alone: nobody hears that it counts."""
        if self.gave_up:
            raise Unreplicated(self.gave_up)

    @property
    def taken_over(self) -> str:
        return f"another host has taken the journal {self.journal} over"

    def why(self, url: str, error: Exception) -> str:
        """What an error of the session means: of one that is gone, whether it ended because another host took over."""
        said = " ".join(str(error).split())
        if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) or isinstance(error, TakenOver):
            return said
        holder = "SELECT term, holder FROM carrusel.terms WHERE journal = %s"
        engine = engine_of(url, connect_timeout=_ASK_S)
        try:
            with engine.connect() as connection:
                found = connection.exec_driver_sql(holder, (self.journal,)).one()
        except SQLAlchemyError:
            return said
        finally:
            engine.dispose()
        later = found[0] > self.term or (found[0] == self.term and found[1] != self.holder)
        return f"{self.taken_over}; {said}" if later else said


class _SessionStore(Store):
    """Lets the journal go before its session, which a server ends a moment after it was closed."""

    def close(self) -> None:
        with contextlib.suppress(psycopg.Error):
            self.execute("SELECT pg_advisory_unlock_all()")
        super().close()


def open_postgresql(url: str, *, name: str | None, create: bool, replicated: bool = False) -> Store:
    """The store of the journal `name` in a database; without a name, of the only one there.

    JournalInUse when another session holds it; JournalUnfit when the server cannot be reached, would not wait for
    its disk, or has no such journal and none is to be made. replicated: no commit without a standby to wait for.
    """
    engine = engine_of(url)
    try:
        connection = engine.connect()
    except DBAPIError as error:
        raise JournalUnfit(f"the server cannot be reached: {' '.join(str(error.orig).split())}") from error
    hold = Hold(name or "", replicated)
    store = _SessionStore(
        connection,
        begin="BEGIN",
        mark="%s",
        errors=(psycopg.Error,),
        duplicate=psycopg.IntegrityError,
        release=lambda: None,
        full=lambda error: getattr(error, "sqlstate", None) == "53100",
        damaged=lambda error: getattr(error, "sqlstate", None) in ("XX001", "XX002"),
        hold=hold.check,
        why=partial(hold.why, url),
        settled=hold.settled,
    )
    store.driver.add_notice_handler(hold.hear)
    try:
        hold.journal = _settle(store, name, create)
        hold.find(store)
    except psycopg.Error as error:
        store.close()
        raise store.explain(error) from error
    except BaseException:
        store.close()
        raise
    return store


def _settle(store: Store, name: str | None, create: bool) -> str:
    """The journal's schema, its lock for the life of the session, and a commit that waits for the disk; its name."""
    there = [str(row[0]) for row in store.fetch(_JOURNALS)]
    if name is None:
        if len(there) != 1:
            raise JournalUnfit(f"name one of the journals in this database: {', '.join(there) or 'there is none'}")
        name = there[0]
    if name not in there and not create:
        raise JournalUnfit(f"no journal {name} in this database")
    if not store.fetch(_LOCK, (name,))[0][0]:
        raise JournalInUse(f"the journal {name} is in use by another session")
    quoted = '"' + name.replace('"', '""') + '"'
    if name not in there:
        store.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted}")
    store.execute(f"SET search_path TO {quoted}")
    for setting, least in (("tcp_keepalives_idle", 5), ("tcp_keepalives_interval", 2), ("tcp_keepalives_count", 3)):
        store.execute(f"SET {setting} = {least}")
    if store.fetch("SHOW fsync")[0][0] != "on":
        raise JournalUnfit("the server runs with fsync off: a commit would not be durable")
    if store.fetch("SHOW synchronous_commit")[0][0] in ("off", "local"):
        store.execute("SET synchronous_commit = on")
    return name
