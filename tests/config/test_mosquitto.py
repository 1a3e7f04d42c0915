"""The broker files that come with the product, on a real Mosquitto: it starts, and each name may say only its own."""

import asyncio
import signal
import ssl
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

import aiomqtt
import pytest

from controller.adapters.link.mqtt import Client
from controller.adapters.link.topics import Topics
from controller.config import load
from controller.resources import config_directory
from tests.certificates import Authority
from tests.services import BrokerOptions, Mosquitto, Process, accepts_connections, find_tool, free_port

FILES = config_directory() / "mosquitto"
TOPICS = Topics("casino", "gran-carrusel")
PREFIX = TOPICS.prefix
USERS = {"nodo-a": "a", "nodo-b": "b", "carteles": "c", "vigilancia": "v"}

# who says what, and whether it is heard
SAID = [
    ("nodo-a", "ledger/7", True),
    ("nodo-a", "host/status", True),
    ("nodo-a", "roster", True),
    ("nodo-a", "meter", True),
    ("nodo-a", "table/mesa-3/collect", True),
    ("nodo-a", "table/mesa-1/counter", True),
    ("nodo-a", "table/mesa-3/counter", False),
    ("nodo-b", "table/mesa-3/counter", True),
    ("nodo-b", "table/mesa-4/received", True),
    ("nodo-b", "host/claim/mesa-3.x.1.0", True),
    ("nodo-b", "host/report/mesa-4", True),
    ("nodo-b", "host/report/mesa-1", False),
    ("nodo-b", "table/mesa-1/counter", False),
    ("nodo-b", "table/mesa-1/collect", False),
    ("nodo-b", "table/mesa-3/collect", False),
    ("nodo-b", "table/mesa-3/cosigned", False),
    ("nodo-b", "ledger/8", False),
    ("nodo-b", "host/status", False),
    ("nodo-b", "meter", False),
    ("carteles", "meter", False),
    ("carteles", "host/claim/x", False),
]


def client(broker: Mosquitto, user: str) -> Client:
    return Client(broker.host, broker.port, username=user, password=USERS[user])


@pytest.fixture
def broker(mosquitto_with: Callable[..., Mosquitto]) -> Mosquitto:
    acl = (FILES / "carrusel.acl").read_text(encoding="utf-8")
    return mosquitto_with(BrokerOptions(passwords=USERS, acl=acl))


async def heard(broker: Mosquitto, listener: str, said: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """What a listener hears of what others say; a last word that is always heard ends the wait."""
    found: list[tuple[str, str]] = []
    async with client(broker, listener) as ears:
        await ears.subscribe(f"{PREFIX}/#", qos=1)
        for user, place in said:
            async with client(broker, user) as mouth:
                await mouth.publish(f"{PREFIX}/{place}", user, qos=1)
        async with client(broker, "nodo-a") as mouth:
            await mouth.publish(f"{PREFIX}/ledger/999", "end", qos=1)
        async with asyncio.timeout(60):
            async for message in ears.messages:
                if message.topic.matches(f"{PREFIX}/ledger/999"):
                    break
                payload = message.payload
                assert isinstance(payload, bytes)
                found.append((payload.decode(), str(message.topic).removeprefix(f"{PREFIX}/")))
    return found


@pytest.mark.promise("P13")
@pytest.mark.broker
async def test_each_node_says_only_its_own(broker: Mosquitto) -> None:
    said = [(user, place) for user, place, _ in SAID]
    assert await heard(broker, "nodo-a", said) == [(user, place) for user, place, is_heard in SAID if is_heard]


@pytest.mark.broker
async def test_signs_hear_meter_and_ledger_only(broker: Mosquitto) -> None:
    said = [("nodo-a", "meter"), ("nodo-a", "roster"), ("nodo-b", "table/mesa-3/counter"), ("nodo-a", "ledger/1")]
    assert await heard(broker, "carteles", said) == [("nodo-a", "meter"), ("nodo-a", "ledger/1")]


@pytest.mark.broker
async def test_surveillance_hears_the_events_that_a_node_may_tell(broker: Mosquitto) -> None:
    events = "carrusel/v1/casino/events"
    said = [
        ("nodo-a", "mesa-1", True),
        ("nodo-b", "mesa-1", False),
        ("nodo-b", "mesa-4", True),
        ("carteles", "mesa-4", False),
        ("nodo-b", "carousel/gran-carrusel", False),
        ("nodo-a", "carousel/gran-carrusel", True),
        ("vigilancia", "mesa-1", False),
        ("nodo-a", "mesa-2", True),
    ]
    found: list[tuple[str, str]] = []
    async with client(broker, "vigilancia") as ears, asyncio.timeout(60):
        await ears.subscribe(f"{events}/#", qos=1)
        for user, place, _ in said:
            async with client(broker, user) as mouth:
                await mouth.publish(f"{events}/{place}", user, qos=1)
        async for message in ears.messages:
            found.append((bytes(message.payload or b"").decode(), str(message.topic).removeprefix(f"{events}/")))
            if found[-1][1] == "mesa-2":
                break
    assert found == [(user, place) for user, place, is_heard in said if is_heard]


@pytest.mark.promise("P13")
@pytest.mark.broker
async def test_nobody_without_a_name(broker: Mosquitto) -> None:
    with pytest.raises(aiomqtt.MqttError):
        async with Client(broker.host, broker.port):
            raise AssertionError("an anonymous client was let in")


def test_the_rules_name_the_tables_of_the_pit_example() -> None:
    acl = (FILES / "carrusel.acl").read_text(encoding="utf-8")
    for node in "ab":
        config = load(config_directory() / f"pit-node-{node}.example.toml")
        assert config.mqtt is not None
        _, _, own = acl.partition(f"user {config.mqtt.username}\n")
        own, _, _ = own.partition("user ")
        for table in config.members("gran-carrusel"):
            assert f"topic write {Topics(config.site.id, 'gran-carrusel').prefix}/table/{table.id}/counter\n" in own


@pytest.mark.requirement("R56")
@pytest.mark.broker
async def test_the_configuration_starts_with_tls(
    authority: Authority, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    authority.issue("server")
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    hasher = find_tool("mosquitto_passwd")
    assert hasher is not None
    process = await asyncio.create_subprocess_exec(hasher, "-b", str(passwords), "nodo-a", "a")
    assert await process.wait() == 0
    port = free_port()
    text = (FILES / "carrusel.conf").read_text(encoding="utf-8")
    for there, here in (
        ("listener 8883", f"listener {port} 127.0.0.1"),
        ("/etc/mosquitto/certs", str(authority.directory)),
        ("/etc/mosquitto/carrusel.passwords", str(passwords)),
        ("/etc/mosquitto/carrusel.acl", str(FILES / "carrusel.acl")),
    ):
        assert there in text
        text = text.replace(there, here)
    conf = tmp_path / "carrusel.conf"
    conf.write_text(f"user root\n{text}", encoding="utf-8")
    with ExitStack() as after:
        server = Process("mosquitto", tmp_path)
        after.callback(server.end, signal.SIGTERM)
        await asyncio.to_thread(
            server.launch, [tool("mosquitto"), "-c", str(conf)], ready=lambda: accepts_connections(port)
        )
        context = ssl.create_default_context(cafile=str(authority.directory / "ca.crt"))
        options = {"username": "nodo-a", "password": "a", "tls_context": context}
        async with Client("localhost", port, **options) as node:  # type: ignore[arg-type]  # mixed option types
            await node.subscribe(f"{PREFIX}/meter")
            await node.publish(f"{PREFIX}/meter", "1")
            async with asyncio.timeout(60):
                message = await anext(aiter(node.messages))
        assert message.payload == b"1"
