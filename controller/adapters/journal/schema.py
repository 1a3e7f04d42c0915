"""The tables of a journal, declared once for SQLite (STRICT) and PostgreSQL."""

from typing import Any, ClassVar

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, Text, text
from sqlmodel import Field, SQLModel

REVISION = "0004"
"""The newest migration; a journal of an older one is migrated when opened, a newer one is refused."""

metadata = MetaData()

_INCARNATIONS = "kind IN ('journal.genesis', 'journal.restored')"


def _number(**options: Any) -> Any:
    """A 64-bit integer: STRICT tables of SQLite know no BIGINT."""
    return Field(sa_column=Column(BigInteger().with_variant(Integer(), "sqlite"), nullable=False, **options))


def _text(**options: Any) -> Any:
    return Field(sa_column=Column(Text(), nullable=False, **options))


def _bytes() -> Any:
    return Field(sa_column=Column(LargeBinary(), nullable=False))


class JournalTable(SQLModel):
    """Base of the journal's tables: their own metadata, so that nothing else of the program lands in a migration."""

    metadata: ClassVar[MetaData] = metadata
    __table_args__: ClassVar[Any] = {"sqlite_strict": True}


class EntryRow(JournalTable, table=True):
    """One entry; body and postings are canonical JSON bytes, stored and hashed as they are."""

    __tablename__ = "entries"
    __table_args__: ClassVar[Any] = (
        Index("incarnations", "seq", sqlite_where=text(_INCARNATIONS), postgresql_where=text(_INCARNATIONS)),
        {"sqlite_strict": True},
    )

    seq: int = _number(primary_key=True, autoincrement=False)
    id: str = _text(unique=True)
    kind: str = _text()
    actor: str = _text()
    wall_ms: int = _number()
    cause: bytes = _bytes()
    body: bytes = _bytes()
    postings: bytes = _bytes()
    chain: bytes = _bytes()


class MentionRow(JournalTable, table=True):
    """Here, or near here, an entry is about a subject (see subjects.py). Made of the entries, so no part of the chain:
    who finds an entry by it looks at the entry itself."""

    __tablename__ = "mentions"
    __table_args__: ClassVar[Any] = ({"sqlite_strict": True, "sqlite_with_rowid": False},)

    subject: str = _text(primary_key=True)
    seq: int = _number(primary_key=True, autoincrement=False)


class CheckpointRow(JournalTable, table=True):
    """The chain at a seq, signed by this node's key (Ed25519) within the commit that wrote the entry."""

    __tablename__ = "checkpoints"

    seq: int = _number(primary_key=True, autoincrement=False)
    incarnation: str = _text()
    chain: bytes = _bytes()
    public_key: bytes = _bytes()
    signature: bytes = _bytes()


class CosignatureRow(JournalTable, table=True):
    """Another node's signature under one of our checkpoints."""

    __tablename__ = "cosignatures"

    seq: int = _number(primary_key=True, autoincrement=False)
    node: str = _text(primary_key=True)
    public_key: bytes = _bytes()
    signature: bytes = _bytes()


class SnapshotRow(JournalTable, table=True):
    """A machine's state after a seq: a cache, used only by the very code that wrote it."""

    __tablename__ = "snapshots"

    seq: int = _number(primary_key=True, autoincrement=False)
    chain: bytes = _bytes()
    code: str = _text()
    digest: bytes = _bytes()
    state: bytes = _bytes()
