"""Whatever is done to a stored journal is reported with the first bad seq, and with what kind of fault it is."""

import pytest

from controller.adapters.journal.errors import Fault
from controller.adapters.journal.verify import Report, verify
from tests.adapters.journal_looks import COLUMNS, ENTRIES, fill, first, look, opened
from tests.adapters.journal_places import NAME, Place, PostgresPlace, SqlitePlace, Statement, disarm


@pytest.fixture(scope="module")
def sound(module_place: Place) -> Place:
    fill(module_place, ENTRIES)
    return module_place


@pytest.fixture
def copy(sound: Place) -> Place:
    return sound.copy()


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
