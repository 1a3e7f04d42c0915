"""The board of docs/events.md beside a real node and broker: the amount while it is true, else nothing."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import textwrap
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from controller.adapters.link.mqtt import Client
from controller.adapters.link.wire import key_name
from controller.core.causes import PoolCause
from controller.core.events import Envelope
from controller.engine.host_events import StartValueReset
from tests.adapters.test_floor_broker import node_at
from tests.adapters.test_floor_events import until
from tests.services import Mosquitto

PAGE = Path(__file__).parents[2] / "docs" / "events.md"
MINOR = 10_000
"""Micros of a centavo."""


def example() -> str:
    """The program as the page has it."""
    text = PAGE.read_text("utf-8")
    return textwrap.dedent(text[text.index('    """Prints a carousel') : text.index("## Webhook")])


@contextlib.asynccontextmanager
async def board(directory: Path, *arguments: str) -> AsyncIterator[list[str]]:
    """The board's lines as it prints them."""
    program = directory / "board.py"
    program.write_text(example())
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(program), *arguments, stdout=asyncio.subprocess.PIPE
    )
    lines: list[str] = []

    async def read() -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            lines.append(line.decode().strip())

    reading = asyncio.create_task(read())
    try:
        yield lines
    finally:
        process.kill()
        await process.wait()
        await reading


def ends(lines: list[str], line: str) -> Callable[[], bool]:
    return lambda: lines[-1:] == [line]


@pytest.mark.broker
@pytest.mark.requirement("R52")
async def test_the_board_of_the_page_shows_the_truth_and_nothing_else(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with node_at(mosquitto.port, tmp_path) as node:
            host = node.hosts["gran"].runner
            await until(lambda: host.running and host.state.ledger.active(), lambda: "no host")
            arguments = (mosquitto.host, str(mosquitto.port), "prueba", "gran", key_name(node.key))
            lines = await stack.enter_async_context(board(tmp_path, *arguments))
            start = host.state.ledger.amount_micros // MINOR
            await until(ends(lines, f"{start} 0 pending"), lambda: lines)
            await lie(mosquitto)
            reset = StartValueReset("t1", (start + 700) * MINOR, "new season", True, PoolCause.APPROVED_START)
            answer = await host.submit(Envelope("reset", reset, "ana", "beto"))
            assert answer.refused is None, answer
            assert host.state.ledger.amount_micros // MINOR == start + 700
            await until(ends(lines, f"{start + 700} 0 pending"), lambda: lines)
            late = await stack.enter_async_context(board(tmp_path, *arguments))
            await until(ends(late, f"{start + 700} 0 pending"), lambda: late)
            assert set(late) == {"closed", f"{start + 700} 0 pending"}, "what was true before is not shown again"
        await until(ends(lines, "closed"), lambda: lines)
        assert "1 0 pending" not in lines


async def lie(mosquitto: Mosquitto) -> None:
    """Meters of an epoch to come that the host never signed."""
    told = {"type": "meter", "epoch": [99, "", 0], "body": {"seq": 10**6, "amount_minor": 1, "pending": []}}
    forged = [json.dumps(told | {"signature": signature}) for signature in ("", "!", "AAAA", None)]
    async with Client(mosquitto.host, mosquitto.port) as stranger:
        for payload in (*forged, json.dumps(told), "[]", "no json"):
            await stranger.publish("carrusel/v1/prueba/gran/meter", payload, qos=1)
