"""Where a module keeps its inputs, outputs and counters: maps differ per maker, so they are data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from drivers.settings import read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A module's map, all addresses zero-based as on the line.

    `mode_start`: first of the holding registers that say what drives each output (0 = nothing but us), None if there
    are none. `counter_function` 3 or 4: registers that count each input's pulses mod 65536, from `counter_start`.
    """

    inputs: int = 8
    inputs_start: int = 0
    outputs: int = 8
    outputs_start: int = 0
    mode_start: int | None = None
    counter_function: Literal[3, 4] | None = None
    counter_start: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.inputs <= 64 and 0 <= self.outputs <= 64 and self.inputs + self.outputs > 0):
            raise ValueError("inputs and outputs must be 0..64, and not both 0")


PROFILES: Mapping[str, Profile] = {
    # Waveshare wiki "Modbus RTU IO 8CH": holding 0x1000-0x1007 = output mode, 0 normal, 1 linked, 2 toggle, 3 edge.
    "waveshare_io_8ch": Profile(mode_start=0x1000),
    "plain_8in_8out": Profile(),
    "counters_8in_8out": Profile(counter_function=3),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One Modbus RTU module.

    `unit`: its address. `serial`: the name of the physical module in event ids (default: the device's name); change it
    when the module is swapped. `map`: a profile of one's own instead of `profile`. `count_by` levels: an input that
    goes on is a count; counters: the module counts. `pulse_s`: the sensor holds its signal at least so long.
    `stuck_s`: an input on for longer is a fault; None where a chip may lie on the sensor. `inverted`: inputs that are
    on at rest. `boot_s`: a module that answered within this time cannot have restarted meanwhile.
    """

    unit: int
    serial: str = ""
    profile: str = "waveshare_io_8ch"
    map: Mapping[str, Any] | None = None
    count_by: Literal["levels", "counters"] = "levels"
    poll_s: float = 0.03
    timeout_s: float = 0.1
    gap_s: float = 0.005
    debounce: int = 2
    pulse_s: float = 0.1
    stuck_s: float | None = None
    inverted: tuple[int, ...] = ()
    plausible_per_s: int = 10
    boot_s: float = 0.5
    verify_s: float = 2.0

    def __post_init__(self) -> None:
        if not 1 <= self.unit <= 255:
            raise ValueError("unit must be 1..255")
        if self.profile not in PROFILES:
            raise ValueError(f"unknown profile {self.profile!r} (known: {', '.join(sorted(PROFILES))})")
        if self.debounce < 1 or self.plausible_per_s < 1:
            raise ValueError("debounce and plausible_per_s must be at least 1")
        if min(self.poll_s, self.timeout_s, self.pulse_s, self.verify_s) <= 0:
            raise ValueError("poll_s, timeout_s, pulse_s and verify_s must be positive")
        if self.count_by == "levels" and self.poll_s * self.debounce > self.pulse_s:
            raise ValueError(
                f"a pulse of {self.pulse_s} s can slip between {self.debounce} polls every {self.poll_s} s: "
                "poll more often, stretch the pulse, or count_by counters"
            )
        place = self.place
        if self.count_by == "counters" and place.counter_function is None:
            raise ValueError("the profile has no counters")
        if any(not 0 <= i < place.inputs for i in self.inverted):
            raise ValueError("inverted names an input that does not exist")

    @property
    def place(self) -> Profile:
        """The map in use."""
        return PROFILES[self.profile] if self.map is None else read_settings(Profile, self.map, "map")

    @property
    def channels(self) -> tuple[int, int]:
        """How many inputs and outputs there are."""
        return self.place.inputs, self.place.outputs

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "modbus_rtu_io") -> Settings:
        """SettingsError names unknown and missing keys."""
        return read_settings(cls, data, where)
