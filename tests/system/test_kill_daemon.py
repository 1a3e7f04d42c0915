"""SIGKILL of a whole daemon at moments spread over a hand with a prize: it goes on, one award, paid once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.services import free_port
from tests.system.books import check_books
from tests.system.daemon import Daemon, daemon
from tests.system.dealing import (
    BANK,
    NOTHING,
    SHARE,
    START,
    STRAIGHT_FLUSH,
    Dealer,
    has_credit,
    is_awarded,
    is_deciding,
    is_drawn,
    meter_is,
    nobody_decides,
)
from tests.system.people import hire, panel
from tests.system.pit_files import KEYS, OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.promise("P1")]

SCREEN = "table-t1"
PRIZE = (START + 2 * SHARE) // 10


class Mortal:
    """A daemon that is killed in the middle of what it is told; people then look at the screen and go on from there."""

    def __init__(self, node: Daemon, hardware: OasisHardware) -> None:
        self.node = node
        self.hardware = hardware
        self.kills = 0

    async def scene(self) -> dict[str, Any]:
        return await self.node.until(SCREEN, lambda s: s["meter"]["freshness"] == "fresh", "the table")

    async def die(self, after_s: float) -> dict[str, Any]:
        """Killed so long after now, then started; the scene it comes back with."""
        await asyncio.sleep(after_s)
        await self.node.kill()
        self.kills += 1
        await self.node.start()
        await self.hardware.ready()
        return await self.scene()

    async def press(self, key: str, after_s: float, done: Callable[[dict[str, Any]], bool]) -> None:
        """The key goes down, the daemon dies; who finds that nothing came of it presses again."""
        self.hardware.keys.set_level(KEYS.index(key), True)
        scene = await self.die(after_s)
        self.hardware.keys.set_level(KEYS.index(key), False)
        await self.hardware.ready()
        if not done(scene):
            await self.hardware.press(key)
        await self.node.until(SCREEN, done, f"what {key} does")

    async def ask(self, act: Callable[[], Awaitable[object]], after_s: float) -> None:
        """Somebody asks for something on the panel and never hears the answer."""
        asking = asyncio.ensure_future(act())
        await self.die(after_s)
        with contextlib.suppress(httpx.HTTPError):
            await asking


@pytest.mark.requirement("R67")
@pytest.mark.promise("P3")
async def test_a_hand_and_its_prize_outlive_nine_kills(tmp_path: Path) -> None:
    hardware = OasisHardware.new()
    config = write_site(tmp_path, free_port(), oasis_table("t1", hardware))
    await hire(config)
    async with hardware.running(), daemon(config) as node:
        mortal = Mortal(node, hardware)
        await mortal.scene()
        for box, after_s in ((1, 0.02), (4, 0.15)):
            hardware.boxes.set_level(box - 1, True)
            if not has_credit(await mortal.die(after_s), box):
                hardware.boxes.set_level(box - 1, False)
                await hardware.ready()
                hardware.boxes.set_level(box - 1, True)
            await node.until(SCREEN, partial(has_credit, number=box), f"credit at {box}")
        await mortal.press("close_bets", 0.1, lambda s: s["phase"]["current"] != "bets")
        await node.until(SCREEN, is_drawn, "draws")

        cards = f"{STRAIGHT_FLUSH} {NOTHING} {BANK}".split()
        await hardware.deal(" ".join(cards[:7]))
        await mortal.die(0.0)
        await hardware.deal(" ".join(cards[6:]))
        await node.until(SCREEN, partial(is_deciding, number=1), "turn of 1")
        await mortal.press("play", 0.05, partial(is_deciding, number=4))
        await hardware.press("play")
        await node.until(SCREEN, nobody_decides, "all decided")
        await mortal.press("hand_over", 0.1, is_awarded)

        async with panel(node) as ana:
            (row,) = [prize["id"] for prize in await ana.prizes("t1", "pending") if prize["source"] == "carousel"]
            await mortal.ask(lambda: ana.post("/tables/t1/prizes/verify", {"prize": row}), 0.05)
            await mortal.ask(lambda: ana.pay_all("t1"), 0.4)
            await ana.pay_all("t1")
            await mortal.die(0.0)
            assert not await ana.prizes("t1", "pending", "verified", "held")
        await node.until(SCREEN, partial(meter_is, amount=START + 2 * SHARE - PRIZE), "the sum less the prize")
        for box in (1, 4):
            hardware.boxes.set_level(box - 1, False)
        await hardware.ready()
        await Dealer(node, "t1", hardware).play(7, hands=NOTHING)
        assert await node.stop() == 0
    assert mortal.kills == 9
    books = check_books(node.state)
    assert list(books.awards.values()) == list(books.paid.values()) == [PRIZE]
    assert books.kinds("table-t1")["credit.wagered"] == 3
    assert books.figures == {"t1": START + 3 * SHARE - PRIZE}
