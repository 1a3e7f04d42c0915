"""Kill -9 at every counted statement and inside every real write: what was acknowledged is there, once."""

import os
import resource
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.journal import Journal
from controller.adapters.journal_verify import verify
from controller.core.ledger import balances
from tests.adapters.journal_fixtures import bet

COMMITS = 6
ROWS = 3


class Counted:
    """A cursor that counts what it sends, and strikes just before each statement and just after each commit."""

    def __init__(self, cursor: Any, strike: Callable[[int], None]) -> None:
        self._cursor = cursor
        self._strike = strike
        self.count = 0

    def _step(self) -> None:
        self.count += 1
        self._strike(self.count)

    def execute(self, *arguments: Any) -> Any:
        self._step()
        answer = self._cursor.execute(*arguments)
        if arguments[0] == "COMMIT":
            self._step()
        return answer

    def executemany(self, *arguments: Any) -> Any:
        self._step()
        return self._cursor.executemany(*arguments)

    def close(self) -> None:
        self._cursor.close()


def work(journal: Journal, acknowledge: Callable[[int], None]) -> None:
    """Some commits of some bets, each acknowledged after it returned; one of them is a repeat."""
    for commit in range(COMMITS):
        journal.append_now([bet(commit * ROWS + row) for row in range(ROWS)], commit)
        acknowledge(commit)
    journal.append_now([bet(0)], 99)


def counting(journal: Journal, strike: Callable[[int], None]) -> Counted:
    counted = Counted(journal.ask_now(lambda store: store.cursor), strike)
    journal.ask_now(lambda store: setattr(store, "cursor", counted))
    return counted


def in_child(path: Path, prepare: Callable[[Journal], None]) -> tuple[int, int]:
    """Run `work` in a forked process: how it ended (wait status) and how many commits it acknowledged on a pipe."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.close(reader)
            journal = Journal.open(path, name="t1")
            prepare(journal)

            def acknowledge(commit: int) -> None:
                os.write(writer, b"x")

            work(journal, acknowledge)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        acknowledged = len(pipe.read())
    _, ended = os.waitpid(child, 0)
    return ended, acknowledged


def check(path: Path, acknowledged: int) -> None:
    """Reopen after the kill: whole commits only, all that was acknowledged, at most one more; then go on."""
    with Journal.open(path, name="t1") as journal:
        report = verify(journal)
        assert report.ok, report.findings
        bets = [stored.entry for stored in journal.entries(1)]
        assert len(bets) % ROWS == 0
        commits = len(bets) // ROWS
        assert acknowledged <= commits <= acknowledged + 1
        assert [entry.id for entry in bets] == [f"bet-{number}" for number in range(len(bets))]
        work(journal, lambda commit: None)
        assert journal.head.seq == 1 + COMMITS * ROWS
        assert balances(stored.entry for stored in journal.entries()) == {
            "patrons": -5_000_000 * COMMITS * ROWS,
            "bets": 5_000_000 * COMMITS * ROWS,
        }


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "t1.db"
    Journal.open(path, name="t1").close()
    return path


@pytest.mark.requirement("R67")
@pytest.mark.promise("P1")
def test_kill_at_every_statement(empty: Path, tmp_path: Path) -> None:
    dry = Path(shutil.copy(empty, tmp_path / "dry.db"))
    with Journal.open(dry, name="t1") as journal:
        counted = counting(journal, lambda count: None)
        work(journal, lambda commit: None)
        total = counted.count
    assert total >= COMMITS * 5
    for number in range(1, total + 1):

        def kill_there(journal: Journal, at: int = number) -> None:
            counting(journal, lambda count: os.kill(os.getpid(), signal.SIGKILL) if count == at else None)

        path = Path(shutil.copy(empty, tmp_path / f"{number}.db"))
        ended, acknowledged = in_child(path, kill_there)
        assert os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL
        check(path, acknowledged)


@pytest.mark.requirement("R67")
@pytest.mark.promise("P1")
def test_kill_inside_every_real_write(empty: Path, tmp_path: Path) -> None:
    """SIGXFSZ kills the process in the very write() that passes a file size, after the bytes up to it are written."""
    dry = Path(shutil.copy(empty, tmp_path / "dry.db"))
    with Journal.open(dry, name="t1") as journal:
        work(journal, lambda commit: None)
        size = dry.with_name("dry.db-wal").stat().st_size
    killed = 0
    for limit in range(dry.stat().st_size // 2, size + 4096, 1111):

        def bound(journal: Journal, limit: int = limit) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        path = Path(shutil.copy(empty, tmp_path / f"{limit}.db"))
        ended, acknowledged = in_child(path, bound)
        if os.WIFSIGNALED(ended):
            assert os.WTERMSIG(ended) == signal.SIGXFSZ
            killed += 1
        else:
            assert acknowledged == COMMITS
        check(path, acknowledged)
    assert killed >= 20


def test_kill_while_the_journal_is_made(tmp_path: Path) -> None:
    """A kill at any size of the first file or its log: the next start makes or finishes the journal."""
    for number, limit in enumerate(range(0, 120_000, 7_001)):
        path = tmp_path / f"{number}.db"
        child = os.fork()
        if child == 0:
            try:
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                Journal.open(path, name="t1")
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        check(path, 0)
