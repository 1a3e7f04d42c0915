"""Alembic migrations of the journal's tables; they travel in the wheel."""
