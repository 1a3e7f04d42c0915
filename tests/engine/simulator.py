"""The seeded simulator: hosts and tables under loss, doubling, reordering, partitions, wipes, kills, promotions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from controller.core.hands import Category
from controller.core.prizes import Winner
from controller.core.refusal import Refused
from controller.engine import member
from controller.engine.host_events import CarouselFounded, MemberAccepted
from controller.engine.host_state import Phase
from controller.engine.ledger_records import Profile, Record, Signed
from controller.engine.ledger_state import Standing
from controller.engine.member_state import OnLinkLoss
from controller.engine.messages import Collect, Message, Meter, TableMessage
from tests.engine.carousel_house import CENTAVO, PRIZES
from tests.engine.sim_nodes import HostNode, Killed, Node, Screen, TableNode, Violation, slot_of, table_settings
from tests.invariants.oracle import Wrong

T = TypeVar("T")
BOUND = 40 * CENTAVO
START = 1000
HELD_FROM = 2_000
"""Centavos that a table begins with."""
TWO = Signed("simulated", "ana", "bea")


class Dice:
    """Numbers from a seed, the same on every machine and Python."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._count = 0
        self._pool = b""

    def below(self, limit: int) -> int:
        if len(self._pool) < 4:
            self._pool = hashlib.sha256(self._seed + self._count.to_bytes(8, "big")).digest()
            self._count += 1
        value, self._pool = int.from_bytes(self._pool[:4], "big"), self._pool[4:]
        return value * limit >> 32

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def one_of(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]


@dataclass
class Faults:
    """How a seed's world misbehaves, in per cent; `kill_after`: a process dies after this effect of every n-th step."""

    loss: int
    doubling: int
    partition: int
    kill: int
    promote: int
    kill_after: int

    @classmethod
    def of(cls, dice: Dice) -> Faults:
        return cls(
            loss=dice.one_of((0, 5, 30)),
            doubling=dice.one_of((0, 5, 30)),
            partition=dice.one_of((0, 3, 8)),
            kill=dice.one_of((0, 3, 10)),
            promote=dice.one_of((0, 0, 2, 4)),
            kill_after=dice.one_of((0, 0, 1, 1, 2)),
        )


@dataclass
class Flight:
    """A message on its way."""

    source: str
    target: str
    message: Message


@dataclass
class World:
    """Everything: nodes, network, broker, screen, people. `behaviour` replaces parts of how nodes act, for mutants."""

    seed: int
    faults: Faults | None = None
    ends: bool | None = None
    """Whether its jackpot comes to an end; None: as the seed has it."""
    behaviour: dict[str, Callable[..., Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dice = Dice(f"carousel {self.seed}")
        ending = Dice(f"end {self.seed}")
        self.end_dice = ending if self.ends or (self.ends is None and ending.chance(20)) else None
        self.faults = self.faults or Faults.of(self.dice)
        capping = Dice(f"ceilings {self.seed}")
        self.ceiling_dice = capping if capping.chance(50) else None
        self.flights: list[Flight] = []
        self.retained: dict[tuple[str, ...], tuple[str, Message]] = {}
        self.blocked: set[tuple[str, str]] = set()
        self.tables: dict[str, TableNode] = {}
        self.hosts: list[HostNode] = []
        self.screen = Screen()
        self.trace: list[str] = []
        self.step_count = 0
        self.effects_left: int | None = None
        self.old_tables: list[TableNode] = []
        self.excluded: set[str] = set()
        self.settled: dict[str, int] = {}
        self.chosen: HostNode | None = None
        self.names = 0
        self.amounts: dict[tuple[Any, int, str], int] = {}
        for kind in (HostNode, TableNode):
            kind.clock = staticmethod(self.wall_ms)

    def wall_ms(self) -> int:
        """A wall clock that jumps by years: nothing may depend on it."""
        return (self.step_count * 7919 % 21 - 10) * 31_557_600_000

    # effects and messages

    def effect(self, node: Node) -> None:
        """Called before each effect: here a process may die."""
        if self.effects_left is None:
            return
        if self.effects_left == 0:
            self.effects_left = None
            raise Killed(node.name)
        self.effects_left -= 1

    def send(self, node: Node, message: Message) -> None:
        if isinstance(message, Meter):
            targets = ["screen"]
        elif isinstance(message, Collect):
            targets = [message.table]
        elif isinstance(message, TableMessage):
            targets = [host.name for host in self.hosts]
        else:
            targets = list(self.tables)
        self.retained[slot_of(message)] = (node.name, message)
        self.flights += [Flight(node.name, target, message) for target in targets]
        if len(self.flights) > 300:
            self.flights = self.flights[-200:]

    def deliver(self, flight: Flight) -> None:
        if (flight.source, flight.target) in self.blocked:
            return
        if flight.target == "screen":
            assert isinstance(flight.message, Meter)
            self.screen.receive(flight.message)
            return
        node = self.node(flight.target)
        if node is not None and node.alive:
            receive: Callable[..., Any] = self.behaviour.get("receive", _receive)
            self.run(node, lambda: receive(self, node, flight.message))

    def node(self, name: str) -> Any:
        if name in self.tables:
            return self.tables[name]
        return next((host for host in self.hosts if host.name == name), None)

    def run(self, node: Node, act: Callable[[], Any]) -> Any:
        """Let a process act; when it is killed it starts again from its journal, at once or later."""
        try:
            return act()
        except Killed:
            self.log(f"{node.name} killed")
            node.die()
            return None
        except Wrong as wrong:
            raise Violation(str(wrong)) from wrong

    def log(self, text: str) -> None:
        self.trace.append(f"{self.step_count} {text}")

    # what the checker sees of a host's commits

    def follow(self, host: HostNode, record: Record) -> None:
        amount = host.book.oracle.amount
        self.amounts[host.state.epoch, record.seq, record.hash] = amount
        if host.state.ledger.amount_micros != amount:
            raise Violation(f"{host.name} shows {host.state.ledger.amount_micros}, the checker {amount}")
        for table in host.state.ledger.tables:
            pools, own = host.state.ledger.tables[table].pools, host.book.oracle.balances(table)
            if pools != own:
                raise Violation(f"{host.name} holds {pools} of {table}, the checker {own}")

    # people

    def new_host(self, key: str) -> HostNode:
        host = HostNode(key, self.effect, self.send, self.follow, self.held_from)
        self.hosts.append(host)
        self.chosen = host
        host.alive = True
        return host

    def new_table(self, name: str) -> TableNode:
        self.names += 1
        policy = OnLinkLoss.CONTINUE if self.dice.chance(80) else OnLinkLoss.STOP_BETS
        chosen = self.behaviour.get("incarnation")
        incarnation = f"{name}-i{self.names}" if chosen is None else chosen(self, name)
        settings = table_settings(name, incarnation, policy)
        table = TableNode(name, settings, self.effect, self.send, self.held_from)
        self.tables[name] = table
        return table

    def serving(self) -> HostNode | None:
        """The host that people have put in charge, when it runs and serves."""
        chosen = self.chosen
        return chosen if chosen is not None and chosen.alive and chosen.state.phase is Phase.SERVING else None

    @property
    def held_from(self) -> int | None:
        """From how many minor units on a prize of the meter waits for a release; every other life has no such bound."""
        return HELD_FROM if self.seed % 2 else None

    def ceiling(self) -> int | None:
        """What a table's part of the meter may reach by contributions; a few hands are enough for it."""
        dice = self.ceiling_dice
        return None if dice is None or dice.chance(20) else (880 + dice.below(140)) * CENTAVO

    def enrol(self, host: HostNode, table: TableNode) -> Refused | None:
        settings, key = table.settings, f"key {table.name}"
        start, ceiling = START * CENTAVO, self.ceiling()
        if ceiling is not None:
            ceiling = max(ceiling, start)  # nobody signs a lower one; people may lower it later
        profile = Profile(settings.table, settings.incarnation, key, "ARS", start, PRIZES, BOUND, ceiling)
        answer: Refused | None = self.run(host, lambda: host.people(MemberAccepted(profile, "enrol")))
        return answer

    def prepare(self, tables: int) -> None:
        """A carousel at rest: one host, its tables joined."""
        host = self.new_host("A")
        host.people(CarouselFounded("new"))
        for number in range(1, tables + 1):
            table = self.new_table(f"t{number}")
            table.start(f"n{number}")
            table.do(member.enrolled(table.state, host.state.epoch))
            self.enrol(host, table)
            self.rest()
        if any(table.state.standing is not Standing.ACTIVE for table in self.tables.values()):
            raise Violation("the carousel does not form")

    def rest(self, rounds: int = 60) -> None:
        """Deliver everything, repeat what is unanswered, until nobody commits any more."""
        for _ in range(rounds):
            size = sum(len(node.journal) for node in self.nodes())
            for node in self.nodes():
                if node.alive:
                    self.run(node, node.repeat)
            while self.flights:
                flights, self.flights = self.flights, []
                for flight in flights:
                    self.deliver(flight)
            if size == sum(len(node.journal) for node in self.nodes()):
                return
        raise Violation("the carousel does not come to rest")

    def nodes(self) -> list[Any]:
        return [*self.tables.values(), *self.hosts]

    def winners(self) -> tuple[Winner, ...]:
        found = []
        for seat in range(1, 2 + self.dice.below(3)):
            kind = self.dice.below(10)
            if kind < 2:
                found.append(Winner(seat, Category.ROYAL_FLUSH, 7462, 1 + self.dice.below(5)))
            elif kind < 7:
                found.append(Winner(seat, Category.STRAIGHT_FLUSH, 7453 + self.dice.below(3), 1 + self.dice.below(5)))
            else:
                found.append(Winner(seat, Category.FOUR_OF_A_KIND, 7300, 1 + self.dice.below(5)))
        return tuple(found)


def _receive(world: World, node: Any, message: Message) -> None:
    node.receive(message)
