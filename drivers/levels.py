"""Level-sensed inputs: debounced samples become counts and releases; what a gap may have hidden is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from drivers.counts import Counts
from drivers.events import Event, InputCounted, InputReleased, SensorFault


@dataclass(slots=True)
class _Input:
    stable: bool | None = None
    candidate: bool = False
    run: int = 0
    told: InputCounted | None = None
    on_since_s: float = 0.0
    stuck: bool = False


class LevelInputs:
    """Debounce over `debounce` equal samples. The first stable level after a start is a baseline, never a count.

    `pulse_s`: a signal lasts at least so long; a longer gap between samples may hide one. `apart_s`: after a longer gap
    a new level is reported as a loss, not as a bet.
    """

    def __init__(
        self,
        device: str,
        counts: Counts,
        count: int,
        *,
        debounce: int,
        pulse_s: float,
        apart_s: float,
        stuck_s: float | None,
    ) -> None:
        self._device = device
        self._counts = counts
        self._inputs = [_Input() for _ in range(count)]
        self._debounce = debounce
        self._pulse_s = pulse_s
        self._apart_s = apart_s
        self._stuck_s = stuck_s
        self._sampled_s: float | None = None
        self._apart: set[int] = set()
        self._samples = 0

    @property
    def settled(self) -> bool:
        """True once there were samples enough for a baseline: from now on each change is told."""
        return self._samples >= self._debounce

    def sample(self, levels: Sequence[bool], now_s: float, raw: bytes) -> list[Event]:
        """One reading of all inputs."""
        events = self._after_gap(now_s, raw)
        self._sampled_s = now_s
        self._samples += 1
        for number, (state, level) in enumerate(zip(self._inputs, levels, strict=False)):
            events += self._one(number, state, level, now_s, raw)
        return events

    def _after_gap(self, now_s: float, raw: bytes) -> list[Event]:
        if self._sampled_s is None:
            return []
        gap_s = now_s - self._sampled_s
        if gap_s > self._apart_s:
            self._apart = set(range(len(self._inputs)))
        if gap_s <= self._pulse_s or not self._inputs:
            return []
        why = f"inputs were not seen for {gap_s:.2f} s"
        return [self._counts.missed(None, 0, None, why, raw)]

    def _one(self, number: int, state: _Input, level: bool, now_s: float, raw: bytes) -> list[Event]:
        events: list[Event] = []
        if level == state.stable:
            if state.run and state.stable is False:
                events.append(SensorFault(device=self._device, code="glitch", input=number, attention=False))
            state.run = 0
            self._apart.discard(number)
            return events + self._stuck(number, state, now_s)
        state.run = state.run + 1 if state.run and state.candidate == level else 1
        state.candidate = level
        if state.run < self._debounce:
            return events
        was, state.stable, state.run = state.stable, level, 0
        return events + self._changed(number, state, was, now_s, raw)

    def _changed(self, number: int, state: _Input, was: bool | None, now_s: float, raw: bytes) -> list[Event]:
        apart = number in self._apart
        self._apart.discard(number)
        if state.stable:
            state.on_since_s = now_s
            state.told = None
            if was is None:
                return []
            if apart:
                return [self._counts.missed(number, 1, None, "input went on while it was not seen", raw)]
            state.told = self._counts.counted(number, raw)
            return [state.told]
        events: list[Event] = []
        if state.stuck:
            state.stuck = False
            events.append(SensorFault(device=self._device, code="stuck", input=number, cleared=True))
        if state.told is not None:
            events.append(_released(state.told, raw))
            state.told = None
        return events

    def _stuck(self, number: int, state: _Input, now_s: float) -> list[Event]:
        if self._stuck_s is None or not state.stable or state.stuck or now_s - state.on_since_s <= self._stuck_s:
            return []
        state.stuck = True
        return [SensorFault(device=self._device, code="stuck", input=number, detail=f"on for {self._stuck_s} s")]


def _released(told: InputCounted, raw: bytes) -> InputReleased:
    """The count that was told is taken back, also when a new epoch began meanwhile."""
    return InputReleased(
        device=told.device, serial=told.serial, epoch=told.epoch, counter=told.counter, input=told.input, raw=raw
    )
