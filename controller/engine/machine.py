"""The shape of every machine of the engine: decide entries, apply them, and nothing else."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from controller.core.events import Envelope
from controller.core.ledger import Entry, check_balanced
from controller.core.refusal import Refused

S = TypeVar("S")


class Machine(Protocol[S]):
    """A table or a carousel host. States are frozen; both functions are pure and know no clock.

    What the world must be told (lamps, scenes, messages) is a function of the state, asserted anew after every
    commit and every start; so nothing is sent "once" and nothing is lost by a kill.
    """

    def first(self) -> S:
        """The state before the first entry."""

    def decide(self, state: S, envelope: Envelope, now_ms: int) -> tuple[Entry, ...] | Refused:
        """The entries an event causes (the first carries the envelope's id), none when nothing changes, or why not."""

    def apply(self, state: S, entry: Entry) -> S:
        """The state after a stored entry; replay at start is nothing but this."""


class Folding(ABC, Generic[S]):
    """A machine that folds each entry as it decides it, since the next is decided on what it left: it says that state
    too, so that no entry is folded twice."""

    __slots__ = ()

    @abstractmethod
    def decide_folded(self, state: S, envelope: Envelope, now_ms: int) -> tuple[S, tuple[Entry, ...], Refused | None]:
        """What `decide` answers, and the state that `apply` makes of its entries."""


def handle(
    machine: Machine[S], state: S, envelope: Envelope, now_ms: int
) -> tuple[S, tuple[Entry, ...], Refused | None]:
    """Decide one event and fold its entries; raises LedgerBroken, before anything is stored, on one out of balance."""
    if isinstance(machine, Folding):
        after, entries, refused = machine.decide_folded(state, envelope, now_ms)
        for entry in entries:
            check_balanced(entry)
        return after, entries, refused
    answer = machine.decide(state, envelope, now_ms)
    if isinstance(answer, Refused):
        return state, (), answer
    for entry in answer:
        state = machine.apply(state, check_balanced(entry))
    return state, answer, None


def replay(machine: Machine[S], entries: Iterable[Entry], state: S | None = None) -> S:
    """The state again from stored entries, from the beginning or from a snapshot's state."""
    state = machine.first() if state is None else state
    for entry in entries:
        state = machine.apply(state, entry)
    return state
