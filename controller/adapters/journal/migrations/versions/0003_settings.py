"""Entries about a table's settings are mentioned, so that those in force on any day are found."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    known = "SELECT 1 FROM mentions WHERE mentions.subject = 'settings' AND mentions.seq = entries.seq"
    op.execute(
        "INSERT INTO mentions (subject, seq) SELECT 'settings', seq FROM entries"
        f" WHERE kind LIKE 'settings.%' AND NOT EXISTS ({known})"
    )
