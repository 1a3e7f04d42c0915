"""Many tables of a carousel in a process of their own, each a client of the broker with its own key.

`python -m tests.bench._tables PORT FIRST COUNT ROUNDS EVERY_S`: prints the tables' keys, waits for the host's epoch on
its input, lets all connect, says so, and from the next line on each says COUNTER every so many seconds, hears the
ledger as tables do and says how far it has it. The ledger's signatures are not checked and no journal is written
here: on a floor every table does that on a machine of its own.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, field

import aiomqtt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link.pace import BEAT_S
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import Wire, key_name
from controller.engine.epoch import Epoch
from controller.engine.ledger_records import Counters, Mark
from controller.engine.messages import Counter, Received
from tests.engine.carousel_house import CENTAVO
from tests.services import HOST

TOPICS = Topics("pit", "c1")
SHARE = 20 * CENTAVO
TIMEOUT_S = 300.0


@dataclass(frozen=True)
class Pace:
    """How many COUNTERs each table says, and how often."""

    rounds: int
    every_s: float


@dataclass
class Table:
    """One of them. place: between 0 and 1, its turn among the others. heard: seq and hash of the newest record."""

    name: str
    place: float
    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)
    heard: tuple[int, str] = (0, "")

    async def play(self, port: int, epoch: Epoch, pace: Pace, met: asyncio.Barrier) -> None:
        wire = Wire("pit", "c1", self.key, lambda *_: True)
        async with aiomqtt.Client(HOST, port, identifier=self.name, timeout=TIMEOUT_S) as client:
            for topic in TOPICS.for_table(self.name):
                await client.subscribe(topic, qos=1)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._hear(client))
                tasks.create_task(self._acknowledge(client, wire, epoch))
                await met.wait()  # all are connected
                await met.wait()  # and may speak
                loop = asyncio.get_running_loop()
                began_s = loop.time() + self.place * pace.every_s
                for hands in range(1, pace.rounds + 1):
                    await asyncio.sleep(began_s + (hands - 1) * pace.every_s - loop.time())
                    counters = Counters(main_micros=hands * SHARE, hands=hands)
                    mark = Mark(1, hands, f"{self.name}-{hands}")
                    said = Counter(self.name, f"{self.name}-i1", epoch, mark, counters)
                    await client.publish(TOPICS.of(said), wire.encode(said), qos=1, retain=True)

    async def _hear(self, client: aiomqtt.Client) -> None:
        ledger = f"{TOPICS.prefix}/ledger/"
        async for arrived in client.messages:
            if arrived.topic.value.startswith(ledger) and arrived.payload:
                seq = int(arrived.topic.value.removeprefix(ledger))
                if seq > self.heard[0]:
                    self.heard = seq, json.loads(bytes(arrived.payload))["body"]["record"]["hash"]  # type: ignore[arg-type]  # bytes

    async def _acknowledge(self, client: aiomqtt.Client, wire: Wire, epoch: Epoch) -> None:
        told = self.heard
        while True:
            await asyncio.sleep(BEAT_S)
            if told != self.heard:
                told = self.heard
                said = Received(self.name, f"{self.name}-i1", epoch, Mark(1, 0, ""), *told)
                await client.publish(TOPICS.of(said), wire.encode(said), qos=1, retain=True)


async def main(port: int, first: int, count: int, pace: Pace) -> None:
    tables = [Table(f"t{first + number}", number / count) for number in range(count)]
    print(json.dumps({table.name: key_name(table.key) for table in tables}), flush=True)
    epoch = Epoch(*json.loads(await asyncio.to_thread(sys.stdin.readline)))
    met = asyncio.Barrier(count + 1)
    async with asyncio.TaskGroup() as tasks:
        for table in tables:
            tasks.create_task(table.play(port, epoch, pace, met))
        await met.wait()
        print(json.dumps("connected"), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await met.wait()


if __name__ == "__main__":
    *numbers, every_s = sys.argv[1:]
    port, first, count, rounds = map(int, numbers)
    asyncio.run(main(port, first, count, Pace(rounds, float(every_s))))
