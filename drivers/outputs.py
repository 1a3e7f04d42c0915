"""Lamps as desired state: what the outputs of an I/O module should show at a given time."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.device import DriverError, Lamp

BLINK_HALF_S = 0.5


class DesiredOutputs:
    """The desired lamp of each output, off until set. Blinking lamps of one module blink together, once per second."""

    def __init__(self, count: int) -> None:
        self._lamps = [Lamp.OFF] * count

    def set(self, outputs: Mapping[int, Lamp | bool]) -> None:
        """Change the lamps named; DriverError, and no change, if one of them does not exist."""
        strange = sorted(i for i in outputs if not 0 <= i < len(self._lamps))
        if strange:
            raise DriverError(f"no output {', '.join(map(str, strange))}: there are {len(self._lamps)}")
        for index, lamp in outputs.items():
            self._lamps[index] = lamp if isinstance(lamp, Lamp) else Lamp.ON if lamp else Lamp.OFF

    def levels(self, now_s: float) -> tuple[bool, ...]:
        """What is to be written now."""
        lit = int(now_s // BLINK_HALF_S) % 2 == 0
        return tuple(lamp is Lamp.ON or (lamp is Lamp.BLINK and lit) for lamp in self._lamps)

    def next_change_s(self, now_s: float) -> float:
        """When the levels change by themselves; infinity if nothing blinks."""
        if Lamp.BLINK not in self._lamps:
            return float("inf")
        return (now_s // BLINK_HALF_S + 1) * BLINK_HALF_S

    def lamps(self) -> tuple[Lamp, ...]:
        return tuple(self._lamps)

    def met_by(self, levels: tuple[bool, ...]) -> bool:
        """True if these levels show what is desired, in either phase of a blinking lamp."""
        return len(levels) == len(self._lamps) and all(
            lamp is Lamp.BLINK or (lamp is Lamp.ON) == level for lamp, level in zip(self._lamps, levels, strict=True)
        )

    def confirmed(self, levels: tuple[bool, ...]) -> dict[int | str, bool | str]:
        """What to tell when the device shows `levels`: true, false, or "blink"."""
        return {i: "blink" if lamp is Lamp.BLINK else levels[i] for i, lamp in enumerate(self._lamps)}
