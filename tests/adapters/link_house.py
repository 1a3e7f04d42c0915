"""A carousel of real runners, journals and links for tests: members in machines of their own, and a host."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal import checkpoint_moments
from controller.adapters.journal.journal import Journal
from controller.adapters.link.archive import JournalArchive
from controller.adapters.link.cosigning import HostCosigning, TableCosigning, host_journal, table_journal
from controller.adapters.link.host_end import HostEnd
from controller.adapters.link.mqtt import Broker, MqttLink
from controller.adapters.link.ports import Link
from controller.adapters.link.table_end import TableEnd
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import Rejected, Wire, key_name
from controller.adapters.link.witness import Witness
from controller.adapters.runner import Answer, Runner
from controller.core.events import Envelope, HistoryContradicted, LinkSilent, LinkStateChanged
from controller.core.ledger import Entry
from controller.core.prizes import Winner
from controller.core.refusal import Refused
from controller.engine import member
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host_events import CarouselFounded, HostStarted, MemberAccepted
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_records import Profile
from controller.engine.member_state import MemberSettings, MemberState
from controller.engine.messages import HostStatus, LinkReceived, Meter
from tests.engine.carousel_house import CENTAVO, PRIZES
from tests.steady_loop import running_s

S = TypeVar("S")
DEADLINE_S = 60.0
_ids = itertools.count()


def new_id() -> str:
    return f"test-{next(_ids)}-{secrets.token_hex(4)}"


async def until(condition: Callable[[], bool], what: str, deadline_s: float = DEADLINE_S) -> None:
    """Wait for a condition that other tasks make true."""
    end_s = running_s() + deadline_s
    while not condition():
        assert running_s() < end_s, f"not within {deadline_s} s: {what}"
        await asyncio.sleep(0.01)


@dataclass(frozen=True)
class Started:
    nonce: str


@dataclass(frozen=True)
class Bet:
    minor: int


@dataclass(frozen=True)
class Won:
    hand: int
    winners: tuple[Winner, ...]


@dataclass(frozen=True)
class Verified:
    row: str


@dataclass(frozen=True)
class Paid:
    row: str


@dataclass(frozen=True)
class DrawPaid:
    """The table pays a draw's prize: a checkpoint is signed, and nothing of it is the link's."""


@dataclass(frozen=True)
class MemberMachine:
    """A member alone, as a machine; real tables hold it inside their own state."""

    settings: MemberSettings

    def first(self) -> MemberState:
        return member.first(self.settings)

    def decide(self, state: MemberState, envelope: Envelope, now_ms: int) -> tuple[Entry, ...] | Refused:
        event = envelope.event
        note = Entry(envelope.id, "test.event", {})
        match event:
            case LinkReceived(message=message):
                return member.receive(state, message)
            case LinkStateChanged(up=up):
                changed = member.link_changed(state, up, envelope.id)
                return () if changed is None else (changed,)
            case LinkSilent(minutes=minutes):
                silent = member.link_silent(state, minutes, envelope.id)
                return () if silent is None else (silent,)
            case HistoryContradicted(seq=seq, chain=chain):
                stopped = member.contradicted(state, seq, chain, envelope.id)
                return () if stopped is None else (stopped,)
            case DrawPaid():
                return (Entry(envelope.id, "draw.prize_paid", {}),)
            case Started(nonce=nonce):
                return (note, member.started(state, nonce))
            case Bet(minor=minor):
                was = state.counters
                counted = member.counted(
                    state,
                    main_micros=was.main_micros + minor * CENTAVO,
                    reserve_micros=0,
                    reversed_main_micros=0,
                    reversed_reserve_micros=0,
                )
                return (note, counted)
            case Won(hand=hand, winners=winners):
                claim = member.claim(state, hand=hand, winners=winners)
                return claim if isinstance(claim, Refused) else (note, claim)
            case Verified(row=row):
                seen = member.verify_row(state, row, actor="ana")
                return seen if isinstance(seen, Refused) else (note, *seen)
            case Paid(row=row):
                verified = member.verify_row(state, row, actor="ana")
                if isinstance(verified, Refused):
                    return verified
                after = member.apply(state, verified[0])
                paid = member.pay(after, row, actor="ana")
                return paid if isinstance(paid, Refused) else (note, *verified, *paid)
        raise AssertionError(f"unknown event {event}")

    def apply(self, state: MemberState, entry: Entry) -> MemberState:
        return member.apply(state, entry)


@dataclass
class Node(Generic[S]):
    """One running end: its runner, journal and key."""

    runner: Runner[S]
    journal: Journal
    key: Ed25519PrivateKey
    rejected: list[Rejected]
    alarms: list[object] = field(default_factory=list)
    meters: list[Meter] = field(default_factory=list)
    beats: list[HostStatus] = field(default_factory=list)

    @property
    def state(self) -> S:
        return self.runner.state

    async def do(self, event: object, actor: str = "ana", second: str | None = "bea") -> Answer:
        return await self.runner.submit(Envelope(new_id(), event, actor, second))


def wall_ms() -> int:
    return time.time_ns() // 1_000_000


@contextlib.asynccontextmanager
async def running(*awaitables: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Tasks that run while the body does; an error in one ends the test."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(awaitable) for awaitable in awaitables]
        try:
            yield
        finally:
            for task in reversed(tasks):  # what was built last stops first
                task.cancel()
                await asyncio.wait([task])


def mqtt_link(
    port: int,
    name: str,
    key: Ed25519PrivateKey,
    listens: tuple[str, ...],
    rejected: list[Rejected],
    may_speak: Callable[[str, str, str], bool] = lambda sender, incarnation, key: True,
) -> MqttLink:
    wire = Wire("pit", "c1", key, may_speak)
    broker = Broker("127.0.0.1", port, name, keepalive_s=60)
    return MqttLink(broker, Topics("pit", "c1"), wire, listens, on_rejected=rejected.append)


@contextlib.asynccontextmanager
async def host_node(
    path: Path, link_for: Callable[[Ed25519PrivateKey, list[Rejected]], Link], key: Ed25519PrivateKey | None = None
) -> AsyncIterator[Node[HostState]]:
    """A host on a journal; a new one founds the carousel."""
    key = key or Ed25519PrivateKey.generate()
    rejected: list[Rejected] = []
    with Journal.open(path, name=host_journal("c1"), key=key) as journal:
        machine = HostMachine(HostSettings("c1", "ARS", CENTAVO, key_name(key)))
        runner = Runner(machine, journal, wall_ms, checkpoint_after=checkpoint_moments.of_host)
        runner.start()
        fresh = runner.state.phase is Phase.BLANK
        node = Node(runner, journal, key, rejected)
        cosigning = HostCosigning(Witness(journal, key, path.parent), node.alarms.append)
        end = HostEnd(link_for(key, rejected), runner, JournalArchive(journal), cosigning=cosigning)
        async with running(runner.run(), end.run()):
            await node.do(CarouselFounded("new") if fresh else HostStarted(secrets.token_hex(8)))
            yield node


@contextlib.asynccontextmanager
async def table_node(
    path: Path,
    name: str,
    link_for: Callable[[Ed25519PrivateKey, list[Rejected]], Link],
    key: Ed25519PrivateKey | None = None,
    clock: Callable[[], float] = running_s,
) -> AsyncIterator[Node[MemberState]]:
    """A table on a journal. clock: monotonic seconds, by which it hears its host."""
    key = key or Ed25519PrivateKey.generate()
    rejected: list[Rejected] = []
    with Journal.open(path, name=table_journal(name), key=key) as journal:
        settings = MemberSettings(name, "c1", journal.incarnation, "ARS", CENTAVO, PRIZES)
        runner = Runner(MemberMachine(settings), journal, wall_ms, checkpoint_after=checkpoint_moments.of_table)
        runner.start()
        node = Node(runner, journal, key, rejected)
        end = TableEnd(
            link_for(key, rejected),
            runner,
            JournalArchive(journal),
            member_of=lambda state: state,
            playing=lambda state: False,
            presence=LinkStateChanged,
            silence=LinkSilent,
            clock=clock,
            new_id=new_id,
            on_meter=node.meters.append,
            on_host=node.beats.append,
            cosigning=TableCosigning(Witness(journal, key, path.parent), node.alarms.append),
        )
        async with running(runner.run(), end.run()):
            await node.do(Started(secrets.token_hex(8)))
            yield node


async def enrol(host: Node[HostState], table: Node[MemberState], start_minor: int = 500_000) -> None:
    settings = table.state.settings
    profile = Profile(
        settings.table, settings.incarnation, key_name(table.key), "ARS", start_minor * CENTAVO, settings.prizes
    )
    answer = await host.do(MemberAccepted(profile, "enrol"))
    assert answer.refused is None, answer
    await until(lambda: table.state.confirmed and table.state.link_up, f"{settings.table} is a member")
