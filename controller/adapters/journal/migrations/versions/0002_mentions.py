"""Where the entries about a subject are: filled from the entries that are there already."""

import sqlalchemy as sa
from alembic import op

from controller.adapters.journal.subjects import Mentions

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_AT_ONCE = 1000
_READ = sa.text("SELECT seq, kind, body FROM entries WHERE seq > :after ORDER BY seq LIMIT :limit")


def upgrade() -> None:
    mentions = op.create_table(
        "mentions",
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("subject", "seq"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    connection, after, found = op.get_bind(), 0, Mentions()
    while rows := connection.execute(_READ, {"after": after, "limit": _AT_ONCE}).all():
        named = found.of((seq, kind, bytes(body)) for seq, kind, body in rows)
        if named:
            connection.execute(sa.insert(mentions), [{"subject": subject, "seq": seq} for subject, seq in named])
        after = rows[-1][0]
