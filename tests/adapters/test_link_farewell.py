"""An end that stops in order says at the broker what its will would have said after a kill."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link.mqtt import Client
from controller.adapters.link.ports import Link
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import Rejected
from tests.adapters.link_house import enrol, host_node, mqtt_link, table_node, until
from tests.services import Mosquitto

pytestmark = [pytest.mark.broker]
TOPICS = Topics("pit", "c1")
KEY = Ed25519PrivateKey.generate()


async def says_it_lives(port: int, topic: str) -> bool:
    """What the broker keeps of an end's presence."""
    async with Client("127.0.0.1", port) as client:
        await client.subscribe(f"{TOPICS.prefix}/{topic}", qos=1)
        async for message in client.messages:
            return bool(json.loads(bytes(message.payload or b""))["body"]["alive"])
    raise AssertionError("the connection ended")


async def test_a_table_and_a_host_that_stop_in_order_say_so(mosquitto: Mosquitto, tmp_path: Path) -> None:
    port = mosquitto.port

    def link(name: str, listens: tuple[str, ...]) -> Callable[[Ed25519PrivateKey, list[Rejected]], Link]:
        return lambda key, rejected: mqtt_link(port, name, key, listens, rejected)

    refused: list[Rejected] = []
    async with table_node(tmp_path / "t2.db", "t2", link("t2", TOPICS.for_table("t2"))) as other:
        async with host_node(tmp_path / "host.db", link("host", TOPICS.for_host()), KEY) as host:
            async with table_node(tmp_path / "t1.db", "t1", link("t1", TOPICS.for_table("t1"))) as table:
                await enrol(host, table)
                await enrol(host, other)
                await until(lambda: table.state.link_up and other.state.link_up, "both are heard")
                assert await says_it_lives(port, "table/t1/status")
            assert not await says_it_lives(port, "table/t1/status")
            assert await says_it_lives(port, "table/t2/status")
            refused += host.rejected
        assert not await says_it_lives(port, "host/status")
        await until(lambda: not other.state.link_up, "the table that is left hears that its host is gone")
        refused += other.rejected
    assert refused == []
