"""Configuration of one DCON module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from drivers.settings import read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One DCON module.

    `address`: two hex digits. `model`: what `$AAM` must contain, "7050" for instance; empty accepts any. `serial`: the
    name of the physical module in event ids (default: the device's name); change it when the module is swapped.
    `count_by`: counters (the module's own), latches (modules without counters) or levels. `outputs_first`: order of the
    two bytes of `$AA6` (ADAM: outputs first), proved at installation by switching an output. `latch`: which latch an
    arriving chip sets. `watchdog_s`: the module switches its outputs off when it hears nothing for so long; None: no
    watchdog. `boot_s`: a module that answered within this time cannot have restarted meanwhile.
    """

    address: str = "01"
    model: str = ""
    serial: str = ""
    checksum: bool = False
    inputs: int = 7
    outputs: int = 8
    count_by: Literal["counters", "latches", "levels"] = "counters"
    outputs_first: bool = True
    latch: Literal[0, 1] = 1
    inverted: tuple[int, ...] = ()
    poll_s: float = 0.03
    timeout_s: float = 0.1
    gap_s: float = 0.003
    debounce: int = 2
    pulse_s: float = 0.1
    stuck_s: float | None = None
    plausible_per_s: int = 10
    boot_s: float = 0.5
    verify_s: float = 2.0
    watchdog_s: float | None = 3.0

    def __post_init__(self) -> None:
        if len(self.address) != 2 or any(c not in "0123456789ABCDEF" for c in self.address):
            raise ValueError("address must be two hex digits, upper case")
        if not (0 <= self.inputs <= 8 and 0 <= self.outputs <= 8 and self.inputs + self.outputs > 0):
            raise ValueError("inputs and outputs must be 0..8, and not both 0")
        if self.debounce < 1 or self.plausible_per_s < 1:
            raise ValueError("debounce and plausible_per_s must be at least 1")
        if min(self.poll_s, self.timeout_s, self.pulse_s, self.verify_s) <= 0:
            raise ValueError("poll_s, timeout_s, pulse_s and verify_s must be positive")
        if self.watchdog_s is not None and not 0.3 <= self.watchdog_s <= 25.5:
            raise ValueError("watchdog_s must be 0.3..25.5")
        if self.count_by == "levels" and self.poll_s * self.debounce > self.pulse_s:
            raise ValueError(
                f"a pulse of {self.pulse_s} s can slip between {self.debounce} polls every {self.poll_s} s: "
                "poll more often, stretch the pulse, or count_by counters"
            )
        if self.count_by == "latches" and not self.checksum:
            raise ValueError("latches are counted only with checksum on: a changed digit would be a bet")
        if any(not 0 <= i < self.inputs for i in self.inverted):
            raise ValueError("inverted names an input that does not exist")

    @property
    def channels(self) -> tuple[int, int]:
        """How many inputs and outputs there are."""
        return self.inputs, self.outputs

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "dcon_io") -> Settings:
        """SettingsError names unknown and missing keys."""
        return read_settings(cls, data, where)
