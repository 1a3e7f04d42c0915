"""The journal's first tables, with triggers that refuse to change or delete an entry."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_SQLITE_GUARDS = (
    "CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries"
    " BEGIN SELECT RAISE(ABORT, 'journal entries never change'); END",
    "CREATE TRIGGER entries_never_go BEFORE DELETE ON entries"
    " BEGIN SELECT RAISE(ABORT, 'journal entries never go'); END",
)
_POSTGRESQL_GUARDS = (
    "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN RAISE EXCEPTION 'journal entries never change'; END $$",
    "CREATE TRIGGER entries_never_change BEFORE UPDATE OR DELETE ON entries"
    " FOR EACH ROW EXECUTE FUNCTION refuse_change()",
    "CREATE TRIGGER entries_never_go BEFORE TRUNCATE ON entries EXECUTE FUNCTION refuse_change()",
)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, _NUMBER, nullable=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=False)


def _table(name: str, *columns: sa.Column[int] | sa.Column[str] | sa.Column[bytes], key: tuple[str, ...]) -> None:
    op.create_table(name, *columns, sa.PrimaryKeyConstraint(*key), sqlite_strict=True)


def upgrade() -> None:
    entry = (_text("id"), _text("kind"), _text("actor"), _number("wall_ms"), _bytes("cause"), _bytes("body"))
    op.create_table(
        "entries",
        _number("seq"),
        *entry,
        _bytes("postings"),
        _bytes("chain"),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index(
        "incarnations",
        "entries",
        ["seq"],
        sqlite_where=sa.text("kind IN ('journal.genesis', 'journal.restored')"),
        postgresql_where=sa.text("kind IN ('journal.genesis', 'journal.restored')"),
    )
    signed = (_bytes("public_key"), _bytes("signature"))
    _table("checkpoints", _number("seq"), _text("incarnation"), _bytes("chain"), *signed, key=("seq",))
    signed = (_bytes("public_key"), _bytes("signature"))
    _table("cosignatures", _number("seq"), _text("node"), *signed, key=("seq", "node"))
    _table(
        "snapshots",
        _number("seq"),
        _bytes("chain"),
        _text("code"),
        _bytes("digest"),
        _bytes("state"),
        key=("seq",),
    )
    guards = _SQLITE_GUARDS if op.get_bind().dialect.name == "sqlite" else _POSTGRESQL_GUARDS
    for guard in guards:
        op.execute(guard)
