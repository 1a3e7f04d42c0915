"""The node tries on its broker what it must not be allowed to do; a broker that lets it is told as an alarm."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Any

import aiomqtt

from controller.adapters.link.mqtt import Broker, Client
from controller.adapters.link.topics import Topics
from controller.core.events import AlarmCleared, AlarmRaised

BROKER_OPEN = "broker_open"
SOURCE = "broker"
EVERY_S = 86_400.0
"""At the start, and once a day: rules are changed while daemons run."""
RETRY_S = 30.0
TIMEOUT_S = 10.0
GRACE_S = 2.0
"""How long a broker may take to hand over what it has acknowledged."""
REFUSED = 0x80
"""The least of the reason codes of MQTT 5 that say no."""
ENDED_S = 0.5
"""A broker that ends the connection of a refused publication does so within this."""

log = logging.getLogger("carrusel")
_client_log = logging.getLogger("controller.adapters.link.broker_probe.client")
_client_log.setLevel(logging.ERROR)  # a refused publication may end the connection: that is no news


def forbidden(topics: Topics, is_host: bool, nonce: str) -> tuple[str, ...]:
    """What this node must not write: another table's counter, what nobody writes, and of a member what the host says.

    Empty messages that no broker keeps go there, which every end of the link passes over.
    """
    places = [f"table/{nonce}/counter", f"host/{nonce}"]
    if not is_host:
        places += [f"table/{nonce}/collect", f"ledger/{nonce}", "host/status", "meter", "roster"]
    return tuple(f"{topics.prefix}/{place}" for place in places)


class BrokerProbe:
    """broker: how a client of that id connects. carousels: topics, and whether this node is their host.

    tell: takes the alarm and its end.
    """

    def __init__(
        self,
        broker: Callable[[str], Broker],
        client_id: str,
        carousels: Sequence[tuple[Topics, bool]],
        tell: Callable[[object], None],
        grace_s: float = GRACE_S,
    ) -> None:
        self._broker = broker
        self._client_id = client_id
        self._carousels = carousels
        self._tell = tell
        self._grace_s = grace_s

    async def run(self) -> None:
        """Look until cancelled; without a broker, try again."""
        while True:
            try:
                await self.look()
            except (aiomqtt.MqttError, OSError) as lost:
                log.info("broker not tried: %s", lost)
                await asyncio.sleep(RETRY_S)
            else:
                await asyncio.sleep(EVERY_S)

    async def look(self) -> tuple[str, ...]:
        """Topics on which the broker carried what this node must not say; told as an alarm, or as its end."""
        nonce = f"probe-{secrets.token_hex(8)}"
        topics = [topic for known, is_host in self._carousels for topic in forbidden(known, is_host, nonce)]
        carried = await self._carried(topics)
        if carried:
            log.warning("the broker lets this node write what it must not: %s", " ".join(carried))
            self._tell(AlarmRaised(BROKER_OPEN, SOURCE, carried[0].replace(nonce, "+")))
        else:
            self._tell(AlarmCleared(BROKER_OPEN, SOURCE))
        return carried

    async def _carried(self, topics: Sequence[str]) -> tuple[str, ...]:
        async with self._client("ear") as ear:
            for topic in topics:
                await ear.subscribe(topic, qos=0)
            for topic in topics:
                await self._try(topic)
            heard = {topic for topic in topics if await self._granted(topic)}
            try:
                async with asyncio.timeout(self._grace_s):
                    async for message in ear.messages:
                        if not message.payload and not message.retain:
                            heard.add(message.topic.value)
                        if len(heard) == len(topics):
                            break
            except TimeoutError:
                pass
        return tuple(topic for topic in topics if topic in heard)

    async def _try(self, topic: str) -> None:
        """One message in a connection of its own, which a broker that refuses it may end."""
        try:
            async with self._client("mouth") as mouth:
                await mouth.publish(topic, b"", qos=1)
                async with asyncio.timeout(ENDED_S):
                    await anext(mouth.messages)
        except TimeoutError:
            pass
        except aiomqtt.MqttError as refused:
            log.debug("%s: %s", topic, refused)

    async def _granted(self, topic: str) -> bool:
        """Whether a broker that tells why (MQTT 5) takes it: of places that this node may not read it hears nothing."""
        try:
            async with self._client("mouth", protocol=aiomqtt.ProtocolVersion.V5) as mouth:
                await mouth.publish(topic, b"", qos=1)
                return 0 <= mouth.answer < REFUSED
        except aiomqtt.MqttError as refused:
            log.debug("%s: %s", topic, refused)
            return False

    def _client(self, part: str, **options: Any) -> Client:
        return self._broker(f"{self._client_id}-{part}").client(_client_log, TIMEOUT_S, **options)
