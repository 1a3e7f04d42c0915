"""A node at a real broker: strangers' messages are alarms, and its events reach whoever listens."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.adapters.link.mqtt import Client
from controller.config import load
from controller.main import Node, opened
from tests.adapters.test_floor_events import until
from tests.services import Mosquitto

CONFIG = """
[site]
id = "prueba"
name = "Casino de prueba"
[state]
directory = "{directory}/state"
[screens]
listen = "127.0.0.1:0"
[api]
listen = "unix:{directory}/api"
[mqtt]
host = "127.0.0.1"
port = {port}
[events]
mqtt = true
[[carousels]]
id = "gran"
name = "Gran Carrusel"
[[tables]]
id = "t1"
name = "Mesa 1"
preset = "oasis_argentina_2010"
carousel = "gran"
"""


@contextlib.asynccontextmanager
async def node_at(port: int, directory: Path) -> AsyncIterator[Node]:
    path = directory / "site.toml"
    path.write_text(CONFIG.format(directory=directory, port=port))
    with opened(load(path)) as node:
        task = asyncio.create_task(node.run())
        try:
            yield node
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.mark.promise("P13")
@pytest.mark.broker
async def test_a_strangers_message_is_an_alarm_that_surveillance_hears(mosquitto: Mosquitto, tmp_path: Path) -> None:
    heard: list[tuple[str, str, str]] = []

    async def listen() -> None:
        async with Client(mosquitto.host, mosquitto.port) as client:
            await client.subscribe("carrusel/v1/prueba/events/#", qos=1)
            listening.set()
            async for message in client.messages:
                event = json.loads(bytes(message.payload or b""))
                heard.append((str(message.topic), event["event"], event["facts"].get("code", "")))

    listening = asyncio.Event()
    listener = asyncio.create_task(listen())
    await listening.wait()
    async with node_at(mosquitto.port, tmp_path) as node:
        host, table = node.hosts["gran"].runner, node.tables["t1"].runner
        await until(lambda: table.running and host.running and table.state.link.link_up, lambda: "no link")
        meter = host.state.ledger.amount_micros
        async with Client(mosquitto.host, mosquitto.port) as stranger:
            for _ in range(20):
                await stranger.publish("carrusel/v1/prueba/gran/table/t1/counter", "not json", qos=1)
                await stranger.publish("carrusel/v1/prueba/gran/host/status", '{"version": 99}', qos=1)
        await until(lambda: "link_not_json@link" in host.state.alarms, lambda: host.state.alarms)
        await until(lambda: "link_unknown_version@link" in table.state.alarms, lambda: table.state.alarms)
        told = ("carrusel/v1/prueba/events/carousel/gran", "alarm.raised", "link_not_json")
        await until(lambda: told in heard, lambda: heard)
        assert heard.count(told) == 1
        assert ("carrusel/v1/prueba/events/t1", "table.started", "") in heard
        assert host.state.ledger.amount_micros == meter
    listener.cancel()
    await asyncio.gather(listener, return_exceptions=True)
