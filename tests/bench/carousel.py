"""A real host at a real Mosquitto with two hundred tables and with ten, in one run, both at a full floor's pace.

What is compared is the host's own processor time for each COUNTER that is said, heard, folded, durable, told to all
tables and acknowledged by them. Every table hears every record, so with two hundred the clients on this one machine
have far more to do than the host; on a floor each has a machine of its own. The host is runner, journal, signatures
and link as in the daemon. Each table is a client of its own with its own key, which hears every record and tells the
host how far it is; the tables share two processes beside the host's (`_tables`).
"""

import asyncio
import contextlib
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.core.prizes import PrizeList
from controller.engine.host_events import MemberAccepted
from controller.engine.host_state import HostState
from controller.engine.ledger_records import Mark, Profile
from controller.engine.messages import LinkReceived, Received
from tests.adapters.link_house import Node, host_node, mqtt_link
from tests.bench._ratios import Rate, Watch
from tests.bench._tables import SHARE, TOPICS
from tests.engine.carousel_house import CENTAVO
from tests.services import ANYBODY, Mosquitto, find_tool

SIZES = (10, 200)
UPDATES = 600
FLOOR_S = 24.0
"""All of them are said in so long: two hundred tables with a chip every eight seconds each."""
PROCESSES = 2
MOST = 4.0
"""Twenty times the tables tell the host how far they are, once a second each."""
DEADLINE_S = 600.0
LOOK_S = 0.2


@dataclass(frozen=True)
class Tables:
    """Processes with tables in them, and the key of each table by its name."""

    processes: list[asyncio.subprocess.Process]
    keys: dict[str, str]

    def tell(self, word: object) -> None:
        """The host's epoch, at which they connect; then anything, at which they speak."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write(json.dumps(word).encode() + b"\n")

    async def connected(self) -> None:
        """All of them are, and have subscribed."""
        for process in self.processes:
            assert process.stdout is not None
            await process.stdout.readline()


@contextlib.asynccontextmanager
async def tables_of(port: int, count: int, rounds: int) -> AsyncIterator[Tables]:
    share = count // PROCESSES
    found = Tables([], {})
    try:
        for number in range(PROCESSES):
            arguments = map(str, (port, number * share, share, rounds, FLOOR_S / rounds))
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.bench._tables",
                *arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=2**20,
            )
            found.processes.append(process)
            assert process.stdout is not None
            found.keys.update(json.loads(await process.stdout.readline()))
        yield found
    finally:
        for process in found.processes:
            process.kill()
            await process.wait()


async def join_all(host: Node[HostState], keys: dict[str, str]) -> None:
    """Enrol the tables; each join is acknowledged by those in force, as tables do."""
    for name, key in keys.items():
        profile = Profile(name, f"{name}-i1", key, "ARS", 500_000 * CENTAVO, PrizeList(()))
        assert (await host.do(MemberAccepted(profile, "measurement"))).refused is None
    while len(host.state.ledger.active()) < len(keys):
        for name in host.state.ledger.active():
            ledger = host.state.ledger
            said = Received(name, f"{name}-i1", host.state.epoch, Mark(0, 0, ""), ledger.seq, ledger.hash)
            await host.do(LinkReceived(said))


async def rate(broker: Mosquitto, directory: Path, count: int) -> Rate:
    """COUNTERs a second from the first word to the last one folded and durable."""
    rounds = UPDATES // count
    async with tables_of(broker.port, count, rounds) as tables:

        def may_speak(sender: str, incarnation: str, spoken: str) -> bool:
            return spoken == tables.keys[sender]

        def link(host_key: Ed25519PrivateKey, rejected: list) -> object:  # type: ignore[type-arg]  # as the house gives it
            return mqtt_link(broker.port, "host", host_key, TOPICS.for_host(), rejected, may_speak)

        async with host_node(directory / f"host-{count}.db", link, Ed25519PrivateKey.generate()) as host:
            await join_all(host, tables.keys)
            tables.tell(list(host.state.epoch))
            await tables.connected()
            watch = Watch()
            tables.tell("go")
            last = rounds * SHARE

            async with asyncio.timeout(DEADLINE_S):
                while any(host.state.ledger.tables[name].absorbed.main_micros < last for name in tables.keys):
                    await asyncio.sleep(LOOK_S)
            found = watch.rate(rounds * count)
            assert not host.rejected, host.rejected[:3]
            return found


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
        print(
            f"{count:>4} tables, {rates[count].wall:.0f} counters a second: "
            f"{1e6 / rates[count].cpu:.0f} µs of the host's processor time for each",
            flush=True,
        )
    growth = rates[SIZES[0]].cpu / rates[SIZES[1]].cpu
    print(f"growth {growth:.2f} (at most {MOST})")
    return growth


def main() -> int:
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=".") as directory:
        return int(asyncio.run(measure(Path(directory).resolve())) > MOST)


if __name__ == "__main__":
    sys.exit(main())
