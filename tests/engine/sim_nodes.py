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
from controller.engine.ledger_records import Record, record_from_plain
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


class Killed(Exception):
    """The process ends here, between two effects."""


class Violation(AssertionError):
    """A promise is broken."""


@dataclass
class Hand:
    """One real hand at a real table, as the people there saw it."""

    number: int
    main: int
    reserve: int
    winners: tuple[Any, ...] = ()
    revision: int = 0
    void: bool = False


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

    def __init__(self, name: str, settings: MemberSettings, effect: Any, send: Any) -> None:
        super().__init__(effect, send)
        self.name = name
        self.settings = settings
        self.state = member.first(settings)
        self.hands: list[Hand] = []
        self.open_hand: Hand | None = None
        self.mirror: list[Record] = []
        self.paid: dict[str, int] = {}
        self.paid_under: dict[str, Any] = {}
        self.advanced: dict[str, int] = {}
        self.off_for_good = False

    def apply(self, state: Any, entry: Entry) -> Any:
        return member.apply(state, entry)

    def committed(self, entry: Entry) -> None:
        if entry.kind == "link.record":
            self.mirror.append(record_from_plain(entry.body["record"]))
        if entry.kind == "link.paid":
            row = entry.body["row"]
            if not row.startswith(f"{self.name}/{self.settings.incarnation}/"):
                raise Violation(f"{self.name}/{self.settings.incarnation} pays {row} of another incarnation")
            self.paid[row] = self.paid.get(row, 0) + entry.body["amount_minor"]
            self.paid_under[row] = self.state.epoch
        if entry.kind == "link.advanced":
            row = f"{self.name}/{self.settings.incarnation}/{entry.body['hand']}/{entry.body['seat']}"
            self.paid[row] = self.paid.get(row, 0) + entry.body["amount_minor"]
            self.advanced[row] = self.advanced.get(row, 0) + entry.body["amount_minor"]
        if entry.kind == "link.stopped" and self.state.standing is Standing.ACTIVE:
            raise Violation(f"table {self.name} stopped: {entry.body}")

    def outbox(self) -> tuple[Message, ...]:
        return tuple(message for message in member.outbox(self.state, self) if not isinstance(message, Status))

    def records(self, first: int, count: int) -> Sequence[Record]:
        return self.mirror[first - 1 : first - 1 + count]

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
    """A host's process under one key; `oracle` follows what it commits."""

    def __init__(self, key: str, effect: Any, send: Any, follow: Callable[[HostNode, Entry], None]) -> None:
        super().__init__(effect, send)
        self.name = f"host {key}"
        self.machine = HostMachine(HostSettings("c1", "ARS", CENTAVO, key))
        self.state = self.machine.first()
        self.ledger: list[Record] = []
        self.heard: dict[str, int] = {}
        self.count = 0
        self._follow = follow

    def apply(self, state: Any, entry: Entry) -> Any:
        return host_fold.apply(state, entry)

    def committed(self, entry: Entry) -> None:
        if entry.kind.startswith("ledger."):
            self.ledger.append(record_from_plain(entry.body["record"]))
        if entry.kind == "host.adopting" and entry.body["blank"]:
            self.ledger.clear()
        self._follow(self, entry)

    def records(self, first: int, count: int) -> Sequence[Record]:
        return self.ledger[first - 1 : first - 1 + count]

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
