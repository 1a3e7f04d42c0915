"""Configuration files of a test's pit, and the simulated Oasis table behind them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from drivers.line_reader.sim import Sim as ReaderSim
from drivers.modbus_rtu_io.sim import Sim as ModbusSim
from drivers.simulator import SimLine

KEYS = ("close_bets", "play", "fold", "buy", "hand_over", "prize", "draw", "void")
POLLS = 10
DEADLINE_S = 120.0


@dataclass
class OasisHardware:
    """Seven level sensors with lamps, eight dealer's keys, one card reader, on three pseudo-terminals."""

    boxes: ModbusSim
    keys: ModbusSim
    reader: ReaderSim

    @classmethod
    def new(cls) -> OasisHardware:
        return cls(ModbusSim(1, line=SimLine()), ModbusSim(1, line=SimLine()), ReaderSim(line=SimLine()))

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[OasisHardware]:
        serving = [asyncio.create_task(sim.run()) for sim in (self.boxes, self.keys, self.reader)]
        try:
            yield self
        finally:
            for task in serving:
                task.cancel()
            await asyncio.gather(*serving, return_exceptions=True)

    async def ready(self) -> None:
        """Wait until the daemon has polled keys and boxes often enough to know how they are."""
        modules = {sim: sim.served + POLLS for sim in (self.keys, self.boxes)}
        async with asyncio.timeout(DEADLINE_S):
            while any(sim.served < wanted for sim, wanted in modules.items()):
                await asyncio.sleep(0.01)

    async def press(self, key: str) -> None:
        """Down and up again, each as long as the daemon takes to see it, however slow the machine is."""
        for down in (True, False):
            self.keys.set_level(KEYS.index(key), down)
            await self.ready()

    async def deal(self, cards: str) -> None:
        for card in cards.split():
            await self.reader.read_line(f"CARD {card}")
            await asyncio.sleep(0.03)


SITE = """
[site]
id = "prueba"
name = "Casino de prueba"
[state]
directory = "{state}"
[screens]
listen = "127.0.0.1:0"
[api]
listen = "127.0.0.1:{api_port}"
"""

CAROUSEL = """
[mqtt]
host = "127.0.0.1"
port = {port}
keepalive_s = 5
[[carousels]]
id = "gran"
name = "Gran Carrusel"
role = "{role}"
{facts}
"""


def oasis_table(table: str, hardware: OasisHardware, carousel: str | None = None) -> str:
    """One [[tables]] section."""
    boxes, keys = f'device = "{table}-cajas"', f'device = "{table}-teclas"'
    inputs = [f'{{ {boxes}, input = {n}, means = "credit", seat = {n + 1}, mode = "level" }}' for n in range(7)]
    inputs += [f'{{ {keys}, input = {n}, means = "key", key = "{key}" }}' for n, key in enumerate(KEYS)]
    outputs = [f'{{ {boxes}, output = {n}, means = "lamp", seat = {n + 1} }}' for n in range(7)]
    return f"""
[[tables]]
id = "{table}"
name = "Mesa {table[1:]}"
preset = "oasis_argentina_2010"
cards_read = "deal"
{f'carousel = "{carousel}"' if carousel else ""}
inputs = [{", ".join(inputs)}]
outputs = [{", ".join(outputs)}]
readers = [{{ device = "{table}-lector" }}]
[tables.draws]
carta_magica = {{ prize = 10 }}
jugador_afortunado = {{ prize = 10 }}
[[tables.devices]]
name = "{table}-cajas"
driver = "modbus_rtu_io"
port = "{hardware.boxes.path}"
unit = 1
settings = {{ pulse_s = 600.0, timeout_s = 1.0 }}
[[tables.devices]]
name = "{table}-teclas"
driver = "modbus_rtu_io"
port = "{hardware.keys.path}"
unit = 1
settings = {{ timeout_s = 1.0 }}
[[tables.devices]]
name = "{table}-lector"
driver = "line_reader"
port = "{hardware.reader.path}"
settings = {{ patterns = {{ card_dealt = "CARD (?P<card>[2-9TJQKA][cdhs])" }} }}
"""


def write_site(directory: Path, api_port: int, *sections: str) -> Path:
    """A site's file with its own state directory."""
    directory.mkdir(exist_ok=True)
    path = directory / "carrusel.toml"
    path.write_text(SITE.format(state=directory / "state", api_port=api_port) + "".join(sections))
    return path
