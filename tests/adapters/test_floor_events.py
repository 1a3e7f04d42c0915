"""Events for surveillance: which entries are told, signed so that anybody can check it, at least once over any kill."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.adapters.events import sinks as event_sinks
from controller.adapters.events.floor_events import EventWriter, FloorEvent, Place, event_name
from controller.adapters.events.sinks import (
    ALARM_AFTER_TRIES,
    EventTopic,
    SecretUnusable,
    Webhook,
    read_secret,
    webhook_signature,
)
from controller.adapters.events.tail import Cursor, EventTail
from controller.adapters.hardware.desks import JournalPages
from controller.adapters.journal.chain import Stored
from controller.adapters.journal.journal import Journal
from controller.adapters.link.mqtt import Broker, Client
from controller.core.events import AlarmCleared, AlarmRaised
from controller.core.ledger import Entry
from tests.engine.pit import Pit
from tests.services import Mosquitto

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PLACE = Place("prueba", table="t1")
STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"


def stored(entry: Entry, seq: int = 7) -> Stored:
    return Stored(seq, entry, 1_700_000_000_000, b"")


def alarm(number: int) -> Entry:
    body = {"code": "stuck", "source": f"in{number}", "detail": "", "seat": None, "attention": True}
    return Entry(f"alarm-{number}", "alarm.raised", body)


def test_a_hand_with_a_prize_is_told_by_its_events_of_note_only() -> None:
    pit = Pit()
    pit.play(STRAIGHT_FLUSH)
    pit.deliver()
    told = [name for entry in pit.journal if (name := event_name(stored(entry), "t1"))]
    assert told == ["table.started", "prize.granted"]
    assert not [entry for entry in pit.journal if event_name(stored(entry), "t2") == "prize.granted"]
    ledger = [name for entry in pit.host.journal if (name := event_name(stored(entry)))]
    assert ledger[-1] == "carousel.award"
    assert "carousel.counters" not in ledger


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("draw.prize_paid", "prize.paid"),
        ("hand.void", "hand.void"),
        ("alarm.raised", "alarm.raised"),
        ("seats.closed", "seats.closed"),
        ("ledger.adjustment", "carousel.adjustment"),
        ("host.quarantined", "carousel.quarantined"),
        ("credit.wagered", None),
        ("device.remembered", None),
        ("ledger.counters", None),
    ],
)
def test_entries_by_name(kind: str, expected: str | None) -> None:
    assert event_name(stored(Entry("e1", kind, {}))) == expected


def test_an_event_is_signed_and_is_the_same_bytes_whenever_it_is_made() -> None:
    entry = alarm(1)
    event, again = (EventWriter(PLACE, "i1", KEY).event(stored(entry)) for _ in range(2))
    assert event is not None
    assert event == again
    assert (event.id, event.topic) == ("alarm-1", "carrusel/v1/prueba/events/t1")
    assert Place("prueba", carousel="gran").topic == "carrusel/v1/prueba/events/carousel/gran"
    content: dict[str, Any] = json.loads(event.payload)
    signature = base64.b64decode(content.pop("signature"))
    signed = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(content["key"]))
    public.verify(signature, b"carrusel/event/1\0" + signed)
    with pytest.raises(InvalidSignature):
        public.verify(signature, b"carrusel/event/1\0" + signed.replace(b"stuck", b"stack"))
    assert content["facts"]["source"] == "in1"
    assert (content["event"], content["seq"], content["table"]) == ("alarm.raised", 7, "t1")


class Taken:
    """A sink that remembers, and refuses to return for one event until it is let go."""

    def __init__(self, stuck_at: str = "") -> None:
        self.ids: list[str] = []
        self.stuck_at = stuck_at

    async def deliver(self, event: FloorEvent) -> None:
        self.ids.append(event.id)
        if event.id == self.stuck_at:
            await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def tail_of(journal: Journal, sink: Any, directory: Path) -> AsyncIterator[EventTail]:
    tail = EventTail(
        JournalPages(journal), EventWriter(PLACE, journal.incarnation, KEY), sink, Cursor(directory / "cursor")
    )
    task = asyncio.create_task(tail.run())
    try:
        yield tail
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(true: Callable[[], object], what: Callable[[], object]) -> None:
    try:
        async with asyncio.timeout(60):
            while not true():
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(what()) from None


async def test_nothing_is_lost_over_a_kill_and_history_before_the_first_start_is_not_told(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.db", name="table-t1") as journal:
        await journal.append([alarm(0)], 0)
        sink = Taken(stuck_at="alarm-2")
        async with tail_of(journal, sink, tmp_path) as tail:
            await until(lambda: (tmp_path / "cursor").exists(), lambda: "no cursor")
            await journal.append([alarm(1), Entry("bet", "credit.wagered", {}), alarm(2), alarm(3)], 0)
            tail.ring(None)
            await until(lambda: sink.ids == ["alarm-1", "alarm-2"], lambda: sink.ids)
        await journal.append([alarm(4)], 0)
        after = Taken()
        async with tail_of(journal, after, tmp_path) as tail:
            await until(lambda: after.ids == ["alarm-2", "alarm-3", "alarm-4"], lambda: after.ids)
            await until(lambda: tail.behind == 0, lambda: tail.behind)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, 40),
        (b'{"incarnation":"i1","seq":12}', 12),
        (b'{"incarnation":"i1","seq":99}', 40),
        (b'{"incarnation":"i0","seq":12}', 0),
        (b'{"incarnation":"i1","seq":-1}', 0),
        (b"torn", 0),
        (b"[]", 0),
    ],
)
def test_where_a_cursor_begins(tmp_path: Path, content: bytes | None, expected: int) -> None:
    if content is not None:
        (tmp_path / "cursor").write_bytes(content)
    assert Cursor(tmp_path / "cursor").load("i1", 40) == expected


def test_the_webhooks_signature_is_hmac_sha256_over_time_and_body() -> None:
    """The figure is what `printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac secret` prints."""
    digest = "49f24e537407743fa4a0242bb63b94b9a47ee99cbbe071ccd8a22550ae411686"
    assert webhook_signature(b"secret", 1_700_000_000, b'{"a":1}') == f"t=1700000000,v1={digest}"


@pytest.mark.parametrize(
    ("content", "expected"),
    [(None, "No such file"), (b"", "0 bytes"), (b"short \n", "5 bytes"), (b" 0123456789abcdef\n", None)],
)
def test_a_secret_that_keeps_nobody_out_is_refused(tmp_path: Path, content: bytes | None, expected: str | None) -> None:
    path = tmp_path / "secret"
    if content is not None:
        path.write_bytes(content)
    if expected is None:
        assert read_secret(path) == b"0123456789abcdef"
    else:
        with pytest.raises(SecretUnusable, match=expected):
            read_secret(path)


class Receiver:
    """A real HTTP server of one route; answers with the next status of a list, then 204."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        body = await reader.readexactly(int(headers["content-length"]))
        self.requests.append((headers, body))
        status = self.statuses.pop(0) if self.statuses else 204
        if status:
            writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
            await writer.drain()
        writer.close()
        await writer.wait_closed()


@contextlib.asynccontextmanager
async def receiver(*statuses: int) -> AsyncIterator[Receiver]:
    found = Receiver(*statuses)
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/events"
    async with server:
        yield found


async def test_a_webhook_posts_until_it_is_taken_and_says_when_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_sinks, "BACKOFF_S", (0.0,))
    alarms: list[object] = []
    event = EventWriter(PLACE, "i1", KEY).event(stored(alarm(1)))
    assert event is not None
    async with receiver(500, 0, 302, 404, 429) as found:
        webhook = Webhook(found.url, b"secret", alarms.append, lambda: 1_700_000_000.5)
        running = asyncio.create_task(webhook.run())
        await webhook.deliver(event)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert len(found.requests) == 6
    headers, body = found.requests[-1]
    assert body == event.payload
    assert headers["carrusel-event"] == "alarm-1"
    assert headers["carrusel-signature"] == webhook_signature(b"secret", 1_700_000_000, body)
    assert ALARM_AFTER_TRIES <= 5
    assert [type(each) for each in alarms] == [AlarmRaised, AlarmCleared]


async def test_a_receiver_that_is_not_there_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_sinks, "BACKOFF_S", (0.05,))
    event = EventWriter(PLACE, "i1", KEY).event(stored(alarm(1)))
    assert event is not None
    found = Receiver()
    place = socket.socket()
    place.bind(("127.0.0.1", 0))  # whoever connects is refused as long as it does not listen
    webhook = Webhook(f"http://127.0.0.1:{place.getsockname()[1]}/events", b"secret", lambda _: None)
    telling = asyncio.create_task(webhook.deliver(event))
    await until(lambda: webhook._trouble.tries > 2, lambda: "not tried")
    assert not telling.done()
    async with await asyncio.start_server(found.serve, sock=place):
        async with asyncio.timeout(60):
            await telling
    assert found.requests[0][1] == event.payload


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\nX-Slow: ", b"HTTP/1.1 500 No\r\nX: y\r\n\r\n" + b"a" * 100_000]
)
async def test_a_receiver_that_hangs_or_never_ends_its_answer_is_let_go(
    monkeypatch: pytest.MonkeyPatch, answer: bytes
) -> None:
    monkeypatch.setattr(event_sinks, "BACKOFF_S", (0.0,))
    monkeypatch.setattr(event_sinks, "TIMEOUT_S", 1.0)
    event = EventWriter(PLACE, "i1", KEY).event(stored(alarm(1)))
    assert event is not None
    tries = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal tries
        tries += 1
        await reader.readuntil(b"\r\n\r\n")
        good = tries == 3
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n" if good else answer)
        with contextlib.suppress(ConnectionError):
            while not good and not reader.at_eof():  # a byte at a time keeps a wait for the next byte alive
                writer.write(b"a")
                await writer.drain()
                await asyncio.sleep(0.02)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    webhook = Webhook(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", b"secret", lambda _: None)
    async with server, asyncio.timeout(60):
        running = asyncio.create_task(webhook.run())
        await webhook.deliver(event)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert tries == 3


@pytest.mark.broker
async def test_events_reach_a_broker_at_least_once_over_its_death(
    tmp_path: Path, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    listening = asyncio.Event()
    topic = EventTopic(Broker(mosquitto.host, mosquitto.port, "events", None, None, None, 15), lambda _: None)

    async def rest(why: str) -> None:
        await asyncio.sleep(0.05)
        await listening.wait()

    monkeypatch.setattr(topic._trouble, "failed", rest)

    async def listen() -> None:
        while True:
            try:
                async with Client(mosquitto.host, mosquitto.port) as client:
                    await client.subscribe("carrusel/v1/prueba/events/#", qos=1)
                    listening.set()
                    async for message in client.messages:
                        assert not message.retain
                        heard.append(json.loads(bytes(message.payload))["id"])
            except aiomqtt.MqttError:
                listening.clear()
                await asyncio.sleep(0.1)

    running = [asyncio.create_task(part) for part in (topic.run(), listen())]
    with Journal.open(tmp_path / "j.db", name="table-t1") as journal:
        async with tail_of(journal, topic, tmp_path) as tail:
            await until(lambda: (tmp_path / "cursor").exists(), lambda: "no cursor")
            await listening.wait()
            await journal.append([alarm(1)], 0)
            tail.ring(None)
            await until(lambda: heard == ["alarm-1"], lambda: heard)
            mosquitto.kill()
            listening.clear()
            await journal.append([alarm(2), alarm(3)], 0)
            tail.ring(None)
            mosquitto.start()
            await until(lambda: set(heard) == {"alarm-1", "alarm-2", "alarm-3"}, lambda: heard)
            await until(lambda: tail.behind == 0, lambda: tail.behind)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
