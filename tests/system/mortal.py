"""A daemon that is killed at a counted write or send of what it is told; people then look and go on from there."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.system.daemon import Daemon, soon
from tests.system.dealing import Dealer, Seen
from tests.system.nursery import ForkedDaemon, nursery
from tests.system.pit_files import KEYS, OasisHardware


@dataclass
class Mortal:
    """One node. hardware: of the table `screen` shows. kills: so many it has died."""

    node: Daemon
    screen: str
    hardware: OasisHardware | None = None
    kills: int = 0

    @property
    def dealer(self) -> Dealer:
        assert self.hardware is not None
        return Dealer(self.node, self.screen.removeprefix("table-"), self.hardware)

    async def arm(self, number: int) -> None:
        """It will not live through this number of writes and sends from now on."""
        armed = self.node.config.with_name("armed")
        armed.write_text(str(number))
        self.node.send(signal.SIGUSR1)
        await soon(lambda: not armed.exists(), "it is armed")

    async def dead(self) -> None:
        """Wait until the strike has come, start it again, and wait until it knows where it was."""
        code = await self.node.ended()
        assert code == -signal.SIGKILL, f"it ended with {code}\n{self.node.log.read_text()[-3000:]}"
        self.kills += 1
        await self.node.start()
        if self.hardware is not None:
            await self.hardware.ready()
        await self.scene()

    async def scene(self) -> dict[str, Any]:
        return await self.node.until(self.screen, lambda s: s["meter"]["freshness"] == "fresh", "a fresh meter")

    async def credit(self, box: int, number: int, done: Seen) -> None:
        """A credit is put down; whoever finds that it does not count lifts it and puts it down again."""
        assert self.hardware is not None
        await self.arm(number)
        self.hardware.boxes.set_level(box - 1, True)
        await self.dead()
        if not done(await self.scene()):
            await self.dealer.bet(box)
        await self.node.until(self.screen, done, f"credit at {box}")

    async def press(self, key: str, number: int, done: Seen) -> None:
        """A key goes down and the daemon dies of it; who finds that nothing came of it presses again."""
        assert self.hardware is not None
        await self.arm(number)
        self.hardware.keys.set_level(KEYS.index(key), True)
        await self.dead()
        scene = await self.scene()
        self.hardware.keys.set_level(KEYS.index(key), False)
        await self.hardware.ready()
        if not done(scene):
            await self.dealer.press(key, done, f"what {key} does")
        await self.node.until(self.screen, done, f"what {key} does")

    async def ask(self, number: int, act: Callable[[], Awaitable[object]]) -> None:
        """Somebody asks for something on the panel and never hears the answer."""
        await self.arm(number)
        asking = asyncio.ensure_future(act())
        await self.dead()
        with contextlib.suppress(httpx.HTTPError):
            await asking


@contextlib.asynccontextmanager
async def mortal(config: Path, screen: str, hardware: OasisHardware | None = None) -> AsyncIterator[Mortal]:
    async with nursery(config.parent) as forks:
        node = ForkedDaemon(forks, config, "tests.system.mortal_program:mortal", str(config.with_name("armed")))
        try:
            await node.start()
            yield Mortal(node, screen, hardware)
        finally:
            if node.process is not None:
                node.process.kill()
                await node.process.wait()
