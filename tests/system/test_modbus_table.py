"""A whole hand whose module is not ours: an independent Modbus server answers for the boxes, a reader for the cards."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.drivers.test_modbus_rtu_peer import Peer, peer
from tests.services import free_port
from tests.system.books import check_books
from tests.system.daemon import Daemon, daemon, soon
from tests.system.dealing import (
    AGAIN_S,
    BANK,
    NOTHING,
    SHARE,
    START,
    STRAIGHT_FLUSH,
    TRIES,
    Seen,
    has_credit,
    is_awarded,
    is_deciding,
    is_drawn,
    stage_is,
    straight_flushes,
)
from tests.system.people import hire, panel
from tests.system.pit_files import KEYS, OasisHardware, oasis_table, write_site

pytestmark = pytest.mark.system

RELEASE_S = 0.6
"""A key that is up for a shorter time than it takes the daemon to see is pressed again."""
PRIZE = (START + 2 * SHARE) // 10


async def lamps(module: Peer, *lit: int) -> None:
    """Wait until exactly these boxes' lamps are on; the module itself says so."""
    wanted = [box in lit for box in range(1, 8)]

    async def are_so() -> bool:
        return (await module.coils())[:7] == wanted

    await soon(are_so, f"lamps {lit}")


def has_decided(scene: dict[str, Any], number: int) -> bool:
    return not is_deciding(scene, number)


@dataclass
class Modules:
    """What a dealer touches, where both modules are peers: what was not seen is lifted and put down again."""

    node: Daemon
    boxes: Peer
    keys: Peer
    chips: tuple[int, ...] = ()

    async def put(self, box: int) -> dict[str, Any]:
        """A chip on a box's sensor beside those that lie there, until the screen says that the bet is taken."""
        before, self.chips = self.chips, (*self.chips, box)
        return await self._shown(self.boxes, before, self.chips, partial(has_credit, number=box))

    async def press(self, key: str, done: Seen) -> dict[str, Any]:
        """A key held down until the screen shows what it does."""
        shown = await self._shown(self.keys, (), (KEYS.index(key) + 1,), done)
        await self.keys.set_inputs()
        await asyncio.sleep(RELEASE_S)
        return shown

    async def _shown(self, module: Peer, up: tuple[int, ...], down: tuple[int, ...], done: Seen) -> dict[str, Any]:
        trouble = AssertionError("nothing was put down")
        for _ in range(TRIES):
            await module.set_inputs(*(number - 1 for number in down))
            try:
                return await self.node.until("table-t1", done, f"what {down} does", AGAIN_S)
            except AssertionError as nothing:
                trouble = nothing
            await module.set_inputs(*(number - 1 for number in up))
            await asyncio.sleep(RELEASE_S)
        raise trouble


async def test_a_straight_flush_with_a_peer_as_the_module(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    async with peer() as boxes, peer() as keys:
        ports = SimpleNamespace(boxes=boxes, keys=keys, reader=hardware.reader)
        config = write_site(tmp_path, free_port(), oasis_table("t1", cast(OasisHardware, ports)))
        await hire(config)
        async with hardware.running(), daemon(config) as node:
            await node.until("table-t1", partial(stage_is, kind="idle"), "idle scene")
            modules = Modules(node, boxes, keys)
            await lamps(boxes)
            await modules.put(2)
            await lamps(boxes, 2)
            await modules.put(6)
            await lamps(boxes, 2, 6)
            await modules.press("close_bets", is_drawn)
            await hardware.deal(f"{STRAIGHT_FLUSH} {NOTHING} {BANK}")
            for box in (2, 6):
                await node.until("table-t1", partial(is_deciding, number=box), f"turn of {box}")
                await modules.press("play", partial(has_decided, number=box))
            pending = await modules.press("hand_over", is_awarded)
            win = straight_flushes(pending)[0]
            assert (win["seat"], int(win["amount"])) == (2, PRIZE)
            async with panel(node) as ana:
                assert await ana.pay_all("t1") >= PRIZE
            await node.until("table-t1", partial(stage_is, kind="prize_paid"), "paid stamp")
            assert await node.stop() == 0
    books = check_books(node.state, at_rest=True)
    assert list(books.awards.values()) == list(books.paid.values()) == [PRIZE]
