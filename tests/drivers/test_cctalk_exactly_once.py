"""Whatever happens to the line, the acceptor and the daemon: each coin is told once or stands within told bounds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from drivers.cctalk_coin import Settings, build
from drivers.cctalk_coin.sim import Sim
from drivers.device import Device, DeviceMemory, PortEvent, SetAccepting
from drivers.events import CoinAccepted, CountDiscontinuity, CountedEvent, Event
from tests.drivers.lines import counted


class NoLine:
    """Stands for the line of a simulated acceptor that is spoken to directly."""

    def attach(self, device: object) -> None:
        """Nothing to serve."""


class World:
    """An acceptor, a daemon that may be restarted, and what a durable journal holds of it."""

    def __init__(self) -> None:
        self.sim = Sim(line=NoLine())  # type: ignore[arg-type]  # only attach is used
        self.now_s = 100.0
        self.stored: dict[str, Any] | None = None
        self.shape: Any = None
        self.journal: list[Event] = []
        self.start()

    def start(self) -> None:
        """The daemon starts from the stored memory and the events that are durable."""
        memory = DeviceMemory.from_dict(self.stored)
        for event in self.journal:
            if isinstance(event, CountedEvent):
                memory = counted(memory, event)
        known = memory.to_dict() if self.stored else None
        plain = {"check": "sum8", "poll_s": 0.1, "check_every": 3, "timeout_s": 0.1}
        self.device: Device = build("slot", Settings.from_dict(plain), known)
        self.take(self.device.on_port(PortEvent.OPENED, self.now_s))
        self.take(self.device.command(SetAccepting(True), self.now_s))

    def take(self, events: Any) -> None:
        """As the bus does: memory first when an epoch or base changed, then the events."""
        memory = self.device.memory()
        shape = (memory["serial"], memory["epoch"], memory["bases"])
        if shape != self.shape:
            self.shape, self.stored = shape, memory
        self.journal += events

    def exchange(self, damage: str = "") -> None:
        self.now_s += 0.11
        request = self.device.next_request(self.now_s)
        assert request is not None
        assert request.accepts is not None
        heard = b"" if damage == "unheard" else self.sim.receive(request.data, self.now_s)
        reply = {"lost": b"", "cut": heard[:-1], "flipped": heard[:-1] + b"\x55"}.get(damage, heard)
        self.device.codec.clear()
        frames = self.device.codec.feed(reply, self.now_s).frames
        good = next((frame for frame in frames if request.accepts(frame)), None)
        if good is None:
            self.now_s += request.timeout_s
            self.take(self.device.on_timeout(self.now_s))
        else:
            self.take(self.device.on_frame(good, self.now_s))

    def do(self, action: str) -> None:
        match action:
            case "coin":
                self.sim.insert(1)
            case "two coins":
                self.sim.insert(1)
                self.sim.insert(1)
            case "slug":
                self.sim.happen(1)
            case "poll":
                self.exchange()
            case "settle":
                for _ in range(14):
                    self.exchange()
            case "reset":
                self.sim.reset()
            case "restart":
                self.start()
            case "replug":
                self.take(self.device.on_port(PortEvent.LOST, self.now_s))
                self.take(self.device.on_port(PortEvent.OPENED, self.now_s))
            case "away":
                self.now_s += 5.0
            case "shut" | "open":
                self.take(self.device.command(SetAccepting(action == "open"), self.now_s))
            case damage:
                self.exchange(damage)


ACTIONS = ["coin", "two coins", "slug", "poll", "settle", "reset", "restart", "replug", "away", "shut", "open"]
DAMAGES = ["lost", "cut", "flipped", "unheard"]
SEVEN_UNREAD = ["settle", *["coin"] * 7, "settle"]
RESET_LIKE_A_WRAP = ["settle", "coin", "coin", "settle", "reset", "slug", "slug", "slug", "settle", "coin", "settle"]


@pytest.mark.promise("P10")
@given(st.lists(st.sampled_from([*ACTIONS, *ACTIONS, *DAMAGES]), max_size=40))
@example(SEVEN_UNREAD)
@example(RESET_LIKE_A_WRAP)
@example(["settle", "coin", "restart", "coin", "settle", "away", "coin", "poll"])
@settings(max_examples=200, deadline=None)
def test_each_coin_is_told_once_or_within_bounds(actions: list[str]) -> None:
    world = World()
    for action in actions:
        world.do(action)
    world.do("settle")
    world.do("settle")
    coins = [event for event in world.journal if isinstance(event, CoinAccepted)]
    losses = [event for event in world.journal if isinstance(event, CountDiscontinuity)]
    least = len(coins) + sum(loss.lost_min for loss in losses)
    bounds = [loss.lost_max for loss in losses]
    assert len({coin.event_id for coin in coins}) == len(coins)
    assert least <= len(world.sim.taken), "a bet was invented"
    assert None in bounds or len(world.sim.taken) <= len(coins) + sum(bound or 0 for bound in bounds), "a bet was lost"


def test_seven_coins_between_two_polls() -> None:
    world = World()
    for action in SEVEN_UNREAD:
        world.do(action)
    assert sum(isinstance(event, CoinAccepted) for event in world.journal) == 5
    assert [(e.lost_min, e.lost_max) for e in world.journal if isinstance(e, CountDiscontinuity)] == [(0, 2)]
