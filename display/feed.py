"""The feed: the newest scene of each screen, handed to any number of subscribers, with a heartbeat every second."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from sse_starlette import ServerSentEvent

from display.scene import Screen, TableScreen, screen_id, to_json

SCREEN_ID = re.compile(r"^(table|signage)-[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
HEARTBEAT_S = 1.0
MAX_SCREENS = 512
MAX_SUBSCRIBERS = 4096


class UnknownScreen(LookupError):
    """No table or carousel of this daemon has a screen of that name."""


class TooManySubscribers(RuntimeError):
    """The feed is full; a screen tries again by itself."""


@dataclass(slots=True)
class _Channel:
    """One screen: its newest scene, ready to be sent, and the event that wakes whoever waits for a newer one."""

    version: int = 0
    scene: Screen | None = None
    body: str = ""
    as_of_ms: int | None = None
    shown_mono_ms: int = 0
    message: bytes = b""
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Feed:
    """Newest wins: there is no queue, a subscriber that lags or was off gets the newest scene and nothing older.

    All methods are for the event loop's thread. `wall_ms` (UTC) and `mono_ms` (never goes back) are clocks in
    milliseconds. A scene goes out as the SSE event `scene`, `{"epoch", "version", "shown_mono_ms", "scene"}`; every
    second, and first of all, the event `beat`, `{"build", "epoch", "version", "now_ms", "mono_ms", "as_of_ms"}`.
    `epoch` changes with every start of the daemon, `version` grows by one with every scene of a screen that differs;
    `build` names the pages served, so that a screen left on through an upgrade loads the new ones.
    """

    def __init__(
        self,
        *,
        heartbeat_s: float = HEARTBEAT_S,
        max_screens: int = MAX_SCREENS,
        max_subscribers: int = MAX_SUBSCRIBERS,
        wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        mono_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
    ) -> None:
        self._channels: dict[str, _Channel] = {}
        self._epoch = secrets.token_hex(8)
        self._heartbeat_s = heartbeat_s
        self._max_screens = max_screens
        self._max_subscribers = max_subscribers
        self._wall_ms = wall_ms
        self._mono_ms = mono_ms
        self._subscribers = 0
        self.build = ""

    @property
    def epoch(self) -> str:
        return self._epoch

    @property
    def subscribers(self) -> int:
        """How many streams are open now."""
        return self._subscribers

    @property
    def screens(self) -> tuple[str, ...]:
        return tuple(self._channels)

    def declare(self, screen: str) -> None:
        """Make a screen known before its first scene; its pages then wait with closed shutters."""
        if screen in self._channels:
            return
        if not SCREEN_ID.match(screen):
            raise ValueError(f"not a screen id: {screen!r}")
        if len(self._channels) >= self._max_screens:
            raise ValueError(f"more than {self._max_screens} screens")
        self._channels[screen] = _Channel()

    def show(self, screen: str, scene: Screen) -> int:
        """Make `scene` the newest of `screen` and wake its subscribers; the version is returned.

        Call it only with what is durable in the journal. A scene equal to the newest changes nothing.
        """
        if screen != screen_id(scene):
            raise ValueError(f"scene of {screen_id(scene)} handed to {screen}")
        self.declare(screen)
        channel = self._channels[screen]
        body = to_json(scene)
        if body == channel.body and not _counts_down(scene):
            return channel.version
        channel.version += 1
        channel.scene = scene
        channel.body = body
        channel.as_of_ms = scene.meter.as_of_ms if scene.meter else self._wall_ms()
        channel.shown_mono_ms = self._mono_ms()
        channel.message = b""
        channel.changed.set()
        channel.changed = asyncio.Event()
        return channel.version

    def confirm(self, screen: str, as_of_ms: int) -> None:
        """The newest scene is still the truth at `as_of_ms` (UTC milliseconds): told with the next heartbeat."""
        channel = self._channel(screen)
        if channel.as_of_ms is None or as_of_ms > channel.as_of_ms:
            channel.as_of_ms = as_of_ms

    def newest(self, screen: str) -> tuple[int, Screen | None]:
        """Version and newest scene; version 0 and None before the first. Raises UnknownScreen."""
        channel = self._channel(screen)
        return channel.version, channel.scene

    def subscribe(self, screen: str) -> AsyncIterator[bytes]:
        """The endless stream of one screen as SSE bytes, newest scene first, then a heartbeat every second.

        Raises UnknownScreen or TooManySubscribers at once, before the first byte.
        """
        channel = self._channel(screen)
        if self._subscribers >= self._max_subscribers:
            raise TooManySubscribers(str(self._max_subscribers))
        return self._stream(channel)

    async def _stream(self, channel: _Channel) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        self._subscribers += 1
        try:
            seen = 0
            next_beat = loop.time()
            while True:
                if loop.time() >= next_beat:
                    next_beat = loop.time() + self._heartbeat_s
                    yield self._beat(channel)
                if channel.version > seen:
                    seen = channel.version
                    yield self._message(channel)
                    continue
                try:
                    async with asyncio.timeout_at(next_beat):
                        await channel.changed.wait()
                except TimeoutError:
                    pass
        finally:
            self._subscribers -= 1

    def _channel(self, screen: str) -> _Channel:
        try:
            return self._channels[screen]
        except KeyError:
            raise UnknownScreen(screen) from None

    def _message(self, channel: _Channel) -> bytes:
        """The scene's event, encoded once for all subscribers."""
        if not channel.message:
            head = {"epoch": self._epoch, "version": channel.version, "shown_mono_ms": channel.shown_mono_ms}
            data = json.dumps(head, separators=(",", ":"))[:-1] + f',"scene":{channel.body}}}'
            channel.message = ServerSentEvent(data, event="scene", id=f"{self._epoch}.{channel.version}").encode()
        return channel.message

    def _beat(self, channel: _Channel) -> bytes:
        beat = {
            "build": self.build,
            "epoch": self._epoch,
            "version": channel.version,
            "now_ms": self._wall_ms(),
            "mono_ms": self._mono_ms(),
            "as_of_ms": channel.as_of_ms,
        }
        return ServerSentEvent(json.dumps(beat, separators=(",", ":")), event="beat").encode()


def _counts_down(scene: Screen) -> bool:
    """Whether equal bytes may still mean another moment: remaining times count from when the scene is handed in."""
    return isinstance(scene, TableScreen) and scene.circle is not None and scene.circle.clock is not None
