"""What every driver offers: a codec and a device state machine, both without I/O and without a clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol, TypeAlias

from drivers.events import Event


class DriverError(Exception):
    """The world failed: link lost, bad reply, device refused."""


class SettingsError(ValueError):
    """The configuration of a device is wrong; the message names the key."""


class Lamp(Enum):
    """Desired state of one output. BLINK is made by the driver, at most once per second."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


@dataclass(frozen=True, slots=True)
class SetOutputs:
    """Desired state of some outputs; those not named keep theirs."""

    outputs: Mapping[int, Lamp | bool]


@dataclass(frozen=True, slots=True)
class SetAccepting:
    """Desired state of a token acceptor: take coins, or refuse all (bets closed)."""

    accepting: bool


@dataclass(frozen=True, slots=True)
class ShowText:
    """Desired text of one label of a sign (`label` as configured, "amount" for instance)."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class ShowAlert:
    """Text that takes the whole sign over; None gives it back."""

    text: str | None


Command: TypeAlias = SetOutputs | SetAccepting | ShowText | ShowAlert


class PortEvent(Enum):
    """What happened to the port under a device."""

    OPENED = "opened"
    LOST = "lost"


@dataclass(slots=True)
class CodecCounters:
    """How much of what was received was no good frame."""

    frames: int = 0
    junk_bytes: int = 0
    bad_check: int = 0
    short: int = 0


@dataclass(frozen=True, slots=True)
class Decoded:
    """Answer of `Codec.feed`: complete good frames in order, and the bytes thrown away by this call."""

    frames: Sequence[Any]
    junk: bytes = b""


class Codec(Protocol):
    """Bytes to frames. Never raises on bytes; its buffer is bounded; any split of the same bytes gives the same frames.

    After a bad check it drops one byte and scans on. `now_s` is a monotonic time in seconds, used only by protocols
    whose frames end by a gap.
    """

    @property
    def counters(self) -> CodecCounters: ...

    def feed(self, data: bytes, now_s: float) -> Decoded: ...

    def encode(self, command: Any) -> bytes: ...

    def clear(self) -> None:
        """Forget a half-received frame (before each request, after a loss); what is dropped counts as short."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """One exchange on the line.

    `accepts(frame)` tells whether a frame is the reply; anything else is ignored and the wait goes on until
    `timeout_s`. None: no reply comes (broadcast), and the request is done when sent. `gap_s` is the silence kept on the
    line after the exchange, before anybody's next one. `line_echo` False: the sender never hears itself (full duplex).
    """

    data: bytes
    accepts: Callable[[Any], bool] | None
    timeout_s: float
    gap_s: float = 0.0
    what: str = ""


class Device(Protocol):
    """One device as a state machine; all time is passed in, nothing is read or written here.

    The bus calls, in order: `on_port(OPENED)`, then for polled devices `next_request` whenever `due_s` has come and the
    line is free, and after it exactly one of `on_frame` (the accepted reply) or `on_timeout`. A request without reply
    is followed by `on_sent`. Devices that talk by themselves return None from `due_s` and get `on_frame` for every
    frame that the codec finds.
    """

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str:
        """Address on the line; unique on one bus ("" for the only device of a port)."""
        ...

    @property
    def serial(self) -> str:
        """Identity used in event ids: read from the device or, where it has none, configured."""
        ...

    @property
    def codec(self) -> Codec: ...

    @property
    def identified(self) -> bool:
        """True when the identity matched the configuration since the port was opened; only then the link is up."""
        ...

    @property
    def trouble(self) -> str:
        """Why it is not identified although it answers ("model 4050 where 7050 is configured"), else empty."""
        ...

    def due_s(self) -> float | None:
        """Time from which the next request is wanted; None: never polled."""
        ...

    def next_request(self, now_s: float) -> Request | None: ...

    def on_frame(self, frame: Any, now_s: float) -> Sequence[Event]: ...

    def on_sent(self, now_s: float) -> Sequence[Event]:
        """A request without reply has left."""
        ...

    def on_timeout(self, now_s: float) -> Sequence[Event]: ...

    def on_port(self, event: PortEvent, now_s: float) -> Sequence[Event]: ...

    def command(self, command: Command, now_s: float) -> Sequence[Event]:
        """Change what is desired; DriverError if this device has no such thing."""
        ...

    def memory(self) -> dict[str, Any]:
        """What must survive a restart; give it back to `build` (see DeviceMemory)."""
        ...


@dataclass(slots=True)
class DeviceMemory:
    """What a driver keeps over restarts, as a plain dict of strings and integers.

    The device's own value of a channel is `(bases[channel] + counters[channel]) mod its modulus`: `bases` changes only
    with the epoch (or a discontinuity), so the durable journal of counted events can restore `counters` exactly.
    """

    serial: str = ""
    epoch: int = 0
    counters: dict[str, int] = field(default_factory=dict)
    bases: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            "serial": self.serial,
            "epoch": self.epoch,
            "counters": dict(self.counters),
            "bases": dict(self.bases),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None) -> DeviceMemory:
        """Empty when `data` is None or empty; SettingsError on anything that is not such a dict."""
        if not data:
            return cls()
        try:
            return cls(
                serial=str(data["serial"]),
                epoch=int(data["epoch"]),
                counters={str(k): int(v) for k, v in dict(data["counters"]).items()},
                bases={str(k): int(v) for k, v in dict(data["bases"]).items()},
            )
        except (KeyError, TypeError, ValueError) as problem:
            raise SettingsError(f"device memory is damaged: {problem!r}") from problem


class DriverModule(Protocol):
    """The names that each driver package exposes; `Settings.from_dict(data, where)` names unknown keys."""

    PROTOCOL: str
    Settings: Any

    def build(self, name: str, settings: Any, memory: Mapping[str, Any] | None) -> Device: ...
