"""Disk full and I/O errors: nothing half done, nothing acknowledged, a clear message, a clean next start."""

import os
import resource
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.journal import Journal
from controller.adapters.journal_errors import JournalFailed
from controller.adapters.journal_verify import verify
from tests.adapters.journal_fixtures import bet

COMMITS = 6
ROWS = 3


def fill_until_it_fails(journal: Journal) -> tuple[int, JournalFailed]:
    """Commits until one fails: how many were acknowledged, and the failure."""
    for commit in range(100_000):
        try:
            journal.append_now([bet(commit * ROWS + row) for row in range(ROWS)], 0)
        except JournalFailed as failure:
            return commit, failure
    raise AssertionError("the disk never became full")


def check_clean_start(path: Path, acknowledged: int) -> None:
    with Journal.open(path, name="t1") as journal:
        assert verify(journal).ok
        assert journal.head.seq == 1 + acknowledged * ROWS
        journal.append_now([bet(acknowledged * ROWS + row) for row in range(ROWS)], 0)
        assert verify(journal).ok and journal.head.seq == 1 + (acknowledged + 1) * ROWS


@pytest.mark.requirement("R51")
@pytest.mark.promise("P8")
@pytest.mark.parametrize("pages", range(0, 24, 2))
def test_disk_full_by_page_count(tmp_path: Path, pages: int) -> None:
    path = tmp_path / "t1.db"
    with Journal.open(path, name="t1") as journal:
        now = journal.ask_now(lambda store: store.fetch("PRAGMA page_count"))[0][0]
        journal.ask_now(lambda store: store.fetch(f"PRAGMA max_page_count = {now + pages}"))
        acknowledged, failure = fill_until_it_fails(journal)
        assert "the disk is full" in str(failure)
        with pytest.raises(JournalFailed):  # and no later append slips through
            journal.append_now([bet(1_000_000)], 0)
        assert journal.head.seq == 1 + acknowledged * ROWS
    check_clean_start(path, acknowledged)


@pytest.mark.requirement("R51")
@pytest.mark.promise("P8")
def test_a_real_write_that_fails_at_any_size(tmp_path: Path) -> None:
    """RLIMIT_FSIZE makes the kernel refuse the write that passes a size, as a full disk would."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for number, extra in enumerate(range(0, 40_000, 2_049)):
        path = tmp_path / f"{number}.db"
        Journal.open(path, name="t1").close()
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reader)
                journal = Journal.open(path, name="t1")
                resource.setrlimit(resource.RLIMIT_FSIZE, (extra, extra))
                acknowledged, _ = fill_until_it_fails(journal)
                os.write(writer, str(acknowledged).encode())
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            acknowledged = int(pipe.read())
        os.waitpid(child, 0)
        check_clean_start(path, acknowledged)


class Failing:
    """A cursor whose i-th statement fails as a broken disk does."""

    def __init__(self, cursor: Any, at: int) -> None:
        self._cursor = cursor
        self._left = at

    def _step(self) -> None:
        self._left -= 1
        if self._left == 0:
            raise sqlite3.OperationalError("disk I/O error")

    def execute(self, *arguments: Any) -> Any:
        self._step()
        return self._cursor.execute(*arguments)

    def executemany(self, *arguments: Any) -> Any:
        self._step()
        return self._cursor.executemany(*arguments)

    def close(self) -> None:
        self._cursor.close()


@pytest.mark.requirement("R51")
@pytest.mark.promise("P8")
@pytest.mark.parametrize("at", range(1, 4 * COMMITS + 1))
def test_an_io_error_at_the_ith_statement(tmp_path: Path, at: int) -> None:
    path = tmp_path / "t1.db"
    with Journal.open(path, name="t1") as journal:
        failing = Failing(journal.ask_now(lambda store: store.cursor), at)
        journal.ask_now(lambda store: setattr(store, "cursor", failing))
        acknowledged, failure = fill_until_it_fails(journal)
        assert "disk I/O error" in str(failure)
    assert acknowledged == (at - 1) // 4
    check_clean_start(path, acknowledged)
