"""Broken carousels: effects before what they tell of is durable, and screens that go back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.core.refusal import Refused
from controller.engine.messages import Meter
from tests.engine.mutants.mutant import Mutant
from tests.engine.sim_nodes import HostNode, TableNode
from tests.engine.simulator import World


def say_before_commit(self: Any, entries: Any) -> None:
    """Acknowledge first, commit afterwards."""
    if not entries:
        return
    before = self.state
    for entry in entries:
        self.state = self.apply(self.state, entry)
    messages = [each for each in self.outbox() if not isinstance(each, Meter)]
    self.state = before
    self.say(messages)
    self._effect(self)
    self.store(entries)


def claim_before_journal(world: World, table: TableNode, answer: Any, done: Callable[[], None]) -> None:
    """The claim is on its way before it is journaled."""
    if isinstance(answer, Refused):
        return
    size = len(table.journal)

    def act() -> None:
        before = table.state
        ahead = table.apply(table.state, answer)
        table.state = ahead
        messages = [each for each in table.outbox() if type(each).__name__ == "Claimed"]
        table.state = before
        table.say(messages, again=True)
        table._effect(table)
        table.store((answer,))

    world.run(table, act)
    if len(table.journal) > size:
        done()


def meter_before_commit(self: Any, entries: Any) -> None:
    """The screens are told what is about to be committed."""
    if not entries:
        return
    before = self.state
    for entry in entries:
        self.state = self.apply(self.state, entry)
    meters = [each for each in self.outbox() if isinstance(each, Meter)]
    self.state = before
    self.say(meters)
    self._effect(self)
    self.store(entries)
    self.say(self.outbox())


MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "acknowledge before commit", ((TableNode, "work", say_before_commit), (HostNode, "work", say_before_commit))
    ),
    Mutant("claim before journal", behaviour={"claim": claim_before_journal}),
    Mutant("METER from uncommitted counters", ((HostNode, "work", meter_before_commit),)),
    Mutant("screens take a lower as-of", ((Meter, "is_newer", lambda self, shown: True),)),
)
