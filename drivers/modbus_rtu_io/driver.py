"""One Modbus RTU module of inputs and outputs as a state machine without I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any

from drivers.counts import Counts
from drivers.device import Command, DriverError, PortEvent, Request, SetOutputs
from drivers.events import CountDiscontinuity, Event, OutputConfirmed, SensorFault
from drivers.health import DOWN_AFTER_S
from drivers.levels import LevelInputs
from drivers.modbus_rtu_io.codec import (
    EXCEPTION_BUSY,
    Frame,
    Function,
    ReadBits,
    ReadRegisters,
    RtuCodec,
    RtuCommand,
    WriteCoils,
    WriteRegister,
)
from drivers.modbus_rtu_io.profile import Settings
from drivers.outputs import DesiredOutputs

_NEVER = float("-inf")
_LATER = float("inf")


class Asked(Enum):
    """What is on the line."""

    MODES = "output modes"
    FIX_MODE = "output mode 0"
    SHOWN = "outputs"
    WRITE = "outputs to write"
    INPUTS = "inputs"


class ModbusIo:
    """Identify (output modes read and set to 0), look at the outputs for signs of a restart, then poll.

    It counts as identified once its inputs have a baseline: from then on whatever happens at them is told.
    """

    def __init__(self, name: str, settings: Settings, memory: Mapping[str, Any] | None) -> None:
        self._settings = settings
        self._place = settings.place
        self._name = name
        self._serial = settings.serial or name
        self.codec = RtuCodec()
        by_counters = settings.count_by == "counters"
        self._counts = Counts(name, self._serial, memory, 65536 if by_counters else None)
        self._levels = LevelInputs(
            name,
            self._counts,
            self._place.inputs,
            debounce=settings.debounce,
            pulse_s=settings.pulse_s,
            apart_s=DOWN_AFTER_S,
            stuck_s=settings.stuck_s,
        )
        self._desired = DesiredOutputs(self._place.outputs)
        self._handlers: Mapping[Asked, Callable[[Frame, float], list[Event]]] = {
            Asked.MODES: self._on_modes,
            Asked.FIX_MODE: self._on_mode_fixed,
            Asked.SHOWN: self._on_shown,
            Asked.WRITE: self._on_written,
            Asked.INPUTS: self._on_inputs,
        }
        self._trouble = ""
        self._asked: Asked | None = None
        self._last_good_s = _NEVER
        self._last_poll_s = _NEVER
        self._restarted = True  # this process has not read the counters yet
        self._faults: set[str] = set()
        self._attempted: tuple[bool, ...] = ()
        self._shown: tuple[bool, ...] = ()
        self._start_over(0.0)

    def _start_over(self, now_s: float) -> None:
        """Nothing is known of the module: it may have been restarted or swapped."""
        self._identified = False
        self._modes_left: list[int] | None = None if self._place.mode_start is not None else []
        self._suspect_restart()
        self._written: tuple[bool, ...] | None = None if self._place.outputs else ()
        self._confirm = True
        self._verify_at_s = now_s if self._place.outputs else _LATER
        self._poll_at_s = now_s if self._place.inputs else _LATER
        self._flip_at_s = _LATER
        self._hold_s = now_s

    def _suspect_restart(self) -> None:
        """It was silent long enough to have restarted: its outputs may tell, else the doubt stays."""
        self._suspect = self._place.outputs > 0
        if not self._suspect:
            self._counts.doubt()

    # What the bus reads.

    @property
    def name(self) -> str:
        return self._name

    @property
    def address(self) -> str:
        return str(self._settings.unit)

    @property
    def serial(self) -> str:
        return self._serial

    @property
    def identified(self) -> bool:
        return self._identified

    @property
    def trouble(self) -> str:
        return self._trouble

    def memory(self) -> dict[str, Any]:
        return self._counts.to_dict()

    def due_s(self) -> float | None:
        if self._modes_left is None or self._modes_left or self._suspect or self._written is None:
            return self._hold_s
        return max(self._hold_s, min(self._poll_at_s, self._verify_at_s, self._flip_at_s))

    # The conversation.

    def next_request(self, now_s: float) -> Request | None:
        if self._last_good_s != _NEVER and now_s - self._last_good_s > self._settings.boot_s and not self._suspect:
            self._suspect_restart()
        self._flip_at_s = self._desired.next_change_s(now_s)
        self._asked = self._choose(now_s)
        return self._request(self._command_for(self._asked, now_s), self._asked)

    def _choose(self, now_s: float) -> Asked:
        if self._modes_left is None:
            return Asked.MODES
        if self._modes_left:
            return Asked.FIX_MODE
        if self._place.outputs:
            if self._suspect:
                return Asked.SHOWN
            if self._desired.levels(now_s) != self._written:
                return Asked.WRITE
            if now_s >= self._verify_at_s:
                return Asked.SHOWN
        return Asked.INPUTS if self._place.inputs else Asked.SHOWN

    def _command_for(self, asked: Asked, now_s: float) -> RtuCommand:
        unit, place = self._settings.unit, self._place
        if asked is Asked.MODES:
            return ReadRegisters(unit, Function.READ_HOLDING, place.mode_start or 0, place.outputs)
        if asked is Asked.FIX_MODE:
            assert self._modes_left
            return WriteRegister(unit, (place.mode_start or 0) + self._modes_left[0], 0)
        if asked is Asked.SHOWN:
            return ReadBits(unit, Function.READ_COILS, place.outputs_start, place.outputs)
        if asked is Asked.WRITE:
            self._attempted = self._desired.levels(now_s)
            return WriteCoils(unit, place.outputs_start, self._attempted)
        self._poll_at_s = now_s + self._settings.poll_s
        if self._settings.count_by == "counters":
            return ReadRegisters(unit, Function(place.counter_function or 3), place.counter_start, place.inputs)
        return ReadBits(unit, Function.READ_INPUTS, place.inputs_start, place.inputs)

    def _request(self, command: RtuCommand, asked: Asked) -> Request:
        data = self.codec.encode(command)
        size = _reply_size(command)

        def accepts(frame: Frame) -> bool:
            if not frame.is_reply or frame.unit != data[0] or frame.function != data[1]:
                return False
            if frame.exception is not None:
                return True
            return frame.body[0] == size if size is not None else frame.body == data[2:6]

        return Request(data, accepts, self._settings.timeout_s, self._settings.gap_s, asked.value)

    def on_frame(self, frame: Frame, now_s: float) -> Sequence[Event]:
        asked, self._asked = self._asked, None
        if asked is None:
            return ()
        self._last_good_s = now_s
        if frame.exception is not None:
            return self._refused(asked, frame.exception, now_s)
        self._trouble = ""
        cleared = [
            SensorFault(device=self._name, code=code, cleared=True)
            for code in sorted(self._faults)
            if code.endswith(asked.name.lower())
        ]
        self._faults -= {fault.code for fault in cleared}
        return [*cleared, *self._handlers[asked](frame, now_s)]

    def on_sent(self, now_s: float) -> Sequence[Event]:
        return ()

    def on_timeout(self, now_s: float) -> Sequence[Event]:
        if self._asked is Asked.WRITE:
            self._written = None
        self._asked = None
        return ()

    def on_port(self, event: PortEvent, now_s: float) -> Sequence[Event]:
        self._asked = None
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

    def _refused(self, asked: Asked, code: int, now_s: float) -> list[Event]:
        """Exception 6 is for later; any other means that the map in the configuration does not fit the module."""
        if code == EXCEPTION_BUSY:
            self._hold_s = now_s + self._settings.timeout_s
            return []
        self._hold_s = now_s + 1.0
        self._trouble = f"the module refuses {asked.value} (exception {code}): does the profile fit?"
        fault = f"refused_{asked.name.lower()}"
        if fault in self._faults:
            return []
        self._faults.add(fault)
        return [SensorFault(device=self._name, code=fault, detail=self._trouble)]

    def _on_modes(self, frame: Frame, now_s: float) -> list[Event]:
        modes = frame.registers()
        self._modes_left = [i for i, mode in enumerate(modes) if mode != 0]
        if not self._modes_left:
            return []
        detail = f"outputs {', '.join(map(str, self._modes_left))} were driven by inputs: set to normal"
        return [SensorFault(device=self._name, code="output_mode", detail=detail, attention=False)]

    def _on_mode_fixed(self, frame: Frame, now_s: float) -> list[Event]:
        assert self._modes_left
        self._modes_left = self._modes_left[1:] or None  # None: read them again, to be sure
        return []

    def _on_shown(self, frame: Frame, now_s: float) -> list[Event]:
        shown = frame.bits()[: self._place.outputs]
        self._identified = self._identified or self._place.inputs == 0
        events: list[Event] = []
        lit_for_sure = any(was and meant for was, meant in zip(self._shown, self._attempted, strict=False))
        if lit_for_sure and not any(shown):
            events.append(self._counts.reset("its outputs went off by themselves"))
        elif self._suspect and not any(shown):
            self._counts.doubt()  # a lit lamp would have proved that it ran on: nobody has written since the silence
        self._suspect = False
        self._shown = shown
        if shown != self._written:
            self._written = None
            self._confirm = True
            return events
        self._verify_at_s = now_s + self._settings.verify_s
        if self._confirm and self._desired.met_by(shown):
            self._confirm = False
            events.append(OutputConfirmed(device=self._name, outputs=self._desired.confirmed(shown)))
        return events

    def _on_written(self, frame: Frame, now_s: float) -> list[Event]:
        self._written = self._attempted
        if self._confirm:
            self._verify_at_s = now_s
        else:
            self._shown = self._attempted
        return []

    def _on_inputs(self, frame: Frame, now_s: float) -> list[Event]:
        raw = frame.raw
        if self._settings.count_by == "levels":
            bits = frame.bits()[: self._place.inputs]
            levels = [bit != (i in self._settings.inverted) for i, bit in enumerate(bits)]
            told = self._levels.sample(levels, now_s, raw)
            self._identified = self._levels.settled
            return told
        gap_s = now_s - self._last_poll_s
        apart = "daemon was stopped" if self._restarted else "link was down" if gap_s > DOWN_AFTER_S else ""
        plausible = int(self._settings.plausible_per_s * min(max(1.0, gap_s), 3600.0))
        events: list[Event] = []
        for number, value in enumerate(frame.registers()):
            events += self._counts.read(number, value, plausible=plausible, apart=apart, raw=raw)
        doubts = [e for e in events if isinstance(e, CountDiscontinuity) and (e.lost_min, e.lost_max) == (0, None)]
        if len(doubts) > 1:  # nothing was seen at these inputs: one report for all of them
            events = [e for e in events if e not in doubts]
            events.append(self._counts.missed(None, 0, None, doubts[0].why, raw))
        self._last_poll_s, self._restarted = now_s, False
        self._identified = True
        return events


def _reply_size(command: RtuCommand) -> int | None:
    """The byte count of the reply, None where the reply repeats the request's first words."""
    if isinstance(command, ReadBits):
        return (command.count + 7) // 8
    if isinstance(command, ReadRegisters):
        return 2 * command.count
    return None
