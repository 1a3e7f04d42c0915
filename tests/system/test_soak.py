"""A node that plays on and on: memory, tasks, open files and queues stay flat (a few hundred hands here)."""

import asyncio
import gc
import os
from pathlib import Path

import pytest

from controller.config import load
from controller.core.events import AntePlaced, CreditWagered, Envelope, Key, KeyPressed
from controller.main import Node, opened
from controller.rooms import TableRoom, new_id
from tests.services import free_port
from tests.system.pit_files import write_site

pytestmark = [pytest.mark.system, pytest.mark.promise("P17")]

WARM_HANDS = 150
HANDS = int(os.environ.get("CARRUSEL_SOAK_HANDS", "300"))
MOST_GROWTH_BYTES = 12 * 1024 * 1024
DEADLINE_S = 240.0

TABLE = """
[[tables]]
id = "t1"
name = "Mesa 1"
preset = "oasis_argentina_2010"
[tables.draws]
carta_magica = { prize = 10 }
jugador_afortunado = { prize = 10 }
"""


def resident_bytes() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


async def submit(room: TableRoom, event: object) -> None:
    answer = await room.runner.submit(Envelope(new_id(), event, "dealer"))
    assert answer.refused is None, answer.refused


async def bet(room: TableRoom) -> None:
    """A credit; on a machine that was too busy to hear the host, as soon as the table hears it again."""
    while True:
        answer = await room.runner.submit(Envelope(new_id(), CreditWagered(1, manual=True), "dealer"))
        if answer.refused is None:
            return
        assert answer.refused.facts.get("why") == "link_lost", answer.refused
        while not room.runner.state.link.link_up:
            await asyncio.sleep(0.05)


async def play(room: TableRoom) -> None:
    """A whole hand of one box, with both draws, at a table without a card reader."""
    number = room.runner.state.hand.number
    await submit(room, AntePlaced(1))
    await bet(room)
    await submit(room, KeyPressed(Key.CLOSE_BETS))
    while room.runner.state.hand.draw_pending:
        await asyncio.sleep(0)
    await submit(room, KeyPressed(Key.PLAY))
    await submit(room, KeyPressed(Key.HAND_OVER))
    assert room.runner.state.hand.number == number + 1


async def play_many(node: Node, hands: int) -> None:
    room = node.tables["t1"]
    for _ in range(hands):
        await play(room)
    host = node.hosts["t1"].runner
    async with asyncio.timeout(DEADLINE_S):
        while host.state.ledger.tables["t1"].absorbed != room.runner.state.link.counters:
            await asyncio.sleep(0.05)


async def test_hundreds_of_hands_leave_nothing_behind(tmp_path: Path) -> None:
    config = load(write_site(tmp_path, free_port(), TABLE))
    with opened(config) as node:
        started = asyncio.Event()
        serving = asyncio.create_task(node.run(lambda _: started.set()))
        async with asyncio.timeout(DEADLINE_S):
            await started.wait()
            while not node.tables["t1"].runner.state.link.link_up:
                await asyncio.sleep(0.05)
        await play_many(node, WARM_HANDS)
        memory, files, tasks = resident_bytes(), open_files(), len(asyncio.all_tasks())
        await play_many(node, HANDS)
        grown = resident_bytes() - memory
        assert grown < MOST_GROWTH_BYTES, f"{grown} bytes more after {HANDS} hands"
        assert open_files() <= files + 2
        assert len(asyncio.all_tasks()) <= tasks + 2
        assert node.tables["t1"].posts.queue.qsize() <= 2
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
