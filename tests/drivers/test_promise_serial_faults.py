"""Serial faults over real pseudo-terminals: bets are counted once, or the loss is told with bounds; never invented."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from drivers import dcon_io, modbus_rtu_io
from drivers.bus import Bus
from drivers.dcon_io.sim import Sim as DconSim
from drivers.device import Device, SetOutputs
from drivers.events import CountDiscontinuity, CountedEvent, Event, InputCounted, LinkState
from drivers.frame_log import KEPT
from drivers.link import PortSettings
from drivers.modbus_rtu_io.sim import Sim as ModbusSim
from drivers.simulator import Faults, SimLine
from tests.drivers.lines import Watched, running, tasks

QUICK = {"poll_s": 0.01, "timeout_s": 0.04, "gap_s": 0.0}


@dataclass
class Module:
    """One simulated module, the driver for it, and the pulses really made at its input 0."""

    sim: Any
    device: Device
    made: int = 0

    async def bet(self) -> None:
        self.made += 1
        self.sim.set_level(0, True)
        await asyncio.sleep(0.002)
        self.sim.set_level(0, False)

    def told(self, events: list[Event]) -> tuple[int, int, float]:
        """Counted, surely lost, possibly lost at input 0."""
        mine = [e for e in events if e.device == self.device.name]
        lost = [e for e in mine if isinstance(e, CountDiscontinuity) and e.input in (0, None)]
        return (
            sum(isinstance(e, InputCounted) and e.input == 0 for e in mine),
            sum(e.lost_min for e in lost),
            math.fsum(math.inf if e.lost_max is None else e.lost_max for e in lost),
        )

    def caught_up(self) -> bool:
        """Has the driver read the module's counter as it is now?"""
        memory = self.device.memory()
        base = memory["bases"].get("in0")
        return base is not None and (base + memory["counters"]["in0"]) % 65536 == self.sim.counters[0]

    def accounted(self, events: list[Event]) -> bool:
        counted, least, most = self.told(events)
        return counted + least <= self.made <= counted + most


def module(kind: str, line: SimLine, number: int = 1) -> Module:
    if kind == "modbus":
        plain = {"unit": number, "profile": "counters_8in_8out", "count_by": "counters", **QUICK}
        device = modbus_rtu_io.build(f"m{number}", modbus_rtu_io.Settings.from_dict(plain), None)
        return Module(ModbusSim(number, line=line, counters=[5000] * 8), device)
    plain = {"address": f"{number:02X}", "checksum": True, "watchdog_s": None, "inputs": 2, **QUICK}
    sim = DconSim(number, line=line, checksum=True, inputs=2)
    sim.counters = [5000] * 2
    return Module(sim, dcon_io.build(f"m{number}", dcon_io.Settings.from_dict(plain), None))


async def cable_pulled(line: SimLine, one: Module) -> None:
    line.unplug()
    await one.bet()
    await asyncio.sleep(0.3)
    line.replug()


async def pulled_for_long(line: SimLine, one: Module) -> None:
    line.unplug()
    await one.bet()
    await asyncio.sleep(3.3)
    await one.bet()
    line.replug()


async def power_cycled(line: SimLine, one: Module) -> None:
    one.sim.power_cycle(0.7)
    await one.bet()
    await asyncio.sleep(0.8)
    await one.bet()


async def power_cycled_while_pulled(line: SimLine, one: Module) -> None:
    line.unplug()
    one.sim.power_cycle(0.1)
    await asyncio.sleep(0.3)
    await one.bet()
    line.replug()


async def noise(line: SimLine, one: Module) -> None:
    line.faults = Faults(noise=400, flip_bit=5, seed=11)
    for _ in range(5):
        await one.bet()
        await asyncio.sleep(0.1)
    line.faults = Faults()


async def half_frames(line: SimLine, one: Module) -> None:
    line.faults = Faults(cut=300, drop_chunk=100, seed=12)
    for _ in range(5):
        await one.bet()
        await asyncio.sleep(0.1)
    line.faults = Faults()


async def replies_twice(line: SimLine, one: Module) -> None:
    line.faults = Faults(repeat=1000)
    for _ in range(3):
        await one.bet()
        await asyncio.sleep(0.1)
    line.faults = Faults()


async def byte_by_byte(line: SimLine, one: Module) -> None:
    line.faults = Faults(bytewise=True, byte_gap_s=0.001)
    for _ in range(3):
        await one.bet()
        await asyncio.sleep(0.1)
    line.faults = Faults()


async def stalled(line: SimLine, one: Module) -> None:
    line.faults = Faults(silent=True)
    await one.bet()
    await asyncio.sleep(0.3)
    line.faults = Faults()


Fault = Callable[[SimLine, Module], Awaitable[None]]

ROWS: list[tuple[Fault, bool]] = [
    # fault, are all bets certain (counted, none in a loss)?
    (noise, True),
    (half_frames, True),
    (replies_twice, True),
    (byte_by_byte, True),
    (stalled, True),
    (cable_pulled, True),
    (pulled_for_long, False),
    (power_cycled, False),
    (power_cycled_while_pulled, False),
]


@pytest.mark.promise("P10")
@pytest.mark.parametrize("kind", ["modbus", "dcon"])
@pytest.mark.parametrize(("fault", "certain"), ROWS, ids=lambda v: getattr(v, "__name__", str(v)))
async def test_bets_around_a_fault_are_told_once_or_lie_within_the_bounds(kind, fault, certain, tmp_path):
    line = SimLine(str(tmp_path / "usb-RS485_A1"))
    one = module(kind, line)
    async with tasks(line.run()), running(line.path, one.device) as seen:
        await seen.up("m1")
        seen.bus.command("m1", SetOutputs({3: True}))
        await seen.until(lambda: one.sim.outputs[3])
        await one.bet()
        await seen.until(lambda: one.told(seen.events) == (1, 0, 0))
        await fault(line, one)
        await seen.until(lambda: seen.bus.link_state("m1") is LinkState.UP and one.sim.outputs[3])
        await seen.until(lambda: one.accounted(seen.events) and one.caught_up())
        before = one.told(seen.events)[0]
        await one.bet()
        await seen.until(lambda: one.told(seen.events)[0] == before + 1)
    assert one.accounted(seen.events)
    if certain:
        assert one.told(seen.events) == (one.made, 0, 0)
    assert_ids_are_unique(seen)


def assert_ids_are_unique(seen: Watched) -> None:
    ids = [e.event_id for e in seen.events if isinstance(e, CountedEvent)]
    assert len(ids) == len(set(ids))


@pytest.mark.promise("P17")
async def test_soak_of_forty_devices_on_six_lines():
    """Shortened; CARRUSEL_SOAK_S makes it longer. Every bet accounted, files and buffers flat."""
    soak_s = float(os.environ.get("CARRUSEL_SOAK_S", "6"))
    lines = [SimLine(faults=Faults(noise=20, cut=10, drop_chunk=10, seed=n)) for n in range(6)]
    kinds = ["modbus", "dcon"] * 3
    everything = [[module(kinds[n], line, i + 1) for i in range(7 if n < 4 else 6)] for n, line in enumerate(lines)]
    events: list[list[Event]] = [[] for _ in lines]
    buses = [
        Bus(PortSettings(path=line.path, baud=115200, turnaround_s=0.0), [m.device for m in modules], told.append)
        for line, modules, told in zip(lines, everything, events, strict=True)
    ]
    assert sum(map(len, everything)) == 40
    async with tasks(*(line.run() for line in lines), *(bus.run() for bus in buses)):
        await becomes(lambda: all(b.link_state(n) is LinkState.UP for b in buses for n in b.devices))
        files = len(os.listdir("/proc/self/fd"))
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + soak_s
        turn = 0
        while loop.time() < deadline_s:
            modules = everything[turn % 6]
            await modules[turn // 6 % len(modules)].bet()
            turn += 1
            await asyncio.sleep(0.01)
        for line in lines:
            line.faults = Faults()
        await becomes(lambda: all(m.accounted(told) for ms, told in zip(everything, events, strict=True) for m in ms))
        assert len(os.listdir("/proc/self/fd")) == files
        assert all(bus.counters.opens == 1 for bus in buses)
        assert all(0 < len(bus.frames(name)) <= KEPT for bus in buses for name in bus.devices)
    counted = sum(isinstance(e, InputCounted) for told in events for e in told)
    assert counted >= turn // 2  # a machine under load may see links go down: those bets are losses within bounds


async def becomes(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.02)
