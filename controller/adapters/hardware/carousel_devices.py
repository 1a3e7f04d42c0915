"""The devices of a carousel, its signs: buses of the host's node, whose troubles are alarms of the host's journal."""

import asyncio
from collections.abc import Callable, Iterable

from controller.adapters.hardware.device_map import device_alarms
from controller.adapters.hardware.devices import Buses
from controller.config.devices import Device
from drivers.events import Event


class CarouselDevices:
    """Owns the buses of a carousel; `alarm` hands an alarm event to the host. Nothing here counts bets."""

    def __init__(self, devices: Iterable[Device], alarm: Callable[[object], None]) -> None:
        self.buses = Buses()
        self._devices = tuple(devices)
        self._alarm = alarm

    def build(self) -> None:
        """Make drivers and buses; SettingsError names a fault."""
        self.buses.build(self._devices, self._on_event)

    async def run(self) -> None:
        """Serve all buses until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for path, bus in self.buses.by_port.items():
                tasks.create_task(bus.run(), name=f"bus-{path}")

    def _on_event(self, event: Event) -> None:
        for alarm in device_alarms(event):
            self._alarm(alarm)
