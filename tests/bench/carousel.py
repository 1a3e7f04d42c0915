"""Updates a second that a real host folds from a real Mosquitto, with two hundred tables and with ten, in one run.

The host is runner, journal, signatures and link as in the daemon. Each table is a client of its own with its own key,
which hears every record and tells the host how far it is; the tables share two processes beside the host's (`_tables`).
"""

import asyncio
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.core.prizes import PrizeList
from controller.engine.host_events import MemberAccepted
from controller.engine.host_state import HostState
from controller.engine.ledger_records import Mark, Profile
from controller.engine.messages import LinkReceived, Received
from tests.adapters.link_house import Node, host_node, mqtt_link, until
from tests.bench._tables import SHARE, TOPICS
from tests.engine.carousel_house import CENTAVO
from tests.services import ANYBODY, Mosquitto, find_tool

SIZES = (10, 200)
UPDATES = 600
PROCESSES = 2
LEAST = 0.5
DEADLINE_S = 600.0


@dataclass(frozen=True)
class Tables:
    """Processes with tables in them, and the key of each table by its name."""

    processes: list[asyncio.subprocess.Process]
    keys: dict[str, str]

    def go(self, host: HostState) -> None:
        """Let them connect and speak."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write(json.dumps(list(host.epoch)).encode() + b"\n")


@contextlib.asynccontextmanager
async def tables_of(port: int, count: int, rounds: int) -> AsyncIterator[Tables]:
    share = count // PROCESSES
    found = Tables([], {})
    try:
        for number in range(PROCESSES):
            arguments = map(str, (port, number * share, share, rounds))
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


async def rate(broker: Mosquitto, directory: Path, count: int) -> float:
    """Updates a second from the first word to the last one folded and durable."""
    rounds = UPDATES // count
    async with tables_of(broker.port, count, rounds) as tables:

        def may_speak(sender: str, incarnation: str, spoken: str) -> bool:
            return spoken == tables.keys[sender]

        def link(host_key: Ed25519PrivateKey, rejected: list) -> object:  # type: ignore[type-arg]  # as the house gives it
            return mqtt_link(broker.port, "host", host_key, TOPICS.for_host(), rejected, may_speak)

        async with host_node(directory / f"host-{count}.db", link, Ed25519PrivateKey.generate()) as host:
            await join_all(host, tables.keys)
            start = time.perf_counter()
            tables.go(host.state)
            last = rounds * SHARE

            def folded() -> bool:
                return all(host.state.ledger.tables[name].absorbed.main_micros == last for name in tables.keys)

            await until(folded, "all counters folded", DEADLINE_S)
            took_s = time.perf_counter() - start
            assert not host.rejected, host.rejected[:3]
            return rounds * count / took_s


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
