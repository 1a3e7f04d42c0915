"""A standby host on a real PostgreSQL: it takes over by raising the term; the host that was, writes nothing more."""

import contextlib
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Self

import psycopg
import pytest

from controller.adapters.journal.equations import equations
from controller.adapters.journal.errors import AlreadyStored, JournalFailed
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.postgresql import engine_of
from controller.adapters.journal.verify import verify
from controller.engine.epoch import Epoch
from controller.engine.ledger_reading import record_from_plain
from tests.adapters.journal_fixtures import bet
from tests.services import wait_until

pytestmark = pytest.mark.postgres

REPOSITORY = Path(__file__).parents[2]


def asked(url: str) -> psycopg.Connection:
    """A session of the test's own."""
    return psycopg.connect(url.replace("+psycopg", ""))


class Standby:
    """A host process with its own key."""

    def __init__(self, url: str, key: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.adapters.standby_host", url, key],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.ended()

    def heard(self) -> list[str]:
        """Phase, term, key, start and the ledger's seq after its last commit."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().split()

    def write(self, number: int) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()

    def ended(self) -> int:
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        code = self.process.wait(240)
        self.process.stdout.close()
        return code


def let_go(url: str) -> None:
    """The server ends every other session, as it does when a machine is gone."""
    with asked(url) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


def free(url: str) -> bool:
    """Whether the server has noticed that the session which held the journal is gone."""
    with asked(url) as connection:
        held = connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
        return held == (0,)


def test_a_standby_takes_over_with_a_higher_term_and_only_then(postgres_url: str) -> None:
    with Standby(postgres_url, "aa") as first:
        assert first.heard() == ["serving", "1", "aa", "1", "1"]
        with Standby(postgres_url, "bb") as early:
            assert early.ended() == 3
    wait_until(lambda: free(postgres_url), what="the server lets the killed host's session go")
    with Standby(postgres_url, "bb") as second:
        assert second.heard() == ["serving", "2", "bb", "2", "2"]
        assert second.ended() == 0
    with Journal.open(postgres_url, name="carousel-c1", create=False) as journal:
        assert verify(journal, equations=equations()).ok
        began = [stored for stored in journal.entries() if stored.entry.kind in ("host.began", "ledger.epoch")]
    raised, record = began[-2:]
    assert raised.entry.body["epoch"] == [2, "bb", 2]
    assert record_from_plain(record.entry.body["record"]).epoch == Epoch(2, "bb", 2)
    assert (record.seq, record.cause) == (raised.seq + 1, raised.cause)


def patience_of(url: str) -> list[int]:
    """Of a session's connection: after which silence it asks, how often and how many times, and the longest it waits
    for an answer (milliseconds)."""
    with engine_of(url).connect() as connection:
        session = connection.connection.driver_connection
        assert isinstance(session, psycopg.Connection)
        with socket.socket(fileno=os.dup(session.fileno())) as line:
            options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT, socket.TCP_USER_TIMEOUT)
            return [line.getsockopt(socket.IPPROTO_TCP, option) for option in options]


def test_a_host_does_not_wait_for_a_server_whose_network_is_gone(postgres_url: str) -> None:
    """The server lets such a session go, and a standby takes over: the host must not say for long that it serves."""
    assert patience_of(postgres_url) == [5, 2, 3, 11_000]
    assert patience_of(f"{postgres_url}?keepalives_idle=60&tcp_user_timeout=90000") == [60, 2, 3, 90_000]


def last_seq(url: str) -> object:
    with asked(url) as connection:
        return connection.execute('SELECT max(seq) FROM "carousel-c1".entries').fetchone()


def test_a_host_that_lost_its_session_writes_nothing_more(postgres_url: str) -> None:
    with Standby(postgres_url, "aa") as first:
        assert first.heard() == ["serving", "1", "aa", "1", "1"]
        let_go(postgres_url)
        wait_until(lambda: free(postgres_url), what="the session is gone")
        with Standby(postgres_url, "bb") as second:
            assert second.heard() == ["serving", "2", "bb", "2", "2"]
            before = last_seq(postgres_url)
            first.write(1)
            assert first.ended() == 4
            assert last_seq(postgres_url) == before
            assert second.ended() == 0


def test_the_same_host_again_raises_only_its_start(postgres_url: str) -> None:
    for start in (1, 2):
        with Standby(postgres_url, "aa") as host:
            assert host.heard() == ["serving", "1", "aa", str(start), str(start)]
            assert host.ended() == 0


def bets_of(url: str) -> list[str]:
    with Journal.open(url, name="t1", create=False) as journal:
        assert verify(journal).ok
        return [stored.entry.id for stored in journal.entries() if stored.entry.kind == "credit_wagered"]


async def test_a_lock_that_is_lost_unseen_lets_no_two_hosts_write(postgres_url: str) -> None:
    """As behind a pool that shares sessions: both believe to hold the journal, and the first to hold it is fenced."""
    with Journal.open(postgres_url, name="t1") as first:
        await first.append([bet(1)], 0)
        first.ask_now(lambda store: store.fetch("SELECT pg_advisory_unlock_all()"))
        with Journal.open(postgres_url, name="t1") as second:
            await first.append([bet(2)], 0)
            with pytest.raises(JournalFailed, match="duplicate"):
                await second.append([bet(3)], 0)
        with Journal.open(postgres_url, name="t1") as third:
            await third.append([bet(4)], 0)
            with pytest.raises(JournalFailed, match="another host has taken the journal t1 over"):
                await first.append([bet(5)], 0)
            await third.append([bet(6)], 0)
    assert bets_of(postgres_url) == ["bet-1", "bet-2", "bet-4", "bet-6"]


async def test_a_host_whose_session_was_ended_says_that_another_has_taken_over(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Journal.open(postgres_url, name="t1") as first:
        await first.append([bet(1)], 0)
        let_go(postgres_url)
        wait_until(lambda: free(postgres_url), what="the session is gone")
        with Journal.open(postgres_url, name="t1") as second:
            await second.append([bet(2)], 0)
            taken = "another host has taken the journal t1 over; .*terminating connection"
            with pytest.raises(JournalFailed, match=taken):
                await first.append([bet(3)], 0)
    assert not caplog.records, "nothing is said of the lost session beside that"
    assert bets_of(postgres_url) == ["bet-1", "bet-2"]


async def test_the_term_is_raised_by_the_first_record_and_with_it(postgres_url: str) -> None:
    def term() -> object:
        with asked(postgres_url) as connection:
            return connection.execute("SELECT term FROM carrusel.terms WHERE journal = 't1'").fetchone()

    with Journal.open(postgres_url, name="t1") as journal:
        await journal.append([bet(1)], 0)
    assert term() == (1,)
    with Journal.open(postgres_url, name="t1") as journal:
        assert len(list(journal.entries())) == 2
        assert term() == (1,), "a reader raises nothing"
        with pytest.raises(AlreadyStored):
            await journal.append([bet(1)], 0, fresh=True)
        assert term() == (1,), "nothing was written"
        await journal.append([bet(2)], 0)
        await journal.append([bet(3)], 0)
        assert term() == (2,)
