"""A standby host on a real PostgreSQL: it takes over by raising the term; the host that was, writes nothing more."""

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Self

import psycopg
import pytest

from controller.adapters.journal import Journal
from controller.adapters.journal_equations import equations
from controller.adapters.journal_verify import verify
from controller.engine.ledger_records import Epoch, record_from_plain
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
        code = self.process.wait(60)
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
