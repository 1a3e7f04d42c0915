"""The devices of one table: buses in, envelopes out; lamps and token slots as desired state."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from controller.adapters.device_map import DeviceMap
from controller.config.checks_hardware import Hardware
from controller.config.devices import Device as DeviceConfig
from controller.config.devices import Output
from controller.config.table import Table
from controller.core.events import DeviceRemembered, Envelope, SeatsClosed
from controller.engine.table_state import TableSettings, TableState
from controller.engine.table_view import SeatLamp, accepting, seat_lamps
from drivers import registry
from drivers.bus import Bus
from drivers.device import Device, DriverError, Lamp, SetAccepting, SetOutputs, SettingsError
from drivers.events import Event, LinkState
from drivers.link import PortSettings

LAMPS: Mapping[SeatLamp, Lamp] = {
    SeatLamp.OFF: Lamp.OFF,
    SeatLamp.INVITE: Lamp.OFF,
    SeatLamp.ACCEPTED: Lamp.ON,
    SeatLamp.OUT_OF_PROGRESSIVE: Lamp.OFF,
    SeatLamp.WINNER: Lamp.BLINK,
}
"""A plain lamp: on = bet accepted, blinking = winner; invite and out are told apart on the screen."""

QUEUE_SIZE = 10_000


class TableDevices:
    """Owns the buses of a table. `submit` stores an envelope and answers when it is durable."""

    def __init__(self, table: Table, submit: Callable[[Envelope], Awaitable[object]], boot: str) -> None:
        self._table = table
        self._map = DeviceMap(table)
        self._submit = submit
        self._boot = boot
        self._count = 0
        self._queue: asyncio.Queue[Envelope] = asyncio.Queue(QUEUE_SIZE)
        self.buses: dict[str, Bus] = {}
        self._bus_of: dict[str, Bus] = {}
        self._shown: dict[str, object] = {}
        self.observers: list[Callable[[Event], None]] = []

    def build(self, memories: Mapping[str, Mapping[str, Any]]) -> None:
        """Make drivers and buses from the configuration and what the journal remembers; SettingsError names a fault."""
        ports: dict[str, list[DeviceConfig]] = {}
        for config in self._table.devices:
            ports.setdefault(config.port, []).append(config)
        for path, configs in ports.items():
            devices = [_device(config, memories.get(config.name)) for config in configs]
            bus = Bus(
                _port(path, configs),
                devices,
                self._on_event,
                on_memory=self._on_memory,
                open_link=registry.opener(configs[0].driver, _settings(configs[0]), configs[0].name),
            )
            self.buses[path] = bus
            self._bus_of |= {config.name: bus for config in configs}

    async def run(self) -> None:
        """Close the seats of every device until its link is up, then serve all buses until cancelled."""
        for config in self._table.devices:
            seats = self._map.seats_of(config.name)
            if seats:
                self._post(
                    Envelope(self._next_id(config.name), SeatsClosed(config.name, seats, "starting"), config.name)
                )
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._deliver(), name=f"{self._table.id}-devices")
            for path, bus in self.buses.items():
                tasks.create_task(bus.run(), name=f"bus-{path}")

    def show(self, settings: TableSettings, state: TableState) -> None:
        """Observer of the table: assert what lamps and token acceptors must show; drivers write it when they can."""
        lamps = seat_lamps(settings, state)
        wanted: dict[str, dict[int, Lamp]] = {}
        for output in self._table.outputs:
            wanted.setdefault(output.device, {})[output.output] = _lamp(output, lamps)
        for device, outputs in wanted.items():
            self._command(device, SetOutputs(outputs))
        for config in self._table.devices:
            if config.driver == "cctalk_coin":
                self._command(config.name, SetAccepting(accepting(settings, state)))

    def link_states(self) -> dict[str, LinkState]:
        """State of the link to each device."""
        return {name: bus.link_state(name) for name, bus in self._bus_of.items()}

    def _command(self, device: str, command: SetOutputs | SetAccepting) -> None:
        if self._shown.get(device) == command:
            return
        self._shown[device] = command
        self._bus_of[device].command(device, command)

    async def _deliver(self) -> None:
        while True:
            await self._submit(await self._queue.get())

    def _on_event(self, event: Event) -> None:
        for observer in self.observers:
            observer(event)
        for envelope in self._map.envelopes(event):
            if not envelope.id:
                envelope = Envelope(self._next_id(event.device), envelope.event, envelope.actor)
            self._post(envelope)

    def _on_memory(self, device: str, memory: dict[str, Any]) -> None:
        self._post(Envelope(self._next_id(device), DeviceRemembered(device, memory), actor=device))

    def _post(self, envelope: Envelope) -> None:
        try:
            self._queue.put_nowait(envelope)
        except asyncio.QueueFull as full:
            raise DriverError(f"{self._table.id}: {QUEUE_SIZE} device events wait to be stored") from full

    def _next_id(self, device: str) -> str:
        self._count += 1
        return f"{device}/{self._boot}/{self._count}"


def _lamp(output: Output, lamps: Mapping[int, SeatLamp]) -> Lamp:
    if output.seat is not None:
        return LAMPS[lamps.get(output.seat, SeatLamp.OFF)]
    return Lamp.BLINK if SeatLamp.WINNER in lamps.values() else Lamp.OFF


def _settings(config: DeviceConfig) -> dict[str, Any]:
    settings = dict(config.settings)
    if config.unit is not None:
        settings["unit"] = config.unit
    if config.address is not None:
        settings["address"] = config.address
    return settings


def _device(config: DeviceConfig, memory: Mapping[str, Any] | None) -> Device:
    return registry.build(config.name, config.driver, _settings(config), memory)


def known_hardware() -> Hardware:
    """What `load` checks devices by: the drivers there are, and whether each takes its settings."""
    return Hardware(frozenset(registry.DRIVERS), _fault_of)


def _fault_of(config: DeviceConfig) -> str | None:
    try:
        _device(config, None)
        _port(config.port, [config])
    except SettingsError as fault:
        return str(fault)
    return None


def _port(path: str, configs: list[DeviceConfig]) -> PortSettings:
    """Line settings of a port: what the configuration says, else the driver's own."""
    defaults = getattr(registry.driver(configs[0].driver), "PORT_DEFAULTS", {})
    values = {**defaults, **configs[0].serial.port_settings()}
    return PortSettings.from_dict({"path": path, **values}, f"port {path}")
