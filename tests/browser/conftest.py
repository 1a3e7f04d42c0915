"""A browser on a machine that may be slow, or stop for seconds: everything is waited for, nothing is given seconds."""

import asyncio
from collections.abc import Callable, Mapping

from playwright.async_api import expect

from tests.api.conftest import rooms_by_the_loop
from tests.system.steady_program import PatientLoop

__all__ = ["rooms_by_the_loop"]

PATIENCE_MS = 120_000

expect.set_options(timeout=PATIENCE_MS)


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Nodes and screens' servers run on the test's loop: neither host nor screen is silent while the machine stops."""
    return {"loop": PatientLoop}
