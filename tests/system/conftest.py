"""Tests with real daemons: the clock they go by, and the journals they leave, which are put to the invariants."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.system.books import check_directory
from tests.system.steady_program import PatientLoop


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The simulated hardware is on the test's loop, which goes by a clock such as the daemons' (`steady_program`)."""
    return {"loop": PatientLoop}


@pytest.fixture(autouse=True)
def journals_hold(tmp_path: Path) -> Iterator[None]:
    """Whatever a test did to its daemons: what they left is checked, once all of them are gone."""
    yield
    check_directory(tmp_path)
