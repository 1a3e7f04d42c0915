"""Databases for the tests of the adapters."""

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite"])
def journal_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new journal can be made."""
    return f"sqlite:///{tmp_path / 'journal.db'}"
