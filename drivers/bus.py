"""One port and its devices: the only task that reads or writes it, one request on the line at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from drivers.device import Command, Device, DriverError, PortEvent, Request
from drivers.echo import EchoFilter
from drivers.events import Event, LinkChanged, LinkState
from drivers.frame_log import FrameLog, Noted, Outcome
from drivers.health import Backoff, Health
from drivers.link import Link, LinkUnavailable, OpenLink, PortSettings
from drivers.serial_link import open_serial

log = logging.getLogger(__name__)

TICK_S = 0.25
CLOSE_WITHIN_S = 3.0
LONGEST_REPLY = 4096
"""Bytes of one wait that are remembered; noise may come for as long as it lasts."""
STOPPED = "stopped"


@dataclass(slots=True)
class _Seat:
    """A device and what the bus knows about it."""

    device: Device
    log: FrameLog
    health: Health = field(default_factory=Health)
    rest: Backoff = field(default_factory=lambda: Backoff(longest_s=2.0))
    hold_until_s: float = 0.0
    served_s: float = -1.0
    remembered: Any = None


@dataclass(slots=True)
class BusCounters:
    """What happened on the line since the start."""

    exchanges: int = 0
    timeouts: int = 0
    stale_bytes: int = 0
    opens: int = 0


class Bus:
    """Runs until cancelled: opens the port, polls, delivers events, and starts again after each loss.

    `on_event` gets every event, in order, on the loop; what it raises ends `run`. `on_memory(name, memory)` is called
    before the events of the same step whenever a device began a new epoch or baseline, so that it can be stored first.
    """

    def __init__(
        self,
        port: PortSettings,
        devices: Sequence[Device],
        on_event: Callable[[Event], None],
        *,
        on_memory: Callable[[str, dict[str, Any]], None] | None = None,
        open_link: OpenLink = open_serial,
    ) -> None:
        addresses = [device.address for device in devices]
        if len(set(addresses)) != len(addresses):
            raise DriverError(f"two devices with one address on {port.path}: {', '.join(sorted(addresses))}")
        self.port = port
        self.counters = BusCounters()
        self._seats = {device.name: _Seat(device, FrameLog(getattr(device, "keeps", None))) for device in devices}
        self._on_event = on_event
        self._on_memory = on_memory
        self._open_link = open_link
        self._asked: _Seat | None = next(iter(self._seats.values())) if len(self._seats) == 1 else None
        self._received = bytearray()
        self._wake = asyncio.Event()
        self._lost: str | None = None
        self._echo: bool | None = None
        self._line_free_s = 0.0
        self._reopen = Backoff()

    @property
    def devices(self) -> Mapping[str, Device]:
        return {name: seat.device for name, seat in self._seats.items()}

    def link_state(self, name: str) -> LinkState:
        """State of the link to the device `name`; DOWN before anything is known."""
        return self._seats[name].health.state or LinkState.DOWN

    def frames(self, name: str) -> tuple[Noted, ...]:
        """The last raw bytes of the device `name`, newest first, without the line's echo; none that it keeps secret."""
        return self._seats[name].log.newest_first(self._now_s())

    def command(self, name: str, command: Command) -> None:
        """Change what is desired of a device; it is written as soon as the line is free, and again after each loss."""
        seat = self._seats[name]
        self._deliver(seat, seat.device.command(command, self._now_s()))
        self._wake.set()

    async def run(self) -> NoReturn:
        for seat in self._seats.values():
            self._remember(seat)
        while True:
            rest_s = await self._session()
            await asyncio.sleep(rest_s)

    async def _session(self) -> float:
        """One life of the port; returns how long to rest before the next."""
        self._lost, self._echo = None, {"none": False, "strip": True, "auto": None}[self.port.echo]
        self._received.clear()
        try:
            link = await self._open_link(self.port, self._on_received, self._on_lost)
        except LinkUnavailable as problem:
            self._gone(str(problem))
            return self._reopen.failed()
        self.counters.opens += 1
        try:
            self._opened()
            await self._serve(link)
        finally:
            why = self._lost or STOPPED
            await self._close(link)
            self._gone(why)
        return self._reopen.failed()

    async def _close(self, link: Link) -> None:
        link.abort()
        deadline_s = self._now_s() + CLOSE_WITHIN_S
        while self._lost is None and self._now_s() < deadline_s:
            await self._wait_until(deadline_s)

    def _opened(self) -> None:
        now_s = self._now_s()
        self._line_free_s = now_s
        for seat in self._seats.values():
            seat.device.codec.clear()
            seat.hold_until_s = 0.0
            seat.health.opened()
            self._deliver(seat, seat.device.on_port(PortEvent.OPENED, now_s))
            if seat.device.identified:
                self._tell(seat, seat.health.good(True, ""))

    def _gone(self, why: str) -> None:
        now_s = self._now_s()
        for seat in self._seats.values():
            self._deliver(seat, seat.device.on_port(PortEvent.LOST, now_s))
            self._tell(seat, seat.health.lost(why))

    async def _serve(self, link: Link) -> None:
        while self._lost is None:
            now_s = self._now_s()
            for seat in self._seats.values():
                self._tell(seat, seat.health.tick(now_s))
            if any(seat.health.state is LinkState.UP for seat in self._seats.values()):
                self._reopen.good(now_s)
            chosen = self._next_seat(now_s)
            if chosen is not None:
                await self._exchange(link, chosen)
                continue
            self._hear_unasked(now_s)
            await self._wait_until(min(self._earliest_s(), now_s + TICK_S))

    def _next_seat(self, now_s: float) -> _Seat | None:
        """The due device that waited longest."""
        ready = [s for s in self._seats.values() if _ready_s(s) <= now_s]
        return min(ready, key=lambda s: s.served_s, default=None)

    def _earliest_s(self) -> float:
        return min((_ready_s(seat) for seat in self._seats.values()), default=float("inf"))

    def _hear_unasked(self, now_s: float) -> None:
        """Bytes that nobody asked for belong to the only device of the port, else to nobody."""
        data = self._take()
        if not data:
            return
        if len(self._seats) > 1:
            self._stale(data, now_s)
            return
        (seat,) = self._seats.values()
        frames = seat.device.codec.feed(data, now_s).frames
        seat.log.hear(now_s, data, frames)
        for frame in frames:
            self._deliver(seat, seat.device.on_frame(frame, now_s))
            self._tell(seat, seat.health.good(seat.device.identified, seat.device.trouble))

    async def _exchange(self, link: Link, seat: _Seat) -> None:
        while self._now_s() < self._line_free_s and self._lost is None:
            await self._wait_until(self._line_free_s)
        now_s = seat.served_s = self._now_s()
        request = seat.device.next_request(now_s)
        if request is None:
            seat.hold_until_s = now_s + 0.01
            return
        self._stale(self._take(), now_s)
        self._asked = seat
        seat.device.codec.clear()
        self.counters.exchanges += 1
        link.write(request.data)
        sent_s = now_s + self.port.wire_time_s(len(request.data))
        if request.accepts is None:
            await self._let_pass(sent_s)
            seat.log.asked(self._now_s(), request.data, b"", Outcome.SENT)
            self._deliver(seat, seat.device.on_sent(self._now_s()))
        else:
            await self._await_reply(seat, request, sent_s + request.timeout_s)
        self._line_free_s = self._now_s() + max(request.gap_s, self.port.turnaround_s)

    async def _let_pass(self, until_s: float) -> None:
        while self._now_s() < until_s and self._lost is None:
            await self._wait_until(until_s)

    async def _await_reply(self, seat: _Seat, request: Request, deadline_s: float) -> None:
        assert request.accepts is not None
        echo = EchoFilter(request.data, active=self._echo is not False)
        heard = bytearray()
        while self._lost is None:
            now_s = self._now_s()
            data = echo.strip(self._take())
            heard += data[: LONGEST_REPLY - len(heard)]
            for frame in seat.device.codec.feed(data, now_s).frames:
                if request.accepts(frame):
                    seat.log.asked(now_s, request.data, bytes(heard), Outcome.ANSWERED)
                    self._replied(seat, frame, now_s, echo.removed)
                    return
            if now_s >= deadline_s:
                seat.log.asked(now_s, request.data, bytes(heard), Outcome.SILENT)
                self._timed_out(seat, now_s)
                return
            await self._wait_until(deadline_s)
        seat.log.asked(self._now_s(), request.data, bytes(heard), Outcome.SILENT)

    def _stale(self, data: bytes, now_s: float) -> None:
        """Bytes that nobody waits for: a late answer of whoever was asked last, more likely than anything else."""
        self.counters.stale_bytes += len(data)
        if data and self._asked is not None:
            self._asked.log.hear(now_s, data)

    def _replied(self, seat: _Seat, frame: Any, now_s: float, echoed: bool) -> None:
        if self._echo is None:
            self._echo = echoed
        self._deliver(seat, seat.device.on_frame(frame, now_s))
        seat.rest.good(now_s)
        self._tell(seat, seat.health.good(seat.device.identified, seat.device.trouble))

    def _timed_out(self, seat: _Seat, now_s: float) -> None:
        self.counters.timeouts += 1
        self._deliver(seat, seat.device.on_timeout(now_s))
        self._tell(seat, seat.health.missed(now_s))
        if seat.health.misses >= 3:
            seat.hold_until_s = now_s + seat.rest.failed()

    def _tell(self, seat: _Seat, why: str | None) -> None:
        """Publish a changed link state, and log a loss and a return once each."""
        if why is None or seat.health.state is None:
            return
        state, device = seat.health.state, seat.device
        level = logging.WARNING if state is LinkState.DOWN and why != STOPPED else logging.INFO
        log.log(level, "device %s on %s is %s: %s", device.name, self.port.path, state.value, why)
        self._on_event(LinkChanged(device=device.name, state=state, why=why, serial=device.serial))

    def _deliver(self, seat: _Seat, events: Sequence[Event]) -> None:
        self._remember(seat)
        for event in events:
            self._on_event(event)

    def _remember(self, seat: _Seat) -> None:
        if self._on_memory is None:
            return
        memory = seat.device.memory()
        shape = (memory.get("serial"), memory.get("epoch"), memory.get("bases"))
        if shape != seat.remembered:
            seat.remembered = shape
            self._on_memory(seat.device.name, memory)

    def _on_received(self, data: bytes) -> None:
        self._received += data
        self._wake.set()

    def _on_lost(self, reason: str) -> None:
        self._lost = reason
        self._wake.set()

    def _take(self) -> bytes:
        data = bytes(self._received)
        self._received.clear()
        return data

    async def _wait_until(self, at_s: float) -> None:
        """Until bytes, a loss, a command or the time `at_s`."""
        if at_s == float("inf"):
            await self._wake.wait()
        else:
            timer = asyncio.get_running_loop().call_at(at_s, self._wake.set)
            try:
                await self._wake.wait()
            finally:
                timer.cancel()
        self._wake.clear()

    @staticmethod
    def _now_s() -> float:
        return asyncio.get_running_loop().time()


def _ready_s(seat: _Seat) -> float:
    due_s = seat.device.due_s()
    return float("inf") if due_s is None else max(due_s, seat.hold_until_s)
