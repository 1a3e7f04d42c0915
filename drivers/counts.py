"""Running counts of a device's inputs, in epochs: turns readings into events that can become bets only once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drivers.counting import Reading, Reset, judge
from drivers.device import DeviceMemory
from drivers.events import CountDiscontinuity, DeviceReset, Event, InputCounted

_BEFORE = "before/"
_DOUBT = "doubt/"


class Counts:
    """Counts per input of the device `device` with identity `serial`.

    A remembered count of another serial is not used. `modulus` None: the device has no counters, the driver counts, and
    each start is a new epoch.
    """

    def __init__(self, device: str, serial: str, memory: Mapping[str, Any] | None, modulus: int | None) -> None:
        known = DeviceMemory.from_dict(memory)
        self._device = device
        self._modulus = modulus
        self._memory = known if known.serial == serial else DeviceMemory(serial=serial)
        self._memory.serial = serial
        if modulus is None or self._memory.epoch == 0:
            self._begin_epoch()

    @property
    def epoch(self) -> int:
        return self._memory.epoch

    @property
    def knows_any(self) -> bool:
        """True once something was read or counted in this epoch, or is remembered."""
        return bool(self._memory.bases or self._memory.counters)

    def to_dict(self) -> dict[str, Any]:
        return self._memory.to_dict()

    def last(self, number: int) -> int | None:
        """The device's own value at the last reading of input `number`, None before the first of this epoch."""
        base = self._memory.bases.get(f"in{number}")
        return None if base is None or self._modulus is None else (base + self.count(number)) % self._modulus

    def count(self, number: int) -> int:
        return self._memory.counters.get(f"in{number}", 0)

    def read(self, number: int, value: int, *, plausible: int, apart: str = "", raw: bytes) -> list[Event]:
        """A reading of the device's own counter of input `number`."""
        assert self._modulus is not None
        channel = f"in{number}"
        before = self._memory.bases.pop(_BEFORE + channel, None)
        last = self.last(number) if before is None else before
        doubt = Reset.UNKNOWN if self._memory.bases.pop(_DOUBT + channel, 0) else Reset.NO
        reset = doubt if before is None else Reset.YES
        reading = judge(last, value, modulus=self._modulus, plausible=plausible, reset=reset, apart=apart)
        events: list[Event] = []
        if reading.reset and before is None:
            events.append(self.reset(f"counter of input {number} fell from {last} to {value}"))
            del self._memory.bases[_BEFORE + channel]
        if reading.baseline:
            self._memory.bases[channel] = value
            self._memory.counters[channel] = 0
        elif reading.is_discontinuity and last is not None:
            self._advance(channel, (value - last) % self._modulus)
        if reading.is_discontinuity:
            return [*events, self._lost(number, last, value, reading, raw)]
        return [self.counted(number, raw) for _ in range(reading.new)]

    def counted(self, number: int, raw: bytes) -> InputCounted:
        """One more count of input `number`."""
        counter = self._advance(f"in{number}", 1)
        return InputCounted(device=self._device, input=number, counter=counter, raw=raw, **self._where())

    def missed(self, number: int | None, lost_min: int, lost_max: int | None, why: str, raw: bytes) -> Event:
        """Counts that the driver itself could not see, at one input or (None) at any of them."""
        channel = "all" if number is None else f"in{number}"
        counter = self._advance(channel, max(1, lost_min))
        return CountDiscontinuity(
            device=self._device,
            input=number,
            expected=None,
            got=counter,
            lost_min=lost_min,
            lost_max=lost_max,
            why=why,
            counter=counter,
            raw=raw,
            **self._where(),
        )

    def reset(self, why: str) -> DeviceReset:
        """The device restarted: a new epoch.

        The last value of each of its counters is kept as what was before the reset, also over a restart of the daemon,
        until the counter is read again and the loss is told.
        """
        before = {}
        for channel, base in self._memory.bases.items():
            if channel.startswith(_BEFORE):
                before[channel] = base
            elif self._modulus is not None and not channel.startswith(_DOUBT):
                before[_BEFORE + channel] = (base + self._memory.counters.get(channel, 0)) % self._modulus
        self._begin_epoch()
        self._memory.bases = before
        return DeviceReset(device=self._device, why=why, **self._where())

    def doubt(self) -> None:
        """A reset cannot be excluded: said of each counter's next reading, also over a restart of the daemon."""
        for channel in [c for c in self._memory.bases if c.startswith("in")]:
            self._memory.bases[_DOUBT + channel] = 1

    def _begin_epoch(self) -> None:
        self._memory.epoch += 1
        self._memory.counters = {}
        self._memory.bases = {}

    def _advance(self, channel: str, by: int) -> int:
        self._memory.counters[channel] = self._memory.counters.get(channel, 0) + by
        return self._memory.counters[channel]

    def _where(self) -> dict[str, Any]:
        return {"serial": self._memory.serial, "epoch": self._memory.epoch}

    def _lost(self, number: int, last: int | None, value: int, reading: Reading, raw: bytes) -> Event:
        return CountDiscontinuity(
            device=self._device,
            input=number,
            expected=last,
            got=value,
            lost_min=reading.lost_min,
            lost_max=reading.lost_max,
            why=reading.why,
            counter=self.count(number),
            raw=raw,
            **self._where(),
        )
