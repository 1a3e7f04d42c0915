"""The feed: newest wins, nobody waits for a slow subscriber, a beat every second, bounds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from display.feed import Feed, TooManySubscribers, UnknownScreen
from display.samples import circle_tables, oasis_tables, signage
from display.scene import Amount, TableScreen

IDLE = oasis_tables()["idle"]


def with_meter(minor: int) -> TableScreen:
    assert IDLE.meter is not None
    return replace(IDLE, meter=replace(IDLE.meter, amount=Amount.of(minor)))


def parsed(event: bytes) -> tuple[str, dict[str, Any]]:
    fields = dict(line.split(": ", 1) for line in event.decode().splitlines() if line)
    return fields["event"], json.loads(fields["data"])


async def next_event(stream: AsyncIterator[bytes], kind: str) -> dict[str, Any]:
    async with asyncio.timeout(60):
        async for event in stream:
            name, data = parsed(event)
            if name == kind:
                return data
    raise AssertionError("the stream ended")


async def close(*streams: AsyncIterator[bytes]) -> None:
    for stream in streams:
        await stream.aclose()  # type: ignore[attr-defined]  # streams are generators


async def test_a_screen_that_was_off_gets_the_newest_scene_at_once_and_no_older_one() -> None:
    feed = Feed()
    for minor in (100, 200, 300):
        feed.show("table-4", with_meter(minor))
    stream = feed.subscribe("table-4")
    message = await next_event(stream, "scene")
    assert (message["version"], message["scene"]["meter"]["amount"]) == (3, "300")
    assert message["epoch"] == feed.epoch
    await close(stream)


async def test_the_first_word_is_a_beat_with_the_servers_clocks() -> None:
    feed = Feed(wall_ms=lambda: 5_000, mono_ms=lambda: 70)
    feed.build = "b1"
    feed.show("table-4", IDLE)
    stream = feed.subscribe("table-4")
    kind, beat = parsed(await anext(stream))
    assert kind == "beat"
    assert beat == {
        "build": "b1",
        "epoch": feed.epoch,
        "version": 1,
        "now_ms": 5_000,
        "mono_ms": 70,
        "as_of_ms": IDLE.meter.as_of_ms if IDLE.meter else None,
    }
    await close(stream)


async def test_a_subscriber_that_lags_skips_what_it_missed() -> None:
    feed = Feed()
    feed.show("table-4", with_meter(1))
    stream = feed.subscribe("table-4")
    assert (await next_event(stream, "scene"))["version"] == 1
    for minor in range(2, 50):
        feed.show("table-4", with_meter(minor))
    assert (await next_event(stream, "scene"))["scene"]["meter"]["amount"] == "49"
    await close(stream)


async def test_a_subscriber_that_never_reads_blocks_nobody() -> None:
    feed = Feed()
    feed.show("table-4", with_meter(1))
    stuck = feed.subscribe("table-4")
    await anext(stuck)
    live = feed.subscribe("table-4")
    assert (await next_event(live, "scene"))["version"] == 1
    for minor in range(2, 40):
        version = feed.show("table-4", with_meter(minor))
        assert (await next_event(live, "scene"))["version"] == version
    await close(stuck, live)


async def test_an_equal_scene_is_no_news() -> None:
    feed = Feed()
    assert feed.show("table-4", IDLE) == 1
    assert feed.show("table-4", with_meter(5)) == 2
    assert feed.show("table-4", with_meter(5)) == 2


async def test_a_running_clock_is_news_though_its_bytes_are_equal() -> None:
    feed = Feed()
    ring = circle_tables()["circle"]
    assert feed.show("table-9", ring) == 1
    assert feed.show("table-9", ring) == 2


async def test_beats_come_without_scenes_and_between_many_scenes() -> None:
    feed = Feed(heartbeat_s=0.02)
    feed.show("table-4", with_meter(1))
    stream = feed.subscribe("table-4")
    await next_event(stream, "scene")
    await next_event(stream, "beat")
    beats = 0
    minor = 2
    async with asyncio.timeout(60):
        while beats < 3:
            feed.show("table-4", with_meter(minor))
            minor += 1
            beats += parsed(await anext(stream))[0] == "beat"
    await close(stream)


async def test_confirm_moves_the_as_of_forward_only() -> None:
    feed = Feed()
    feed.show("table-4", IDLE)
    assert IDLE.meter is not None
    feed.confirm("table-4", IDLE.meter.as_of_ms + 500)
    feed.confirm("table-4", IDLE.meter.as_of_ms + 100)
    stream = feed.subscribe("table-4")
    assert (await next_event(stream, "beat"))["as_of_ms"] == IDLE.meter.as_of_ms + 500
    assert feed.newest("table-4")[0] == 1
    await close(stream)


async def test_a_declared_screen_beats_without_a_scene() -> None:
    feed = Feed()
    feed.declare("table-4")
    stream = feed.subscribe("table-4")
    assert (await next_event(stream, "beat"))["version"] == 0
    assert feed.newest("table-4") == (0, None)
    await close(stream)


async def test_unknown_screens_and_bounds_are_refused() -> None:
    feed = Feed(max_screens=2, max_subscribers=1)
    with pytest.raises(UnknownScreen):
        feed.subscribe("table-4")
    feed.show("table-4", IDLE)
    feed.show("signage-puerto", signage()["fresh"])
    with pytest.raises(ValueError, match="more than 2"):
        feed.declare("table-5")
    with pytest.raises(ValueError, match="handed to"):
        feed.show("table-5", IDLE)
    for name in ("", "table-", "table-../x", "kiosk-1", "table-" + "x" * 65):
        with pytest.raises(ValueError, match="not a screen id"):
            feed.declare(name)
    stream = feed.subscribe("table-4")
    await anext(stream)
    with pytest.raises(TooManySubscribers):
        feed.subscribe("table-4")
    await close(stream)
    assert feed.subscribers == 0


async def test_five_hundred_screens_all_get_the_newest() -> None:
    feed = Feed()
    feed.show("table-4", with_meter(1))
    streams = [feed.subscribe("table-4") for _ in range(500)]
    for stream in streams:
        assert (await next_event(stream, "scene"))["version"] == 1
    version = feed.show("table-4", with_meter(2))
    versions = [(await next_event(stream, "scene"))["version"] for stream in streams]
    assert versions == [version] * 500
    await close(*streams)
    assert feed.subscribers == 0
