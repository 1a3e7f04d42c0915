"""The migrations make what the schema declares, on both databases, and the newest is the one the code knows."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import controller.adapters.journal.store as journal_store
from controller.adapters.journal.errors import JournalError
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.schema import REVISION, metadata
from controller.adapters.journal.store import Store
from controller.core.ledger import Entry
from controller.engine import subjects


def test_the_newest_migration_is_the_revision_the_code_knows() -> None:
    scripts = Config()
    scripts.set_main_option("script_location", str(Path(journal_store.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(scripts).get_heads() == [REVISION]


def test_a_migrated_journal_is_what_the_schema_declares(journal_url: str) -> None:
    def differences(store: Store) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(store.connection), metadata))

    with Journal.open(journal_url, name="t1") as journal:
        assert journal.ask_now(differences) == []


def test_settings_of_an_older_journal_are_found_when_it_is_opened(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        journal.append_now([Entry(f"s{number}", "settings.asked", {}) for number in range(3)], 1)
        newest = journal.ask_now(lambda store: store.about(subjects.SETTINGS, 100, 10))
        journal.ask_now(
            lambda store: store.execute("DELETE FROM mentions WHERE subject = ? AND seq < ?", ("settings", 4))
        )
        journal.ask_now(lambda store: store.execute("UPDATE alembic_version SET version_num = ?", ("0002",)))
    with Journal.open(journal_url, name="t1") as journal:
        assert journal.ask_now(lambda store: store.about(subjects.SETTINGS, 100, 10)) == newest
        assert [row.seq for row in newest] == [4, 3, 2]


def test_what_names_its_hand_by_a_prize_is_found_by_it_when_an_older_journal_is_opened(journal_url: str) -> None:
    told = [Entry("v", "prize.verified", {"prize": "t1/i/4/2"}), Entry("p", "link.paid", {"row": "t1/i/4/2"})]
    with Journal.open(journal_url, name="t1") as journal:
        journal.append_now(told, 1)
        journal.ask_now(lambda store: store.execute("DELETE FROM mentions WHERE subject = ?", ("hand 4",)))
        journal.ask_now(lambda store: store.execute("UPDATE alembic_version SET version_num = ?", ("0003",)))
    with Journal.open(journal_url, name="t1") as journal:
        found = journal.ask_now(lambda store: store.about(subjects.of_hand(4), 100, 10))
        assert [row.kind for row in found] == ["link.paid", "prize.verified"]


def test_tables_of_sqlite_are_strict(tmp_path: Path) -> None:
    sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict"
    with Journal.open(tmp_path / "t1.db", name="t1") as journal:
        strict = {row[0] for row in journal.ask_now(lambda store: store.fetch(sql))}
    assert strict >= {table.name for table in metadata.sorted_tables}


def test_a_migration_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(scripts: Config, revision: str) -> None:
        scripts.attributes["connection"].exec_driver_sql("CREATE TABLE half (x)")
        raise KeyboardInterrupt

    path = tmp_path / "t1.db"
    with monkeypatch.context() as patched:
        patched.setattr(command, "upgrade", half)
        with pytest.raises(KeyboardInterrupt):
            Journal.open(path, name="t1")
    with Journal.open(path, name="t1") as journal:
        assert journal.ask_now(lambda store: store.fetch("SELECT 1 FROM sqlite_master WHERE name = 'half'")) == []


@pytest.mark.requirement("R88")
@pytest.mark.parametrize("statement", ["UPDATE entries SET actor = 'x'", "DELETE FROM entries"])
def test_entries_never_change_in_either_database(journal_url: str, statement: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        with pytest.raises(JournalError, match="never"):
            journal.ask_now(lambda store: store.execute(statement))
        assert journal.head.seq == 1


@pytest.mark.parametrize(("seq", "kind"), [("'two'", "'k'"), ("2", "NULL"), ("1", "'k'")])
def test_a_row_of_other_types_or_at_a_taken_place_is_refused_by_either_database(
    journal_url: str, seq: str, kind: str
) -> None:
    text = {"sqlite": "x''", "postgresql": "''::bytea"}
    with Journal.open(journal_url, name="t1") as journal:
        blobs = ", ".join([text[journal.dialect]] * 4)
        with pytest.raises(JournalError):
            journal.ask_now(
                lambda store: store.execute(f"INSERT INTO entries VALUES ({seq}, 'i', {kind}, 'a', 0, {blobs})")
            )
        assert [stored.seq for stored in journal.entries()] == [1]
