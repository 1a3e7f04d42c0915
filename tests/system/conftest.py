"""After every test with real daemons the journals they left are put to the invariants."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.books import check_directory


@pytest.fixture(autouse=True)
def journals_hold(tmp_path: Path) -> Iterator[None]:
    """Whatever a test did to its daemons: what they left is checked, once all of them are gone."""
    yield
    check_directory(tmp_path)
