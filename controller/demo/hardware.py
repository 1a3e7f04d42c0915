"""A table's simulated modules and readers, addressed by what they mean at the table."""

import asyncio
from collections.abc import Iterable
from typing import Any, cast

from controller.config.devices import Device, Input
from controller.config.model import Config
from controller.config.table import Table
from drivers.alpha_sign.sim import Sim as SignSim
from drivers.cctalk_coin.sim import Sim as CoinSim
from drivers.dcon_io.sim import Sim as DconSim
from drivers.hid_keypad.sim import Sim as KeypadSim
from drivers.line_reader.sim import Sim as ReaderSim
from drivers.modbus_rtu_io.sim import Sim as ModbusSim
from drivers.simulator import SimLine

PULSE_S = 0.3
LOOKS = 12
"""So many frames a module answers until it was surely asked for its inputs more than once."""
LOOK_S, MOST_LOOKS = 0.05, 400
PREFIX = "sim:"


class Hardware:
    """Every simulated line of a configuration whose ports are named `sim:…`."""

    def __init__(self, config: Config) -> None:
        self.lines: dict[str, SimLine] = {}
        self.sims: dict[str, Any] = {}
        for device in _devices(config):
            if device.port.startswith(PREFIX):
                line = self.lines.setdefault(device.port, SimLine())
                self.sims[device.name] = sim_of(device, line)

    def on_real_ports(self, config: Config) -> Config:
        """The configuration with each `sim:` port replaced by its pseudo-terminal's path."""

        def placed(devices: Iterable[Device]) -> tuple[Device, ...]:
            return tuple(
                each.model_copy(update={"port": self.lines[each.port].path}) if each.port in self.lines else each
                for each in devices
            )

        return config.model_copy(
            update={
                "tables": tuple(each.model_copy(update={"devices": placed(each.devices)}) for each in config.tables),
                "carousels": tuple(
                    each.model_copy(update={"devices": placed(each.devices)}) for each in config.carousels
                ),
            }
        )

    async def run(self) -> None:
        """Serve all lines until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for line in self.lines.values():
                tasks.create_task(line.run())


def _devices(config: Config) -> list[Device]:
    tables = [device for table in config.tables for device in table.devices]
    return tables + [device for carousel in config.carousels for device in carousel.devices]


def line_at(port: str) -> SimLine:
    """A simulated line that is reached by the port's own path."""
    return SimLine(port)


def sim_of(device: Device, line: SimLine) -> Any:
    """The simulated device that answers on a line where the configuration has a real one."""
    match device.driver:
        case "modbus_rtu_io":
            return ModbusSim(device.unit or 1, line=line)
        case "dcon_io":
            return DconSim(int(str(device.address or "01"), 16), line=line)
        case "line_reader":
            return ReaderSim(line=line)
        case "alpha_sign":
            return SignSim(line=line)
        case "hid_keypad":
            return KeypadSim(line=line)
        case "cctalk_coin":
            line.echo = True
            return CoinSim(int(device.address or 2), line=line)
    raise ValueError(f"there is no simulated {device.driver}")


async def _looked(module: Any) -> None:
    """Until the daemon has seen the inputs as they are now; not for ever, as the module may be off."""
    enough = module.served + LOOKS
    for _ in range(MOST_LOOKS):
        if module.served >= enough:
            return
        await asyncio.sleep(LOOK_S)


class TableHands:
    """What a dealer and the players do with the hardware of one table: real edges on simulated inputs."""

    def __init__(self, table: Table, hardware: Hardware) -> None:
        self._sims = hardware.sims
        self._credits = {each.seat: each for each in table.inputs if each.means == "credit"}
        self._keys = {(each.key, each.seat): each for each in table.inputs if each.means == "key"}
        self._reader = cast(ReaderSim, self._sims[table.readers[0].device]) if table.readers else None

    async def put_credit(self, seat: int) -> None:
        """A chip on a level sensor, or one pulse of a counting one."""
        each = self._credits[seat]
        if each.mode == "level":
            self._sims[each.device].set_level(each.input, True)
        else:
            self._sims[each.device].press(each.input, PULSE_S)
            await asyncio.sleep(PULSE_S + 0.15)

    async def lift_credits(self, *seats: int) -> None:
        """The chips of these seats, or of all, are collected, and nobody puts another one down before that was seen."""
        lifted = [each for each in self._credits.values() if each.mode == "level" and (not seats or each.seat in seats)]
        for each in lifted:
            self._sims[each.device].set_level(each.input, False)
        for sim in {each.device: self._sims[each.device] for each in lifted}.values():
            await _looked(sim)

    async def press(self, key: str) -> None:
        """One press of a dealer's key."""
        each: Input = self._keys[(key, None)]
        self._sims[each.device].press(each.input, PULSE_S)
        await asyncio.sleep(PULSE_S + 0.15)

    async def show_card(self, card: str) -> None:
        """The next card passes the reader."""
        assert self._reader is not None, "the table has a reader"
        await self._reader.read_line(f"CARD {card}")
