"""Drives a device without a bus and without a clock, and a bus over real pseudo-terminals."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from drivers.bus import Bus
from drivers.device import Device, DeviceMemory, PortEvent
from drivers.events import CountedEvent, Event, LinkChanged, LinkState
from drivers.link import PortSettings
from drivers.serial_link import open_serial


def counted(memory: DeviceMemory, event: CountedEvent) -> DeviceMemory:
    """The memory after an event was stored, as a table keeps it: the further counter of the same epoch wins."""
    if (memory.serial, memory.epoch) != (event.serial, event.epoch):
        return memory
    known = memory.counters.get(event.channel, 0)
    counters = {**memory.counters, event.channel: max(known, event.counter)}
    return DeviceMemory(memory.serial, memory.epoch, counters, memory.bases)


class Talk:
    """Holds a device to (sent, received) rows; `at_s` is the time, moved by `step_s` at each exchange."""

    def __init__(self, device: Device, at_s: float = 100.0, step_s: float = 0.03) -> None:
        self.device = device
        self.at_s = at_s
        self.step_s = step_s
        self.events: list[Event] = list(device.on_port(PortEvent.OPENED, at_s))

    def ask(self) -> bytes | None:
        """What the device sends next, if it is due."""
        self.at_s += self.step_s
        due_s = self.device.due_s()
        if due_s is None or due_s > self.at_s:
            return None
        self.request = self.device.next_request(self.at_s)
        return None if self.request is None else self.request.data

    def answer(self, wire: bytes | None) -> list[Event]:
        """Bytes back; None is a timeout. Frames that are not the reply are ignored, as on the bus."""
        assert self.request is not None
        if self.request.accepts is None:
            got = list(self.device.on_sent(self.at_s))
        else:
            self.device.codec.clear()
            frames = self.device.codec.feed(wire or b"", self.at_s).frames
            taken = next((f for f in frames if self.request.accepts(f)), None)
            if taken is None:
                self.at_s += self.request.timeout_s
                got = list(self.device.on_timeout(self.at_s))
            else:
                got = list(self.device.on_frame(taken, self.at_s))
        self.events += got
        return got

    def exchange(self, sent: bytes, received: bytes | None) -> list[Event]:
        assert self.ask() == sent
        return self.answer(received)


class Watched:
    """A bus running as a task, with what it told."""

    def __init__(self, bus: Bus, events: list[Event], memory: dict[str, dict[str, object]]) -> None:
        self.bus = bus
        self.events = events
        self.memory = memory

    def of(self, kind: type) -> list[Event]:
        return [e for e in self.events if isinstance(e, kind)]

    def states(self, device: str) -> list[LinkState]:
        return [e.state for e in self.events if isinstance(e, LinkChanged) and e.device == device]

    async def until(self, condition: Callable[[], bool], within_s: float = 60.0) -> None:
        """Waits on a condition; fails, showing the events, when the deadline has passed."""
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + within_s
        while not condition():
            assert loop.time() < deadline_s, f"not within {within_s} s; events: {self.events[-20:]}"
            await asyncio.sleep(0.002)

    async def answered(self, more: int) -> None:
        """Waits until so many more exchanges, at whichever devices, got their reply."""
        counters = self.bus.counters
        before = counters.exchanges - counters.timeouts
        await self.until(lambda: counters.exchanges - counters.timeouts > before + more)  # one may be under way

    async def up(self, *names: str) -> None:
        await self.until(lambda: all(self.bus.link_state(n) is LinkState.UP for n in names))


@contextlib.asynccontextmanager
async def running(path: str, *devices: Device, baud: int = 115200, **port: object) -> AsyncIterator[Watched]:
    events: list[Event] = []
    memory: dict[str, dict[str, object]] = {}
    settings = PortSettings.from_dict({"path": path, "baud": baud, "turnaround_s": 0.001, **port})
    bus = Bus(
        settings,
        devices,
        events.append,
        on_memory=lambda name, told: memory.__setitem__(name, told),
        open_link=open_serial,
    )
    async with tasks(bus.run()):
        yield Watched(bus, events, memory)


@contextlib.asynccontextmanager
async def tasks(*coroutines: object) -> AsyncIterator[None]:
    """Runs coroutines beside the test, raises what they raise, and leaves none behind."""
    started = [asyncio.ensure_future(c) for c in coroutines]  # type: ignore[call-overload]  # any coroutine
    try:
        yield
        for task in started:
            if task.done():
                task.result()
    finally:
        for task in started:
            task.cancel()
        for task in started:
            with contextlib.suppress(asyncio.CancelledError):
                await task
