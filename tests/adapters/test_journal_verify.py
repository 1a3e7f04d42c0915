"""Whatever is done to a stored journal is reported with the first bad seq, and with what kind of fault it is."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal import Journal
from controller.adapters.journal_chain import NO_CHAIN, Head, Record, canonical, link, rows_on
from controller.adapters.journal_checkpoints import Checkpoint, Signer, public_bytes
from controller.adapters.journal_equations import pools_hold
from controller.adapters.journal_errors import Fault, JournalDamaged, JournalError
from controller.adapters.journal_verify import Report, damaged, verify
from controller.core.ledger import Entry, move
from tests.adapters.journal_fixtures import bet

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
COLUMNS = ("id", "kind", "actor", "wall_ms", "cause", "body", "postings", "chain")
ENTRIES = 30


def fill(path: Path, count: int, every: int = 10) -> None:
    with Journal.open(path, name="t1", key=KEY, incarnation="aa", checkpoint_every=every) as journal:
        entries = [bet(number) for number in range(count - 1)]
        for start in range(0, count - 1, 7):
            part = entries[start : start + 7]
            journal.append_now(part, 1_000 + start, causes={entry.id: entry.id.encode() for entry in part})


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "t1.db"
    fill(path, ENTRIES)
    return path


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path / "t1.db"))


def tamper(path: Path, *statements: str | tuple[str, tuple[object, ...]]) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER IF EXISTS entries_never_change")
    connection.execute("DROP TRIGGER IF EXISTS entries_never_go")
    for statement in statements:
        connection.execute(*((statement,) if isinstance(statement, str) else statement))
    connection.commit()
    connection.close()


def look(path: Path, against: tuple[Checkpoint, ...] = ()) -> Report:
    try:
        with Journal.open(path, create=False) as journal:
            return verify(journal, against=against)
    except JournalDamaged as error:
        return damaged(error)


def first(report: Report) -> tuple[int | None, Fault]:
    assert report.findings, "nothing was found"
    return report.findings[0].seq, report.findings[0].fault


def test_a_sound_journal_holds(sound: Path) -> None:
    report = look(sound)
    assert report.ok and (report.name, report.entries, report.checkpoints) == ("t1", ENTRIES, 3)
    assert report.last_good_checkpoint is not None and report.last_good_checkpoint.seq == 30


def test_a_journal_in_postgresql_holds(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1", key=KEY, checkpoint_every=10) as journal:
        journal.append_now([bet(number) for number in range(25)], 0)
        report = verify(journal)
    assert (report.ok, report.entries, report.checkpoints) == (True, 26, 2)


class Flipped:
    """A journal on one connection whose rows can be changed in place, so that thousands of changes take no time."""

    def __init__(self, path: Path) -> None:
        self.journal = Journal.open(path, name="t1")
        self.run("DROP TRIGGER entries_never_change")

    def run(self, sql: str, values: tuple[object, ...] = ()) -> None:
        self.journal.ask_now(lambda store: store.execute(sql, values))

    def value(self, seq: int, column: str) -> object:
        return self.journal.ask_now(lambda store: store.fetch(f"SELECT {column} FROM entries WHERE seq = ?", (seq,)))[
            0
        ][0]

    def findings(self, seq: int, column: str, value: object) -> Report:
        """The report while a column holds another value."""
        before = self.value(seq, column)
        self.run(f"UPDATE entries SET {column} = ? WHERE seq = ?", (value, seq))
        try:
            return verify(self.journal)
        finally:
            self.run(f"UPDATE entries SET {column} = ? WHERE seq = ?", (before, seq))


def flips(value: object) -> list[object]:
    """A value with one bit of one byte flipped, for every byte of it."""
    if isinstance(value, int):
        return [value ^ (1 << bit) for bit in range(0, 63, 8)]
    data = value.encode() if isinstance(value, str) else bytes(value)  # type: ignore[call-overload]  # bytes of a BLOB
    changed = [data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1 :] for at in range(len(data))]
    return [each.decode() for each in changed] if isinstance(value, str) else list(changed)


@pytest.mark.requirement("R88")
@pytest.mark.promise("P9")
def test_every_byte_of_every_stored_entry(copy: Path) -> None:
    flipped = Flipped(copy)
    tried = 0
    for seq in range(1, ENTRIES + 1):
        for column in COLUMNS:
            for value in flips(flipped.value(seq, column)):
                report = flipped.findings(seq, column, value)
                assert first(report) == (seq, Fault.ALTERED), (seq, column, value)
                assert report.entries == seq - 1
                expected = (seq - 1) // 10 * 10
                assert (report.last_good_checkpoint.seq if report.last_good_checkpoint else 0) == expected
                tried += 1
    assert verify(flipped.journal).ok
    flipped.journal.close()
    assert tried > 30 * 150


@pytest.mark.requirement("R88")
@pytest.mark.promise("P9")
@pytest.mark.parametrize("seq", [1, 2, 333, 500, 999, 1000])
def test_a_sample_over_a_thousand_entries(tmp_path: Path, seq: int) -> None:
    path = tmp_path / "t1.db"
    fill(path, 1000, every=100)
    flipped = Flipped(path)
    for column in COLUMNS:
        for value in flips(flipped.value(seq, column))[-1:]:
            report = flipped.findings(seq, column, value)
            assert first(report)[0] == seq
            assert (report.last_good_checkpoint.seq if report.last_good_checkpoint else 0) == (seq - 1) // 100 * 100
    flipped.journal.close()


COPY_OF_12 = "id, kind, actor, wall_ms, cause, body, postings, chain FROM entries WHERE seq = 12"


@pytest.mark.requirement("R88")
@pytest.mark.promise("P9")
@pytest.mark.parametrize(
    ("what", "statements", "seq", "fault"),
    [
        ("deleted", ["DELETE FROM entries WHERE seq = 12"], 12, Fault.GAP),
        ("first deleted", ["DELETE FROM entries WHERE seq = 1"], 1, Fault.BAD_GENESIS),
        (
            "deleted and renumbered",
            [
                "DELETE FROM entries WHERE seq = 12",
                "UPDATE entries SET seq = -(seq - 1) WHERE seq > 12",
                "UPDATE entries SET seq = -seq WHERE seq < 0",
            ],
            *(12, Fault.BAD_CHAIN),
        ),
        (
            "inserted",
            [
                "UPDATE entries SET seq = -(seq + 1) WHERE seq > 12",
                "UPDATE entries SET seq = -seq WHERE seq < 0",
                "INSERT INTO entries SELECT 13, 'x' || " + COPY_OF_12,
            ],
            *(13, Fault.BAD_CHAIN),
        ),
        (
            "neighbours swapped",
            [
                "UPDATE entries SET seq = -5 WHERE seq = 12",
                "UPDATE entries SET seq = 12 WHERE seq = 13",
                "UPDATE entries SET seq = 13 WHERE seq = -5",
            ],
            *(12, Fault.SWAPPED),
        ),
        (
            "far ones swapped",
            [
                "UPDATE entries SET seq = -5 WHERE seq = 3",
                "UPDATE entries SET seq = 3 WHERE seq = 28",
                "UPDATE entries SET seq = 28 WHERE seq = -5",
            ],
            *(3, Fault.SWAPPED),
        ),
        ("no chain", ["UPDATE entries SET chain = x'' WHERE seq = 30"], 30, Fault.ALTERED),
        ("checkpoint", ["UPDATE checkpoints SET signature = zeroblob(64) WHERE seq = 20"], 20, Fault.BAD_CHECKPOINT),
        (
            "checkpoint's chain",
            ["UPDATE checkpoints SET chain = zeroblob(32) WHERE seq = 20"],
            20,
            Fault.BAD_CHECKPOINT,
        ),
        ("tail cut", ["DELETE FROM entries WHERE seq > 27"], 28, Fault.CUT_TAIL),
    ],
)
def test_what_is_done_to_rows(copy: Path, what: str, statements: list[str], seq: int, fault: Fault) -> None:
    tamper(copy, *statements)
    assert first(look(copy)) == (seq, fault), what


@pytest.mark.requirement("R88")
@pytest.mark.promise("P9")
def test_a_cut_tail_shows_against_a_checkpoint_kept_outside(copy: Path) -> None:
    with Journal.open(copy, create=False) as journal:
        outside = journal.checkpoints()[-1]
    tamper(copy, "DELETE FROM entries WHERE seq > 22", "DELETE FROM checkpoints WHERE seq > 22")
    assert look(copy).ok
    assert first(look(copy, (outside,))) == (23, Fault.CUT_TAIL)


def rewritten(path: Path, seq: int, change: Callable[[Record], Record]) -> list[tuple[object, ...]]:
    """All rows from a seq on, chained anew by somebody who knows how."""
    with Journal.open(path, create=False) as journal:
        rows = journal.ask_now(lambda store: store.page(0, 1000))
    head = Head(seq - 1, rows[seq - 2][-1])
    made: list[tuple[object, ...]] = []
    for _, entry_id, kind, actor, wall_ms, cause, body, postings, _ in rows[seq - 1 :]:
        record = Record(entry_id, kind, actor, cause, body, postings)
        (row,) = rows_on(head, [change(record) if head.seq == seq - 1 else record], wall_ms)
        head = Head(row.seq, row.chain)
        made.append(row)
    return made


def plant(path: Path, rows: list[tuple[object, ...]]) -> None:
    inserts = [("INSERT OR REPLACE INTO entries VALUES (?,?,?,?,?,?,?,?,?)", row) for row in rows]
    tamper(path, *inserts)


def test_a_history_rewritten_with_a_fresh_chain_shows_at_the_checkpoint(copy: Path) -> None:
    plant(copy, rewritten(copy, 14, lambda record: record._replace(actor="thief")))
    report = look(copy)
    assert first(report) == (11, Fault.OTHER_HISTORY)
    assert report.last_good_checkpoint is not None and report.last_good_checkpoint.seq == 10
    with sqlite3.connect(copy) as connection:
        connection.execute("DELETE FROM checkpoints WHERE seq > 10")
    connection.close()
    assert look(copy).ok
    honest = Signer(KEY, "t1", "aa").sign(Head(20, bytes(32)))
    assert first(look(copy, (honest,))) == (11, Fault.OTHER_HISTORY)


def test_unbalanced_postings_are_found_under_a_good_chain(copy: Path) -> None:
    uneven = canonical([["patrons", -5], ["bets", 6]])
    plant(copy, rewritten(copy, 25, lambda record: record._replace(postings=uneven)))
    assert first(look(copy)) == (25, Fault.UNBALANCED)


def test_only_the_keys_one_trusts_count(sound: Path) -> None:
    stranger = public_bytes(Ed25519PrivateKey.generate())
    with Journal.open(sound, create=False) as journal:
        assert verify(journal, keys=[public_bytes(KEY)]).ok
        assert first(verify(journal, keys=[stranger])) == (10, Fault.BAD_CHECKPOINT)


@pytest.mark.promise("P4")
def test_an_equation_is_asked_after_every_entry(sound: Path) -> None:
    held = {"bets": 0}

    def bound(entry: Entry) -> str | None:
        held["bets"] += sum(posting.micros for posting in entry.postings if posting.account == "bets")
        return "the bets are more than they can be" if held["bets"] > 50_000_000 else None

    with Journal.open(sound, create=False) as journal:
        report = verify(journal, equations=[bound])
    assert first(report) == (12, Fault.EQUATION)


def test_a_pool_that_gave_more_than_it_had_is_found(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        journal.append_now([Entry("a", "in", {}, move("contributions", "pool.main:t1", 5))], 0)
        journal.append_now([Entry("b", "out", {}, move("pool.main:t1", "awards", 5))], 0)
        assert verify(journal, equations=[pools_hold()]).ok
        journal.append_now([Entry("c", "out", {}, move("pool.main:t1", "awards", 1))], 0)
        assert first(verify(journal, equations=[pools_hold()])) == (4, Fault.EQUATION)


def test_a_peers_cosignature_is_kept_and_checked(copy: Path) -> None:
    peer = Ed25519PrivateKey.generate()
    with Journal.open(copy, create=False) as journal:
        point = journal.checkpoints()[1]
        journal.cosign(point.seq, "host", public_bytes(peer), peer.sign(point.message()))
        assert verify(journal).ok
        with pytest.raises(JournalError):
            journal.cosign(point.seq, "t2", public_bytes(peer), bytes(64))
    tamper(copy, "UPDATE cosignatures SET public_key = zeroblob(32)")
    assert first(look(copy)) == (20, Fault.BAD_CHECKPOINT)


@pytest.mark.promise("P9")
def test_every_byte_of_the_file_is_either_reported_or_of_no_consequence(tmp_path: Path, copy: Path) -> None:
    """A byte in every few, and all of the pages' heads: a report, or every entry reads as it was written."""
    data = bytearray(copy.read_bytes())
    with Journal.open(copy, create=False) as journal:
        entries = list(journal.entries())
    reported = 0
    page = int.from_bytes(data[16:18], "big")
    places = sorted({at for at in range(len(data)) if at % page < 24} | set(range(0, len(data), 211)))
    victim = tmp_path / "victim.db"
    for at in places:
        data[at] ^= 0x41
        victim.write_bytes(data)
        data[at] ^= 0x41
        try:
            report = look(victim)
        except JournalError:
            reported += 1
            continue
        finally:
            for left in tmp_path.glob("victim.db-*"):
                left.unlink()
        if not report.ok:
            reported += 1
            continue
        with Journal.open(victim, create=False) as journal:
            assert list(journal.entries()) == entries, at
    assert reported > len(places) // 10


def test_a_page_that_cannot_be_read_is_file_damage_at_its_first_seq(tmp_path: Path) -> None:
    path = tmp_path / "t1.db"
    fill(path, 400)
    data = bytearray(path.read_bytes())
    place = data.index(b"bet-250")
    page = int.from_bytes(data[16:18], "big")
    start = place // page * page
    data[start : start + 8] = b"\xff" * 8
    path.write_bytes(data)
    seq, fault = first(look(path))
    assert fault is Fault.FILE_DAMAGE and seq is not None and 200 < seq <= 252


def test_the_chain_is_what_the_documentation_says() -> None:
    """The vector was made with printf and sha256sum."""
    record = Record("a", "k", "table", b"", b'{"x":1}', b"[]")
    (row,) = rows_on(Head(0, NO_CHAIN), [record], 5)
    assert row.chain == link(NO_CHAIN, row)
    assert row.chain.hex() == "47ffeaf0fe51c8d74a198812c6945f1ad0d15add6d4747f360ccd14e039fd602"
