"""One office for all tests of a file that only look; one of its own for tests that change it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.api.office import Clock, Office, open_office


@pytest_asyncio.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    """A running node with five people."""
    async with open_office(tmp_path) as running:
        yield running


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The wall clock of the nodes that the test opens."""
    return Clock().installed(monkeypatch)
