"""Updates a second that a real host folds from a real Mosquitto, with two hundred tables and with ten, in one run.

The host is runner, journal, signatures and link as in the daemon; the tables are one client that says COUNTER for all.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

import aiomqtt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link_topics import Topics
from controller.adapters.link_wire import Wire, key_name
from controller.core.prizes import PrizeList
from controller.engine.host_events import MemberAccepted
from controller.engine.host_state import HostState
from controller.engine.ledger_records import Counters, Mark, Profile
from controller.engine.messages import Counter, LinkReceived, Received
from tests.adapters.link_house import Node, host_node, mqtt_link, until
from tests.engine.carousel_house import CENTAVO
from tests.services import ANYBODY, HOST, Mosquitto, find_tool

SIZES = (10, 200)
UPDATES = 2_000
LEAST = 0.5
DEADLINE_S = 120.0
KEY = Ed25519PrivateKey.generate()
TOPICS = Topics("pit", "c1")


async def join_all(host: Node[HostState], count: int) -> None:
    """Enrol the tables; each join is acknowledged by those in force, as tables do."""
    for number in range(count):
        name = f"t{number}"
        profile = Profile(name, f"{name}-i1", key_name(KEY), "ARS", 500_000 * CENTAVO, PrizeList(()))
        assert (await host.do(MemberAccepted(profile, "measurement"))).refused is None
    while len(host.state.ledger.active()) < count:
        for name in host.state.ledger.active():
            ledger = host.state.ledger
            said = Received(name, f"{name}-i1", host.state.epoch, Mark(0, 0, ""), ledger.seq, ledger.hash)
            await host.do(LinkReceived(said))


async def rate(broker: Mosquitto, directory: Path, count: int) -> float:
    """Updates a second from the first word to the last one folded and durable."""
    key = Ed25519PrivateKey.generate()
    known = key_name(KEY)

    def may_speak(sender: str, incarnation: str, spoken: str) -> bool:
        return spoken == known

    def link(host_key: Ed25519PrivateKey, rejected: list) -> object:  # type: ignore[type-arg]  # as the house gives it
        return mqtt_link(broker.port, "host", host_key, TOPICS.for_host(), rejected, may_speak)

    wire = Wire("pit", "c1", KEY, lambda *_: True)
    async with (
        host_node(directory / f"host-{count}.db", link, key) as host,
        aiomqtt.Client(HOST, broker.port) as tables,
    ):
        await join_all(host, count)
        rounds = UPDATES // count
        start = time.perf_counter()
        for hands in range(1, rounds + 1):
            for number in range(count):
                name = f"t{number}"
                counters = Counters(main_micros=hands * 20 * CENTAVO, hands=hands)
                said = Counter(name, f"{name}-i1", host.state.epoch, Mark(1, hands, f"{name}-{hands}"), counters)
                await tables.publish(TOPICS.of(said), wire.encode(said), qos=1, retain=True)
        last = rounds * 20 * CENTAVO

        def folded() -> bool:
            return all(host.state.ledger.tables[f"t{n}"].absorbed.main_micros == last for n in range(count))

        await until(folded, "all counters folded", DEADLINE_S)
        return rounds * count / (time.perf_counter() - start)


async def measure(directory: Path) -> float:
    executable = find_tool("mosquitto")
    assert executable is not None, "mosquitto is not installed"
    rates = {}
    for count in SIZES:
        place = directory / f"broker-{count}"
        place.mkdir()
        broker = Mosquitto(executable, place, ANYBODY)
        broker.start()
        try:
            rates[count] = await rate(broker, directory, count)
        finally:
            broker.kill()
        print(f"{count:>4} tables: {rates[count]:.0f} counters a second, said, heard, folded and durable", flush=True)
    ratio = rates[SIZES[1]] / rates[SIZES[0]]
    print(f"ratio {ratio:.2f} (at least {LEAST})")
    return ratio


def main() -> int:
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=".") as directory:
        return int(asyncio.run(measure(Path(directory).resolve())) < LEAST)


if __name__ == "__main__":
    sys.exit(main())
