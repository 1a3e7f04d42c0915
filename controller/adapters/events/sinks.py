"""Where floor events go: a topic of the broker, and a webhook whose receiver can tell that they are ours."""

import asyncio
import hashlib
import hmac
import logging
import time
from collections.abc import Callable
from pathlib import Path

import aiomqtt
import httpx

from controller.adapters.events.floor_events import FloorEvent
from controller.adapters.link.mqtt import Broker
from controller.core.events import AlarmCleared, AlarmRaised

log = logging.getLogger(__name__)

BACKOFF_S = (0.5, 1.0, 2.0, 5.0, 15.0, 60.0)
TIMEOUT_S = 10.0
ALARM_AFTER_TRIES = 4
LEAST_SECRET = 16
EVENTS_UNDELIVERED = "events_undelivered"


class SecretUnusable(Exception):
    """The file that signs the posts is not there, not ours to read, or too short to keep anybody out."""


def read_secret(path: Path) -> bytes:
    """The secret of a webhook, without blanks around it; SecretUnusable says what is wrong with the file."""
    try:
        secret = path.read_bytes().strip()
    except OSError as wrong:
        raise SecretUnusable(f"events.secret_file {path}: {wrong.strerror}") from wrong
    if len(secret) < LEAST_SECRET:
        raise SecretUnusable(f"events.secret_file {path}: {len(secret)} bytes, {LEAST_SECRET} are the least")
    return secret


def backoff_s(tries: int) -> float:
    """How long to wait after so many failures in a row."""
    return BACKOFF_S[min(tries, len(BACKOFF_S)) - 1]


def webhook_signature(secret: bytes, moment_s: int, body: bytes) -> str:
    """`t=SECONDS,v1=HEX`: HMAC-SHA256 over the seconds, a dot and the body, so that neither can be replayed alone."""
    digest = hmac.new(secret, b"%d." % moment_s + body, hashlib.sha256).hexdigest()
    return f"t={moment_s},v1={digest}"


class _Trouble:
    """A sink that cannot deliver: told in the log and as an alarm once, and when it is over."""

    def __init__(self, name: str, alarm: Callable[[object], None]) -> None:
        self._name = name
        self._alarm = alarm
        self.tries = 0

    async def failed(self, why: str) -> None:
        """Wait longer after each failure."""
        self.tries += 1
        if self.tries == ALARM_AFTER_TRIES:
            log.warning("events: %s takes none: %s", self._name, why)
            self._alarm(AlarmRaised(EVENTS_UNDELIVERED, self._name, why))
        await asyncio.sleep(backoff_s(self.tries))

    def over(self) -> None:
        """It took one."""
        if self.tries >= ALARM_AFTER_TRIES:
            log.info("events: %s takes them again", self._name)
            self._alarm(AlarmCleared(EVENTS_UNDELIVERED, self._name))
        self.tries = 0


class Webhook:
    """POSTs each event until the receiver answers 2xx. `alarm` tells one that does not; clock: wall seconds."""

    def __init__(
        self,
        url: str,
        secret: bytes,
        alarm: Callable[[object], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._url = url
        self._secret = secret
        self._clock = clock
        self._trouble = _Trouble("webhook", alarm)
        self._client = httpx.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False)

    async def deliver(self, event: FloorEvent) -> None:
        """See `Sink.deliver`."""
        while True:
            headers = {
                "Content-Type": "application/json",
                "Carrusel-Event": event.id,
                "Carrusel-Signature": webhook_signature(self._secret, int(self._clock()), event.payload),
            }
            try:
                status = await self._post(event, headers)
            except (httpx.HTTPError, TimeoutError) as lost:
                await self._trouble.failed(type(lost).__name__)
                continue
            if httpx.codes.is_success(status):
                self._trouble.over()
                return
            await self._trouble.failed(f"answer {status}")

    async def _post(self, event: FloorEvent, headers: dict[str, str]) -> int:
        """The status of the answer, of which nothing else is read: it may be without end, or come a byte at a time."""
        async with (
            asyncio.timeout(TIMEOUT_S),
            self._client.stream("POST", self._url, content=event.payload, headers=headers) as answer,
        ):
            return answer.status_code

    async def run(self) -> None:
        """Keep the connection until cancelled."""
        async with self._client:
            await asyncio.Event().wait()


class EventTopic:
    """Publishes each event with QoS 1, not retained; `deliver` returns once the broker has it."""

    def __init__(self, broker: Broker, alarm: Callable[[object], None]) -> None:
        self._broker = broker
        self._trouble = _Trouble("mqtt", alarm)
        self._client: aiomqtt.Client | None = None
        self._connected = asyncio.Event()
        self._lost = asyncio.Event()

    async def deliver(self, event: FloorEvent) -> None:
        """See `Sink.deliver`."""
        while True:
            await self._connected.wait()
            assert self._client is not None, "connected"
            try:
                await self._client.publish(event.topic, event.payload, qos=1, retain=False)
            except aiomqtt.MqttError as lost:
                self._lost.set()
                await self._trouble.failed(str(lost))
                continue
            self._trouble.over()
            return

    async def run(self) -> None:
        """Connect, and again for ever."""
        while True:
            try:
                async with self._open() as client:
                    self._client = client
                    self._lost.clear()
                    self._connected.set()
                    await self._watch(client)
            except (aiomqtt.MqttError, OSError) as lost:
                await self._trouble.failed(str(lost))
            finally:
                self._connected.clear()
                self._client = None

    async def _watch(self, client: aiomqtt.Client) -> None:
        """Until the connection is gone, which a publish or the client itself notices."""

        async def messages() -> None:
            async for _ in client.messages:
                pass

        waits = [asyncio.create_task(messages()), asyncio.create_task(self._lost.wait())]
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                each.result()
        finally:
            for each in waits:
                each.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    def _open(self) -> aiomqtt.Client:
        return self._broker.client(log, TIMEOUT_S)
