"""An office whose first table has simulated hardware on pseudo-terminals: a module with lamps, a token slot, a shoe."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from controller.core.events import Key, KeyPressed
from drivers.cctalk_coin.sim import Sim as SlotSim
from drivers.line_reader.sim import Sim as ShoeSim
from drivers.modbus_rtu_io.sim import Sim as ModuleSim
from tests.api.office import SITE, TABLE, Office, open_office, until

PATTERNS = '{ patterns = { card = "CARD (?P<card>..)" } }'
DEVICES = """
devices = [
  {{ name = "caja", driver = "modbus_rtu_io", port = "{module}", unit = 1 }},
  {{ name = "ranura", driver = "cctalk_coin", port = "{slot}", settings = {{ serial_order = "low_first" }} }},
  {{ name = "zapato", driver = "line_reader", port = "{shoe}", settings = {shoes} }},
]
inputs = [{{ device = "caja", input = 0, means = "credit", seat = 1 }}]
outputs = [
  {{ device = "caja", output = 0, means = "lamp", seat = 1 }},
  {{ device = "caja", output = 1, means = "lamp", seat = 2 }},
  {{ device = "caja", output = 2, means = "out", seat = 2 }},
  {{ device = "caja", output = 7, means = "attention" }},
]
"""


@dataclass
class Wired:
    """The running node and what is plugged into its first table."""

    office: Office
    module: ModuleSim
    slot: SlotSim
    shoe: ShoeSim

    async def up(self) -> None:
        """Every device answers."""
        desk = self.office.node.api_ports().table("t1")
        await until(lambda: {each.link for each in desk.devices()} == {"up"}, "the devices are there", 60)

    async def end_hand(self) -> None:
        """The hand in course of table t1 is over."""
        hand = self.office.node.tables["t1"].runner.state.hand
        seats = list(hand.credits)
        for seat in seats:
            await self.office.tell("t1", KeyPressed(Key.PLAY, seat))
        await self.office.tell("t1", KeyPressed(Key.HAND_OVER))


@contextlib.asynccontextmanager
async def wired_office(directory: Path) -> AsyncIterator[Wired]:
    """A node with people and hardware; both end with it."""
    module, slot, shoe = ModuleSim(1), SlotSim(), ShoeSim()

    def site(folder: Path) -> Path:
        path = folder / "site.toml"
        devices = DEVICES.format(module=module.path, slot=slot.path, shoe=shoe.path, shoes=PATTERNS)
        table = TABLE.format(id="t1", number=1).replace("seats = 7\n", f"seats = 7\n{devices}")
        path.write_text(SITE.format(directory=folder / "state") + table)
        return path

    running = [asyncio.create_task(sim.run()) for sim in (module, slot, shoe)]
    try:
        async with open_office(directory, site=site) as office:
            yield Wired(office, module, slot, shoe)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
