"""A carousel host: the ledger it writes, and what it knows of tables beyond the ledger (marks, payments, alarms)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from controller.engine.alarms import Alarm
from controller.engine.epoch import NO_EPOCH, Epoch
from controller.engine.frozen_map import FrozenMap
from controller.engine.ledger_records import ClaimName, Counters, Mark, Record
from controller.engine.ledger_state import LedgerState

KEPT_RECORDS = 100
"""Newest records that the state itself holds, as many as the broker retains; older ones are in the journal."""


class Phase(Enum):
    """BLANK: no ledger yet. SERVING: writes. COLLECTING: asks the tables. ADOPTING: copies the winning ledger.
    FENCED: another host has a higher epoch, or a table has a longer ledger; writes nothing until promoted."""

    BLANK = "blank"
    SERVING = "serving"
    COLLECTING = "collecting"
    ADOPTING = "adopting"
    FENCED = "fenced"


@dataclass(frozen=True, slots=True)
class HostSettings:
    """key: this host's public key in hex, part of its epoch. incarnation: its journal's; a restored one has another.

    held_from_minor: a meter prize of at least so many minor units waits for the pit boss, None = none for its size.
    program: the version that runs here.
    """

    carousel: str
    currency: str
    minor_micros: int
    key: str
    incarnation: str = ""
    held_from_minor: int | None = None
    program: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """The farthest a table's own chain was seen, of one incarnation; forked: two journals claim to be it."""

    incarnation: str
    mark: Mark
    forked: bool = False


@dataclass(frozen=True, slots=True)
class Quarantined:
    """An unreasonable counter step that waits for two people (rule 9)."""

    incarnation: str
    counters: Counters
    mark: Mark


@dataclass(frozen=True, slots=True)
class WaitingClaim:
    """A claim that has no answer while its table's counters are quarantined: who won what, by seat."""

    name: ClaimName
    revision: int
    winners: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Reported:
    """A table's answer to COLLECT."""

    incarnation: str
    seq: int
    hash: str
    source: Epoch
    counters: Counters
    mark: Mark
    complete: bool
    stopped: bool
    roster: tuple[str, ...]
    paid: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Excluded:
    """A table that two people have seen switched off."""

    reason: str
    actor: str
    second: str


@dataclass(frozen=True, slots=True)
class HostState:
    """Fold of a host's journal: `ledger.*` entries are the ledger, `host.*` entries its own notes.

    epoch: what this host sends with; served: the last epoch in which it wrote; seen: the highest any table knows.
    paid, beside: minor units paid by row, as computed, and what two people of its table had paid beyond that.
    open_awards: meter rows not known to be paid, (row, amount in minor units), by claim: these hold later awards.
    waiting: claims that quarantined counters keep from their answer, by claim (rule 9: shown as PENDING).
    incarnation: the journal's, when it was last founded, started or promoted.
    excluded: by `table/incarnation`.
    received: how far tables journaled the ledger, kept only while a join waits for it.
    settled: how far the ledger was when a table first said that nothing of before the jackpot's end is open there, by
    `table/incarnation`.
    """

    settings: HostSettings
    ledger: LedgerState
    phase: Phase = Phase.BLANK
    epoch: Epoch = NO_EPOCH
    served: Epoch = NO_EPOCH
    seen: Epoch = NO_EPOCH
    why_fenced: str = ""
    begun_minor: int = 0
    """Micros of the minor unit that this journal's amounts were written in; 0: by a start that did not say so."""
    known: FrozenMap[Known] = field(default_factory=FrozenMap)
    paid: FrozenMap[int] = field(default_factory=FrozenMap)
    beside: FrozenMap[int] = field(default_factory=FrozenMap)
    open_awards: FrozenMap[tuple[tuple[str, int], ...]] = field(default_factory=FrozenMap)
    quarantined: FrozenMap[Quarantined] = field(default_factory=FrozenMap)
    waiting: FrozenMap[WaitingClaim] = field(default_factory=FrozenMap)
    received: FrozenMap[int] = field(default_factory=FrozenMap)
    settled: FrozenMap[int] = field(default_factory=FrozenMap)
    join_seqs: FrozenMap[int] = field(default_factory=FrozenMap)
    reports: FrozenMap[Reported] = field(default_factory=FrozenMap)
    excluded: FrozenMap[Excluded] = field(default_factory=FrozenMap)
    source: str = ""
    no_other_ledger: bool = False
    arrivals: int = 0
    notes: int = 0
    incarnation: str = ""
    recent: tuple[Record, ...] = field(default=())
    alarms: Mapping[str, Alarm] = field(default_factory=dict)

    @property
    def promoting(self) -> bool:
        return self.phase in (Phase.COLLECTING, Phase.ADOPTING)


def first(settings: HostSettings) -> HostState:
    """A host without a ledger."""
    return HostState(settings, LedgerState(settings.carousel, settings.minor_micros))
