"""The devices of one table: buses in, envelopes out; lamps and token slots as desired state."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from controller.adapters.hardware.device_map import DeviceMap
from controller.adapters.screens.signs import sign_fault
from controller.config.checks_hardware import Hardware
from controller.config.devices import Device as DeviceConfig
from controller.config.devices import Output
from controller.config.table import Table
from controller.core.events import DeviceRemembered, Envelope, SeatsClosed
from controller.engine.alarms import alarm_key
from controller.engine.table_state import TableSettings, TableState
from controller.engine.table_view import SeatLamp, accepting, seat_lamps
from drivers import registry
from drivers.bus import Bus
from drivers.device import Command, Device, DriverError, Lamp, SetAccepting, SetOutputs, SettingsError, ShowText
from drivers.events import Event, LinkState, SensorFault
from drivers.link import PortSettings

LAMPS: Mapping[SeatLamp, Lamp] = {
    SeatLamp.OFF: Lamp.OFF,
    SeatLamp.INVITE: Lamp.OFF,
    SeatLamp.ACCEPTED: Lamp.ON,
    SeatLamp.OUT_OF_PROGRESSIVE: Lamp.OFF,
    SeatLamp.WINNER: Lamp.BLINK,
}
"""A plain lamp: on = bet accepted, blinking = winner; invite and out are told apart on the screen, or by lamps of
their own."""
OWN_LAMPS: Mapping[str, SeatLamp] = {"invite": SeatLamp.INVITE, "out": SeatLamp.OUT_OF_PROGRESSIVE}

QUEUE_SIZE = 10_000
CLOSES_SLOT = "coin_fraud"
"""An acceptor that saw a fraud closes itself; it is opened again when a person has seen to the alarm."""


class Buses:
    """The ports of some devices, and what each device was last told to show."""

    def __init__(self) -> None:
        self.by_port: dict[str, Bus] = {}
        self.by_device: dict[str, Bus] = {}
        self._shown: dict[tuple[str, type, str], Command] = {}

    def build(
        self,
        configs: Iterable[DeviceConfig],
        on_event: Callable[[Event], None],
        on_memory: Callable[[str, dict[str, Any]], None] | None = None,
        memories: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        """Make drivers and buses from the configuration and what a journal remembers; SettingsError names a fault."""
        ports: dict[str, list[DeviceConfig]] = {}
        for config in configs:
            ports.setdefault(config.port, []).append(config)
        for path, sharing in ports.items():
            devices = [_device(config, (memories or {}).get(config.name)) for config in sharing]
            opening = registry.opener(sharing[0].driver, driver_settings(sharing[0]), sharing[0].name)
            bus = Bus(_port(path, sharing), devices, on_event, on_memory=on_memory, open_link=opening)
            self.by_port[path] = bus
            self.by_device |= {config.name: bus for config in sharing}

    def command(self, device: str, command: Command) -> None:
        """Desired state of a device; told only when it differs from what was told last."""
        shown = (device, type(command), command.label if isinstance(command, ShowText) else "")
        if self._shown.get(shown) != command:
            self._shown[shown] = command
            self.by_device[device].command(device, command)

    def forget(self, device: str, kind: type) -> None:
        """The device changed by itself: the next command of this kind is told even if it is the same."""
        self._shown.pop((device, kind, ""), None)

    def link_states(self) -> dict[str, LinkState]:
        """State of the link to each device."""
        return {name: bus.link_state(name) for name, bus in self.by_device.items()}


class TableDevices:
    """Owns the buses of a table. `submit` stores an envelope and answers when it is durable.

    minor_per_unit: minor units of one unit typed on a keypad.
    """

    def __init__(
        self,
        table: Table,
        submit: Callable[[Envelope], Awaitable[object]],
        boot: str,
        minor_per_unit: int = 100,
    ) -> None:
        self._table = table
        self._map = DeviceMap(table, minor_per_unit)
        self._submit = submit
        self._boot = boot
        self._count = 0
        self._queue: asyncio.Queue[Envelope] = asyncio.Queue(QUEUE_SIZE)
        self.buses = Buses()
        self.observers: list[Callable[[Event], None]] = []

    def build(self, memories: Mapping[str, Mapping[str, Any]]) -> None:
        """Make drivers and buses from the configuration and what the journal remembers; SettingsError names a fault."""
        self.buses.build(self._table.devices, self._on_event, self._on_memory, memories)

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
            for path, bus in self.buses.by_port.items():
                tasks.create_task(bus.run(), name=f"bus-{path}")

    def show(self, settings: TableSettings, state: TableState) -> None:
        """Observer of the table: assert what lamps and token acceptors must show; drivers write it when they can."""
        lamps = seat_lamps(settings, state)
        wanted: dict[str, dict[int, Lamp]] = {}
        for output in self._table.outputs:
            shown = Lamp.ON if state.lamp_test else _lamp(output, lamps, self._wants_person(state))
            if _is_on_test(output, state):
                shown = Lamp.BLINK if shown is Lamp.ON else Lamp.ON
            wanted.setdefault(output.device, {})[output.output] = shown
        for device, outputs in wanted.items():
            self.buses.command(device, SetOutputs(outputs))
        taking = accepting(settings, state)
        for config in self._table.devices:
            if config.driver == "cctalk_coin":
                closed = alarm_key(CLOSES_SLOT, config.name) in state.alarms
                self.buses.command(config.name, SetAccepting(taking and not closed))

    def link_states(self) -> dict[str, LinkState]:
        """State of the link to each device."""
        return self.buses.link_states()

    def _wants_person(self, state: TableState) -> bool:
        """Whether a device of this table asks for a person; the node's own troubles are no affair of the dealer."""
        sources = {alarm.source.partition("/")[0] for alarm in state.alarms.values() if alarm.attention}
        return not sources.isdisjoint(self.buses.by_device)

    async def _deliver(self) -> None:
        while True:
            await self._submit(await self._queue.get())

    def _on_event(self, event: Event) -> None:
        for observer in self.observers:
            observer(event)
        if isinstance(event, SensorFault) and event.code == CLOSES_SLOT:
            self.buses.forget(event.device, SetAccepting)
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


def _lamp(output: Output, lamps: Mapping[int, SeatLamp], alarm: bool) -> Lamp:
    """A seat's lamps; the attention lamp blinks for a prize and is on while a device asks for a person."""
    if output.seat is not None:
        shown = lamps.get(output.seat, SeatLamp.OFF)
        if output.means in OWN_LAMPS:
            return Lamp.ON if shown is OWN_LAMPS[output.means] else Lamp.OFF
        return LAMPS[shown]
    if SeatLamp.WINNER in lamps.values():
        return Lamp.BLINK
    return Lamp.ON if alarm else Lamp.OFF


def _is_on_test(output: Output, state: TableState) -> bool:
    """Whether people look at this very lamp; one that the table has lit anyway blinks, so that it is told apart."""
    tested = state.lamp_on_test
    return tested is not None and (output.seat, output.means) == (tested.seat, tested.lamp)


def driver_settings(config: DeviceConfig) -> dict[str, Any]:
    """A device's settings as its driver takes them, its place on the line among them."""
    settings = dict(config.settings)
    if config.unit is not None:
        settings["unit"] = config.unit
    if config.address is not None:
        settings["address"] = config.address
    return settings


def _device(config: DeviceConfig, memory: Mapping[str, Any] | None) -> Device:
    return registry.build(config.name, config.driver, driver_settings(config), memory)


def known_hardware() -> Hardware:
    """What `load` checks devices by: the drivers there are, and whether each takes its settings."""
    return Hardware(frozenset(registry.DRIVERS), _fault_of, sign_fault, _channels_of)


def _channels_of(config: DeviceConfig) -> tuple[int, int] | None:
    """How many inputs and outputs a module has; None where channels are no numbers, or its settings are wrong."""
    try:
        settings: Any = registry.driver(config.driver).Settings.from_dict(driver_settings(config), config.name)
        channels: tuple[int, int] | None = getattr(settings, "channels", None)
    except SettingsError:
        return None  # said at the device itself
    return channels


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
