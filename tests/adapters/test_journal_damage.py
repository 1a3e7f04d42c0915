"""A journal's file or a server's disk that was damaged: every byte is reported or of no consequence."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.adapters.journal.errors import Fault, JournalError
from tests.adapters.journal_looks import ENTRIES, fill, first, look, opened
from tests.adapters.journal_places import PostgresPlace, SqlitePlace
from tests.services import Postgres


@pytest.fixture
def in_file(tmp_path: Path) -> SqlitePlace:
    """A sound journal in a file."""
    place = SqlitePlace(tmp_path / "t1.db")
    fill(place, ENTRIES)
    return place


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
