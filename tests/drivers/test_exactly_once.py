"""Whatever goes wrong between a module and the daemon: each pulse is told once, or lies within the bounds of a loss."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import dcon_io, modbus_rtu_io
from drivers.dcon_io.sim import Sim as DconSim
from drivers.device import Device, DeviceMemory, PortEvent, SetOutputs
from drivers.events import CountDiscontinuity, CountedEvent, Event, InputCounted
from drivers.modbus_rtu_io.sim import Sim as ModbusSim
from tests.drivers.lines import counted

INPUTS = 3
HELD_S = 0.3
CHECKED = ("dcon checked", "dcon latches", "dcon levels")
FAULTS = ("request lost", "reply lost", "reply late", "damaged")


@dataclass
class World:
    """A module, the daemon beside it, and what really happened. The daemon keeps what a careful controller keeps."""

    kind: str
    sim: Any
    at_s: float = 100.0
    made: list[int] = field(default_factory=lambda: [0] * INPUTS)
    events: list[Event] = field(default_factory=list)
    stored: dict[str, Any] | None = None
    shape: Any = None
    late: bytes = b""
    clean: bool = True

    def start(self) -> None:
        memory = DeviceMemory.from_dict(self.stored)
        for event in self.events:
            if isinstance(event, CountedEvent):
                memory = counted(memory, event)
        self.device: Device = make(self.kind, memory.to_dict() if self.stored else None)
        self.device.command(SetOutputs({0: True}), self.at_s)
        self.tell(self.device.on_port(PortEvent.OPENED, self.at_s))

    def tell(self, events: Any) -> None:
        memory = self.device.memory()
        shape = (memory["epoch"], memory["bases"])
        if shape != self.shape:
            self.shape, self.stored = shape, memory
        self.events += events

    def pulse(self, number: int) -> None:
        self.made[number] += 1
        self.sim.set_level(number, True)
        self.sim.set_level(number, False)

    def exchange(self, fault: str = "") -> None:
        self.at_s += 0.06
        due_s = self.device.due_s()
        if due_s is None or due_s > self.at_s:
            return
        request = self.device.next_request(self.at_s)
        if request is None:
            return
        heard = b"" if fault == "request lost" else self.sim.receive(request.data, self.at_s)
        wire, self.late = self.late + heard, b""
        if fault in ("reply lost", "reply late"):
            wire, self.late = b"", heard if fault == "reply late" else b""
        if fault == "damaged" and self.clean and wire:
            wire = damage(self.kind, wire)
        self.clean = fault != "damaged"
        if request.accepts is None:
            self.tell(self.device.on_sent(self.at_s))
            return
        self.device.codec.clear()
        frames = self.device.codec.feed(wire, self.at_s).frames
        taken = next((f for f in frames if request.accepts(f)), None)
        if taken is not None:
            self.tell(self.device.on_frame(taken, self.at_s))
        else:
            self.at_s += request.timeout_s
            self.tell(self.device.on_timeout(self.at_s))

    def settle(self) -> None:
        for _ in range(60):
            self.exchange()


def damage(kind: str, wire: bytes) -> bytes:
    """Without a check only a counter's digit is changed, once: two equal lies in a row cannot be told from truth."""
    if kind == "dcon":
        return wire[:4] + b"7" + wire[5:] if len(wire) == 9 else wire
    middle = len(wire) // 2
    return wire[:middle] + bytes([wire[middle] ^ 0x04]) + wire[middle + 1 :]


def make(kind: str, memory: dict[str, Any] | None) -> Device:
    if kind == "modbus":
        plain = {"unit": 1, "count_by": "counters", "map": {"inputs": INPUTS, "counter_function": 3}}
        return modbus_rtu_io.build("m", modbus_rtu_io.Settings.from_dict(plain), memory)
    if kind == "modbus levels":
        plain = {"unit": 1, "pulse_s": HELD_S, "map": {"inputs": INPUTS}}
        return modbus_rtu_io.build("m", modbus_rtu_io.Settings.from_dict(plain), memory)
    how = kind.split()[-1] if kind.split()[-1] in ("levels", "latches") else "counters"
    plain = {"inputs": INPUTS, "checksum": kind in CHECKED, "count_by": how, "pulse_s": HELD_S}
    return dcon_io.build("m", dcon_io.Settings.from_dict(plain), memory)


def world(kind: str, first: int) -> World:
    if kind.startswith("modbus"):
        sim: Any = ModbusSim(counters=[first] * 8)
    else:
        sim = DconSim(inputs=INPUTS, checksum=kind in CHECKED)
        sim.counters = [first] * INPUTS
    new = World(kind, sim)
    new.start()
    new.settle()
    new.events.clear()
    return new


steps = st.one_of(
    st.tuples(st.just("pulse"), st.integers(0, INPUTS - 1)),
    st.tuples(st.just("exchange"), st.sampled_from(["", "", "", *FAULTS])),
    st.tuples(st.just("power cycle"), st.sampled_from([0.6, 2.0, 6.0])),
    st.tuples(st.just("silence"), st.sampled_from([0.3, 1.0, 5.0])),
    st.tuples(st.just("port"), st.just(0)),
    st.tuples(st.just("daemon"), st.just(0)),
)


def act(now: World, step: tuple[str, Any]) -> None:
    what, value = step
    if what == "pulse":
        now.pulse(value)
    elif what == "exchange":
        now.exchange(value)
    elif what == "power cycle":
        now.sim.power_cycle(value)
        now.exchange()
        now.at_s += value
    elif what == "silence":
        now.at_s += value
    elif what == "port":
        now.tell(now.device.on_port(PortEvent.LOST, now.at_s))
        now.tell(now.device.on_port(PortEvent.OPENED, now.at_s))
    else:
        now.start()


@pytest.mark.promise("P10")
@pytest.mark.parametrize("kind", ["modbus", "dcon", "dcon checked"])
@settings(max_examples=120, deadline=None)
@given(plan=st.lists(steps, max_size=40), first=st.sampled_from([0, 5, 5000, 65534]))
def test_no_pulse_is_invented_and_none_is_lost_in_silence(kind, plan, first):
    now = world(kind, first)
    for step in plan:
        act(now, step)
    now.settle()
    assert_accounted(now)


def assert_accounted(now: World) -> None:
    counted = [0] * INPUTS
    least, most = [0] * INPUTS, [0.0] * INPUTS
    for event in now.events:
        if isinstance(event, InputCounted):
            counted[event.input] += 1
        elif isinstance(event, CountDiscontinuity):
            for number in range(INPUTS) if event.input is None else [event.input]:
                least[number] += event.lost_min
                most[number] += float("inf") if event.lost_max is None else event.lost_max
    for number in range(INPUTS):
        assert counted[number] + least[number] <= now.made[number] <= counted[number] + most[number], now.events
    ids = [e.event_id for e in now.events if isinstance(e, CountedEvent)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("kind", ["modbus", "dcon", "dcon checked"])
def test_on_a_good_line_every_pulse_is_a_bet(kind):
    now = world(kind, 65530)
    for turn in range(20):
        now.pulse(turn % INPUTS)
        now.exchange()
    now.settle()
    assert [sum(e.input == i for e in now.events if isinstance(e, InputCounted)) for i in range(INPUTS)] == now.made
    assert not [e for e in now.events if isinstance(e, CountDiscontinuity)]


faults = st.lists(st.sampled_from(["", "", "", "", *FAULTS]), min_size=6, max_size=6)
held_steps = st.one_of(
    st.tuples(st.just("press"), st.tuples(st.integers(0, INPUTS - 1), faults, faults)),
    st.tuples(st.just("power cycle"), st.sampled_from([0.6, 2.0, 6.0])),
    st.tuples(st.just("silence"), st.sampled_from([0.1, 1.0, 5.0])),
    st.tuples(st.just("port"), st.just(0)),
)


def press(now: World, number: int, while_on: list[str], while_off: list[str]) -> None:
    """On and off again, each held as long as the settings promise, with faults meanwhile."""
    for on, along in ((True, while_on), (False, while_off)):
        now.made[number] += on
        now.sim.set_level(number, on)
        for fault in along:
            now.exchange(fault)


@pytest.mark.parametrize("kind", ["modbus levels", "dcon levels", "dcon latches"])
@settings(max_examples=100, deadline=None)
@given(plan=st.lists(held_steps, max_size=15))
def test_pulses_at_inputs_without_counters_are_told_once_or_lie_within_the_bounds(kind, plan):
    now = world(kind, 0)
    for what, value in plan:
        if what == "press":
            press(now, *value)
        else:
            act(now, (what, value))
    now.settle()
    assert_accounted(now)


@pytest.mark.parametrize("kind", ["modbus levels", "dcon levels", "dcon latches"])
def test_on_a_good_line_every_held_pulse_is_a_bet(kind):
    now = world(kind, 0)
    for turn in range(12):
        press(now, turn % INPUTS, [""] * 6, [""] * 6)
    assert [sum(e.input == i for e in now.events if isinstance(e, InputCounted)) for i in range(INPUTS)] == now.made
    assert not [e for e in now.events if isinstance(e, CountDiscontinuity)]
