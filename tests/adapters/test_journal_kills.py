"""Kill -9 at every counted statement and inside every real write, of the program or of the database's server.

What was acknowledged is there, once.
"""

import itertools
import os
import resource
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from controller.adapters.journal.errors import JournalError, JournalFailed
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from controller.core.ledger import balances
from tests.adapters.journal_fixtures import bet
from tests.adapters.journal_places import NAME, Place, PostgresPlace, SqlitePlace
from tests.services import Postgres

COMMITS = 3
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


def in_child(place: Place, prepare: Callable[[Journal], None]) -> tuple[int, int]:
    """Run `work` in a forked process: how it ended (wait status) and how many commits it acknowledged on a pipe."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.close(reader)
            journal = Journal.open(place.url, name=NAME)
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


def check(place: Place, acknowledged: int) -> None:
    """Reopen after the kill: whole commits only, all that was acknowledged, at most one more; then go on."""
    place.wait_free()
    with Journal.open(place.url, name=place.name) as journal:
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
def empty(module_place: Place) -> Place:
    Journal.open(module_place.url, name=NAME).close()
    return module_place


def counted(place: Place) -> int:
    """How many statements and commits `work` is."""
    with Journal.open(place.url, name=NAME) as journal:
        cursor = counting(journal, lambda count: None)
        work(journal, lambda commit: None)
        return cursor.count


def commits_of(place: Place) -> tuple[int, int]:
    """The numbers of the second commit's strikes: before it, and after it."""
    seen: list[int] = []

    class Noted(Counted):
        def execute(self, *arguments: Any) -> Any:
            answer = super().execute(*arguments)
            if arguments[0] == "COMMIT":
                seen.append(self.count)
            return answer

    with Journal.open(place.url, name=NAME) as journal:
        noted = Noted(journal.ask_now(lambda store: store.cursor), lambda count: None)
        journal.ask_now(lambda store: setattr(store, "cursor", noted))
        work(journal, lambda commit: None)
    return seen[1] - 1, seen[1]


@pytest.mark.requirement("R67")
@pytest.mark.promise("P1")
def test_kill_at_every_statement(empty: Place) -> None:
    total = counted(empty.copy())
    assert total >= COMMITS * 5
    for number in range(1, total + 1):

        def kill_there(journal: Journal, at: int = number) -> None:
            counting(journal, lambda count: os.kill(os.getpid(), signal.SIGKILL) if count == at else None)

        place = empty.copy()
        ended, acknowledged = in_child(place, kill_there)
        assert os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL
        check(place, acknowledged)


@pytest.mark.requirement("R67")
@pytest.mark.promise("P1")
def test_kill_inside_every_real_write(tmp_path: Path) -> None:
    """SIGXFSZ kills the process in the very write() that passes a file size, after the bytes up to it are written."""
    empty = SqlitePlace(tmp_path / "t1.db")
    Journal.open(empty.path, name=NAME).close()
    dry = empty.copy()
    with Journal.open(dry.path, name=NAME) as journal:
        work(journal, lambda commit: None)
        size = dry.path.with_name(f"{dry.path.name}-wal").stat().st_size
    killed = 0
    for limit in range(dry.path.stat().st_size // 2, size + 4096, 411):

        def bound(journal: Journal, limit: int = limit) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        place = empty.copy()
        ended, acknowledged = in_child(place, bound)
        if os.WIFSIGNALED(ended):
            assert os.WTERMSIG(ended) == signal.SIGXFSZ
            killed += 1
        else:
            assert acknowledged == COMMITS
        check(place, acknowledged)
    assert killed >= 20


def test_kill_while_the_journal_is_made(tmp_path: Path) -> None:
    """A kill at any size of the first file or its log: the next start makes or finishes the journal."""
    for number, limit in enumerate(range(0, 120_000, 7_001)):
        place = SqlitePlace(tmp_path / f"{number}.db")
        child = os.fork()
        if child == 0:
            try:
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                Journal.open(place.path, name=NAME)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        check(place, 0)


def kill_at_statement(number: int, patched: pytest.MonkeyPatch) -> None:
    """The end of this process stands before the statement of that number that psycopg sends from now on."""
    numbers = itertools.count(1)
    send = psycopg.Cursor.execute

    def execute(cursor: Any, *arguments: Any, **named: Any) -> Any:
        if next(numbers) == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return send(cursor, *arguments, **named)

    patched.setattr(psycopg.Cursor, "execute", execute)


@pytest.mark.requirement("R67")
@pytest.mark.promise("P1")
@pytest.mark.postgres
def test_kill_while_the_journal_is_made_in_a_database(
    postgres_server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every third statement: schema, lock, terms, tables, genesis."""
    first = PostgresPlace.new(postgres_server)
    for number in itertools.count(1, 3):
        place = replace(first, name=f"t{number}")
        child = os.fork()
        if child == 0:
            try:
                kill_at_statement(number, monkeypatch)
                Journal.open(place.url, name=place.name)
            finally:
                os._exit(0)
        _, ended = os.waitpid(child, 0)
        check(place, 0)
        if not os.WIFSIGNALED(ended):
            break
    assert number > 40


def work_until_it_fails(place: Place, strike: Callable[[int], None]) -> int:
    """How many commits were acknowledged before the failure that `strike` causes."""
    done: list[int] = []
    with Journal.open(place.url, name=NAME) as journal:
        counting(journal, strike)
        with pytest.raises(JournalFailed, match="nothing of this commit counts"):
            work(journal, done.append)
        with pytest.raises(JournalFailed):  # and no later append slips through
            journal.append_now([bet(1_000_000)], 0)
    return len(done)


@pytest.mark.requirement("R67")
@pytest.mark.promise("P1", "P8")
@pytest.mark.postgres
def test_a_session_that_ends_at_any_statement(postgres_server: Postgres) -> None:
    """The first commit, which raises the term, and one after it."""
    empty = PostgresPlace.new(postgres_server)
    Journal.open(empty.url, name=NAME).close()
    each = counted(empty.copy()) // (COMMITS + 1)
    for number in range(1, 2 * each + 1):
        place = empty.copy()

        def end(count: int, at: int = number, place: PostgresPlace = place) -> None:
            if count == at:
                place.end_sessions()

        check(place, work_until_it_fails(place, end))


@pytest.mark.requirement("R67")
@pytest.mark.promise("P1", "P8")
@pytest.mark.postgres
def test_the_server_is_stopped_at_once_before_and_after_a_commit_and_between(
    own_postgres: Callable[..., Postgres],
) -> None:
    server = own_postgres()
    place = PostgresPlace.new(server)
    Journal.open(place.url, name=NAME).close()
    before, after = commits_of(place.copy())
    for number in (before - 1, before, after):
        copied = place.copy()

        def stop(count: int, at: int = number) -> None:
            if count == at:
                server.crash()

        acknowledged = work_until_it_fails(copied, stop)
        server.start()
        check(copied, acknowledged)


@pytest.mark.requirement("R67")
@pytest.mark.promise("P1", "P8")
@pytest.mark.postgres
def test_the_server_is_stopped_at_once_under_appends_that_go_on(own_postgres: Callable[..., Postgres]) -> None:
    server = own_postgres()
    place = PostgresPlace.new(server)
    acknowledged: list[int] = []
    enough = threading.Event()
    stopped: list[JournalError] = []

    def go_on() -> None:
        with Journal.open(place.url, name=NAME) as journal:
            try:
                for commit in range(1_000_000):
                    journal.append_now([bet(commit * ROWS + row) for row in range(ROWS)], 0)
                    acknowledged.append(commit)
                    if commit == 50:
                        enough.set()
            except JournalError as failure:
                stopped.append(failure)

    writer = threading.Thread(target=go_on)
    writer.start()
    assert enough.wait(240)
    server.crash()
    writer.join()
    assert "the journal could not be written" in str(stopped[0])
    with pytest.raises(JournalError, match="the server cannot be reached"):
        Journal.open(place.url, name=NAME)
    server.start()
    with Journal.open(place.url, name=NAME) as journal:
        assert verify(journal).ok
        bets = [stored.entry.id for stored in journal.entries(1)]
        assert len(bets) // ROWS in (len(acknowledged), len(acknowledged) + 1) and len(bets) % ROWS == 0
        assert bets == [f"bet-{number}" for number in range(len(bets))]
        journal.append_now([bet(len(bets))], 0)
        assert verify(journal).ok
