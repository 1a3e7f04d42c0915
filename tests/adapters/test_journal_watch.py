"""A database that answers nothing: neither does a bet count nor does anybody wait without being told."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import psycopg
import pytest

from controller.adapters.events import journal_watch
from controller.adapters.events.journal_watch import JournalWatch
from controller.adapters.journal.journal import Journal
from controller.core.events import AlarmCleared, AlarmRaised
from controller.engine.ports import SLOW_MS
from tests.adapters.test_runner import running, wagered
from tests.services import Postgres

NAME = "t1"


def test_it_is_told_once_and_ended_once(caplog: pytest.LogCaptureFixture) -> None:
    waited, posted, shown = {"a": 0, "b": 0}, list[object](), list[tuple[str, bool]]()
    watch = JournalWatch(
        {name: lambda name=name: waited[name] for name in waited},  # type: ignore[misc]  # of this turn
        posted.append,
        lambda journal, slow: shown.append((journal, slow)),
    )
    for waits_ms in (0, SLOW_MS - 1, SLOW_MS, SLOW_MS + 30_500, 0, 0):
        waited["a"] = waits_ms
        watch.look()
    assert posted == [AlarmRaised("journal_slow", "a"), AlarmCleared("journal_slow", "a", "40 s")]
    assert shown == [("a", True), ("a", False)]
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2 and "until the database answers" in told[0] and "40 s is over" in told[1]


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Another session holds the journal's table."""
    with psycopg.connect(url.replace("+psycopg", "")) as other:
        other.execute(f'LOCK TABLE "{NAME}".entries IN EXCLUSIVE MODE')
        yield


@contextmanager
def frozen(url: str) -> Iterator[None]:
    """The server's process of this session stands still, and its machine goes on answering for it."""
    with psycopg.connect(url.replace("+psycopg", "")) as other:
        held = (
            "SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
            " WHERE l.locktype = 'advisory' AND d.datname = current_database()"
        )
        pids = {pid for (pid,) in other.execute(held)}
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


@pytest.mark.postgres
@pytest.mark.parametrize("hang", [locked, frozen])
async def test_a_commit_that_hangs_is_an_alarm_until_it_is_over(
    postgres_server: Postgres, monkeypatch: pytest.MonkeyPatch, hang: Callable[[str], AbstractContextManager[None]]
) -> None:
    monkeypatch.setattr(journal_watch, "SLOW_MS", 100)
    url = postgres_server.create_database()
    posted: list[object] = []
    with Journal.open(url, name=NAME) as journal:
        async with running(journal) as runner:
            watch = JournalWatch({NAME: lambda: runner.writing_ms}, posted.append)
            with hang(url):
                waiting = asyncio.create_task(runner.submit(wagered(1)))
                while runner.writing_ms < 100:
                    await asyncio.sleep(0.01)
                watch.look()
                assert posted == [AlarmRaised("journal_slow", NAME)]
                assert (runner.state.by_seat, waiting.done()) == ({}, False), "nothing of it is taken"
            assert [entry.id for entry in (await waiting).entries] == ["e1"]
            assert runner.writing_ms == 0
            watch.look()
            assert runner.state.by_seat == {1: 100}
    assert isinstance(posted[-1], AlarmCleared) and len(posted) == 2
