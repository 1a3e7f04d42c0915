"""What exports, backups and restores find at the place they are written to; files that are damaged or none."""

import contextlib
import errno
import json
import os
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.adapters.journal import backup as backups
from controller.adapters.journal.errors import JournalError, JournalInUse, JournalUnfit
from controller.adapters.journal.export import VERIFIER, write_export
from controller.adapters.journal.journal import Journal
from tests.adapters.journal_desk import DEEP, KEY, command, exported_from, made_journal
from tests.adapters.journal_fixtures import bet
from tests.adapters.journal_looks import COLUMNS, rewritten
from tests.adapters.journal_places import NAME, Place, SqlitePlace
from tests.disks import SmallDisk, mounted


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made_journal(tmp_path)


@pytest.fixture
def exported(path: Path) -> Path:
    return exported_from(path)


def files(place: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in place.iterdir()}


@pytest.mark.parametrize("target", ["t1.db", "t2.db", "notes.txt", "link", "dir", VERIFIER.name])
def test_an_export_takes_no_other_files_place(path: Path, tmp_path: Path, target: str) -> None:
    """A name typed wrong must not cost the journal itself, nor another one."""
    place = tmp_path / "place"
    place.mkdir()
    Journal.open(place / "t2.db", name="t2").close()
    (place / "t1.db").write_bytes(path.read_bytes())
    (place / "notes.txt").write_text("notes")
    before = files(place)
    (place / "link").symlink_to("nowhere")
    (place / "dir").mkdir()
    done = command("journal", "export", place / "t1.db", place / target)
    assert (done.exit_code, "another file" in done.stderr or "move it away" in done.stderr) == (2, True), done.output
    (place / "link").unlink()
    (place / "dir").rmdir()
    assert files(place) == before


def test_an_earlier_export_gives_way_to_the_next(path: Path, exported: Path) -> None:
    exported.with_name(VERIFIER.name).write_text("pass\n")
    with Journal.open(path, name="t1", key=KEY) as opened:
        opened.append_now([bet(77)], 0)
    assert command("journal", "export", path, exported).exit_code == 0
    assert "26 entries hold" in command("journal", "verify", exported).stdout
    assert exported.with_name(VERIFIER.name).read_bytes() == VERIFIER.read_bytes()


@pytest.mark.promise("P8")
def test_an_export_that_ends_halfway_leaves_what_was_there(
    path: Path, exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SqlitePlace(path).tamper("UPDATE entries SET actor = 'thief' WHERE seq = 17")
    before = files(exported.parent)
    assert command("journal", "export", path, exported).exit_code == 1
    assert files(exported.parent) == before

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("controller.adapters.journal.export.os.fsync", full)
    with pytest.raises(Exception, match="could not be written: No space left on device"):
        write_export(iter([{"carrusel_export": 1}]), exported)
    assert files(exported.parent) == before


@pytest.fixture
def small_disk(tool: Callable[[str], str]) -> Iterator[SmallDisk]:
    with mounted(tool, 512, os.getuid()) as disk:
        yield disk


@pytest.mark.promise("P8")
@pytest.mark.parametrize("free_kb", [0, 16, 48])
@pytest.mark.parametrize(
    ("locale", "said"),
    [("es_AR.UTF-8", r"no se pudo escribir|no queda lugar"), ("en_US.UTF-8", "could not be written|No space left")],
)
@pytest.mark.parametrize("do", ["backup", "export", "restore"])
def test_a_full_disk_under_a_copy_is_told_of_the_copy(
    path: Path, small_disk: SmallDisk, do: str, locale: str, said: str, free_kb: int
) -> None:
    with Journal.open(path, name="t1", key=KEY) as opened:
        opened.append_now([bet(number) for number in range(100, 700)], 0)
    small_disk.leave(free_kb)
    done = command("journal", do, path, small_disk.directory / "copy", locale=locale)
    assert done.exit_code == 2 and re.search(said, done.stderr), done.output
    assert [file.name for file in small_disk.directory.iterdir()] == ["ballast"]
    small_disk.clear()
    assert command("journal", do, path, small_disk.directory / "copy").exit_code == 0
    assert command("journal", "verify", path).exit_code == 0


def test_nobody_makes_a_journal_where_one_is_being_restored(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service that starts meanwhile would write into a file that the restore then puts another in place of."""
    target, real, tried = tmp_path / "new.db", backups._copy, 0

    def copy(*arguments: Any) -> None:
        nonlocal tried
        tried += 1
        with pytest.raises(JournalInUse):
            Journal.open(target, name="t1")
        second = command("journal", "restore", path, target)
        assert second.exit_code == 2 and "in use" in second.stderr
        real(*arguments)

    copied = tmp_path / "copied.db"
    copied.write_bytes(path.read_bytes())
    monkeypatch.setattr(backups, "_copy", copy)
    assert command("journal", "restore", copied, target).exit_code == 0
    assert (tried, target.with_name("new.db.lock").exists()) == (1, False)
    with Journal.open(target, name="t1") as opened:
        assert opened.head.seq == 26


def test_what_came_to_a_copys_place_meanwhile_stays(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, real = tmp_path / "copy.db", backups._copy_pages

    def copy(*arguments: Any, **named: Any) -> None:
        target.write_text("somebody's")
        real(*arguments, **named)

    monkeypatch.setattr(backups, "_copy_pages", copy)
    with Journal.open(path, name="t1") as opened, pytest.raises(JournalUnfit, match="move it away"):
        backups.backup(opened, target)
    assert target.read_text() == "somebody's"
    assert not target.with_name("copy.db.part").exists()


def test_a_copy_is_never_readable_by_others_while_it_is_made(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes, real = [], backups._copy_pages

    def copy(*arguments: Any, **named: Any) -> None:
        real(*arguments, **named)
        modes.append((tmp_path / "copy.db.part").stat().st_mode & 0o777)

    monkeypatch.setattr(backups, "_copy_pages", copy)
    with Journal.open(path, name="t1") as opened:
        backups.backup(opened, tmp_path / "copy.db")
    assert modes == [0o600]


def test_a_file_whose_name_begins_as_a_servers_is_a_file(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command("journal", "restore", path, "postgres.db").exit_code == 0
    assert (tmp_path / "postgres.db").stat().st_mode & 0o777 == 0o600
    assert command("journal", "restore", path, "postgres.db").exit_code == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (DEEP, "anidado con demasiada profundidad"),
        ('{"seq": "3"}', "el asiento de un punto de control es un número entero"),
        ("{}", "le falta lo que tiene uno"),
        (
            '{"seq": 3, "name": "\\ud800", "incarnation": "", "chain": "", "public_key": "", "signature": ""}',
            "no es un",
        ),
    ],
)
def test_a_checkpoint_that_is_none_is_told_in_spanish(path: Path, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "point.json").write_text(text)
    found = command("journal", "verify", path, "--checkpoint", tmp_path / "point.json", locale="es_AR.UTF-8")
    assert found.exit_code == 2 and said in found.stderr, found.output


@pytest.mark.promise("P9")
def test_a_schema_that_is_no_text_any_more_is_file_damage(path: Path) -> None:
    """SQLite names the part it cannot read in bytes that Python's sqlite3 cannot."""
    data = bytearray(path.read_bytes())
    at = data.index(b"chain BLOB", data.index(b"CREATE TABLE snapshots"))
    data[at - 3] ^= 0xE0
    path.write_bytes(data)
    found = json.loads(command("journal", "verify", path, "--json").stdout)
    assert (found["ok"], found["fault"]) == (False, "file_damage")
    for do in (("show",), ("export", path.with_name("x")), ("backup", path.with_name("x"))):
        done = command("journal", do[0], path, *do[1:])
        assert done.exit_code == 1 and "file_damage" in done.stderr, done.output


def test_show_begins_with_the_first_entry_wherever_it_is_asked_to(path: Path) -> None:
    for seq in ("0", "-3", "1"):
        assert len(command("journal", "show", path, f"--from-seq={seq}").stdout.splitlines()) == 25


@pytest.mark.parametrize("seq", [2**63 - 1, 2**63, 10**30])
def test_no_place_that_is_asked_for_is_too_high(path: Path, seq: int) -> None:
    done = command("journal", "show", path, f"--from-seq={seq}", f"--to-seq={seq}")
    assert (done.exit_code, done.output) == (0, "")
    assert len(command("journal", "show", path, f"--to-seq={seq}").stdout.splitlines()) == 25


def test_a_number_that_no_database_takes_ends_nobodys_journal(place: Place) -> None:
    with Journal.open(place.url, name=NAME) as journal:
        with contextlib.suppress(OverflowError, JournalError):  # a server takes it
            journal.ask_now(lambda store: store.page(2**64, 1))
        journal.append_now([bet(0)], 0)
        assert journal.head.seq == 2


@pytest.mark.promise("P9")
@pytest.mark.parametrize("body", [b"\xff", b"[" * 100_000, b"{", b"[]", b"7"])
def test_a_body_that_is_none_though_it_was_chained_is_named(path: Path, body: bytes) -> None:
    place = SqlitePlace(path)
    rows = rewritten(place, 20, lambda record: msgspec.structs.replace(record, body=body))
    columns = ", ".join(COLUMNS)
    insert = f"INSERT INTO entries (seq, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    place.tamper("DELETE FROM checkpoints", "DELETE FROM entries WHERE seq >= 20", *((insert, row) for row in rows))
    done = command("journal", "show", path)
    assert done.exit_code == 1 and "seq 20: altered" in done.stderr, done.output
    if body == b"\xff":
        done = command("journal", "export", path, path.with_name("x"))
        assert done.exit_code == 1 and "seq 20: altered" in done.stderr, done.output


@pytest.mark.promise("P9")
@pytest.mark.parametrize("column", ["id", "kind", "actor", "wall_ms", "cause", "body", "postings", "chain"])
@pytest.mark.parametrize("value", ["NULL", "7", "'seven'", "x'07'"])
def test_a_column_of_another_type_is_named_by_whoever_reads(path: Path, column: str, value: str) -> None:
    """What a byte of a row's head may do to it, whatever the table declares."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA writable_schema = ON")
        loose = "CREATE TABLE entries (seq INTEGER PRIMARY KEY, id, kind, actor, wall_ms, cause, body, postings, chain)"
        file.execute("UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = 'entries'", (loose,))
        file.execute("DELETE FROM sqlite_master WHERE type = 'index' AND tbl_name = 'entries'")
        file.execute("DELETE FROM sqlite_master WHERE type = 'trigger'")
        file.commit()
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute(f"UPDATE entries SET {column} = {value} WHERE seq = 17")
        file.commit()
    for do in (("verify",), ("show",), ("export", path.with_name("x"))):
        done = command("journal", do[0], path, *do[1:])
        assert done.exit_code == 1 and "seq 17: altered" in done.output, done.output


@pytest.mark.promise("P7")
@pytest.mark.parametrize("wall_ms", [-(2**62), -1, 253_402_300_800_000, 2**62])
def test_what_a_clock_said_that_no_calendar_follows_is_shown(path: Path, wall_ms: int) -> None:
    with Journal.open(path, name="t1") as opened:
        opened.append_now([bet(99)], wall_ms)
    shown = command("journal", "show", path, "--from-seq=26")
    assert shown.exit_code == 0 and (f"{wall_ms} ms" in shown.stdout or "1969-12-31 23:59:59.999" in shown.stdout)
    assert command("journal", "verify", path).exit_code == 0


@pytest.mark.parametrize("revision", ["", "9999", "zzz", "0"])
def test_tables_of_no_known_revision_are_left_alone(path: Path, revision: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        file.commit()
    done = command("journal", "verify", path)
    assert done.exit_code == 2 and f"are of revision {revision}, this version knows" in done.stderr, done.output


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql:nonsense", "la dirección de la base de datos no lo es"),
        ("postgresql://ana:secreto@localhost:x/j", "la dirección de la base de datos no lo es"),
        ("postgres:", "la dirección de la base de datos no lo es"),
        ("postgresql://ana:secreto@127.0.0.1:1/j?x=1", "no se llega al servidor"),
        ("postgresql://127.0.0.1:1/j?connect_timeout=x", "no se llega al servidor"),
    ],
)
def test_an_address_that_is_none_is_told_without_its_password(path: Path, url: str, said: str) -> None:
    for asked in (("verify", url, "--name", "t1"), ("restore", path, url)):
        done = command("journal", *asked, locale="es_AR.UTF-8")
        assert (done.exit_code, said in done.stderr, "secreto" in done.output) == (2, True, False), done.output
        assert done.stderr.count("\n") == 1


def test_a_server_without_its_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "controller.adapters.journal.postgresql", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    done = command("journal", "verify", "postgresql://127.0.0.1:1/j")
    assert (done.exit_code, "install the extra `postgres`" in done.stderr) == (2, True), done.output
