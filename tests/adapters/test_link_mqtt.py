"""The carousel over a real Mosquitto: two tables and a host, the broker killed and wiped, strangers on the network."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link.mqtt import Client
from controller.adapters.link.pace import SILENCE_S, UNPROVEN_S
from controller.adapters.link.ports import Link
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import Rejected, Wire, WireFault, key_name
from controller.engine import member
from controller.engine.epoch import Epoch
from controller.engine.host_state import HostState
from controller.engine.ledger_records import ZERO, Counters, EpochBegan, Mark, seal_record
from controller.engine.member_state import MemberState
from controller.engine.messages import Counter, HostStatus, Ledger, Message, Received
from tests.adapters.link_house import Bet, Node, Paid, Won, enrol, host_node, mqtt_link, running, table_node, until
from tests.engine.carousel_house import CENTAVO, royal, straight_flush
from tests.services import Mosquitto

pytestmark = [pytest.mark.broker]
TOPICS = Topics("pit", "c1")
HOST_KEY = Ed25519PrivateKey.generate()

LinkFor = Callable[[Ed25519PrivateKey, list[Rejected]], Link]


def host_link(port: int, keys: dict[str, str] | None = None) -> LinkFor:
    def may_speak(sender: str, incarnation: str, key: str) -> bool:
        return keys is None or keys.get(sender) == key

    return lambda key, rejected: mqtt_link(port, "host", key, TOPICS.for_host(), rejected, may_speak)


def table_link(port: int, name: str) -> LinkFor:
    def may_speak(sender: str, incarnation: str, key: str) -> bool:
        return key == key_name(HOST_KEY)

    return lambda key, rejected: mqtt_link(port, name, key, TOPICS.for_table(name), rejected, may_speak)


async def publish(port: int, message: Message, key: Ed25519PrivateKey, times: int = 1) -> None:
    """Somebody on the network says something, retained."""
    wire = Wire("pit", "c1", key, lambda *_: True)
    async with Client("127.0.0.1", port) as client:
        for _ in range(times):
            await client.publish(TOPICS.of(message), wire.encode(message), qos=1, retain=True)


def meters(*tables: Node[MemberState]) -> list[int]:
    return [table.state.meter_micros // CENTAVO for table in tables]


@pytest.mark.requirement("R44", "R59")
@pytest.mark.promise("P3")
async def test_a_straight_flush_and_a_royal_over_the_broker(mosquitto: Mosquitto, tmp_path: Path) -> None:
    port = mosquitto.port
    async with (
        host_node(tmp_path / "host.db", host_link(port), HOST_KEY) as host,
        table_node(tmp_path / "t1.db", "t1", table_link(port, "t1")) as one,
        table_node(tmp_path / "t2.db", "t2", table_link(port, "t2")) as two,
    ):
        await enrol(host, one)
        await enrol(host, two)
        await one.do(Bet(100_000))
        await two.do(Bet(300_000))
        await until(lambda: meters(one, two) == [1_400_000] * 2, "both contributions at both tables")
        await two.do(Won(1, (straight_flush(3),)))
        await until(lambda: bool(two.state.rows), "the award")
        (row,) = two.state.rows.values()
        assert row.amount_minor == 140_000
        assert (await two.do(Paid(row.id))).refused is None
        await until(lambda: not host.state.open_awards, "the host knows of the payment")
        await one.do(Won(1, (royal(1),)))
        await until(lambda: meters(one, two) == [1_000_000] * 2, "the restart of both")
        await until(lambda: bool(one.state.rows), "the royal's row")
        assert [row.amount_minor for row in one.state.rows.values()] == [1_260_000]


@pytest.mark.promise("P6")
async def test_a_broker_killed_and_wiped_changes_no_money(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """P6: the meters are right after the return, whatever it forgot; test_meter_in_seconds.py counts how soon."""
    port = mosquitto.port
    async with (
        host_node(tmp_path / "host.db", host_link(port), HOST_KEY) as host,
        table_node(tmp_path / "t1.db", "t1", table_link(port, "t1")) as one,
        table_node(tmp_path / "t2.db", "t2", table_link(port, "t2")) as two,
    ):
        await enrol(host, one)
        await enrol(host, two)
        mosquitto.kill()
        await one.do(Bet(7))
        await two.do(Won(1, (straight_flush(3),)))
        mosquitto.database.unlink(missing_ok=True)
        mosquitto.start()
        await until(lambda: bool(two.state.rows), "the award")
        await until(lambda: meters(one, two) == [900_007] * 2, "the meters")
        assert host.state.ledger.amount_micros == 900_007 * CENTAVO


@pytest.mark.promise("P13")
async def test_a_members_word_of_a_place_that_is_none_ends_nobody(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Signed by its own key and retained, so that a restart hears it again: refused by name, and the link goes on."""
    port = mosquitto.port
    async with (
        host_node(tmp_path / "host.db", host_link(port), HOST_KEY) as host,
        table_node(tmp_path / "t1.db", "t1", table_link(port, "t1")) as one,
    ):
        await enrol(host, one)
        state = one.state
        who = ("t1", state.settings.incarnation, state.epoch, state.mark._replace(boot=state.mark.boot + 1))
        await publish(port, Received(*who, -(2**70), "f" * 64), one.key)
        await until(lambda: WireFault.OUT_OF_RANGE in [each.fault for each in host.rejected], "refused by name")
        await one.do(Bet(1))
        await until(lambda: host.state.ledger.tables["t1"].absorbed == one.state.counters, "the link goes on")


@pytest.mark.promise("P13")
async def test_a_topic_that_is_no_place_of_the_ledger_is_cleared_and_ends_nobody(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """Retained by anybody, so that a restart hears it again; more digits than Python reads as a number."""
    port = mosquitto.port
    async with Client("127.0.0.1", port) as stranger:
        for place in ("9" * 5_000, "x", "-1"):
            await stranger.publish(f"{TOPICS.prefix}/ledger/{place}", b"planted", qos=1, retain=True)
    async with (
        host_node(tmp_path / "host.db", host_link(port), HOST_KEY) as host,
        table_node(tmp_path / "t1.db", "t1", table_link(port, "t1")) as one,
    ):
        await enrol(host, one)
        async with asyncio.timeout(60):
            while not all(place.isdigit() and len(place) < 5 for place in await retained(port)):
                await asyncio.sleep(0.05)
        await one.do(Bet(1))
        await until(lambda: host.state.ledger.tables["t1"].absorbed == one.state.counters, "the link goes on")


@pytest.mark.promise("P13")
async def test_recorded_beats_of_a_host_that_is_gone_open_no_bets(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """What the broker kept is cleared, the table starts anew: a beat must repeat what only this start has said."""
    port, recorded, topic = mosquitto.port, [], f"{TOPICS.prefix}/host/status"
    key = Ed25519PrivateKey.generate()

    async def listen() -> None:
        async with Client("127.0.0.1", port) as client:
            await client.subscribe(topic)
            async for message in client.messages:
                if message.payload and b'"alive":true' in bytes(message.payload):
                    recorded.append(bytes(message.payload))

    async with (
        running(listen()),
        host_node(tmp_path / "host.db", host_link(port), HOST_KEY) as host,
        table_node(tmp_path / "t1.db", "t1", table_link(port, "t1"), key) as one,
    ):
        await enrol(host, one)
        await until(lambda: len(recorded) > UNPROVEN_S / SILENCE_S, "some beats")
    async with Client("127.0.0.1", port) as stranger:
        await stranger.publish(topic, b"", qos=1, retain=True)
        await stranger.subscribe(f"{TOPICS.prefix}/table/t1/status")
        now_s = [0.0]
        async with table_node(tmp_path / "t1.db", "t1", table_link(port, "t1"), key, lambda: now_s[0]) as one:
            async with asyncio.timeout(60):
                async for said in stranger.messages:  # it listens before it speaks
                    if not said.retain and b'"alive":true' in bytes(said.payload or b""):
                        break
            for heard, payload in enumerate(recorded, start=1):
                assert not one.rejected or now_s[0] > UNPROVEN_S, "not while an honest host may be behind"
                await stranger.publish(topic, payload, qos=1)
                await until(lambda heard=heard: len(one.beats) == heard, "the beat")
                now_s[0] += SILENCE_S
            assert WireFault.NOT_FRESH in [each.fault for each in one.rejected], "refused by name"
            assert member.check_bet(one.state) is not None and not one.state.link_up
            async with host_node(tmp_path / "host.db", host_link(port), HOST_KEY):
                await until(lambda: one.state.link_up, "the host itself is heard")
            assert member.check_bet(one.state) is None


async def test_a_table_that_was_away_gets_the_records_it_lacks(mosquitto: Mosquitto, tmp_path: Path) -> None:
    port = mosquitto.port
    key = Ed25519PrivateKey.generate()
    async with (
        host_node(tmp_path / "host.db", host_link(port), HOST_KEY) as host,
        table_node(tmp_path / "t1.db", "t1", table_link(port, "t1")) as one,
    ):
        await enrol(host, one)
        async with table_node(tmp_path / "t2.db", "t2", table_link(port, "t2"), key) as two:
            await enrol(host, two)
        for _ in range(130):
            await one.do(Bet(1))
        await until(lambda: host.state.ledger.amount_micros == 1_000_130 * CENTAVO, "all bets in the ledger")
        async with table_node(tmp_path / "t2.db", "t2", table_link(port, "t2"), key) as two:
            await until(lambda: two.state.ledger.hash == host.state.ledger.hash, "the whole ledger at t2")


@pytest.mark.requirement("R56")
@pytest.mark.promise("P13")
async def test_a_stranger_changes_nothing(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """P13 with the broker open to all: planted, forged and replayed messages are refused and told of."""
    port = mosquitto.port
    stranger, table_key = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    keys = {"t1": key_name(table_key)}
    await publish(port, planted(key_name(HOST_KEY)), stranger)
    async with (
        host_node(tmp_path / "host.db", host_link(port, keys), HOST_KEY) as host,
        table_node(tmp_path / "t1.db", "t1", table_link(port, "t1"), table_key) as one,
    ):
        await enrol(host, one)
        high = Counters(main_micros=10**12, hands=1)
        forged = Counter("t1", one.state.settings.incarnation, Epoch(1, key_name(HOST_KEY), 1), Mark(1, 999, "x"), high)
        await publish(port, forged, stranger)
        await publish(port, HostStatus(Epoch(9, key_name(stranger), 1), 99, "f" * 64), stranger)
        await until(lambda: has(host, WireFault.UNKNOWN_KEY), "the host refused")
        await until(lambda: has(one, WireFault.UNKNOWN_KEY), "the table refused")
        assert host.state.ledger.amount_micros == 500_000 * CENTAVO
        assert one.state.epoch.term == 1
        assert one.state.counters == ZERO


def planted(host: str) -> Message:
    epoch = Epoch(1, host, 1)
    return Ledger(epoch, seal_record(1, epoch, "0" * 64, EpochBegan("planted")))


def has(node: Node[HostState] | Node[MemberState], fault: WireFault) -> bool:
    return any(rejected.fault is fault for rejected in node.rejected)


async def test_only_the_newest_records_stay_retained(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """What another host left under later sequence numbers is cleared, and so are old records."""
    port = mosquitto.port
    other = Ed25519PrivateKey.generate()
    epoch = Epoch(1, key_name(other), 1)
    await publish(port, Ledger(epoch, seal_record(900, epoch, "0" * 64, EpochBegan("of another host"))), other)
    async with (
        host_node(tmp_path / "host.db", host_link(port), HOST_KEY) as host,
        table_node(tmp_path / "t1.db", "t1", table_link(port, "t1")) as one,
    ):
        await enrol(host, one)
        for _ in range(120):
            await one.do(Bet(1))
            await until(lambda: one.state.ledger.tables["t1"].absorbed == one.state.counters, "absorbed")
        newest = host.state.ledger.seq
        wanted = {str(seq) for seq in range(newest - 99, newest + 1)}
        async with asyncio.timeout(60):
            while await retained(port) != wanted:
                await asyncio.sleep(0.05)


async def retained(port: int) -> set[str]:
    found: set[str] = set()
    async with Client("127.0.0.1", port) as client:
        await client.subscribe(f"{TOPICS.prefix}/ledger/+", qos=1)
        await client.subscribe("end/of/list", qos=1)
        await client.publish("end/of/list", b"x", qos=1)
        async for message in client.messages:
            if message.topic.value == "end/of/list":
                return found
            if message.retain:
                found.add(message.topic.value.rpartition("/")[2])
    raise AssertionError("the broker went away")
