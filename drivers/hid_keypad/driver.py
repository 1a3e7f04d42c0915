"""One keypad for PINs and amounts, as a state machine without I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from drivers.device import PortEvent
from drivers.events import Event, KeyPressed, SensorFault
from drivers.hid_keypad.codec import EntryLost, KeypadCodec, KeypadFrame
from drivers.listener import Listener
from drivers.settings import read_settings


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


class Keypad(Listener):
    """The driver counts the keys; no key is ever logged."""

    offers = "has keys"

    def __init__(self, name: str, settings: Settings, memory: Mapping[str, Any] | None) -> None:
        super().__init__(name, settings.serial, memory)
        self.codec = KeypadCodec()

    def keeps(self, burst: bytes, frames: Sequence[KeypadFrame]) -> bytes:
        """Nothing: the bytes of a keypad are the digits of PINs."""
        return b""

    def on_frame(self, frame: KeypadFrame, now_s: float) -> Sequence[Event]:
        """A lost entry is told, and cleared as by hand, so that no half PIN is completed."""
        if isinstance(frame, EntryLost):
            lost = SensorFault(device=self._name, code="entry_lost", detail="keys were lost", attention=False)
            return [lost, self._pressed("clear")]
        return [self._pressed(frame.key)]

    def _pressed(self, key: str) -> KeyPressed:
        return KeyPressed(**self._counted(), raw=b"", key=key)

    def on_port(self, event: PortEvent, now_s: float) -> Sequence[Event]:
        """A keypad that was pulled in the middle of an entry leaves no half entry behind."""
        was_open = self._open
        super().on_port(event, now_s)
        return [self._pressed("clear")] if was_open and not self._open else ()
