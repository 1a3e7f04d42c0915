"""Entries that name their hand by a prize, a row, a claim or a record are mentioned under it: all mentions anew."""

import sqlalchemy as sa
from alembic import op

from controller.adapters.journal.subjects import Mentions

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_AT_ONCE = 1000
_READ = sa.text("SELECT seq, kind, body FROM entries WHERE seq > :after ORDER BY seq LIMIT :limit")
_MENTIONS = sa.table("mentions", sa.column("subject"), sa.column("seq"))


def upgrade() -> None:
    op.execute("DELETE FROM mentions")
    connection, after, found = op.get_bind(), 0, Mentions()
    while rows := connection.execute(_READ, {"after": after, "limit": _AT_ONCE}).all():
        named = found.of((seq, kind, bytes(body)) for seq, kind, body in rows)
        if named:
            connection.execute(sa.insert(_MENTIONS), [{"subject": subject, "seq": seq} for subject, seq in named])
        after = rows[-1][0]
