"""A browser on a machine that may be slow, or stop for seconds: everything is waited for, nothing is given seconds."""

import asyncio
import fcntl
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.api.conftest import rooms_by_the_loop
from tests.system.steady_program import PatientLoop

__all__ = ["rooms_by_the_loop"]

AXE_PACKAGE = "axe-core@4.14.1"
PATIENCE_MS = 120_000

expect.set_options(timeout=PATIENCE_MS)


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Nodes and screens' servers run on the test's loop: neither host nor screen is silent while the machine stops."""
    return {"loop": PatientLoop}


@pytest.fixture(scope="session")
def axe_source(tool: Callable[[str], str], pytestconfig: pytest.Config) -> str:
    """axe-core as it comes from npm, kept in pytest's cache; of several workers one fetches it."""
    folder = Path(pytestconfig.cache.mkdir("axe-core"))
    source = folder / "node_modules" / "axe-core" / "axe.min.js"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not source.exists():
            command = [tool("npm"), "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund"]
            subprocess.run([*command, AXE_PACKAGE], check=True, capture_output=True)
    return source.read_text("utf-8")
