"""The journal's port: order, identity, same-id rule, durability, exclusive opening; on SQLite and PostgreSQL."""

import asyncio
import errno
import sqlite3
from pathlib import Path

import pytest

from controller.adapters.journal import state_files
from controller.adapters.journal.chain import GENESIS
from controller.adapters.journal.checkpoints import node_key
from controller.adapters.journal.errors import (
    AlreadyStored,
    Conflict,
    JournalDamaged,
    JournalFailed,
    JournalInUse,
    JournalUnfit,
)
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.sqlite import check_local
from controller.adapters.journal.store import Store
from controller.core.ledger import Entry, Posting
from tests.adapters.journal_fixtures import bet


def test_a_new_journal_begins_with_its_genesis(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1", incarnation="aa11", wall_ms=7) as journal:
        (first,) = journal.entries()
    assert (first.seq, first.wall_ms, first.entry.kind) == (1, 7, GENESIS)
    assert first.entry.body == {"format": 1, "incarnation": "aa11", "name": "t1"}
    assert journal.head.chain == first.chain


def test_incarnations_are_random(tmp_path: Path) -> None:
    lives = set()
    for number in range(3):
        with Journal.open(tmp_path / f"{number}.db", name="t1") as journal:
            lives.add(journal.incarnation)
    assert len(lives) == 3


async def test_what_was_appended_is_there_after_reopening(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        appended = await journal.append([bet(1), bet(2)], 1_000)
        await journal.append([bet(3)], 2_000)
        before = list(journal.entries())
    with Journal.open(journal_url, name="t1") as journal:
        after = list(journal.entries())
        assert journal.head.seq == 4
    assert after == before
    assert [stored.seq for stored in after] == [1, 2, 3, 4]
    assert [stored.entry for stored in after[1:]] == [bet(1), bet(2), bet(3)]
    assert [stored.wall_ms for stored in after[1:]] == [1_000, 1_000, 2_000]
    assert (appended.first_seq, appended.head.seq, appended.head.chain) == (2, 3, after[2].chain)


async def test_same_id_same_content_changes_nothing_and_other_content_is_a_conflict(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        await journal.append([bet(1)], 0)
        again = await journal.append([bet(1), bet(2)], 99)
        assert again.repeated == {"bet-1"}
        assert journal.head.seq == 3
        with pytest.raises(Conflict, match="bet-2"):
            await journal.append([bet(3), bet(2, micros=1)], 0)
        with pytest.raises(Conflict):
            await journal.append([bet(4), bet(4, micros=1)], 0)
        with pytest.raises(AlreadyStored) as known:
            await journal.append([bet(1), bet(5)], 0, fresh=True)
        assert known.value.ids == {"bet-1"}
        assert journal.head.seq == 3
        assert set(await journal.find(["bet-1", "bet-3", "bet-5"])) == {"bet-1"}


async def test_one_bad_append_does_not_harm_those_that_share_its_commit(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        await journal.append([bet(0)], 0)
        waits = [journal.append([bet(n, micros=n)], 0) for n in (1, 0, 2)]
        first, conflict, last = await asyncio.gather(*waits, return_exceptions=True)
        assert isinstance(conflict, Conflict)
        assert not isinstance(first, BaseException) and not isinstance(last, BaseException)
        assert sorted(await journal.find(["bet-0", "bet-1", "bet-2"])) == ["bet-0", "bet-1", "bet-2"]
        assert [stored.seq for stored in journal.entries()] == [1, 2, 3, 4]


async def test_a_cancelled_caller_does_not_stop_the_commit(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        task = asyncio.ensure_future(journal.append([bet(1)], 0))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert "bet-1" in await journal.find(["bet-1"])


@pytest.mark.parametrize("body", [{"x": 1.5}, {"x": [1.0]}, {1: "x"}, {"x": {2: 3}}, {"x": b"y"}, {"x": {"y": {1, 2}}}])
async def test_a_body_that_is_not_exact_is_refused(journal_url: str, body: dict[str, object]) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        with pytest.raises(TypeError):
            await journal.append([Entry("a", "b", body)], 0)
        with pytest.raises(TypeError):
            await journal.append([Entry("a", "b", {}, (Posting("x", 0.5),))], 0)  # type: ignore[arg-type]  # on purpose
        assert journal.head.seq == 1


async def test_bodies_are_stored_canonical(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        await journal.append([Entry("a", "k", {"b": [True, None, "ñ"], "a": {"d": 1, "c": (2, 3)}})], 0)
        ((body,),) = await journal.ask(lambda store: store.fetch("SELECT body FROM entries WHERE id = 'a'"))
    assert body == '{"a":{"c":[2,3],"d":1},"b":[true,null,"ñ"]}'.encode()


def test_a_second_opener_is_refused(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1"), pytest.raises(JournalInUse):
        Journal.open(journal_url, name="t1")
    Journal.open(journal_url, name="t1").close()


def test_a_foreign_connection_that_holds_the_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "t1.db"
    Journal.open(path, name="t1").close()
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalInUse):
        Journal.open(path, name="t1")
    other.close()


def test_no_journal_is_made_unless_asked_for(tmp_path: Path, journal_url: str) -> None:
    with pytest.raises(JournalUnfit):
        Journal.open(journal_url, name="t1", create=False)
    with pytest.raises(JournalUnfit):
        Journal.open(tmp_path / "none" / "t1.db", name="t1")
    Journal.open(journal_url, name="t1").close()
    Journal.open(journal_url, name="t1", create=False).close()


def test_a_journal_of_another_name_is_refused(tmp_path: Path) -> None:
    Journal.open(tmp_path / "t1.db", name="t1").close()
    with pytest.raises(JournalUnfit, match="t1"):
        Journal.open(tmp_path / "t1.db", name="t2")


@pytest.mark.requirement("R51")
def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t1.db"
    path.write_bytes(b"\0" * 8192)
    with pytest.raises((JournalUnfit, JournalDamaged)):
        Journal.open(path, name="t1")


def test_a_journal_of_a_later_version_is_refused(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        journal.ask_now(lambda store: store.execute("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(JournalUnfit, match="9999"):
        Journal.open(journal_url, name="t1")


@pytest.mark.parametrize(
    ("mounts", "directory", "fits"),
    [
        ("/dev/sda / ext4 rw 0 0", "/var/lib/carrusel", True),
        ("/dev/sda / ext4 rw 0 0\nsrv:/x /var nfs4 rw 0 0", "/var/lib/carrusel", False),
        ("/dev/sda / ext4 rw 0 0\nsrv:/x /var nfs4 rw 0 0\n/dev/sdb /var/lib xfs rw 0 0", "/var/lib/carrusel", True),
        ("srv:/x / nfs rw 0 0\n//s/x /mnt/a\\040b cifs rw 0 0", "/mnt/a b", False),
        ("/dev/sda / ext4 rw 0 0\nsrv:/x /var/lib2 nfs rw 0 0", "/var/lib", True),
    ],
)
def test_network_file_systems_are_refused(tmp_path: Path, mounts: str, directory: str, fits: bool) -> None:
    listed = tmp_path / "mounts"
    listed.write_text(mounts + "\n")
    if fits:
        check_local(Path(directory), listed)
    else:
        with pytest.raises(JournalUnfit, match="network file system"):
            check_local(Path(directory), listed)


@pytest.mark.requirement("R60", "R88", "R80")
def test_entries_never_change_or_go(tmp_path: Path) -> None:
    path = tmp_path / "t1.db"
    Journal.open(path, name="t1").close()
    connection = sqlite3.connect(path)
    for statement in ("UPDATE entries SET actor = 'x'", "DELETE FROM entries"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            connection.execute(statement)
    with pytest.raises(sqlite3.IntegrityError):  # STRICT
        connection.execute("INSERT INTO entries VALUES ('two','i','k','a',0,x'',x'',x'',x'')")
    connection.close()


async def test_a_closed_journal_says_so(journal_url: str) -> None:
    journal = Journal.open(journal_url, name="t1")
    journal.close()
    journal.close()
    with pytest.raises(JournalFailed):
        await journal.append([bet(1)], 0)


@pytest.mark.requirement("R51")
async def test_reading_stops_at_the_first_entry_that_is_not_chained(journal_url: str) -> None:
    def steal(store: Store) -> None:
        of_table = " ON entries" if store.dialect == "postgresql" else ""
        store.execute(f"DROP TRIGGER entries_never_change{of_table}")
        store.execute("UPDATE entries SET actor = 'thief' WHERE seq = 4")

    with Journal.open(journal_url, name="t1") as journal:
        await journal.append([bet(n) for n in range(5)], 0)
        journal.ask_now(steal)
    with Journal.open(journal_url, name="t1") as journal:
        seen: list[int] = []
        with pytest.raises(JournalDamaged) as damage:
            seen.extend(stored.seq for stored in journal.entries())
    assert damage.value.seq == 4 and seen == [1, 2, 3]


def test_the_node_key_is_made_once_and_kept_private(tmp_path: Path) -> None:
    key = node_key(tmp_path)
    assert (tmp_path / "node.key").stat().st_mode & 0o777 == 0o600
    assert node_key(tmp_path).private_bytes_raw() == key.private_bytes_raw()
    (tmp_path / "node.key").chmod(0o644)
    with pytest.raises(PermissionError):
        node_key(tmp_path)
    (tmp_path / "node.key").chmod(0o600)
    (tmp_path / "node.key").write_text("")
    with pytest.raises(JournalUnfit, match="not a node's key"):
        node_key(tmp_path)


@pytest.mark.promise("P8")
def test_a_node_key_that_cannot_be_written_leaves_nothing_and_is_made_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(state_files.os, "fsync", full)
        with pytest.raises(JournalFailed, match=r"node\.key could not be written: No space left"):
            node_key(tmp_path)
    assert list(tmp_path.iterdir()) == []
    key = node_key(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["node.key"]
    assert node_key(tmp_path).private_bytes_raw() == key.private_bytes_raw()


async def test_checkpoints_fall_every_so_many_entries_and_on_demand(journal_url: str, tmp_path: Path) -> None:
    with Journal.open(journal_url, name="t1", key=node_key(tmp_path), checkpoint_every=10) as journal:
        appended = await journal.append([bet(n) for n in range(25)], 0)
        asked = await journal.checkpoint()
        again = await journal.checkpoint()
        stored = journal.checkpoints()
    assert appended.checkpoint is not None and appended.checkpoint.seq == 20
    assert [checkpoint.seq for checkpoint in stored] == [10, 20, 26]
    assert asked == again == stored[-1]
    assert all(checkpoint.is_signed() for checkpoint in stored)
