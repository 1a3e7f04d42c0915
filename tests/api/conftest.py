"""One office for all tests of a file that only look; one of its own for tests that change it."""

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import pytest_asyncio

from tests.api.office import Clock, Office, open_office
from tests.steady_loop import running_s


@pytest.fixture(autouse=True)
def rooms_by_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host's silence goes by the clock of its beats: a link is not lost because the machine stands still."""
    monkeypatch.setattr("controller.rooms.table_room.time", SimpleNamespace(monotonic=running_s))


@pytest_asyncio.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    """A running node with five people."""
    async with open_office(tmp_path) as running:
        yield running


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The wall clock of the nodes that the test opens."""
    return Clock().installed(monkeypatch)
