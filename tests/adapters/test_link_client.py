"""A connection to a real broker hears that it is to end, also in the very moment in which the broker answers."""

import asyncio
import gc
import logging
import selectors
from typing import Any

import aiomqtt
import pytest

from controller.adapters.link.mqtt import Broker
from tests.services import Mosquitto

pytestmark = pytest.mark.broker
TIMEOUT_S = 60.0


def client_of(broker: Mosquitto) -> aiomqtt.Client:
    return Broker(broker.host, broker.port, "end").client(logging.getLogger("test"), TIMEOUT_S)


def cancel_at(client: aiomqtt.Client, callback: str, task: "asyncio.Task[Any]") -> None:
    """Cancel a task right after the client was told something by the broker."""
    told = getattr(client._client, callback)

    def and_cancel(*arguments: Any) -> None:
        told(*arguments)
        task.cancel()

    setattr(client._client, callback, and_cancel)


@pytest.mark.promise("P16")
async def test_it_ends_although_the_broker_answers_a_publication_just_then(mosquitto: Mosquitto) -> None:
    async with client_of(mosquitto) as client:
        saying = asyncio.create_task(client.publish("t", b"1", qos=1))
        cancel_at(client, "on_publish", saying)
        with pytest.raises(asyncio.CancelledError):
            await saying


@pytest.mark.promise("P16")
async def test_it_ends_although_the_broker_lets_it_in_just_then(mosquitto: Mosquitto) -> None:
    client = client_of(mosquitto)
    entering = asyncio.create_task(client.__aenter__())
    cancel_at(client, "on_connect", entering)
    with pytest.raises(asyncio.CancelledError):
        await entering
    await client.__aexit__(None, None, None)


async def test_a_broker_that_does_not_answer_is_told_as_the_links_own_error(mosquitto: Mosquitto) -> None:
    client = client_of(mosquitto)
    async with client:
        mosquitto.pause()
        with pytest.raises(aiomqtt.MqttError, match="timed out"):
            await client.publish("t", b"1", qos=1, timeout=0.1)
        mosquitto.resume()


async def test_who_leaves_a_connection_that_was_lost_leaves_no_error_unheard(mosquitto: Mosquitto) -> None:
    heard: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: heard.append(context["message"]))
    async with client_of(mosquitto) as client:
        mosquitto.kill()
        async with asyncio.timeout(TIMEOUT_S):
            while not client._disconnected.done():
                await asyncio.sleep(0.01)
    del client
    gc.collect()
    assert heard == []


async def test_a_socket_that_is_written_to_no_more_wakes_the_loop_no_more(mosquitto: Mosquitto) -> None:
    async with client_of(mosquitto) as client:
        paho = client._client
        client._on_socket_register_write(paho, None, paho.socket())
        client._on_socket_unregister_write(paho, None, paho.socket())
        await asyncio.sleep(0.01)
        watched = asyncio.get_running_loop()._selector.get_key(paho.socket())
        assert watched.events == selectors.EVENT_READ
