"""A stranger on the network: planted, forged and replayed messages on every topic of a real broker change nothing."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link.mqtt import Client
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import Wire, key_name
from controller.core.prizes import Winner
from controller.engine.epoch import Epoch
from controller.engine.ledger_records import ClaimName, Counters, EpochBegan, Mark, seal_record
from controller.engine.messages import (
    Checkpointed,
    Claim,
    Claimed,
    Collect,
    Cosigned,
    Counter,
    HostCheckpointed,
    HostStatus,
    Ledger,
    Message,
    Meter,
    Received,
    Report,
    Roster,
    SignedHead,
    Status,
)
from tests.certificates import Authority
from tests.engine.carousel_house import royal
from tests.services import BrokerOptions, Mosquitto, free_port
from tests.system.books import check_books
from tests.system.daemon import REPOSITORY, Daemon, daemon
from tests.system.dealing import NOTHING, SHARE, START, Dealer, meter_is
from tests.system.pit_files import CAROUSEL, OasisHardware, oasis_table, write_site

pytestmark = [pytest.mark.system, pytest.mark.broker, pytest.mark.promise("P13")]

TOPICS = Topics("prueba", "gran")
STRANGER = Ed25519PrivateKey.generate()
SCREENS = ("table-t1", "table-t2", "signage-gran")
MANY = 10**12


def lies(incarnation: str = "0" * 32) -> list[Message]:
    """One message of every kind by somebody who is no member: a higher host, a fortune counted, a royal claimed."""
    epoch, mark = Epoch(9, key_name(STRANGER), 1), Mark(9, 999, "f" * 64)
    counters = Counters(main_micros=MANY, hands=1)
    head = SignedHead("carousel-gran", "x", MANY, "f" * 64, key_name(STRANGER), "f" * 128)
    winners: tuple[Winner, ...] = (royal(1),)
    claim = Claim(ClaimName("t1", incarnation, 1), 1, winners, counters, mark)
    return [
        HostStatus(epoch, 99, "f" * 64),
        HostStatus(epoch, 99, "f" * 64, alive=False),
        *(Ledger(epoch, seal_record(seq, epoch, "0" * 64, EpochBegan("planted"))) for seq in (1, 2, 3, 900)),
        Collect(epoch, "t1", 1),
        Roster(epoch, 99, "ARS", ()),
        HostCheckpointed(epoch, head),
        Cosigned(epoch, "t1", head),
        Checkpointed("t1", incarnation, epoch, mark, (head,)),
        Meter(epoch, 99, "f" * 64, "ARS", MANY, MANY, ()),
        Counter("t1", incarnation, epoch, mark, counters),
        Status("t1", incarnation, epoch, mark, alive=False),
        Claimed("t1", incarnation, epoch, mark, claim),
        Received("t1", incarnation, epoch, mark, 99, "f" * 64, (("t1/x/1/1", MANY),)),
        Report("t1", incarnation, epoch, mark, 99, "f" * 64, epoch, counters, True, False, ("t1/x",)),
    ]


async def tell(client: Client, messages: list[Message]) -> None:
    wire = Wire(TOPICS.site, TOPICS.carousel, STRANGER, lambda *_: True)
    for message in messages:
        await client.publish(TOPICS.of(message), wire.encode(message), qos=1, retain=True)


async def overheard(client: Client) -> list[tuple[str, bytes]]:
    """Everything that the broker keeps of the carousel: what a new subscriber is told."""
    await client.subscribe(f"{TOPICS.prefix}/#", qos=1)
    await client.subscribe("end/of/list", qos=1)
    await client.publish("end/of/list", b"x", qos=1)
    found: list[tuple[str, bytes]] = []
    async for message in client.messages:
        if message.topic.value == "end/of/list":
            return found
        found.append((message.topic.value, bytes(message.payload or b"")))
    raise AssertionError("the broker went away")


def damaged(payload: bytes) -> list[bytes]:
    """Forgeries of a genuine message: other figures under its signature, half of it, noise."""
    return [
        payload.replace(b'"seq":', b'"seq":7', 1),
        payload.replace(b"000000", b"900000", 1),
        payload[: len(payload) // 2],
        b"\x00\xff" + payload,
        b"[" * 5000,
        b'{"version":1}',
    ]


@contextlib.asynccontextmanager
async def watched(node: Daemon) -> AsyncIterator[list[dict[str, Any]]]:
    """Every scene that the screens show meanwhile."""
    seen: list[dict[str, Any]] = []

    async def watch(screen: str) -> None:
        async for scene in node.scenes(screen):
            seen.append(scene)

    watching = [asyncio.create_task(watch(screen)) for screen in SCREENS]
    try:
        yield seen
    finally:
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)


async def all_show(node: Daemon, amount: int) -> None:
    for screen in SCREENS:
        await node.until(screen, partial(meter_is, amount=amount), f"{amount}")


def shows_a_draw(scene: dict[str, Any]) -> bool:
    """A prize of the hand before that a draw gave, by chance: nobody's doing."""
    wins = scene["stage"].get("wins", ())
    return bool(wins) and {win["category"] for win in wins} <= {"carta_magica", "jugador_afortunado"}


@pytest.mark.requirement("R56")
async def test_whatever_a_stranger_says_no_money_and_no_screen_moves(tmp_path: Path, mosquitto: Mosquitto) -> None:
    one, two = OasisHardware.new(), OasisHardware.new()
    carousel = CAROUSEL.format(port=mosquitto.port, role="host", facts="")
    config = write_site(tmp_path, free_port(), carousel, oasis_table("t1", one, "gran"), oasis_table("t2", two, "gran"))
    async with Client("127.0.0.1", mosquitto.port) as client:
        await tell(client, lies())
    async with one.running(), two.running(), daemon(config) as node:
        await all_show(node, 2 * START)
        await two.ready()
        await Dealer(node, "t2", two).play(5, hands=NOTHING)
        whole = 2 * START + SHARE
        await all_show(node, whole)
        async with Client("127.0.0.1", mosquitto.port) as client, watched(node) as seen:
            genuine = await overheard(client)
            (inc,) = {topic for topic, _ in genuine if topic.endswith("t1/counter")}
            await tell(client, lies())
            for topic, payload in genuine:
                for again in (payload, *damaged(payload)):
                    await client.publish(topic, again, qos=1)
                await client.publish(inc, payload, qos=1)
            for topic, _ in genuine:
                await client.publish(topic, b"", qos=1, retain=True)
            await client.publish(f"{TOPICS.prefix}/host/status", bytes(2_000_000), qos=1)
            for fault in ("unknown_key", "bad_signature", "not_json", "malformed", "old", "too_large"):
                await node.said(f"is refused: {fault}")
            await one.ready()
            await Dealer(node, "t1", one).bet(3)
        assert {scene["meter"]["amount"] for scene in seen} == {str(whole)}
        assert all(scene["meter"]["freshness"] == "fresh" for scene in seen)
        stages = [scene["stage"] for scene in seen if scene["kind"] == "table" and not shows_a_draw(scene)]
        assert {stage["kind"] for stage in stages} <= {"idle", "bets"}
        dealer = Dealer(node, "t1", one)
        await dealer.close()
        await dealer.deal(NOTHING, 3)
        await dealer.end()
        await all_show(node, whole + SHARE)
        assert await node.stop() == 0
    books = check_books(node.state)
    assert books.figures == {"gran": 2 * START + 2 * SHARE}
    assert not books.awards
    assert not any("quarantined" in kind or "forked" in kind for kind in books.kinds("carousel-gran"))


def shipped_acl() -> str:
    """The access list that the product ships, with this pit's names."""
    text = (REPOSITORY / "config" / "mosquitto" / "carrusel.acl").read_text()
    names = {"casino/gran-carrusel": "prueba/gran", "mesa-1": "t1", "mesa-2": "t2"}
    for shipped, ours in names.items():
        text = text.replace(shipped, ours)
    return text


@pytest.mark.requirement("R56")
async def test_behind_passwords_tls_and_the_shipped_acl_a_sign_cannot_even_speak(
    tmp_path: Path, mosquitto_with: Callable[..., Mosquitto], authority: Authority
) -> None:
    authority.issue("server")
    passwords = {"nodo-a": "clave-del-nodo", "carteles": "clave-del-cartel"}
    broker = mosquitto_with(BrokerOptions(passwords=passwords, acl=shipped_acl(), tls=authority.directory))
    secret = tmp_path / "mqtt-password"
    secret.touch(mode=0o640)
    secret.write_text(passwords["nodo-a"])
    login = f'username = "nodo-a"\npassword_file = "{secret}"\ntls = {{ ca = "{authority.directory / "ca.crt"}" }}'
    carousel = CAROUSEL.format(port=broker.port, role="host", facts="")
    carousel = carousel.replace("keepalive_s = 5", f"keepalive_s = 5\n{login}")
    one, two = OasisHardware.new(), OasisHardware.new()
    config = write_site(tmp_path, free_port(), carousel, oasis_table("t1", one, "gran"), oasis_table("t2", two, "gran"))
    context = ssl.create_default_context(cafile=str(authority.directory / "ca.crt"))
    with pytest.raises(aiomqtt.MqttError):
        async with Client("127.0.0.1", broker.port, tls_context=context):
            pass
    async with one.running(), two.running(), daemon(config) as node:
        await all_show(node, 2 * START)

        def sign_node() -> Client:
            return Client(
                "127.0.0.1", broker.port, username="carteles", password=passwords["carteles"], tls_context=context
            )

        for lie in lies():
            with contextlib.suppress(aiomqtt.MqttError):  # a broker may hang up on who says what it may not
                async with sign_node() as sign:
                    await tell(sign, [lie])
        async with sign_node() as sign:
            await sign.subscribe(f"{TOPICS.prefix}/meter", qos=1)
            shown = await anext(aiter(sign.messages))
            assert b'"sender":"host"' in bytes(shown.payload or b"")
        await two.ready()
        await Dealer(node, "t2", two).play(5, hands=NOTHING)
        await all_show(node, 2 * START + SHARE)
        assert "refused" not in node.log.read_text()
        assert await node.stop() == 0
    assert check_books(node.state).figures == {"gran": 2 * START + SHARE}
