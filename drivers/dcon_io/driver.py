"""One DCON module of inputs, counters and outputs as a state machine without I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from drivers.counts import Counts
from drivers.dcon_io.codec import Command as Line
from drivers.dcon_io.codec import DconCodec, Frame
from drivers.dcon_io.dialogue import Asked, data_bytes, question, reply_to
from drivers.dcon_io.inputs import CounterInputs, LatchInputs
from drivers.dcon_io.settings import Settings
from drivers.device import Command, DriverError, PortEvent, Request, SetOutputs
from drivers.events import Event, OutputConfirmed, SensorFault
from drivers.health import DOWN_AFTER_S
from drivers.levels import LevelInputs
from drivers.outputs import DesiredOutputs

_LATER = float("inf")
_CHECKSUM_BIT = 0x40
_TRIPPED_BIT = 0x04
_REFUSED = "?"


class DconIo:
    """Identify, ask for a reset, arm the watchdog, then count and keep the outputs as desired.

    After a lost reply the first question is `$AA2`, whose reply cannot be taken for another: late lines are thus never
    taken for the counter of another input. It counts as identified once every input has a baseline.
    """

    def __init__(self, name: str, settings: Settings, memory: Mapping[str, Any] | None) -> None:
        self._settings = settings
        self._name = name
        self._serial = settings.serial or name
        self.codec = DconCodec(checksum=settings.checksum)
        own = settings.count_by == "counters"
        self._counts = Counts(name, self._serial, memory, 65536 if own else None)
        self._counters = CounterInputs(self._counts, settings.inputs, settings.plausible_per_s)
        self._latches = LatchInputs(self._counts, settings.inputs, settings.pulse_s)
        self._levels = LevelInputs(
            name,
            self._counts,
            settings.inputs,
            debounce=settings.debounce,
            pulse_s=settings.pulse_s,
            apart_s=DOWN_AFTER_S,
            stuck_s=settings.stuck_s,
        )
        self._desired = DesiredOutputs(settings.outputs)
        self._handlers: Mapping[Asked, Callable[[Frame, float], list[Event]]] = {
            Asked.CONFIG: self._on_config,
            Asked.NAME: self._on_name,
            Asked.RESET: self._on_reset,
            Asked.GUARD_STATUS: self._on_guard_status,
            Asked.GUARD_CLEAR: lambda frame, now_s: [],
            Asked.GUARD_SET: self._on_guard_set,
            Asked.WRITE: self._on_written,
            Asked.LEVELS: self._on_levels,
            Asked.COUNTER: self._on_counter,
            Asked.LATCHES: self._on_latches,
            Asked.CLEAR: self._on_cleared,
        }
        self._trouble = ""
        self._faults: set[Asked] = set()
        self._asked: Asked | None = None
        self._attempted: tuple[bool, ...] = ()
        self._last_good_s = 0.0
        self._start_over(0.0)

    def _start_over(self, now_s: float) -> None:
        guard = [Asked.GUARD_STATUS, Asked.GUARD_SET] if self._settings.watchdog_s is not None else []
        self._todo = [Asked.CONFIG, Asked.NAME, Asked.RESET, *guard]
        self._starting = True
        self._written: tuple[bool, ...] | None = None if self._settings.outputs else ()
        self._confirm = True
        self._verify_at_s = now_s if self._settings.outputs else _LATER
        self._poll_at_s = now_s if self._settings.inputs else _LATER
        self._host_ok_at_s = _LATER
        self._flip_at_s = _LATER
        self._hold_s = now_s
        self._channel = 0

    # What the bus reads.

    @property
    def name(self) -> str:
        return self._name

    @property
    def address(self) -> str:
        return self._settings.address

    @property
    def serial(self) -> str:
        return self._serial

    @property
    def identified(self) -> bool:
        return not self._starting and not self._trouble and self._has_baseline()

    @property
    def trouble(self) -> str:
        return self._trouble

    def memory(self) -> dict[str, Any]:
        return self._counts.to_dict()

    def due_s(self) -> float | None:
        if self._todo or self._written is None:
            return self._hold_s
        return max(self._hold_s, min(self._poll_at_s, self._verify_at_s, self._flip_at_s, self._host_ok_at_s))

    def _has_baseline(self) -> bool:
        if self._settings.inputs == 0:
            return True
        if self._settings.count_by == "counters":
            return self._counters.settled
        return self._latches.settled if self._settings.count_by == "latches" else self._levels.settled

    # The conversation.

    def next_request(self, now_s: float) -> Request | None:
        self._flip_at_s = self._desired.next_change_s(now_s)
        if now_s - self._last_good_s > self._settings.boot_s and Asked.RESET not in self._todo:
            self._todo.append(Asked.RESET)
        asked = self._asked = self._choose(now_s)
        extra = self._extra(asked, now_s)
        data = self.codec.encode(Line(question(asked, self._settings.address, extra)))
        settings = self._settings
        if asked is Asked.HOST_OK:
            return Request(data, None, 0.0, settings.gap_s, asked.value)
        accepts = reply_to(asked, settings.address)
        return Request(data, accepts, settings.timeout_s, settings.gap_s, asked.value)

    def _choose(self, now_s: float) -> Asked:
        if now_s >= self._host_ok_at_s:
            return Asked.HOST_OK
        if self._todo:
            return self._todo[0]
        if self._settings.outputs:
            if self._desired.levels(now_s) != self._written:
                return Asked.WRITE
            if now_s >= self._verify_at_s:
                return Asked.LEVELS
        if self._settings.count_by == "counters" and self._settings.inputs:
            return Asked.COUNTER
        if self._settings.count_by == "latches" and self._settings.inputs:
            return self._latches.wanted
        return Asked.LEVELS

    def _extra(self, asked: Asked, now_s: float) -> str:
        """The variable part of a request; times of the next one are set here."""
        settings = self._settings
        if asked is Asked.GUARD_SET:
            return f"{round((settings.watchdog_s or 0) * 10):02X}"
        if asked is Asked.HOST_OK:
            self._host_ok_at_s = now_s + (settings.watchdog_s or 0) / 3
        if asked is Asked.WRITE:
            self._attempted = self._desired.levels(now_s)
            return f"{sum(1 << i for i, on in enumerate(self._attempted) if on):02X}"
        if asked in (Asked.LEVELS, Asked.COUNTER, Asked.LATCHES):
            self._poll_at_s = now_s + settings.poll_s if settings.inputs else _LATER
        if asked is Asked.COUNTER:
            return f"{self._channel:X}"
        return str(settings.latch) if asked is Asked.LATCHES else ""

    def on_frame(self, frame: Frame, now_s: float) -> Sequence[Event]:
        asked, self._asked = self._asked, None
        if asked is None:
            return ()
        self._last_good_s = now_s
        if frame.lead == _REFUSED:
            return self._refused(asked, now_s)
        if self._todo and self._todo[0] is asked:
            del self._todo[0]
        events: list[Event] = []
        if asked in self._faults:
            self._faults.discard(asked)
            self._trouble = ""
            events.append(SensorFault(device=self._name, code=_code(asked), cleared=True))
        events += self._handlers[asked](frame, now_s)
        self._starting = self._starting and bool(self._todo)
        return events

    def on_sent(self, now_s: float) -> Sequence[Event]:
        self._asked = None
        return ()

    def on_timeout(self, now_s: float) -> Sequence[Event]:
        asked, self._asked = self._asked, None
        self._counters.interrupted()
        if asked is Asked.WRITE:
            self._written = None
        events: list[Event] = []
        if asked is Asked.RESET:
            self._counters.doubt_reset()
            if self._settings.count_by == "latches" and self._latches.settled:
                events.append(self._counts.missed(None, 0, None, "the answer about a reset was lost", b""))
        if asked is Asked.CLEAR:
            self._latches.clear_lost()
        if self._starting:
            self._todo = [Asked.CONFIG, *[step for step in self._todo if step is not Asked.CONFIG]]
        else:
            self._todo = [Asked.CONFIG, Asked.RESET, *[s for s in self._todo if s not in (Asked.CONFIG, Asked.RESET)]]
        return events

    def on_port(self, event: PortEvent, now_s: float) -> Sequence[Event]:
        self._asked = None
        self._counters.interrupted()
        self._start_over(now_s)
        return ()

    def command(self, command: Command, now_s: float) -> Sequence[Event]:
        if not isinstance(command, SetOutputs):
            raise DriverError(f"{self._name} has only outputs, no {type(command).__name__}")
        before = self._desired.lamps()
        self._desired.set(command.outputs)
        if self._desired.lamps() != before:
            self._confirm = True
            self._verify_at_s = now_s
        return ()

    # What the replies mean.

    def _refused(self, asked: Asked, now_s: float) -> list[Event]:
        self._hold_s = now_s + 1.0
        detail = f"the module knows no {asked.value}: do model and settings fit?"
        if not self.identified:
            self._trouble = detail
        if asked in self._faults:
            return []
        self._faults.add(asked)
        return [SensorFault(device=self._name, code=_code(asked), detail=detail)]

    def _on_config(self, frame: Frame, now_s: float) -> list[Event]:
        flags = int(frame.text[7:9], 16)
        if bool(flags & _CHECKSUM_BIT) != self._settings.checksum:
            state = "on" if flags & _CHECKSUM_BIT else "off"
            self._wrong(f"checksum is {state} in the module, not in the settings", now_s)
        return []

    def _on_name(self, frame: Frame, now_s: float) -> list[Event]:
        model = frame.text[3:]
        if self._settings.model not in model:
            self._wrong(f"model {model} where {self._settings.model} is configured", now_s)
        else:
            self._trouble = ""
        return []

    def _wrong(self, trouble: str, now_s: float) -> None:
        """Not the device of the configuration: ask again from the beginning, once per second."""
        self._start_over(now_s)
        self._trouble = trouble
        self._hold_s = now_s + 1.0

    def _on_reset(self, frame: Frame, now_s: float) -> list[Event]:
        if frame.text[3] == "0" or not (self._counts.knows_any or self._has_baseline()):
            return []
        self._written = None if self._settings.outputs else ()
        self._confirm = True
        if self._settings.watchdog_s is not None and Asked.GUARD_STATUS not in self._todo:
            self._todo += [Asked.GUARD_STATUS, Asked.GUARD_SET]
        self._latches.forget()
        self._counters.reset_seen()
        why = "the module says that it was reset"
        events: list[Event] = [self._counts.reset(why)]
        if self._settings.count_by != "counters" and self._settings.inputs:
            events.append(self._counts.missed(None, 0, None, why, frame.raw))
        return events

    def _on_guard_status(self, frame: Frame, now_s: float) -> list[Event]:
        if not int(frame.text[3:5], 16) & _TRIPPED_BIT:
            return []
        self._todo.insert(0, Asked.GUARD_CLEAR)
        self._written = None if self._settings.outputs else ()
        self._confirm = True
        detail = "the module heard nothing for too long and had switched its outputs to the safe value"
        return [SensorFault(device=self._name, code="watchdog_tripped", detail=detail, attention=False)]

    def _on_guard_set(self, frame: Frame, now_s: float) -> list[Event]:
        self._host_ok_at_s = now_s
        return []

    def _on_written(self, frame: Frame, now_s: float) -> list[Event]:
        if frame.text == "!":
            self._written = None
            if self._settings.watchdog_s is None:
                self._hold_s = now_s + 1.0
            self._todo = [Asked.GUARD_STATUS, *([Asked.GUARD_SET] if self._settings.watchdog_s is not None else [])]
            return []
        self._written = self._attempted
        if self._confirm:
            self._verify_at_s = now_s
        return []

    def _on_levels(self, frame: Frame, now_s: float) -> list[Event]:
        first, second = data_bytes(frame.text)
        outputs, inputs = (first, second) if self._settings.outputs_first else (second, first)
        events = self._judge_outputs(_bits(outputs, self._settings.outputs), now_s)
        levels = [on != (i in self._settings.inverted) for i, on in enumerate(_bits(inputs, self._settings.inputs))]
        if self._settings.count_by == "levels":
            events += self._levels.sample(levels, now_s, frame.raw)
        elif self._settings.count_by == "latches":
            events += self._latches.levels(levels, now_s, frame.raw)
        return events

    def _judge_outputs(self, shown: tuple[bool, ...], now_s: float) -> list[Event]:
        if not self._settings.outputs or self._written is None:
            return []
        if shown != self._written:
            self._written = None
            self._confirm = True
            return []
        self._verify_at_s = now_s + self._settings.verify_s
        if not self._confirm or not self._desired.met_by(shown):
            return []
        self._confirm = False
        return [OutputConfirmed(device=self._name, outputs=self._desired.confirmed(shown))]

    def _on_counter(self, frame: Frame, now_s: float) -> list[Event]:
        done, events = self._counters.value(self._channel, int(frame.text[3:8]), now_s, frame.raw)
        if done:
            self._channel = (self._channel + 1) % self._settings.inputs
        return events

    def _on_latches(self, frame: Frame, now_s: float) -> list[Event]:
        first, second = data_bytes(frame.text)
        inputs = second if self._settings.outputs_first else first
        return self._latches.latched(_bits(inputs, self._settings.inputs), now_s, frame.raw)

    def _on_cleared(self, frame: Frame, now_s: float) -> list[Event]:
        return self._latches.cleared(now_s, frame.raw)


def _bits(byte: int, count: int) -> tuple[bool, ...]:
    return tuple(bool(byte >> i & 1) for i in range(count))


def _code(asked: Asked) -> str:
    return f"refused_{asked.name.lower()}"
