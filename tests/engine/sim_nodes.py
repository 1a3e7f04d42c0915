"""Nodes of the simulator: a table and a host as processes with a journal, killed between any two effects."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.core.events import Envelope
from controller.core.ledger import Entry, check_balanced
from controller.core.refusal import Refused
from controller.engine import host_fold, host_outbox, member
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host_events import HostStarted
from controller.engine.host_state import Phase
from controller.engine.ledger_records import Record
from controller.engine.ledger_state import Standing
from controller.engine.member_state import MemberSettings
from controller.engine.messages import (
    Claimed,
    Collect,
    Counter,
    HostStatus,
    Ledger,
    LinkReceived,
    Message,
    Meter,
    Received,
    Report,
    Roster,
    Status,
)
from tests.engine.carousel_house import CENTAVO, PRIZES
from tests.invariants.broken import Violation
from tests.invariants.ledger_book import LedgerBook
from tests.invariants.table_book import TableBook


class Killed(Exception):
    """The process ends here, between two effects."""


@dataclass
class Hand:
    """One real hand at a real table, as the people there saw it."""

    number: int
    main: int
    reserve: int
    winners: tuple[Any, ...] = ()
    revision: int = 0
    void: bool = False
    late: bool = False
    """Its first winners came of a corrected card, when it had long been over."""


class Node(ABC):
    """A process: journal, state, whether it runs. `effect` is asked before each effect and may raise Killed."""

    name: str
    state: Any
    clock: Callable[[], int] = staticmethod(lambda: 0)

    def __init__(self, effect: Callable[[Node], None], send: Callable[[Node, Message], None]) -> None:
        self.journal: list[Entry] = []
        self.ids: set[str] = set()
        self.alive = False
        self.sent: dict[tuple[str, ...], Message] = {}
        self._effect = effect
        self._send = send

    def store(self, entries: Sequence[Entry]) -> None:
        """One commit: all entries or none."""
        for entry in entries:
            if entry.id in self.ids:
                raise Violation(f"{self.name}: two entries {entry.id}")
            self.ids.add(entry.id)
        self.journal += entries
        for entry in entries:
            self.state = self.apply(self.state, check_balanced(entry))
            self.committed(entry)

    def work(self, entries: Sequence[Entry]) -> None:
        """Commit, then say what changed; each is an effect after which the process may be gone."""
        if not entries:
            return
        self._effect(self)
        self.store(entries)
        self.say(self.outbox())

    def say(self, messages: Sequence[Message], again: bool = False) -> None:
        for message in messages:
            slot = slot_of(message)
            if again or self.sent.get(slot) != message:
                self._effect(self)
                self.sent[slot] = message
                self._send(self, message)

    def die(self) -> None:
        self.alive = False
        self.sent = {}

    @abstractmethod
    def apply(self, state: Any, entry: Entry) -> Any:
        """The state after an entry."""

    @abstractmethod
    def committed(self, entry: Entry) -> None:
        """What else a stored entry means to this node."""

    @abstractmethod
    def outbox(self) -> tuple[Message, ...]:
        """What it wants said now."""

    @abstractmethod
    def start(self, nonce: str) -> None:
        """Come up again from its journal."""


def slot_of(message: Message) -> tuple[str, ...]:
    """Messages of one slot replace each other."""
    match message:
        case Claimed(claim=claim):
            return ("claim", claim.id)
        case Collect(table=table) | Counter(table=table) | Status(table=table) | Received(table=table):
            return (type(message).__name__, table)
        case Report(table=table):
            return ("report", table)
        case HostStatus() | Roster() | Meter():
            return (type(message).__name__, message.epoch.host)
        case _:
            return ("ledger", message.epoch.host, str(message.record.seq))


class TableNode(Node):
    """A table's process, one incarnation after another under one name."""

    def __init__(
        self, name: str, settings: MemberSettings, effect: Any, send: Any, held_from: int | None = None
    ) -> None:
        super().__init__(effect, send)
        self.name = name
        self.settings = settings
        self.state = member.first(settings)
        self.hands: list[Hand] = []
        self.open_hand: Hand | None = None
        self.book = TableBook(name, settings.incarnation, large_from=held_from)
        self.off_for_good = False
        self.fours: list[tuple[int, int]] = []
        """What four of a kind pays from a hand on, as the people at the table have changed it."""

    def apply(self, state: Any, entry: Entry) -> Any:
        return member.apply(state, entry)

    def committed(self, entry: Entry) -> None:
        self.book.follow(entry)
        if entry.kind == "link.stopped" and self.state.standing is Standing.ACTIVE:
            raise Violation(f"table {self.name} stopped: {entry.body}")

    def outbox(self) -> tuple[Message, ...]:
        said = member.outbox(self.state, self, playing=self.open_hand is not None)
        return tuple(message for message in said if not isinstance(message, Status))

    def records(self, first: int, count: int) -> Sequence[Record]:
        return self.book.mirror[first - 1 : first - 1 + count]

    def start(self, nonce: str) -> None:
        self.alive = True
        state = member.first(self.settings)
        for entry in self.journal:
            state = member.apply(state, entry)
        if state != self.state:
            raise Violation(f"table {self.name}: the journal does not fold to the state it had")
        self.state = state
        self.work((member.started(self.state, nonce),))

    def do(self, answer: Sequence[Entry] | Entry | Refused) -> Refused | None:
        if isinstance(answer, Refused):
            return answer
        self.work((answer,) if isinstance(answer, Entry) else answer)
        return None

    def receive(self, message: Message) -> None:
        answer = member.receive(self.state, message, self.clock())
        if not isinstance(answer, Refused):
            self.work(answer)

    def repeat(self) -> None:
        kinds = (Claimed, Counter, Received, Report)
        self.say([message for message in self.outbox() if isinstance(message, kinds)], again=True)


class HostNode(Node):
    """A host's process under one key; its book follows what it commits, and `follow` is told of each record."""

    def __init__(
        self,
        key: str,
        effect: Any,
        send: Any,
        follow: Callable[[HostNode, Record], None],
        held_from: int | None = None,
    ) -> None:
        super().__init__(effect, send)
        self.name = f"host {key}"
        self.machine = HostMachine(HostSettings("c1", "ARS", CENTAVO, key, held_from_minor=held_from))
        self.state = self.machine.first()
        self.book = LedgerBook(self.name)
        self.heard: dict[str, int] = {}
        self.count = 0
        self._follow = follow

    def apply(self, state: Any, entry: Entry) -> Any:
        return host_fold.apply(state, entry)

    def committed(self, entry: Entry) -> None:
        record = self.book.follow(entry)
        if record is not None:
            self._follow(self, record)

    def records(self, first: int, count: int) -> Sequence[Record]:
        return self.book.records[first - 1 : first - 1 + count]

    def outbox(self) -> tuple[Message, ...]:
        return (*self.lasting(), host_outbox.meter(self.state)) if self.state.phase is Phase.SERVING else self.lasting()

    def lasting(self) -> tuple[Message, ...]:
        """What is repeated: HOST and the records some table lacks, or COLLECT."""
        if self.state.phase is not Phase.SERVING:
            return host_outbox.collects(self.state, self.heard) if self.state.promoting else ()
        behind = min(self.heard.values(), default=self.state.ledger.seq)
        records = host_outbox.lacking(self.state, behind, self)
        return (host_outbox.status(self.state), *(Ledger(self.state.epoch, record) for record in records))

    def start(self, nonce: str, restored: bool = False) -> None:
        self.alive = True
        self.heard = {}
        state = self.machine.first()
        for entry in self.journal:
            state = host_fold.apply(state, entry)
        if state != self.state:
            raise Violation(f"{self.name}: the journal does not fold to the state it had")
        self.state = state
        self.people(HostStarted(nonce, restored))

    def people(self, event: object, actor: str = "ana", second: str | None = "bea") -> Refused | None:
        self.count += 1
        envelope = Envelope(f"{self.name}:{len(self.journal)}:{self.count}", event, actor, second)
        answer = self.machine.decide(self.state, envelope, self.clock())
        if isinstance(answer, Refused):
            return answer
        self.work(answer)
        return None

    def receive(self, message: Message) -> None:
        if isinstance(message, Received | Report):
            self.heard[message.table] = message.seq
        self.count += 1
        answer = self.machine.decide(self.state, Envelope(f"m{self.count}", LinkReceived(message)), self.clock())
        if not isinstance(answer, Refused):
            self.work(answer)

    def repeat(self) -> None:
        self.say(self.lasting(), again=True)


@dataclass
class Screen:
    """A screen on the pit's wall: it shows the newest METER it may, and remembers all it ever showed."""

    shown: Meter | None = None
    history: list[Meter] = field(default_factory=list)

    def receive(self, meter: Meter) -> None:
        if meter.is_newer(self.shown):
            self.shown = meter
            self.history.append(meter)


def table_settings(name: str, incarnation: str, on_link_loss: Any) -> MemberSettings:
    return MemberSettings(name, "c1", incarnation, "ARS", CENTAVO, PRIZES, on_link_loss=on_link_loss)
