"""Whatever is done to a stored journal is reported with the first bad seq, and with what kind of fault it is."""

import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.daily import check_journal
from controller.adapters.journal.chain import NO_CHAIN, Head, Record, canonical, link, rows_on
from controller.adapters.journal.checkpoints import Checkpoint, Signer, public_bytes
from controller.adapters.journal.equations import equations, pools_hold
from controller.adapters.journal.errors import Fault, JournalDamaged, JournalError
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.reading import Reading
from controller.adapters.journal.store import Store
from controller.adapters.journal.verify import Report, damaged, verify
from controller.core.ledger import Entry, LedgerBroken, move
from tests.adapters.journal_fixtures import bet
from tests.adapters.journal_places import NAME, Place, PostgresPlace, SqlitePlace, Statement, disarm
from tests.services import Postgres

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
COLUMNS = ("id", "kind", "actor", "wall_ms", "cause", "body", "postings", "chain")
ENTRIES = 30


def fill(place: Place, count: int, every: int = 10) -> None:
    with Journal.open(place.url, name=NAME, key=KEY, incarnation="aa", checkpoint_every=every) as journal:
        entries = [bet(number) for number in range(count - 1)]
        for start in range(0, count - 1, 7):
            part = entries[start : start + 7]
            journal.append_now(part, 1_000 + start, causes={entry.id: entry.id.encode() for entry in part})


@pytest.fixture(scope="module")
def sound(module_place: Place) -> Place:
    fill(module_place, ENTRIES)
    return module_place


@pytest.fixture
def copy(sound: Place) -> Place:
    return sound.copy()


@pytest.fixture
def in_file(tmp_path: Path) -> SqlitePlace:
    """A sound journal in a file."""
    place = SqlitePlace(tmp_path / "t1.db")
    fill(place, ENTRIES)
    return place


def opened(place: Place) -> Journal:
    place.wait_free()  # a server lets a session go a moment after it was closed
    return Journal.open(place.url, name=NAME, create=False)


def look(place: Place, against: tuple[Checkpoint, ...] = ()) -> Report:
    place.wait_free()
    try:
        with Journal.open(place.url, create=False) as journal:
            return verify(journal, against=against)
    except JournalDamaged as error:
        return damaged(error)


def first(report: Report) -> tuple[int | None, Fault]:
    assert report.findings, "nothing was found"
    return report.findings[0].seq, report.findings[0].fault


def test_a_sound_journal_holds(copy: Place) -> None:
    report = look(copy)
    assert report.ok and (report.name, report.entries, report.checkpoints) == (NAME, ENTRIES, 3)
    assert report.last_good_checkpoint is not None and report.last_good_checkpoint.seq == 30


class Flipped:
    """A journal on one connection, of which a row is changed and changed back thousands of times in no time."""

    def __init__(self, place: Place) -> None:
        self.journal = opened(place)
        self.journal.ask_now(disarm)

    def row(self, seq: int) -> dict[str, object]:
        sql = f"SELECT {', '.join(COLUMNS)} FROM entries WHERE seq = ?"
        (values,) = self.journal.ask_now(lambda store: store.fetch(sql, (seq,)))
        return dict(zip(COLUMNS, values, strict=True))

    def findings(self, seq: int, column: str, value: object) -> Report:
        """The report while a column holds another value."""
        changed = f"UPDATE entries SET {column} = ? WHERE seq = ?"
        self.journal.ask_now(lambda store: store.execute("BEGIN"))
        self.journal.ask_now(lambda store: store.execute(changed, (value, seq)))
        try:
            return verify(self.journal, pages=False)
        finally:
            self.journal.ask_now(lambda store: store.execute("ROLLBACK"))


def flips(value: object) -> list[object]:
    """A value with one bit of one byte flipped, for every byte of it."""
    if isinstance(value, int):
        return [value ^ (1 << bit) for bit in range(0, 63, 8)]
    data = value.encode() if isinstance(value, str) else bytes(value)  # type: ignore[call-overload]  # bytes of a BLOB
    changed = [data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1 :] for at in range(len(data))]
    return [each.decode() for each in changed] if isinstance(value, str) else list(changed)


@pytest.mark.requirement("R88")
@pytest.mark.promise("P9")
def test_every_byte_of_every_stored_entry(copy: Place) -> None:
    """In a database that is asked over a socket: of some entries every byte, of the others each fourth."""
    flipped = Flipped(copy)
    step = 4 if isinstance(copy, PostgresPlace) else 1
    tried = 0
    for seq in range(1, ENTRIES + 1):
        for column, stored in flipped.row(seq).items():
            for value in flips(stored)[:: 1 if seq in (1, 12, ENTRIES) else step]:
                report = flipped.findings(seq, column, value)
                assert first(report) == (seq, Fault.ALTERED), (seq, column, value)
                assert report.entries == seq - 1
                expected = (seq - 1) // 10 * 10
                assert (report.last_good_checkpoint.seq if report.last_good_checkpoint else 0) == expected
                tried += 1
    assert verify(flipped.journal).ok
    flipped.journal.close()
    assert tried > ENTRIES * 150 // step


@pytest.fixture(scope="module")
def thousand(module_place: Place, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A thousand entries, beside the place of the thirty."""
    if isinstance(module_place, PostgresPlace):
        place: Place = PostgresPlace.new(module_place.server)
    else:
        place = SqlitePlace(tmp_path_factory.mktemp("thousand") / "t1.db")
    fill(place, 1000, every=100)
    return place


@pytest.mark.requirement("R88")
@pytest.mark.promise("P9")
@pytest.mark.parametrize("seq", [1, 2, 333, 500, 999, 1000])
def test_a_sample_over_a_thousand_entries(thousand: Place, seq: int) -> None:
    flipped = Flipped(thousand)
    for column, stored in flipped.row(seq).items():
        for value in flips(stored)[-1:]:
            report = flipped.findings(seq, column, value)
            assert first(report)[0] == seq
            assert (report.last_good_checkpoint.seq if report.last_good_checkpoint else 0) == (seq - 1) // 100 * 100
    flipped.journal.close()


BAD_CHECKPOINT = (20, Fault.BAD_CHECKPOINT)
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
        ("no chain", [("UPDATE entries SET chain = ? WHERE seq = 30", (b"",))], 30, Fault.ALTERED),
        ("signature", [("UPDATE checkpoints SET signature = ? WHERE seq = 20", (bytes(64),))], *BAD_CHECKPOINT),
        ("its chain", [("UPDATE checkpoints SET chain = ? WHERE seq = 20", (bytes(32),))], *BAD_CHECKPOINT),
        ("its key", [("UPDATE checkpoints SET public_key = ? WHERE seq = 20", (bytes(32),))], *BAD_CHECKPOINT),
        ("its life", ["UPDATE checkpoints SET incarnation = 'ab' WHERE seq = 20"], *BAD_CHECKPOINT),
        ("tail cut", ["DELETE FROM entries WHERE seq > 27"], 28, Fault.CUT_TAIL),
    ],
)
def test_what_is_done_to_rows(copy: Place, what: str, statements: list[Statement], seq: int, fault: Fault) -> None:
    copy.tamper(*statements)
    assert first(look(copy)) == (seq, fault), what


@pytest.mark.requirement("R88")
@pytest.mark.promise("P9")
def test_a_cut_tail_shows_against_a_checkpoint_kept_outside(copy: Place) -> None:
    with opened(copy) as journal:
        outside = journal.checkpoints()[-1]
    copy.tamper("DELETE FROM entries WHERE seq > 22", "DELETE FROM checkpoints WHERE seq > 22")
    assert first(look(copy)) == (23, Fault.CUT_TAIL)  # entries were mentioned that are not there
    copy.tamper("DELETE FROM mentions WHERE seq > 22")
    assert look(copy).ok
    assert first(look(copy, (outside,))) == (23, Fault.CUT_TAIL)


def rewritten(place: Place, seq: int, change: Callable[[Record], Record]) -> list[tuple[object, ...]]:
    """All rows from a seq on, chained anew by somebody who knows how."""
    with opened(place) as journal:
        rows = journal.ask_now(lambda store: store.page(0, 1000))
    head = Head(seq - 1, rows[seq - 2][-1])
    made: list[tuple[object, ...]] = []
    for _, entry_id, kind, actor, wall_ms, cause, body, postings, _ in rows[seq - 1 :]:
        record = Record(entry_id, kind, actor, cause, body, postings)
        (row,) = rows_on(head, [change(record) if head.seq == seq - 1 else record], wall_ms)
        head = Head(row.seq, row.chain)
        made.append(msgspec.structs.astuple(row))
    return made


def plant(place: Place, rows: list[tuple[object, ...]]) -> None:
    inserts = [("INSERT INTO entries VALUES (?,?,?,?,?,?,?,?,?)", row) for row in rows]
    place.tamper(("DELETE FROM entries WHERE seq >= ?", (rows[0][0],)), *inserts)


def test_a_history_rewritten_with_a_fresh_chain_shows_at_the_checkpoint(copy: Place) -> None:
    plant(copy, rewritten(copy, 14, lambda record: msgspec.structs.replace(record, actor="thief")))
    report = look(copy)
    assert first(report) == (11, Fault.OTHER_HISTORY)
    assert report.last_good_checkpoint is not None and report.last_good_checkpoint.seq == 10
    copy.tamper("DELETE FROM checkpoints WHERE seq > 10")
    assert look(copy).ok
    honest = Signer(KEY, "t1", "aa").sign(Head(20, bytes(32)))
    assert first(look(copy, (honest,))) == (11, Fault.OTHER_HISTORY)


def test_unbalanced_postings_are_found_under_a_good_chain(copy: Place) -> None:
    uneven = canonical([["patrons", -5], ["bets", 6]])
    plant(copy, rewritten(copy, 25, lambda record: msgspec.structs.replace(record, postings=uneven)))
    assert first(look(copy)) == (25, Fault.UNBALANCED)


@pytest.mark.promise("P9")
@pytest.mark.parametrize("kind", ["bet", "ledger.counters", "link.record"])
@pytest.mark.parametrize("body", [b"", b"{", b'{"record":{"kind":"counters","seq":1', b"\xff"])
def test_a_body_that_is_no_json_is_found_under_a_good_chain(copy: Place, kind: str, body: bytes) -> None:
    """Whoever reads it or not: a ledger's record is read by its own reader."""
    plant(copy, rewritten(copy, 25, lambda record: msgspec.structs.replace(record, kind=kind, body=body)))
    with opened(copy) as journal:
        assert first(verify(journal)) == first(verify(journal, equations=equations())) == (25, Fault.ALTERED)


@pytest.mark.promise("P9")
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("bets.closed", b"[]"),
        ("bets.closed", b'{"contribution":{"meter":5}}'),
        ("bets.closed", b'{"contribution":{"main":5,"reserve":5,"house":5,"pools":{"carta":5}}}'),
        ("link.counted", b'{"main_micros":"5"}'),
        ("draw.prize", b'{"kind":"another","pool_micros":5}'),
        ("restored.settled", b'{"pools":7}'),
        ("host.adopting", b"7"),
        ("bet", b"[" * 5_000 + b"]" * 5_000),
    ],
)
def test_a_body_in_no_form_that_is_known_is_a_finding(copy: Place, kind: str, body: bytes) -> None:
    plant(copy, rewritten(copy, 25, lambda record: msgspec.structs.replace(record, kind=kind, body=body)))
    with opened(copy) as journal:
        seq, fault = first(verify(journal, equations=equations()))
        assert (seq, fault) == (25, Fault.UNREADABLE)
        with pytest.raises(LedgerBroken, match="seq 25"):
            check_journal(journal)


@pytest.mark.promise("P9")
def test_an_index_that_leads_astray_is_found_and_made_anew(journal_url: str) -> None:
    hands = [Entry(f"e{number}", "game.event", {"hand": number // 50}) for number in range(100)]
    told = [*hands, Entry("p", "prize.paid", {"prize": "t1/i/4/2"}), Entry("l", "login.passed", {"login": "ana"})]
    with Journal.open(journal_url, name="t1") as journal:
        journal.append_now(told, 1)
        sound = journal.ask_now(Store.mentions)
        assert verify(journal).ok
        for statement, seq in [
            ("DELETE FROM mentions WHERE subject = 'hand 1'", 52),
            ("DELETE FROM mentions WHERE subject = 'hand 0' AND seq > 2", 34),
            ("DELETE FROM mentions WHERE subject = 'people'", 103),
            ("UPDATE mentions SET seq = 100 WHERE substr(subject, 1, 5) = 'prize'", 100),
            ("INSERT INTO mentions VALUES ('hand 7', 60)", 60),
        ]:
            journal.ask_now(partial(Store.execute, sql=statement))
            report = verify(journal)
            assert first(report) == (seq, Fault.BAD_INDEX), statement
            assert (report.entries, len(report.findings)) == (103, 1)  # the entries hold all the same
            check_journal(journal)
            assert journal.ask_now(Store.mentions) == sound
        journal.append_now([Entry("e100", "game.event", {"hand": 2})], 1)
        assert verify(journal).ok
        journal.ask_now(partial(Store.execute, sql="INSERT INTO mentions VALUES ('hand 2', 900)"))
        assert first(verify(journal)) == (105, Fault.CUT_TAIL)
        with pytest.raises(LedgerBroken, match="cut_tail"):  # nothing is made anew that says more was there
            check_journal(journal)


def test_only_the_keys_one_trusts_count(copy: Place) -> None:
    stranger = public_bytes(Ed25519PrivateKey.generate())
    with opened(copy) as journal:
        assert verify(journal, keys=[public_bytes(KEY)]).ok
        assert first(verify(journal, keys=[stranger])) == (10, Fault.BAD_CHECKPOINT)


@pytest.mark.promise("P4")
def test_an_equation_is_asked_after_every_entry(copy: Place) -> None:
    held = {"bets": 0}

    def bound(entry: Reading) -> str | None:
        held["bets"] += sum(micros for account, micros in entry.postings if account == "bets")
        return "the bets are more than they can be" if held["bets"] > 50_000_000 else None

    with opened(copy) as journal:
        report = verify(journal, equations=[bound])
    assert first(report) == (12, Fault.EQUATION)


def test_a_pool_that_gave_more_than_it_had_is_found(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        journal.append_now([Entry("a", "in", {}, move("contributions", "pool.main:t1", 5))], 0)
        journal.append_now([Entry("b", "out", {}, move("pool.main:t1", "awards", 5))], 0)
        assert verify(journal, equations=[pools_hold()]).ok
        journal.append_now([Entry("c", "out", {}, move("pool.main:t1", "awards", 1))], 0)
        assert first(verify(journal, equations=[pools_hold()])) == (4, Fault.EQUATION)


def test_a_peers_cosignature_is_kept_and_checked(copy: Place) -> None:
    peer = Ed25519PrivateKey.generate()
    with opened(copy) as journal:
        point = journal.checkpoints()[1]
        journal.cosign(point.seq, "host", public_bytes(peer), peer.sign(point.message()))
        assert verify(journal).ok
        with pytest.raises(JournalError):
            journal.cosign(point.seq, "t2", public_bytes(peer), bytes(64))
    copy.tamper(("UPDATE cosignatures SET public_key = ?", (bytes(32),)))
    assert first(look(copy)) == (20, Fault.BAD_CHECKPOINT)


@pytest.mark.promise("P9")
def test_every_byte_of_the_file_is_either_reported_or_of_no_consequence(tmp_path: Path, in_file: SqlitePlace) -> None:
    """A byte in every few, and all of the pages' heads: a report, or every entry reads as it was written."""
    data = bytearray(in_file.path.read_bytes())
    with opened(in_file) as journal:
        entries = list(journal.entries())
    reported = 0
    page = int.from_bytes(data[16:18], "big")
    places = sorted({at for at in range(len(data)) if at % page < 24} | set(range(0, len(data), 211)))
    victim = SqlitePlace(tmp_path / "victim.db")
    for at in places:
        data[at] ^= 0x41
        victim.path.write_bytes(data)
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
        with opened(victim) as journal:
            assert list(journal.entries()) == entries, at
    assert reported > len(places) // 10


def test_a_page_that_cannot_be_read_is_file_damage_at_its_first_seq(tmp_path: Path) -> None:
    place = SqlitePlace(tmp_path / "t1.db")
    fill(place, 400)
    data = bytearray(place.path.read_bytes())
    page = int.from_bytes(data[16:18], "big")
    start = data.index(b"bet-250") // page * page
    data[start : start + 8] = b"\xff" * 8
    place.path.write_bytes(data)
    seq, fault = first(look(place))
    assert fault is Fault.FILE_DAMAGE and seq is not None and 200 < seq <= 252


@pytest.mark.requirement("R88")
@pytest.mark.promise("P9")
@pytest.mark.postgres
def test_a_byte_on_the_disk_of_a_server_is_found_with_and_without_its_own_checksums(
    own_postgres: Callable[..., Postgres],
) -> None:
    server = own_postgres()
    place = PostgresPlace.new(server)
    fill(place, 400)
    with contextlib.closing(server.session(place.database)) as session:
        session.execute("CHECKPOINT")
        ((relation,),) = session.execute("SELECT pg_relation_filepath('t1.entries')").fetchall()
    file = server.directory / "data" / str(relation)
    server.stop()
    data = bytearray(file.read_bytes())
    data[data.index(b"bet-250")] ^= 0x01
    file.write_bytes(data)
    server.start()
    seq, fault = first(look(place))
    assert fault is Fault.FILE_DAMAGE and seq is not None and 200 < seq <= 252
    server.run(f"ALTER DATABASE {place.database} SET ignore_checksum_failure = on")
    assert first(look(place)) == (252, Fault.ALTERED)


def test_the_chain_is_what_the_documentation_says() -> None:
    """The vector was made with printf and sha256sum."""
    record = Record("a", "k", "table", b"", b'{"x":1}', b"[]")
    (row,) = rows_on(Head(0, NO_CHAIN), [record], 5)
    assert row.chain == link(NO_CHAIN, row)
    assert row.chain.hex() == "47ffeaf0fe51c8d74a198812c6945f1ad0d15add6d4747f360ccd14e039fd602"
