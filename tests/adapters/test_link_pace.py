"""How much the ends of a carousel's link say, counted on a broker of this process by a clock that the test drives."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link.host_end import meter_pause_s
from controller.adapters.link.pace import BEAT_S
from controller.adapters.link.wire import key_name
from controller.engine.host_outbox import RESENT_RECORDS
from tests.adapters.driven_link import TOPICS, BrokerHere, RunnerHere, driven, host_end_of, table_end_of
from tests.engine.carousel_house import House, straight_flush

PLAYED_S = 20
BETS_A_SECOND = 10
SETTLED_S = 5 * BEAT_S


class Listening(BrokerHere):
    """Counts what is said under each topic, and loses the next message of one when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.said: Counter[str] = Counter()
        self.loses = ""

    def carry(self, topic: str, payload: bytes, retain: bool) -> None:
        if topic == self.loses:
            self.loses = ""
            return
        if payload:  # an empty one clears a record that is no longer among the newest
            self.said[topic.removeprefix(f"{TOPICS.prefix}/")] += 1
        super().carry(topic, payload, retain)

    def records(self) -> dict[str, int]:
        return {topic: count for topic, count in self.said.items() if topic.startswith("ledger/")}


@dataclass
class Floor:
    """A house whose ends of the link run."""

    house: House
    broker: Listening
    runners: dict[str, RunnerHere]

    async def play(self, seconds: int) -> None:
        """Chips at all tables in turn."""
        for number in range(seconds * BETS_A_SECOND):
            table = self.house.tables[number % len(self.house.tables)]
            table.bet(1_000)
            self.runners[table.name].committed()
            await asyncio.sleep(1 / BETS_A_SECOND)

    def is_behind(self) -> list[str]:
        known = self.house.host.state.ledger
        return [table.name for table in self.house.tables if table.state.ledger.hash != known.hash]


@asynccontextmanager
async def floor(*names: str) -> AsyncIterator[Floor]:
    broker, key = Listening(), Ed25519PrivateKey.generate()
    house = House.of(*names, key=key_name(key))
    host_end, at_host = host_end_of(broker, house.host, key)
    ends = {table.name: table_end_of(broker, table) for table in house.tables}
    runs = [host_end.run(), *(end.run() for end, _ in ends.values())]
    running = [asyncio.create_task(run) for run in runs]
    await asyncio.sleep(SETTLED_S)
    broker.said.clear()
    yield Floor(house, broker, {"host": at_host, **{name: runner for name, (_, runner) in ends.items()}})
    for task in running:
        task.cancel()
    await asyncio.wait(running)


def test_a_table_says_how_far_it_is_once_a_beat_and_no_record_is_sent_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with floor(*(f"t{number}" for number in range(5))) as here:
            await here.play(PLAYED_S)
            beats = PLAYED_S / BEAT_S
            for table in here.house.tables:
                for word in ("received", "status"):
                    assert here.broker.said[f"table/{table.name}/{word}"] <= beats + 1, here.broker.said
            await asyncio.sleep(SETTLED_S)
            assert here.is_behind() == []
            records = here.broker.records()
            assert len(records) == PLAYED_S * BETS_A_SECOND
            assert set(records.values()) == {1}

    driven(story(), monkeypatch)


def test_a_payment_and_a_claim_wait_for_no_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with floor("t1", "t2") as here:
            table, host = here.house.tables[0], here.house.host
            for _ in range(3):  # each some way into a beat
                table.win(straight_flush(2), hand=table.bet(1_000))
                here.runners["t1"].committed()
                await asyncio.sleep(BEAT_S / 20)
                assert host.state.open_awards
                assert table.pay_all() > 0
                here.runners["t1"].committed()
                await asyncio.sleep(BEAT_S / 20)
                assert not host.state.open_awards
                await asyncio.sleep(BEAT_S / 3)

    driven(story(), monkeypatch)


def test_a_lost_record_is_said_again_when_its_table_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with floor("t1", "t2") as here:
            await here.play(2)
            here.broker.loses = f"{TOPICS.prefix}/ledger/{here.house.host.state.ledger.seq + 1}"
            await here.play(1)
            assert here.broker.loses == ""
            assert here.is_behind() == ["t1", "t2"]
            await asyncio.sleep(3 * BEAT_S)
            assert here.is_behind() == []

    driven(story(), monkeypatch)


def test_a_table_far_behind_gets_a_part_after_the_other_and_nothing_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts = 4

    async def story() -> None:
        async with floor("t1") as here:
            here.broker.kill()
            for _ in range(parts * RESENT_RECORDS):
                here.house.tables[0].bet(1_000)
                here.house.host.receive(here.house.tables[0].outbox()[1])
            here.broker.up = True
            here.runners["host"].committed()
            await asyncio.sleep(3 * parts * BEAT_S)
            assert here.is_behind() == []
            first_recent = here.house.host.state.recent[0].seq
            again = {topic: count for topic, count in here.broker.records().items() if int(topic[7:]) < first_recent}
            assert len(again) > (parts - 2) * RESENT_RECORDS
            assert set(again.values()) == {1}

    driven(story(), monkeypatch)


def test_meter_is_said_more_rarely_the_more_tables_it_holds() -> None:
    assert meter_pause_s(1) == meter_pause_s(20) == 0.1
    assert meter_pause_s(200) == pytest.approx(1.0)
