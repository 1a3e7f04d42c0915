"""The carousel link over an MQTT broker: a wake-up signal and a cache, never the truth; reconnects by itself."""

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import aiomqtt

from controller.adapters.link.ports import Deliver
from controller.adapters.link.topics import WAYS, Topics
from controller.adapters.link.wire import Arrived, Rejected, Wire, WireFault
from controller.engine.ledger_records import Record
from controller.engine.messages import Ledger, Message

T = TypeVar("T")
IN_FLIGHT = 20
"""Publications that wait for the broker's answer at once."""
RECONNECT_S = (0.2, 0.5, 1.0)
"""Pauses before the next try to connect; the last one is repeated."""
PUBLISH_TIMEOUT_S = 10.0
QUEUED_MESSAGES = 4096
"""What arrives beyond is dropped: everything that matters is sent again until it is answered."""
FAREWELL_S = 2.0
"""So long an orderly end waits for the broker to take the last word; after a kill the broker says it instead."""
SEQ_DIGITS = 18
"""As many as a place in the ledger may have: a topic of thousands, which anybody may have left, is no number."""

log = logging.getLogger(__name__)
_client_log = logging.getLogger("controller.adapters.link.mqtt.client")
_client_log.setLevel(logging.ERROR)  # it warns of every publication above ten in flight


class Client(aiomqtt.Client):
    """A connection whose tasks end when they are told to, and which leaves nothing unsaid when it is left.

    Before Python 3.12 `asyncio.wait_for` loses a cancellation that comes in the same turn of the loop as what was
    waited for (python/cpython#86296): a daemon asked to end just then would never do so.

    Whoever enters is told of a lost connection by the call that it breaks. aiomqtt keeps the reason once more, and
    where nobody asked for it the interpreter would report an error that nobody heard, at whatever moment it tidies up.
    """

    answer = -1
    """The reason code of the last acknowledged publication; only a broker of MQTT 5 gives one."""

    async def __aenter__(self) -> Self:
        try:
            return await super().__aenter__()
        finally:
            self._hear_out()

    async def __aexit__(self, *raised: Any) -> None:
        try:
            await super().__aexit__(*raised)
        finally:
            self._hear_out()

    def _hear_out(self) -> None:
        for kept in (self._connected, self._disconnected):
            if kept.done() and not kept.cancelled():
                kept.exception()

    def _on_publish(self, client: Any, userdata: Any, mid: int, reason_code: Any, properties: Any) -> None:
        self.answer = reason_code.value
        super()._on_publish(client, userdata, mid, reason_code, properties)

    def _on_socket_register_write(self, client: Any, userdata: Any, sock: Any) -> None:
        """To be told when the socket takes more. Only the thread that connects has to ask the loop by a detour.

        aiomqtt always takes it: a turn later the broker may have hung up, and the socket's number be of no file, or of
        another one; or nothing is left to be written, and the loop would be told so for ever.
        """
        if in_a_loop():
            self._loop.add_writer(sock.fileno(), client.loop_write)
        else:
            super()._on_socket_register_write(client, userdata, sock)

    async def _wait_for(self, fut: Awaitable[T], timeout: float | None) -> T:
        try:
            async with asyncio.timeout(self.timeout if timeout is None else timeout):
                return await fut
        except TimeoutError:
            raise aiomqtt.MqttError("Operation timed out") from None


def in_a_loop() -> bool:
    """Whether the caller runs on a loop's thread, rather than on one that was lent out for something slow."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Broker:
    """Where and as whom to connect; `client_id` must be one per node and carousel."""

    host: str
    port: int
    client_id: str
    username: str | None = None
    password: str | None = None
    tls: ssl.SSLContext | None = None
    keepalive_s: int = 15

    def client(self, logger: logging.Logger, timeout_s: float, **options: Any) -> Client:
        """A connection to be entered; the broker keeps no session of it. options: whatever else aiomqtt takes."""
        is_five = options.get("protocol") is aiomqtt.ProtocolVersion.V5  # there no session is what goes unsaid
        return Client(
            self.host,
            self.port,
            identifier=self.client_id,
            username=self.username,
            password=self.password,
            tls_context=self.tls,
            keepalive=self.keepalive_s,
            timeout=timeout_s,
            clean_session=None if is_five else True,
            logger=logger,
            **options,
        )


class MqttLink:
    """One end of a carousel on a broker. See `Link` for what it promises its owner.

    on_rejected: told of every message that was not taken (P13).
    """

    leaves_node = True

    def __init__(
        self,
        broker: Broker,
        topics: Topics,
        wire: Wire,
        listens_to: Sequence[str],
        *,
        on_rejected: Callable[[Rejected], None] = lambda rejected: None,
    ) -> None:
        self.broker = broker
        self.topics = topics
        self.connected = False
        self._wire = wire
        self._listens_to = listens_to
        self._on_rejected = on_rejected
        self._deliver: Deliver | None = None
        self._will: Callable[[], Message | None] = lambda: None
        self._record_at: Callable[[int], Record | None] | None = None
        self._offered: dict[str, Message] = {}
        self._waiting: dict[str, Message | None] = {}
        self._some = asyncio.Event()
        self._reached = asyncio.Event()

    def listen(
        self,
        deliver: Deliver,
        will: Callable[[], Message | None],
        record_at: Callable[[int], Record | None] | None = None,
    ) -> None:
        """See `Link.listen`."""
        self._deliver, self._will, self._record_at = deliver, will, record_at

    def offer(self, messages: Sequence[Message]) -> None:
        """See `Link.offer`."""
        offered = {self.topics.of(message): message for message in messages}
        for topic, message in offered.items():
            if self._offered.get(topic) != message:
                self._send(topic, message)
        for topic in self._offered.keys() - offered.keys():
            gone = self._offered[topic]
            self._waiting.pop(topic, None)
            if isinstance(gone, Ledger):
                self._send(topic, None)  # no longer among the newest records: the broker need not keep it
        self._offered = offered

    def repeat(self, messages: Sequence[Message]) -> None:
        """See `Link.repeat`."""
        for message in messages:
            self._send(self.topics.of(message), message)

    def refuse(self, rejected: Rejected) -> None:
        """See `Link.refuse`."""
        self._on_rejected(rejected)

    def _send(self, topic: str, message: Message | None) -> None:
        self._waiting[topic] = message
        self._some.set()

    async def reached(self) -> None:
        """See `Link.reached`: the broker has answered once."""
        await self._reached.wait()

    async def run(self) -> None:
        """Connect, say everything, carry; when the broker is gone, try again for ever."""
        tries = 0
        while True:
            try:
                async with self._client() as client:
                    self._log_connected(True)
                    tries = 0
                    try:
                        await self._speak(client)
                    except asyncio.CancelledError:
                        await self._take_leave(client)
                        raise
            except* (aiomqtt.MqttError, OSError) as lost:
                self._log_connected(False, str(lost.exceptions[0]))
            await asyncio.sleep(RECONNECT_S[min(tries, len(RECONNECT_S) - 1)])
            tries += 1

    async def _speak(self, client: aiomqtt.Client) -> None:
        for topic in self._listens_to:
            await client.subscribe(topic, qos=1)
        for topic, message in self._offered.items():
            self._send(topic, message)
        await self._carry(client)

    async def _take_leave(self, client: aiomqtt.Client) -> None:
        """Say the will ourselves: a broker drops it when a connection is ended in order."""
        will = self._will()
        if will is None:
            return
        with contextlib.suppress(aiomqtt.MqttError, OSError, TimeoutError):
            async with asyncio.timeout(FAREWELL_S):
                await client.publish(self.topics.of(will), self._wire.encode(will), qos=1, retain=True)

    def _client(self) -> aiomqtt.Client:
        will = self._will()
        return self.broker.client(
            _client_log,
            PUBLISH_TIMEOUT_S,
            will=None if will is None else aiomqtt.Will(self.topics.of(will), self._wire.encode(will), 1, True),
            max_queued_incoming_messages=QUEUED_MESSAGES,
            max_inflight_messages=IN_FLIGHT,
            socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
        )

    def _log_connected(self, connected: bool, why: str = "") -> None:
        if connected != self.connected:
            if connected:
                told = "broker back" if self._reached.is_set() else "broker reached"
                log.info("link of %s: %s", self.topics.carousel, told)
            else:
                log.warning("link of %s: broker gone: %s", self.topics.carousel, why)
        self.connected = connected
        if connected:
            self._reached.set()

    async def _carry(self, client: aiomqtt.Client) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._publish(client))
            tasks.create_task(self._take(client))

    async def _publish(self, client: aiomqtt.Client) -> None:
        while True:
            await self._some.wait()
            self._some.clear()
            while self._waiting:
                batch = [self._next() for _ in range(min(IN_FLIGHT, len(self._waiting)))]
                async with asyncio.TaskGroup() as tasks:
                    for topic, message in batch:
                        tasks.create_task(self._publish_one(client, topic, message))

    def _next(self) -> tuple[str, Message | None]:
        topic = next(iter(self._waiting))
        return topic, self._waiting.pop(topic)

    async def _publish_one(self, client: aiomqtt.Client, topic: str, message: Message | None) -> None:
        if message is None:
            await client.publish(topic, b"", qos=1, retain=True)
            return
        way = WAYS[type(message)]
        retained = way.retained and (topic in self._offered or not isinstance(message, Ledger))
        await client.publish(topic, self._wire.encode(message), qos=way.qos, retain=retained)

    async def _take(self, client: aiomqtt.Client) -> None:
        assert self._deliver is not None, "nobody listens to this link"
        ledger = f"{self.topics.prefix}/ledger/"
        async for arrived in client.messages:
            topic, payload = arrived.topic.value, bytes(arrived.payload or b"")
            if self._record_at is not None and topic.startswith(ledger):
                if arrived.retain:
                    self._tidy(topic, topic.removeprefix(ledger), payload)
                continue
            if not payload:
                continue
            decoded = self._wire.decode(payload)
            if isinstance(decoded, Arrived) and self.topics.of(decoded.message) != topic:
                decoded = Rejected(WireFault.MALFORMED, detail=f"not a message for {topic}")
            if isinstance(decoded, Rejected):
                self._on_rejected(decoded)
                continue
            await self._deliver(decoded, bool(arrived.retain))

    def _tidy(self, topic: str, seq: str, payload: bytes) -> None:
        """Clear a retained record that is not this host's own, or no longer among the newest."""
        if not payload or self._record_at is None:
            return
        is_place = seq.isascii() and seq.isdigit() and len(seq) <= SEQ_DIGITS
        own = self._record_at(int(seq)) if is_place else None
        if own is None or own.hash.encode() not in payload:
            self._send(topic, None)
