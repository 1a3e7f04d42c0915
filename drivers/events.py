"""What a device can tell: frozen events, each with the device's configured name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias


class LinkState(Enum):
    """State of the link to one device, judged by valid frames and never by an open port."""

    UP = "up"
    DEGRADED = "degraded"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceEvent:
    """Base of all events; `device` is the name in the configuration."""

    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedEvent(DeviceEvent):
    """An event that may become a bet.

    `serial` names the physical device, `epoch` grows by one at each detected reset, `counter` is the running count of
    `channel` in that epoch (never wraps: drivers unroll the device's own counter). `raw` is the frame it came from.
    """

    serial: str
    epoch: int
    counter: int
    raw: bytes

    @property
    def channel(self) -> str:
        """What is counted inside the device: each channel has its own counter."""
        return "all"

    @property
    def event_id(self) -> str:
        """The same physical happening has the same id for ever, so that a replay changes nothing."""
        return f"{self.serial}/{self.channel}/{self.epoch}/{self.counter}"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputCounted(CountedEvent):
    """Input `input` counted `count` new pulses (drivers emit one event per pulse, so `count` is 1)."""

    input: int
    count: int = 1

    @property
    def channel(self) -> str:
        return f"in{self.input}"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputReleased(CountedEvent):
    """The chip that made count `counter` was taken off a level sensor."""

    input: int

    @property
    def channel(self) -> str:
        return f"in{self.input}"

    @property
    def event_id(self) -> str:
        return f"{self.serial}/{self.channel}/{self.epoch}/{self.counter}/released"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoinAccepted(CountedEvent):
    """A validator took a coin or token; `coin` 1..16 is its position, `path` the sorter path it went to."""

    coin: int
    path: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPressed(CountedEvent):
    """A key went down. `key` is "0".."9", "enter", "clear" or another name of the driver; never logged."""

    key: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRead(CountedEvent):
    """A line or tag; `kind` and `fields` come from the configured pattern ("tag" with field "tag" for RFID)."""

    kind: str
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountDiscontinuity(CountedEvent):
    """Counts that cannot be told as bets.

    `expected` and `got` are the device's own counter values (before, now). Between `lost_min` and `lost_max` counts
    were missed; `lost_max` None means that no bound is known. `counter` is the running count that continues from here.
    """

    input: int | None
    expected: int | None
    got: int
    lost_min: int
    lost_max: int | None
    why: str = ""

    @property
    def channel(self) -> str:
        return "all" if self.input is None else f"in{self.input}"

    @property
    def event_id(self) -> str:
        return f"{self.serial}/{self.channel}/{self.epoch}/{self.counter}/lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorFault(DeviceEvent):
    """The device or one of its inputs misbehaves; `code` is a stable word, `cleared` tells the end of it.

    `attention` asks for a person (fraud, hardware), otherwise it is a note for the log.
    """

    code: str
    detail: str = ""
    input: int | None = None
    attention: bool = True
    cleared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceReset(DeviceEvent):
    """The device restarted: `epoch` is the new one; outputs are being asserted again."""

    serial: str
    epoch: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChanged(DeviceEvent):
    """The link to the device is now `state`; `serial` is known once the identity was checked."""

    state: LinkState
    why: str
    serial: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputConfirmed(DeviceEvent):
    """The device was read back and shows `outputs`: lamp number to on/off, or sign label to text."""

    outputs: Mapping[int | str, bool | str]


Event: TypeAlias = (
    InputCounted
    | InputReleased
    | CoinAccepted
    | KeyPressed
    | LineRead
    | CountDiscontinuity
    | SensorFault
    | DeviceReset
    | LinkChanged
    | OutputConfirmed
)
