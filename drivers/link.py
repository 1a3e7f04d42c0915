"""What a byte link offers, whoever implements it: open, write, received bytes, lost, abort."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from drivers.device import DriverError
from drivers.settings import read_settings


class LinkUnavailable(DriverError):
    """The port could not be opened; the message is the reason for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortSettings:
    """One serial port and the line behind it.

    `path`: a name that survives re-plugging, /dev/serial/by-id/... or by-path/..., never ttyUSB0. `echo`: does the
    sender hear itself (auto: found out at each open). `dtr`/`rts`: level set before opening, None leaves the driver's.
    `settle_s`: rest after opening, for boards that reset. `turnaround_s`: silence kept between two exchanges.
    """

    path: str
    baud: int = 9600
    data_bits: Literal[5, 6, 7, 8] = 8
    parity: Literal["N", "E", "O", "M", "S"] = "N"
    stop_bits: Literal[1, 2] = 1
    echo: Literal["none", "strip", "auto"] = "auto"
    dtr: bool | None = None
    rts: bool | None = None
    settle_s: float = 0.0
    low_latency: bool = False
    turnaround_s: float = 0.004

    def __post_init__(self) -> None:
        if self.baud <= 0 or self.settle_s < 0 or self.turnaround_s < 0:
            raise ValueError("baud must be positive, settle_s and turnaround_s not negative")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "port") -> PortSettings:
        return read_settings(cls, data, where)

    def wire_time_s(self, size: int) -> float:
        """Seconds that `size` bytes take on the line."""
        bits = 1 + self.data_bits + (self.parity != "N") + self.stop_bits
        return size * bits / self.baud


class Link(Protocol):
    """An open link. `on_lost(reason)` of its opener is called exactly once, when the port may be opened again."""

    def write(self, data: bytes) -> None:
        """Queue bytes; after a loss they are ignored."""
        ...

    def abort(self) -> None:
        """End the link at once; unsent bytes are dropped. A second call does nothing."""
        ...


OnReceived: TypeAlias = Callable[[bytes], None]
OnLost: TypeAlias = Callable[[str], None]
OpenLink: TypeAlias = Callable[[PortSettings, OnReceived, OnLost], Awaitable[Link]]
"""Opens the port or raises LinkUnavailable."""
