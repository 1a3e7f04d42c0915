"""A carousel in one process for tests: tables and hosts as machines with lists for journals, and messages by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.core.events import Envelope
from controller.core.hands import Category
from controller.core.ledger import Entry, check_balanced, move
from controller.core.prizes import Prize, PrizeList, Winner
from controller.core.refusal import Refused
from controller.engine import host_events, host_fold, member
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host import outbox as host_outbox
from controller.engine.host_state import HostState
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import Profile, Record, Signed
from controller.engine.machine import handle, replay
from controller.engine.member_state import MemberSettings, MemberState, OnLinkLoss
from controller.engine.messages import LinkReceived, Message

CENTAVO = 10_000
PRIZES = PrizeList(
    (
        Prize(Category.ROYAL_FLUSH, percent=100),
        Prize(Category.STRAIGHT_FLUSH, percent=10),
        Prize(Category.FOUR_OF_A_KIND, fixed_minor=50_000),
    )
)
TWO = Signed("test", "ana", "bea")


def royal(seat: int, credits: int = 1) -> Winner:
    return Winner(seat, Category.ROYAL_FLUSH, 7462, credits)


def straight_flush(seat: int, credits: int = 1, strength: int = 7461) -> Winner:
    return Winner(seat, Category.STRAIGHT_FLUSH, strength, credits)


def four(seat: int, credits: int = 1) -> Winner:
    return Winner(seat, Category.FOUR_OF_A_KIND, 7300, credits)


def overridden(state: MemberState, row_id: str, minor: int) -> tuple[Entry, ...] | Refused:
    """The entries of a verified row that two people had paid by another amount, as a table's machine writes them."""
    own = member.pay(state, row_id, actor="ana", second="bea")
    if isinstance(own, Refused):
        return own
    computed, name = state.rows[row_id].payable_minor, f"{row_id}:{state.mark.seq}"
    why = {"prize": row_id, "amount_minor": minor, "computed_minor": computed, "second": "bea"}
    asked = Entry(f"{name}:override", "prize.overridden", {**why, "reason": "other", "note": "agreed"}, (), "ana")
    moved = move("house.overrides", "prizes.paid", (minor - computed) * CENTAVO)
    return (asked, Entry(f"{name}:paid", "prize.paid", {**why, "override": "other"}, moved, "ana"), *own)


class Journal(list[Entry]):
    """Entries in order, each balanced and under an id of its own, as the real journal demands."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        super().__init__(entries)
        self._ids = {entry.id for entry in self}

    def append(self, entry: Entry) -> None:
        assert entry.id not in self._ids, f"two entries {entry.id}"
        super().append(check_balanced(entry))
        self._ids.add(entry.id)


@dataclass
class Table:
    """A table's member and its journal."""

    state: MemberState
    journal: Journal = field(default_factory=Journal)
    hand: int = 0
    playing: bool = False
    refusals: list[Refused] = field(default_factory=list)

    @classmethod
    def new(
        cls, name: str, incarnation: str = "", on_link_loss: OnLinkLoss = OnLinkLoss.CONTINUE, **more: Any
    ) -> Table:
        settings = MemberSettings(
            name, "c1", incarnation or f"{name}-i1", "ARS", CENTAVO, PRIZES, on_link_loss=on_link_loss, **more
        )
        return cls(member.first(settings))

    @property
    def name(self) -> str:
        return self.state.settings.table

    def store(self, answer: Sequence[Entry] | Entry | Refused | None) -> Refused | None:
        if isinstance(answer, Refused):
            self.refusals.append(answer)
            return answer
        for entry in (answer,) if isinstance(answer, Entry) else answer or ():
            self.journal.append(entry)
            self.state = member.apply(self.state, entry)
        return None

    def start(self, nonce: str = "n") -> None:
        self.state = member.first(self.state.settings)
        for entry in self.journal:
            self.state = member.apply(self.state, entry)
        self.store(member.started(self.state, nonce))

    def bet(self, minor: int, reserve_minor: int = 0) -> int:
        """One hand is locked with a contribution; its number."""
        now = self.state.counters
        self.store(
            member.counted(
                self.state,
                main_micros=now.main_micros + minor * CENTAVO,
                reserve_micros=now.reserve_micros + reserve_minor * CENTAVO,
                reversed_main_micros=now.reversed_main_micros,
                reversed_reserve_micros=now.reversed_reserve_micros,
            )
        )
        self.hand += 1
        return self.hand

    def reverse(self, minor: int) -> None:
        now = self.state.counters
        self.store(
            member.counted(
                self.state,
                main_micros=now.main_micros,
                reserve_micros=now.reserve_micros,
                reversed_main_micros=now.reversed_main_micros + minor * CENTAVO,
                reversed_reserve_micros=now.reversed_reserve_micros,
                hands=now.hands,
            )
        )

    def win(self, *winners: Winner, hand: int | None = None, revision: int = 1) -> Refused | None:
        signed = TWO if revision > 1 else None
        return self.store(
            member.claim(
                self.state, hand=self.hand if hand is None else hand, revision=revision, winners=winners, signed=signed
            )
        )

    def receive(self, message: Message) -> Refused | None:
        return self.store(member.receive(self.state, message))

    def pay_all(self) -> int:
        """Verify and pay every row that can be; minor units paid."""
        paid = 0
        for row_id in self.state.rows:
            self.store(member.verify_row(self.state, row_id, actor="ana"))
            before = self.state.rows[row_id].paid_minor
            self.store(member.pay(self.state, row_id, actor="ana", second="bea"))
            paid += self.state.rows[row_id].paid_minor - before
        return paid

    def pay_otherwise(self, row_id: str, minor: int) -> None:
        """Verify a row and pay it by another amount than the computed one, as the table's machine writes it."""
        self.store(member.verify_row(self.state, row_id, actor="ana"))
        self.store(overridden(self.state, row_id, minor))

    def records(self, first: int, count: int) -> list[Record]:
        found = [record_from_plain(entry.body["record"]) for entry in self.journal if entry.kind == "link.record"]
        return [record for record in found if record.seq >= first][:count]

    def outbox(self) -> tuple[Message, ...]:
        return member.outbox(self.state, self, playing=self.playing)


@dataclass
class Host:
    """A host and its journal."""

    machine: HostMachine
    state: HostState
    journal: Journal = field(default_factory=Journal)
    heard: dict[str, int] = field(default_factory=dict)
    refusals: list[Refused] = field(default_factory=list)
    count: int = 0

    @classmethod
    def new(cls, key: str = "A") -> Host:
        machine = HostMachine(HostSettings("c1", "ARS", CENTAVO, key))
        return cls(machine, machine.first())

    def decide(self, event: object, actor: str = "ana", second: str | None = "bea") -> Refused | None:
        self.count += 1
        envelope = Envelope(f"{self.machine.settings.key}-{len(self.journal)}-{self.count}", event, actor, second)
        before = self.state
        self.state, entries, refused = handle(self.machine, before, envelope, 0)
        if refused is not None:
            self.refusals.append(refused)
        self.journal += entries
        assert replay(self.machine, entries, before) == self.state, "a start folds it otherwise"
        return refused

    def start(self, nonce: str = "n", restored: bool = False) -> None:
        self.state = self.machine.first()
        for entry in self.journal:
            self.state = host_fold.apply(self.state, entry)
        self.heard = {}
        self.decide(host_events.HostStarted(nonce, restored))

    def receive(self, message: Message) -> Refused | None:
        seq = getattr(message, "seq", None)
        if isinstance(seq, int):
            self.heard[message.table] = seq  # type: ignore[union-attr]  # messages with a seq have a table
        return self.decide(LinkReceived(message))

    def join(self, table: Table, start_minor: int = 500_000, **facts: int) -> Refused | None:
        settings = table.state.settings
        profile = Profile(
            settings.table,
            settings.incarnation,
            f"key-{settings.table}",
            settings.currency,
            start_minor * CENTAVO,
            settings.prizes,
            **facts,
        )
        return self.decide(host_events.MemberAccepted(profile, "enrol"))

    def records(self, first: int, count: int) -> list[Record]:
        found = [record_from_plain(entry.body["record"]) for entry in self.journal if "record" in entry.body]
        by_seq = {record.seq: record for record in found if record.seq <= self.state.ledger.seq}
        return [by_seq[seq] for seq in range(first, min(first + count, self.state.ledger.seq + 1))]

    def outbox(self) -> tuple[Message, ...]:
        return host_outbox(self.state, self.heard, self)


def talk(host: Host, *tables: Table) -> None:
    """Everything these have to say to each other, until nobody commits any more."""
    for _ in range(60):
        size = len(host.journal) + sum(len(table.journal) for table in tables)
        for table in tables:
            for message in table.outbox():
                host.receive(message)
        for message in host.outbox():
            for table in tables:
                if getattr(message, "table", table.name) == table.name:
                    table.receive(message)
        if size == len(host.journal) + sum(len(table.journal) for table in tables):
            return
    raise AssertionError("the house never comes to rest")


@dataclass
class House:
    """One host and its tables; `settle` delivers everything until nothing changes."""

    host: Host
    tables: list[Table]

    @classmethod
    def of(cls, *names: str, start_minor: int = 500_000, key: str = "A") -> House:
        house = cls(Host.new(key), [])
        house.host.decide(host_events.CarouselFounded("new"))
        for name in names:
            house.add(Table.new(name), start_minor)
        return house

    def add(self, table: Table, start_minor: int = 500_000, **facts: int) -> Table:
        table.start()
        self.tables.append(table)
        assert self.host.join(table, start_minor, **facts) is None
        self.settle()
        return table

    def settle(self) -> None:
        talk(self.host, *self.tables)

    @property
    def size(self) -> int:
        return len(self.host.journal) + sum(len(table.journal) for table in self.tables)

    @property
    def amount_minor(self) -> int:
        return self.host.state.ledger.amount_micros // CENTAVO
