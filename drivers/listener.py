"""What devices have in common that talk by themselves: nothing is ever asked, the driver counts what they tell."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from drivers.device import Codec, Command, DeviceMemory, DriverError, PortEvent, Request
from drivers.events import Event

CHANNEL = "all"


class Listener:
    """Half a `Device`: identity, count and silence. Each start is a new epoch, since such a device has no counter.

    Its only identity is where it is plugged in: when its port is open, it is the one that was configured.
    """

    codec: Codec
    offers: str
    """What it has instead of outputs, for the refusal of a command."""

    def __init__(self, name: str, serial: str, memory: Mapping[str, Any] | None) -> None:
        self._name = name
        known = DeviceMemory.from_dict(memory)
        mine = serial or name
        self._memory = DeviceMemory(serial=mine, epoch=known.epoch + 1 if known.serial == mine else 1)
        self._open = False

    @property
    def name(self) -> str:
        return self._name

    @property
    def address(self) -> str:
        return ""

    @property
    def serial(self) -> str:
        return self._memory.serial

    @property
    def identified(self) -> bool:
        return self._open

    @property
    def trouble(self) -> str:
        return ""

    def memory(self) -> dict[str, Any]:
        return self._memory.to_dict()

    def due_s(self) -> float | None:
        return None

    def next_request(self, now_s: float) -> Request | None:
        return None

    def on_sent(self, now_s: float) -> Sequence[Event]:
        return ()

    def on_timeout(self, now_s: float) -> Sequence[Event]:
        return ()

    def on_port(self, event: PortEvent, now_s: float) -> Sequence[Event]:
        self._open = event is PortEvent.OPENED
        return ()

    def command(self, command: Command, now_s: float) -> NoReturn:
        raise DriverError(f"{self._name} only {self.offers}, no {type(command).__name__}")

    def _counted(self) -> dict[str, Any]:
        """Serial, epoch and counter of one more thing that it told."""
        counter = self._memory.counters[CHANNEL] = self._memory.counters.get(CHANNEL, 0) + 1
        return {"device": self._name, "serial": self.serial, "epoch": self._memory.epoch, "counter": counter}
