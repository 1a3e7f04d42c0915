"""Disk full and I/O errors: nothing half done, nothing acknowledged, a clear message, a clean next start."""

import os
import resource
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from controller.adapters.journal.errors import JournalError, JournalFailed
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from controller.core.ledger import Entry
from tests.adapters.journal_fixtures import bet
from tests.adapters.journal_places import NAME, Place, PostgresPlace, SqlitePlace
from tests.disks import SmallDisk, mounted
from tests.services import Postgres

COMMITS = 6
ROWS = 3
STATEMENTS = {SqlitePlace: (4, 5), PostgresPlace: (5, 7)}
"""Least and most statements of a commit: ids looked up, begin, entries, mentions where a hand is new, commit; in a
database that others can reach, the term looked up too, and raised the first time."""
BROKEN: dict[type[Place], type[Exception]] = {
    SqlitePlace: sqlite3.OperationalError,
    PostgresPlace: psycopg.OperationalError,
}


def fill_until_it_fails(journal: Journal, done: int = 0) -> tuple[int, JournalFailed]:
    """Commits after those that are done, until one fails: how many were acknowledged, and the failure."""
    for commit in range(100_000):
        try:
            journal.append_now([bet((done + commit) * ROWS + row) for row in range(ROWS)], 0)
        except JournalFailed as failure:
            return commit, failure
    raise AssertionError("the disk never became full")


def check_clean_start(place: Place, acknowledged: int) -> None:
    with Journal.open(place.url, name=NAME) as journal:
        assert verify(journal).ok
        assert journal.head.seq == 1 + acknowledged * ROWS
        journal.append_now([bet(acknowledged * ROWS + row) for row in range(ROWS)], 0)
        assert verify(journal).ok and journal.head.seq == 1 + (acknowledged + 1) * ROWS


@pytest.mark.requirement("R51")
@pytest.mark.promise("P8")
@pytest.mark.parametrize("pages", range(0, 24, 2))
def test_disk_full_by_page_count(tmp_path: Path, pages: int) -> None:
    place = SqlitePlace(tmp_path / "t1.db")
    with Journal.open(place.url, name=NAME) as journal:
        now = journal.ask_now(lambda store: store.fetch("PRAGMA page_count"))[0][0]
        journal.ask_now(lambda store: store.fetch(f"PRAGMA max_page_count = {now + pages}"))
        acknowledged, failure = fill_until_it_fails(journal)
        assert "the disk is full" in str(failure)
        with pytest.raises(JournalFailed):  # and no later append slips through
            journal.append_now([bet(1_000_000)], 0)
        assert journal.head.seq == 1 + acknowledged * ROWS
    check_clean_start(place, acknowledged)


@pytest.mark.requirement("R51")
@pytest.mark.promise("P8")
def test_a_real_write_that_fails_at_any_size(tmp_path: Path) -> None:
    """RLIMIT_FSIZE makes the kernel refuse the write that passes a size, as a full disk would."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for number, extra in enumerate(range(0, 40_000, 2_049)):
        place = SqlitePlace(tmp_path / f"{number}.db")
        Journal.open(place.url, name=NAME).close()
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reader)
                journal = Journal.open(place.url, name=NAME)
                resource.setrlimit(resource.RLIMIT_FSIZE, (extra, extra))
                acknowledged, _ = fill_until_it_fails(journal)
                os.write(writer, str(acknowledged).encode())
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            acknowledged = int(pipe.read())
        os.waitpid(child, 0)
        check_clean_start(place, acknowledged)


class Failing:
    """A cursor whose i-th statement fails as a broken disk does."""

    def __init__(self, cursor: Any, at: int, error: type[Exception]) -> None:
        self._cursor = cursor
        self._left = at
        self._error = error
        self.commits = 0

    def _step(self) -> None:
        self._left -= 1
        if self._left == 0:
            raise self._error("disk I/O error")

    def execute(self, *arguments: Any) -> Any:
        self._step()
        self.commits += arguments[0] == "COMMIT"
        return self._cursor.execute(*arguments)

    def executemany(self, *arguments: Any) -> Any:
        self._step()
        return self._cursor.executemany(*arguments)

    def close(self) -> None:
        self._cursor.close()


@pytest.fixture(scope="module")
def empty(module_place: Place) -> Place:
    Journal.open(module_place.url, name=NAME).close()
    return module_place


@pytest.mark.requirement("R51")
@pytest.mark.promise("P8")
@pytest.mark.parametrize("at", range(1, 5 * COMMITS + 1))
def test_an_io_error_at_the_ith_statement(empty: Place, at: int) -> None:
    place = empty.copy()
    least, most = STATEMENTS[type(place)]
    with Journal.open(place.url, name=NAME) as journal:
        failing = Failing(journal.ask_now(lambda store: store.cursor), at, BROKEN[type(place)])
        journal.ask_now(lambda store: setattr(store, "cursor", failing))
        acknowledged, failure = fill_until_it_fails(journal)
        assert "disk I/O error" in str(failure)
    assert acknowledged == failing.commits
    assert (at - 1) // most <= acknowledged <= (at - 1) // least
    check_clean_start(place, acknowledged)


@pytest.fixture
def small_disk(tool: Callable[[str], str], postgres_server: Postgres) -> Iterator[SmallDisk]:
    with mounted(tool, 96 * 1024, postgres_server.owner) as disk:
        yield disk


@pytest.mark.requirement("R51")
@pytest.mark.promise("P8")
@pytest.mark.postgres
def test_the_disk_of_a_servers_tables_is_full(postgres_server: Postgres, small_disk: SmallDisk) -> None:
    """A tablespace without room for one page more, or for a few: another table or index is the one that fails."""
    with postgres_server.database_on(small_disk.directory) as url:
        place = PostgresPlace(postgres_server, url.rpartition("/")[2])
        Journal.open(url, name=NAME).close()
        done = 0
        for free_kb in (0, 8, 16, 24, 48, 96):
            small_disk.leave(free_kb)
            with Journal.open(url, name=NAME) as journal:
                acknowledged, failure = fill_until_it_fails(journal, done)
                assert "the disk is full" in str(failure)
                with pytest.raises(JournalFailed):
                    journal.append_now([bet(1_000_000)], 0)
            done += acknowledged
            small_disk.clear()
            check_clean_start(place, done)
            done += 1
        small_disk.leave(0)
        with pytest.raises(JournalError, match="the disk is full"):
            Journal.open(url, name="t2")
        small_disk.clear()
        Journal.open(url, name="t2").close()


@pytest.mark.requirement("R51")
@pytest.mark.promise("P8")
@pytest.mark.postgres
def test_the_disk_of_a_servers_log_is_full(own_postgres: Callable[..., Postgres], small_disk: SmallDisk) -> None:
    """Without room for its log a server ends, whoever asks it; it starts again when there is some."""
    server = own_postgres()
    server.stop()
    server.move_log(small_disk.directory)
    server.start()
    place = PostgresPlace.new(server)
    Journal.open(place.url, name=NAME).close()
    small_disk.leave(0)
    acknowledged = 0
    with Journal.open(place.url, name=NAME) as journal, pytest.raises(JournalFailed) as failure:
        for acknowledged in range(100):
            journal.append_now([Entry(f"large-{acknowledged}", "large", {"text": os.urandom(500_000).hex()})], 0)
    assert "the journal could not be written" in str(failure.value)
    small_disk.clear()
    server.crash()
    server.start()
    with Journal.open(place.url, name=NAME) as journal:
        assert verify(journal).ok and journal.head.seq == 1 + acknowledged
        journal.append_now([bet(0)], 0)
    server.crash()
