"""A real streaming replica: what is acknowledged is on it, it takes over, and a server that lost it is told."""

import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from controller.adapters.events.alarms import REPLICA_MISSING
from controller.adapters.events.replica_watch import ReplicaWatch
from controller.adapters.journal.errors import JournalError, JournalFailed, JournalUnfit
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.replica import check_replica, missing
from controller.adapters.journal.verify import verify
from tests.adapters.journal_fixtures import bet
from tests.services import HOST, Postgres, wait_until

pytestmark = pytest.mark.postgres

ROWS = 3


def demand(server: Postgres, names: str) -> None:
    """Which standbys a commit waits for, `*` for any and empty for none."""
    server.run(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'", "SELECT pg_reload_conf()")
    with contextlib.closing(server.session()) as session:
        wait_until(
            lambda: session.execute("SHOW synchronous_standby_names").fetchone() == (names,), what="it is configured"
        )


def url_of_both(database: str, server: Postgres, replica: Postgres) -> str:
    """That of whichever takes writes."""
    hosts = f"host={HOST}:{server.port}&host={HOST}:{replica.port}"
    return f"postgresql://carrusel@/{database}?target_session_attrs=read-write&{hosts}"


@contextlib.contextmanager
def waiting(journal: Journal, server: Postgres, number: int) -> Iterator[Future[object]]:
    """An append whose commit the server holds back until a standby has it."""
    held = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    with ThreadPoolExecutor(1) as pool, contextlib.closing(server.session()) as session:
        append: Future[object] = pool.submit(journal.append_now, [bet(number)], 0)
        wait_until(lambda: session.execute(held).fetchone() == (1,), what="the commit waits for a standby")
        assert not append.done()
        yield append


def test_a_server_without_a_synchronous_standby_is_told_and_acknowledges_nothing(
    own_postgres: Callable[..., Postgres],
) -> None:
    server = own_postgres({"synchronous_commit": "local"})
    url = server.create_database()
    server.run("CREATE ROLE plain LOGIN")
    Journal.open(url, name="t1").close()
    assert missing(url) == "synchronous_standby_names = ''"
    demand(server, "*")
    assert missing(url) == "pg_stat_replication: -"
    assert missing(url.replace("carrusel@", "plain@")) == "GRANT pg_read_all_stats TO plain"
    with pytest.raises(JournalUnfit, match=r"which state\.replica requires \(pg_stat_replication: -\)"):
        check_replica(url)
    replica = own_postgres(of=server)
    wait_until(lambda: missing(url) == "", what="the standby is connected")
    check_replica(url)
    watch = ReplicaWatch(lambda: missing(url))
    assert watch.held() == ()
    with Journal.open(url, name="t1", replicated=True) as journal:
        journal.append_now([bet(1)], 0)
        replica.stop()
        wait_until(lambda: missing(url) != "", what="the server has noticed")
        (held,) = watch.held()
        assert (held.alarm.code, held.alarm.detail) == (REPLICA_MISSING, "pg_stat_replication: -")
        with waiting(journal, server, 2) as append:
            replica.start()
            append.result(240)
        assert watch.held() == ()
        demand(server, "")
        told = "SHOW synchronous_standby_names"
        wait_until(lambda: journal.ask_now(lambda store: store.fetch(told)) == [("",)], what="its session is told")
        (held,) = watch.held()
        assert held.alarm.detail == "synchronous_standby_names = ''"
        with pytest.raises(JournalFailed, match="a commit would be on one machine alone"):
            journal.append_now([bet(3)], 0)
    with Journal.open(url, name="t1") as journal:
        assert [stored.entry.id for stored in journal.entries(1)] == ["bet-1", "bet-2"]


def test_a_promoted_replica_has_what_was_acknowledged_and_its_old_server_acknowledges_nothing(
    own_postgres: Callable[..., Postgres],
) -> None:
    server = own_postgres()
    url = server.create_database()
    Journal.open(url, name="t1").close()
    replica = own_postgres(of=server)
    demand(server, "*")
    wait_until(lambda: missing(url) == "", what="the standby is connected")
    either = url_of_both(url.rpartition("/")[2], server, replica)
    acknowledged: list[int] = []
    enough = threading.Event()

    def go_on() -> None:
        with Journal.open(either, name="t1", replicated=True) as journal, contextlib.suppress(JournalError):
            for commit in itertools.count():
                journal.append_now([bet(commit * ROWS + row) for row in range(ROWS)], 0)
                acknowledged.append(commit)
                if commit == 50:
                    enough.set()

    writer = threading.Thread(target=go_on)
    writer.start()
    assert enough.wait(240)
    server.crash()
    writer.join()
    replica.promote()
    with Journal.open(either, name="t1") as journal:
        assert verify(journal).ok
        bets = [stored.entry.id for stored in journal.entries(1)]
        assert bets == [f"bet-{number}" for number in range(len(bets))]
        assert len(bets) // ROWS in (len(acknowledged), len(acknowledged) + 1) and len(bets) % ROWS == 0
        journal.append_now([bet(len(bets))], 0)
    server.start()
    with pytest.raises(JournalUnfit, match="no synchronous replica"):
        check_replica(url)
    for end, said in (("cancel", "canceling wait"), ("terminate", "server closed the connection")):
        with Journal.open(url, name="t1") as alone:
            with waiting(alone, server, alone.head.seq) as append:
                server.run(f"SELECT pg_{end}_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            failure = append.exception()
            assert isinstance(failure, JournalFailed) and said in str(failure)
