"""A part of the daemon that dies takes all of it down at once: the service manager starts it again."""

import asyncio
import time
from pathlib import Path

import pytest

from controller import main
from controller.adapters.devices import known_hardware
from controller.config import load
from controller.main import Node, opened
from tests.api.office import site_file


class Died(RuntimeError):
    """What a part dies of."""


def deaths(group: BaseException) -> list[BaseException]:
    """The errors in a group of groups."""
    if isinstance(group, BaseExceptionGroup):
        return [error for part in group.exceptions for error in deaths(part)]
    return [group]


@pytest.mark.promise("P16")
@pytest.mark.parametrize("part", ["table", "host", "people", "watchdog"])
async def test_a_part_that_dies_takes_the_daemon_down_within_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    die, ready = asyncio.Event(), asyncio.Event()

    async def dying(*_: object) -> None:
        await die.wait()
        raise Died(part)

    def up(node: Node) -> None:
        ready.set()

    with opened(load(site_file(tmp_path), known_hardware().drivers)) as node:
        if part == "watchdog":
            monkeypatch.setattr(main, "keep_watchdog", dying)
        else:
            room = {"table": node.tables["t1"], "host": node.hosts["gran"], "people": node.people}[part]
            monkeypatch.setattr(room, "run", dying)
        running = asyncio.create_task(node.run(up))
        await ready.wait()
        killed = time.monotonic()
        die.set()
        await asyncio.wait({running}, timeout=10)
        assert running.done()
        assert time.monotonic() - killed < 1
        error = running.exception()
        assert error is not None
        assert [str(each) for each in deaths(error)] == [part]
