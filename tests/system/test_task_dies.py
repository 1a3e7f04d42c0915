"""Whatever part of a node dies takes the node down within a second, so that the service manager starts it again."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections import Counter
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.hardware.devices import known_hardware
from controller.config import load
from controller.config.model import Config
from controller.main import Node, opened
from tests.services import free_port
from tests.system.daemon import DEADLINE_S, soon
from tests.system.pit_files import OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.promise("P16")]

WITHIN_S = 1.0
"""Of the loop's own time, in which what the machine takes away is not counted (tests/steady_loop.py)."""
LAST_STARTED = "HostRoom._confirm 1"
SETTLED = 14
"""Tasks that a node with one table has at least, once all its parts run."""


OTHERS = frozenset({"TaskGroup.__aexit__", "to_thread", "wait", "serve"})
"""Where a task waits for tasks of its own, or for a thread: these die of what those raise."""


class Injected(Exception):
    """What the test makes a task die of."""


Tasks = dict[str, asyncio.Task[Any]]


def waiter_of(task: asyncio.Task[Any]) -> asyncio.Future[Any] | None:
    """The future that a task waits on, where a fault of the world would come up; None for one that waits for others."""
    innermost: Any = task.get_coro()
    while inspect.iscoroutine(getattr(innermost, "cr_await", None)):
        innermost = innermost.cr_await
    waiter = getattr(task, "_fut_waiter", None)
    waits_for_others = getattr(innermost, "__qualname__", "") in OTHERS
    plain = isinstance(waiter, asyncio.Future) and not isinstance(waiter, asyncio.Task)
    return waiter if plain and not waits_for_others else None


def named(tasks: set[asyncio.Task[Any]]) -> Tasks:
    """Tasks by what they run, numbered as they were made where several run the same."""
    count: Counter[str] = Counter()
    found = {}
    for task in sorted(tasks, key=lambda task: (len(task.get_name()), task.get_name())):
        name = getattr(task.get_coro(), "__qualname__", "")
        count[name] += 1
        found[f"{name} {count[name]}"] = task
    return found


@contextlib.asynccontextmanager
async def running(config: Config) -> AsyncIterator[tuple[asyncio.Task[None], Callable[[], Tasks]]]:
    """A node in this process, and what its tasks are now."""
    others = asyncio.all_tasks()
    ready = asyncio.Event()

    def told(node: Node) -> None:
        ready.set()

    with opened(config) as node:
        serving = asyncio.create_task(node.run(told))
        try:
            await ready.wait()
            (room,) = node.tables.values()
            await soon(lambda: room.runner.state.link.link_up, "the table hears its host")
            yield serving, lambda: named(asyncio.all_tasks() - others - {serving})
        finally:
            serving.cancel()
            await asyncio.wait({serving})


def is_at_rest(tasks: Callable[[], Tasks], name: str) -> bool:
    task = tasks().get(name)
    waiter = None if task is None else waiter_of(task)
    return waiter is not None and not waiter.done()


def leaves(error: BaseException | None) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for each in error.exceptions for leaf in leaves(each)]
    return [] if error is None else [error]


async def test_every_task_that_dies_takes_the_node_with_it(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = load(write_site(tmp_path, free_port(), oasis_table("t1", hardware)), known_hardware().drivers)
    async with hardware.running():
        async with running(config) as (_, tasks):
            await soon(lambda: LAST_STARTED in tasks(), "all parts of the node run")
            names = [name for name, task in tasks().items() if waiter_of(task) is not None]
        assert len(names) >= SETTLED, names
        for name in names:
            async with running(config) as (serving, tasks):
                await soon(partial(is_at_rest, tasks, name), f"{name} waits")
                waiter = waiter_of(tasks()[name])
                assert waiter is not None
                loop = asyncio.get_running_loop()
                began_s = loop.time()
                waiter.set_exception(Injected(name))
                done, _ = await asyncio.wait({serving}, timeout=DEADLINE_S)
                assert done, f"{name} died and the node went on"
                took_s = loop.time() - began_s
                assert any(isinstance(leaf, Injected) for leaf in leaves(serving.exception())), (name, serving)
                assert took_s < WITHIN_S, f"{name}: {took_s:.1f} s"
