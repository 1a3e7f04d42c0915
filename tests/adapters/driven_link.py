"""Ends of the carousel link on a broker of this process, by a clock that the test drives: nothing here takes time."""

import asyncio
import selectors
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

import aiomqtt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.link.host_end import HostEnd
from controller.adapters.link.mqtt import MqttLink
from controller.adapters.link.table_end import TableEnd
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import Wire
from controller.adapters.runner import Answer
from controller.core.events import Envelope, LinkSilent, LinkStateChanged
from controller.engine import member
from controller.engine.messages import LinkReceived
from tests.engine.carousel_house import Host, Table

T = TypeVar("T")
TOPICS = Topics("pit", "c1")


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
    return MqttLink(broker, TOPICS, wire, topics)  # type: ignore[arg-type]  # a broker of this process


def host_end_of(broker: BrokerHere, host: Host, key: Ed25519PrivateKey) -> tuple[HostEnd, RunnerHere]:
    runner = RunnerHere(host)
    return HostEnd(link(broker, TOPICS.for_host(), key), runner, host), runner  # type: ignore[arg-type]  # commits at once


def table_end_of(broker: BrokerHere, table: Table) -> tuple[TableEnd[Any], RunnerHere]:
    loop, runner = asyncio.get_running_loop(), RunnerHere(table)
    end: TableEnd[Any] = TableEnd(
        link(broker, TOPICS.for_table(table.name), Ed25519PrivateKey.generate()),
        runner,  # type: ignore[arg-type]  # commits at once
        table,
        member_of=lambda state: state,
        playing=lambda state: False,
        presence=LinkStateChanged,
        silence=LinkSilent,
        clock=loop.time,
        new_id=lambda: f"{table.name}-e{loop.time()}",
    )
    return end, runner


def driven(work: Coroutine[Any, Any, T], monkeypatch: pytest.MonkeyPatch) -> T:
    """What the work comes to; what it does in threads it does at once, as a thread's time is not the driven one."""

    async def here(do: Callable[..., Any], *arguments: Any) -> Any:
        return do(*arguments)

    monkeypatch.setattr(asyncio, "to_thread", here)
    with asyncio.Runner(loop_factory=DrivenLoop) as runner:
        return runner.run(work)
