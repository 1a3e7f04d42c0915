"""One keypad for PINs and amounts, as a state machine without I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from drivers.device import Command, DeviceMemory, DriverError, PortEvent, Request
from drivers.events import Event, KeyPressed, SensorFault
from drivers.hid_keypad.codec import EntryLost, KeypadCodec, KeypadFrame
from drivers.settings import read_settings

CHANNEL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One keypad. `match`: the name that the input device gives itself. `phys`: where it is plugged in.

    Both as `carrusel devices list` shows them; `phys` may be empty when only one device has that name.
    """

    match: str
    phys: str = ""
    serial: str = ""

    def __post_init__(self) -> None:
        if not self.match:
            raise ValueError("match must not be empty")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "hid_keypad") -> "Settings":
        """SettingsError names unknown and missing keys."""
        return read_settings(cls, data, where)


class Keypad:
    """Listens. The driver counts the keys; each start is a new epoch. No key is ever logged."""

    secret = True  # the bus keeps no raw bytes of this port

    def __init__(self, name: str, settings: Settings, memory: Mapping[str, Any] | None) -> None:
        self._name = name
        self.codec = KeypadCodec()
        known = DeviceMemory.from_dict(memory)
        serial = settings.serial or name
        self._memory = DeviceMemory(serial=serial, epoch=known.epoch + 1 if known.serial == serial else 1)
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
        """The device was found by its name and place, else it would not be open."""
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

    def on_frame(self, frame: KeypadFrame, now_s: float) -> Sequence[Event]:
        """A lost entry is told, and cleared as by hand, so that no half PIN is completed."""
        if isinstance(frame, EntryLost):
            lost = SensorFault(device=self._name, code="entry_lost", detail="keys were lost", attention=False)
            return [lost, self._pressed("clear")]
        return [self._pressed(frame.key)]

    def _pressed(self, key: str) -> KeyPressed:
        counter = self._memory.counters[CHANNEL] = self._memory.counters.get(CHANNEL, 0) + 1
        return KeyPressed(
            device=self._name, serial=self.serial, epoch=self._memory.epoch, counter=counter, raw=b"", key=key
        )

    def on_sent(self, now_s: float) -> Sequence[Event]:
        return ()

    def on_timeout(self, now_s: float) -> Sequence[Event]:
        return ()

    def on_port(self, event: PortEvent, now_s: float) -> Sequence[Event]:
        """A keypad that was pulled in the middle of an entry leaves no half entry behind."""
        was_open, self._open = self._open, event is PortEvent.OPENED
        return [self._pressed("clear")] if was_open and not self._open else ()

    def command(self, command: Command, now_s: float) -> NoReturn:
        raise DriverError(f"{self._name} only has keys, no {type(command).__name__}")
