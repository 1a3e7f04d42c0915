"""A journal in one SQLite file: held by one connection, every commit on the disk before it returns."""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import NullPool, create_engine

from controller.adapters.journal.errors import JournalInUse, JournalUnfit
from controller.adapters.journal.store import Store

NETWORK_FILE_SYSTEMS = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "ncpfs",
        "afs",
        "ceph",
        "glusterfs",
        "9p",
        "lustre",
        "gfs2",
        "ocfs2",
        "beegfs",
        "davfs",
        "fuse.davfs2",
        "fuse.glusterfs",
        "fuse.sshfs",
        "fuse.s3fs",
        "fuse.rclone",
    }
)
"""Types of mounts on which SQLite's locks or fsync cannot be trusted (sqlite.org/howtocorrupt.html, 2.1)."""

MOUNTS = Path("/proc/self/mounts")


def open_sqlite(path: Path, *, create: bool) -> Store:
    """The store of a journal file.

    SQLite before 3.51.3 can corrupt a WAL file that two connections have open, so the file is taken exclusively before
    the first read: no second connection, no shared memory. JournalInUse when somebody has it; JournalUnfit when the
    place is a network file system or no journal is there and none is to be made. Who only opens what is there leaves no
    lock file behind that was not there before.
    """
    path = path.resolve()
    if not path.exists() and not create:
        raise JournalUnfit(f"no journal at {path}")
    if path.is_dir():
        raise JournalUnfit(f"{path} is a folder, not a journal")
    if path.exists() and not path.is_file():  # a socket, a pipe, a device
        raise JournalUnfit(f"{path} is not a regular file")
    if not path.parent.is_dir():
        raise JournalUnfit(f"no directory {path.parent}")
    check_local(path.parent)
    if not create and path.is_file() and path.stat().st_size == 0:
        raise JournalUnfit(f"there is no journal in {path}")
    let_go = _hold(path, passing=not create)
    try:
        return _connect(path, let_go)
    except BaseException:
        let_go()
        raise


def check_local(directory: Path, mounts: Path = MOUNTS) -> None:
    """Raise JournalUnfit when a directory lies on a network file system."""
    kind, best = "", ""
    for line in mounts.read_text().splitlines():
        _, point, fs_type, *_ = line.split(" ")
        point = point.replace("\\040", " ")
        if directory.is_relative_to(point) and len(point) >= len(best):
            kind, best = fs_type, point
    if kind in NETWORK_FILE_SYSTEMS:
        raise JournalUnfit(f"{directory} is on a network file system ({kind} at {best}): a journal needs a local disk")


@contextmanager
def kept_free(path: Path) -> Iterator[None]:
    """Nobody opens or makes a journal of that name meanwhile. JournalInUse while somebody has one open, whatever became
    of its file."""
    let_go = _hold(path, passing=True)
    try:
        yield
    finally:
        let_go()


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _hold(path: Path, *, passing: bool) -> Callable[[], None]:
    """Take the lock beside a file; what lets it go. passing: a lock file that was not there before goes with it."""
    beside = _beside(path)
    leaves_none = passing and not beside.exists()
    lock = _take(path)

    def let_go() -> None:
        if leaves_none:
            beside.unlink(missing_ok=True)  # before the lock goes: who waits for it sees that it is another file's
        os.close(lock)

    return let_go


def _take(path: Path) -> int:
    """A lock beside the file that goes with the process, however it ends."""
    while True:
        lock = os.open(_beside(path), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise JournalInUse(f"{path} is in use by another process") from None
        if _is_beside(lock, path):
            return lock
        os.close(lock)  # who held it took the file away meanwhile


def _is_beside(lock: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock), _beside(path).stat())
    except FileNotFoundError:
        return False


def _connect(path: Path, let_go: Callable[[], None]) -> Store:
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    engine = create_engine(
        f"sqlite:///{path}",
        isolation_level="AUTOCOMMIT",
        poolclass=NullPool,
        connect_args={"timeout": 0, "check_same_thread": False, "cached_statements": 256},
    )
    connection = engine.connect()
    store = Store(
        connection,
        begin="BEGIN IMMEDIATE",
        mark="?",
        errors=(sqlite3.Error, UnicodeDecodeError),
        duplicate=sqlite3.IntegrityError,
        release=let_go,
        full=lambda error: _code(error) == sqlite3.SQLITE_FULL,
        damaged=lambda error: (
            isinstance(error, UnicodeDecodeError)  # sqlite3 cannot read what SQLite says of a damaged schema
            or _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        ),
    )
    try:
        _settle(store)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        connection.close()
        if _code(error) == sqlite3.SQLITE_BUSY:
            raise JournalInUse(f"{path} is in use by another process") from error
        raise store.explain(error) from error
    except JournalUnfit:
        connection.close()
        raise
    return store


def _settle(store: Store) -> None:
    """Exclusive, write-ahead, FULL; and checked, as SQLite answers a pragma it cannot follow with the old value."""
    store.fetch("PRAGMA locking_mode = EXCLUSIVE")
    store.fetch("PRAGMA journal_mode = WAL")
    store.execute("PRAGMA synchronous = FULL")
    store.execute("PRAGMA cell_size_check = ON")
    store.begin()
    store.commit()
    found = {name: store.fetch(f"PRAGMA {name}")[0][0] for name in ("locking_mode", "journal_mode", "synchronous")}
    if found != {"locking_mode": "exclusive", "journal_mode": "wal", "synchronous": 2}:
        raise JournalUnfit(f"SQLite does not keep what a journal needs here: {found}")


def _code(error: Exception) -> int:
    """SQLite's primary result code of a driver's error."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
