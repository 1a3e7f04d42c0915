"""A whole hand whose module is not ours: an independent Modbus server answers for the boxes, a reader for the cards."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.drivers.test_modbus_rtu_peer import Peer, peer
from tests.services import free_port
from tests.system.books import check_books
from tests.system.daemon import DEADLINE_S, Daemon, daemon
from tests.system.dealing import (
    BANK,
    NOTHING,
    SHARE,
    START,
    STRAIGHT_FLUSH,
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
PRIZE = (START + 2 * SHARE) // 10


async def lamps(module: Peer, *lit: int) -> None:
    """Wait until exactly these boxes' lamps are on; the module itself says so."""
    wanted = [box in lit for box in range(1, 8)]
    coils: list[bool] = []
    async with asyncio.timeout(DEADLINE_S):
        while (coils := await module.coils())[:7] != wanted:
            await asyncio.sleep(0.02)
    assert coils[:7] == wanted


def has_decided(scene: dict[str, Any], number: int) -> bool:
    return not is_deciding(scene, number)


@contextlib.asynccontextmanager
async def pressed(keys: Peer, key: str) -> AsyncIterator[None]:
    """A key held down until the block has seen what it does."""
    await keys.set_inputs(KEYS.index(key))
    yield
    await keys.set_inputs()
    await asyncio.sleep(RELEASE_S)


async def until_seen(node: Daemon, module: Peer, box: int, *levels: int) -> None:
    """A chip on a box's sensor, until the screen says that the bet is taken."""
    await module.set_inputs(*(level - 1 for level in levels))
    await node.until("table-t1", partial(has_credit, number=box), f"credit at {box}")


async def test_a_straight_flush_with_a_peer_as_the_module(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    async with peer() as boxes, peer() as keys:
        ports = SimpleNamespace(boxes=boxes, keys=keys, reader=hardware.reader)
        config = write_site(tmp_path, free_port(), oasis_table("t1", cast(OasisHardware, ports)))
        await hire(config)
        async with hardware.running(), daemon(config) as node:
            await node.until("table-t1", partial(stage_is, kind="idle"), "idle scene")
            await lamps(boxes)
            await until_seen(node, boxes, 2, 2)
            await lamps(boxes, 2)
            await until_seen(node, boxes, 6, 2, 6)
            await lamps(boxes, 2, 6)
            async with pressed(keys, "close_bets"):
                await node.until("table-t1", is_drawn, "draws")
            await hardware.deal(f"{STRAIGHT_FLUSH} {NOTHING} {BANK}")
            for box in (2, 6):
                await node.until("table-t1", partial(is_deciding, number=box), f"turn of {box}")
                async with pressed(keys, "play"):
                    await node.until("table-t1", partial(has_decided, number=box), f"{box} plays")
            async with pressed(keys, "hand_over"):
                pending = await node.until("table-t1", is_awarded, "prize")
            win = straight_flushes(pending)[0]
            assert (win["seat"], int(win["amount"])) == (2, PRIZE)
            async with panel(node) as ana:
                assert await ana.pay_all("t1") >= PRIZE
            await node.until("table-t1", partial(stage_is, kind="prize_paid"), "paid stamp")
            assert await node.stop() == 0
    books = check_books(node.state, at_rest=True)
    assert list(books.awards.values()) == list(books.paid.values()) == [PRIZE]
