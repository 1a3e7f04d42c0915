"""A journal in a PostgreSQL database: one schema per journal, held by one session."""

import psycopg
from sqlalchemy import NullPool, create_engine, make_url
from sqlalchemy.exc import OperationalError

from controller.adapters.journal_errors import JournalInUse, JournalUnfit
from controller.adapters.journal_store import Store

DRIVER = "postgresql+psycopg"
_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('carrusel journal ' || ?, 0))"
_JOURNALS = (
    "SELECT table_schema FROM information_schema.tables WHERE table_name = 'checkpoints' AND table_schema IN"
    " (SELECT table_schema FROM information_schema.tables WHERE table_name = 'entries') ORDER BY table_schema"
)


def open_postgresql(url: str, *, name: str | None, create: bool) -> Store:
    """The store of the journal `name` in a database; without a name, of the only one there.

    JournalInUse when another session holds it; JournalUnfit when the server cannot be reached, would not wait for
    its disk, or has no such journal and none is to be made.
    """
    engine = create_engine(
        make_url(url).set(drivername=DRIVER), isolation_level="AUTOCOMMIT", poolclass=NullPool, paramstyle="format"
    )
    try:
        connection = engine.connect()
    except OperationalError as error:
        raise JournalUnfit(f"the server cannot be reached: {error}") from error
    store = Store(
        connection,
        begin="BEGIN",
        mark="%s",
        errors=psycopg.Error,
        duplicate=psycopg.IntegrityError,
        release=lambda: None,
        full=lambda error: getattr(error, "sqlstate", None) == "53100",
        damaged=lambda error: getattr(error, "sqlstate", None) in ("XX001", "XX002"),
    )
    try:
        _settle(store, name, create)
    except psycopg.Error as error:
        store.close()
        raise store.explain(error) from error
    except BaseException:
        store.close()
        raise
    return store


def _settle(store: Store, name: str | None, create: bool) -> None:
    """The journal's schema, its lock for the life of the session, and a commit that waits for the disk."""
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
