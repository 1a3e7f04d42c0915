"""The migrations make what the schema declares, on both databases, and the newest is the one the code knows."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import controller.adapters.journal_store as journal_store
from controller.adapters.journal import Journal
from controller.adapters.journal_errors import JournalError
from controller.adapters.journal_schema import REVISION, metadata
from controller.adapters.journal_store import Store


def test_the_newest_migration_is_the_revision_the_code_knows() -> None:
    scripts = Config()
    scripts.set_main_option("script_location", str(Path(journal_store.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(scripts).get_heads() == [REVISION]


def test_a_migrated_journal_is_what_the_schema_declares(journal_url: str) -> None:
    def differences(store: Store) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(store.connection), metadata))

    with Journal.open(journal_url, name="t1") as journal:
        assert journal.ask_now(differences) == []


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
