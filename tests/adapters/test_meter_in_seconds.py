"""How long the meters take to be right once a broker is there again, by a clock that the test drives.

Real ends of the link on a broker of this process; what it takes is counted in the protocol's own intervals, whatever
else the machine does. Over a real broker, and loosely, tests/system/test_broker.py holds the same.
"""

import asyncio
import selectors
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import aiomqtt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link import mqtt
from controller.adapters.link.host_end import METER_S, HostEnd
from controller.adapters.link.mqtt import MqttLink
from controller.adapters.link.pace import BEAT_S
from controller.adapters.link.table_end import TableEnd
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import Wire, key_name
from controller.adapters.runner import Answer
from controller.adapters.screens.screens import CONFIRM_S
from controller.core.events import Envelope, LinkSilent, LinkStateChanged
from controller.engine import member
from controller.engine.messages import LinkReceived
from display.feed import HEARTBEAT_S
from tests.engine.carousel_house import CENTAVO, Host, House, Table

PROMISED_S = 5.0
LOOK_S = 0.01
OUT_OF_STEP_S = 0.77
BET = 1_000
OUTAGES_S = [0.05 + 0.37 * number for number in range(12)] + [7.3, 11.9, 30.1, 61.7, 305.3]


class DrivenLoop(asyncio.SelectorEventLoop):
    """Its time goes on only when nothing is left to do, and then at once to the next timer."""

    def __init__(self) -> None:
        self.now_s = 0.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self.now_s


class _Jumping(selectors.SelectSelector):
    def __init__(self, loop: DrivenLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready and timeout:
            self._loop.now_s += timeout
        return ready


class BrokerHere:
    """A broker in this process that can be gone; wiped when it comes back."""

    def __init__(self) -> None:
        self.up = True
        self.retained: dict[str, bytes] = {}
        self.clients: set[ClientHere] = set()

    def client(self, *_: object, **options: object) -> "ClientHere":
        return ClientHere(self)

    def kill(self) -> None:
        self.up = False
        self.retained.clear()
        for client in list(self.clients):
            client.arrived.put_nowait(None)

    def carry(self, topic: str, payload: bytes, retain: bool) -> None:
        if retain:
            self.retained[topic] = payload
        for client in self.clients:
            client.hear(topic, payload, False)


class ClientHere:
    """What a link asks of aiomqtt's client."""

    def __init__(self, broker: BrokerHere) -> None:
        self._broker = broker
        self._filters: list[str] = []
        self.arrived: asyncio.Queue[aiomqtt.Message | None] = asyncio.Queue()

    async def __aenter__(self) -> "ClientHere":
        if not self._broker.up:
            raise aiomqtt.MqttError("refused")
        self._broker.clients.add(self)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._broker.clients.discard(self)

    def hear(self, topic: str, payload: bytes, retained: bool) -> None:
        if any(aiomqtt.Topic(topic).matches(each) for each in self._filters):
            self.arrived.put_nowait(aiomqtt.Message(topic, payload, 1, retained, 0, None))

    async def subscribe(self, topic: str, qos: int) -> None:
        self._filters.append(topic)
        for kept, payload in self._broker.retained.items():
            if aiomqtt.Topic(kept).matches(topic):
                self.hear(kept, payload, True)

    async def publish(self, topic: str, payload: bytes, qos: int, retain: bool) -> None:
        if not self._broker.up:
            raise aiomqtt.MqttError("gone")
        self._broker.carry(topic, payload, retain)

    @property
    async def messages(self) -> AsyncIterator[aiomqtt.Message]:
        while (message := await self.arrived.get()) is not None:
            yield message
        raise aiomqtt.MqttError("gone")


class RunnerHere:
    """A machine of the house that commits at once."""

    checkpoint = None

    def __init__(self, machine: Host | Table) -> None:
        self.machine = machine
        self._observers: list[Callable[[Any], None]] = []

    @property
    def state(self) -> Any:
        return self.machine.state

    def observe(self, observer: Callable[[Any], None]) -> None:
        self._observers.append(observer)
        observer(self.state)

    def committed(self) -> None:
        for observer in self._observers:
            observer(self.state)

    async def submit(self, envelope: Envelope) -> Answer:
        refused = None
        match envelope.event, self.machine:
            case LinkReceived(message=message), machine:
                refused = machine.receive(message)
            case LinkStateChanged(up=up), Table() as table:
                table.store(member.link_changed(table.state, up, envelope.id))
            case LinkSilent(minutes=minutes), Table() as table:
                table.store(member.link_silent(table.state, minutes, envelope.id))
        self.committed()
        return Answer(refused=refused)


def link(broker: BrokerHere, topics: tuple[str, ...], key: Ed25519PrivateKey) -> MqttLink:
    wire = Wire("pit", "c1", key, lambda *_: True)
    return MqttLink(broker, Topics("pit", "c1"), wire, topics)  # type: ignore[arg-type]  # a broker of this process


async def right_after(outage_s: float) -> float:
    """Seconds from the broker's return until both ends hold what was bet while it was gone, and hear each other."""
    loop = asyncio.get_running_loop()
    broker, topics, key = BrokerHere(), Topics("pit", "c1"), Ed25519PrivateKey.generate()
    house = House.of("t1", key=key_name(key))
    (table,) = house.tables
    at_host, at_table = RunnerHere(house.host), RunnerHere(table)
    host_end = HostEnd(link(broker, topics.for_host(), key), at_host, house.host)  # type: ignore[arg-type]  # commits at once
    table_end: TableEnd[Any] = TableEnd(
        link(broker, topics.for_table("t1"), Ed25519PrivateKey.generate()),
        at_table,  # type: ignore[arg-type]  # commits at once
        table,
        member_of=lambda state: state,
        playing=lambda state: False,
        presence=LinkStateChanged,
        silence=LinkSilent,
        clock=loop.time,
        new_id=lambda: f"e{loop.time()}",
    )

    def right(amount: int) -> bool:
        return table.state.link_up and amount == house.amount_minor == table.state.meter_micros // CENTAVO

    async def until(amount: int) -> float:
        began = loop.time()
        while not right(amount):
            assert loop.time() - began < 20 * PROMISED_S, (outage_s, amount, table.state.link_up)
            await asyncio.sleep(LOOK_S)
        return loop.time() - began

    running = [asyncio.create_task(host_end.run())]
    await asyncio.sleep(OUT_OF_STEP_S)
    running.append(asyncio.create_task(table_end.run()))
    whole = table.state.meter_micros // CENTAVO
    await until(whole)
    broker.kill()
    await asyncio.sleep(outage_s / 2)
    table.bet(BET)
    at_table.committed()
    await asyncio.sleep(outage_s / 2)
    broker.up = True
    took_s = await until(whole + BET)
    for task in running:
        task.cancel()
    await asyncio.wait(running)
    return took_s


def driven(work: Coroutine[Any, Any, float]) -> float:
    with asyncio.Runner(loop_factory=DrivenLoop) as runner:
        return runner.run(work)


@pytest.mark.promise("P6")
def test_the_meters_are_right_within_five_seconds_of_a_broker_s_return(monkeypatch: pytest.MonkeyPatch) -> None:
    async def here(do: Callable[..., Any], *arguments: Any) -> Any:
        return do(*arguments)

    monkeypatch.setattr(asyncio, "to_thread", here)  # a thread's time is not the driven one
    took = {outage_s: driven(right_after(outage_s)) for outage_s in OUTAGES_S}
    assert max(took.values()) + CONFIRM_S + HEARTBEAT_S <= PROMISED_S, took


@pytest.mark.promise("P6")
def test_the_intervals_on_the_way_to_a_right_meter_add_up_to_less_than_promised() -> None:
    """Both ends find the broker, the host says that it serves, the table looks, METER is said, screens look."""
    found, told, looked, said = max(mqtt.RECONNECT_S), BEAT_S, BEAT_S, METER_S
    assert found + told + looked + said + max(CONFIRM_S, HEARTBEAT_S) <= PROMISED_S
