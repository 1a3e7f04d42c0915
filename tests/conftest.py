"""Fixtures of the whole suite: real servers and browser, no task left behind, missing tools named at the end."""

import asyncio
import contextlib
import gc
import inspect
import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.certificates import Authority
from tests.services import ANYBODY, BrokerOptions, Mosquitto, Postgres, find_tool
from tests.steady_loop import SteadyLoop

CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
IN_CI = os.environ.get("CI") == "true"
ROOMY = 2_000_000_000
UNHEARD = ("never retrieved", "Exception in callback")
MISSING_TOOLS = pytest.StashKey[dict[str, int]]()

hypothesis.settings.register_profile("house", deadline=None, max_examples=100, print_blob=True)
hypothesis.settings.load_profile("house")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[MISSING_TOOLS] = {}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """What a worker of the run had to leave out is told with the rest."""
    missing = node.config.stash[MISSING_TOOLS]
    for name, uses in getattr(node, "workeroutput", {}).get("missing_tools", {}).items():
        missing[name] = missing.get(name, 0) + uses


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["missing_tools"] = session.config.stash[MISSING_TOOLS]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    missing = config.stash[MISSING_TOOLS]
    if missing:
        terminalreporter.section("not tested here: tools missing (make test names the line that installs them)")
        for name, uses in sorted(missing.items()):
            terminalreporter.write_line(f"{name}: {uses} uses skipped")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every async test is followed by the look for tasks left behind, after its own fixtures are gone."""
    for item in items:
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(inspect.unwrap(item.function)):
            item.fixturenames.insert(0, "no_task_left_behind")


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Both ends of what a test watches are on its loop, mostly; the folders where they are daemons have their own."""
    return {"loop": SteadyLoop}


class Unheard(logging.Filter):
    """What asyncio says of failures that nobody asked for, or that broke a callback.

    It says so from within the garbage collector, in the middle of any other test, and the log of that moment may be
    closed: a report printed there has even made Python 3.11 fail a parse that was under way.
    """

    def __init__(self) -> None:
        super().__init__()
        self.failures: list[str] = []

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if not any(words in said for words in UNHEARD):
            return True
        kind = record.exc_info[0] if record.exc_info else None
        if kind is not None and kind.__module__.startswith("playwright."):
            return False  # what a page was asked while it was closed
        self.failures.append(f"{said}\nnoticed while {os.environ.get('PYTEST_CURRENT_TEST')} ran, or soon after")
        return False


@pytest.fixture(scope="session", autouse=True)
def no_failure_unheard() -> Iterator[None]:
    """Fails the run, not a test, where a future or task failed and nobody asked it."""
    unheard = Unheard()
    logger = logging.getLogger("asyncio")
    logger.addFilter(unheard)
    yield
    gc.collect()
    logger.removeFilter(unheard)
    assert not unheard.failures


@pytest_asyncio.fixture
async def no_task_left_behind() -> AsyncIterator[None]:
    """Fails a test that leaves an asyncio task running: such a task would act inside the next test."""
    before = asyncio.all_tasks()
    yield
    left = asyncio.all_tasks() - before - {asyncio.current_task()}
    if left:  # what is only finishing may finish
        _, left = await asyncio.wait(left, timeout=10)
    if left:
        names = ", ".join(sorted(repr(task.get_coro()) for task in left))
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=10)
        pytest.fail(f"the test left tasks behind: {names}")


@pytest.fixture(scope="session")
def tool(pytestconfig: pytest.Config) -> Callable[[str], str]:
    """Path of an installed tool by name. Where it is missing: a failure in CI, elsewhere a skip that the end lists."""

    def require(name: str) -> str:
        path = find_tool(name)
        if path is not None:
            return path
        if IN_CI:
            pytest.fail(f"{name} is not installed")
        missing = pytestconfig.stash[MISSING_TOOLS]
        missing[name] = missing.get(name, 0) + 1
        pytest.skip(f"{name} is not installed")

    return require


@pytest.fixture
def mosquitto_with(tool: Callable[[str], str], tmp_path: Path) -> Iterator[Callable[..., Mosquitto]]:
    """Starts brokers: `mosquitto_with(BrokerOptions(passwords={"t1": "x"}))`; all are gone after the test."""
    executable = tool("mosquitto")
    with contextlib.ExitStack() as brokers:
        count = 0

        def start(options: BrokerOptions = ANYBODY) -> Mosquitto:
            nonlocal count
            count += 1
            directory = tmp_path / f"mosquitto-{count}"
            directory.mkdir()
            broker = Mosquitto(executable, directory, options)
            brokers.callback(broker.kill)
            broker.start()
            return broker

        yield start


@pytest.fixture
def mosquitto(mosquitto_with: Callable[..., Mosquitto]) -> Mosquitto:
    """A real broker that lets anybody in, on a free port of the loopback."""
    return mosquitto_with()


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """A certificate authority whose files (ca.crt, then NAME.crt and NAME.key) are in one directory."""
    directory = tmp_path / "certificates"
    directory.mkdir()
    return Authority(directory)


def cluster_directory() -> Path:
    """A new directory for a cluster: not under pytest's own, which only its owner may enter, as root runs no cluster.

    In memory where there is room. What tests do to a server is to end its processes, and nothing of the system's page
    cache is lost by that; only the wait for a disk that others share is.
    """
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOMY
    return Path(tempfile.mkdtemp(prefix="carrusel-postgres-", dir=memory if roomy else "/tmp"))


@pytest.fixture(scope="session")
def postgres_server(tool: Callable[[str], str]) -> Iterator[Postgres]:
    """One PostgreSQL cluster for the whole run."""
    initdb = tool("initdb")
    directory = cluster_directory()
    server = Postgres(initdb, directory)
    try:
        server.create()
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(directory)


@pytest.fixture
def own_postgres(postgres_server: Postgres) -> Iterator[Callable[..., Postgres]]:
    """Starts clusters that a test may crash: `own_postgres({"setting": "value"}, of=SERVER)`; gone after the test.

    of: the running server that it is a streaming replica of.
    """
    with contextlib.ExitStack() as clusters:

        def start(settings: dict[str, str] | None = None, of: Postgres | None = None) -> Postgres:
            directory = cluster_directory()
            clusters.callback(shutil.rmtree, directory)
            cluster = postgres_server.another(directory, settings) if of is None else of.replica(directory)
            clusters.callback(cluster.kill)
            cluster.start()
            return cluster

        yield start


@pytest.fixture
def postgres_url(postgres_server: Postgres) -> str:
    """URL of a new, empty database in a real PostgreSQL."""
    return postgres_server.create_database()


@pytest_asyncio.fixture
async def chromium(tool: Callable[[str], str]) -> AsyncIterator[Browser]:
    """A real headless Chromium, the system's own."""
    executable = tool("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=list(CHROMIUM_ARGUMENTS))
        yield browser
        await browser.close()
