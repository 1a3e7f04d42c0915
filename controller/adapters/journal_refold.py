"""A carousel's ledger folded again from a journal's entries, and the equation of each table's pools after every record.

    funding + contributed - reversed + adjustments + transfers = meter + reserve + overflow + granted - voided

The left side and what was granted are read from the records' bodies; what is held, at a host, from the postings alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from controller.core.ledger import Entry, LedgerBroken, Posting
from controller.engine.ledger_fold import fold
from controller.engine.ledger_records import (
    Adjusted,
    Awarded,
    Body,
    Change,
    CountersAbsorbed,
    CountersAccepted,
    Granted,
    Joined,
    Left,
    Record,
    Voided,
    record_from_plain,
)
from controller.engine.ledger_state import LedgerState

_POOLS = ("pool.main:", "pool.reserve:", "pool.overflow:")


@dataclass(slots=True)
class Pool:
    """The terms of one table's pools, in micros since the carousel began."""

    funding: int = 0
    contributed: int = 0
    reversed: int = 0
    adjustments: int = 0
    transfers: int = 0
    granted: int = 0
    voided: int = 0
    held: int = 0

    def broken(self, table: str) -> str | None:
        """What does not add up, None when it does."""
        came = self.funding + self.contributed - self.reversed + self.adjustments + self.transfers
        went = self.held + self.granted - self.voided
        return None if came == went else f"pools of {table}: {came} micros came in, {went} are held or granted ({self})"


@dataclass(slots=True)
class Refold:
    """The ledger so far. posted: the journal is a host's, whose postings say what is held."""

    posted: bool
    state: LedgerState = field(default_factory=lambda: LedgerState("", 1))
    pools: dict[str, Pool] = field(default_factory=dict)

    def after(self, entry: Entry) -> str | None:
        """What does not add up after a record's entry."""
        try:
            record = record_from_plain(entry.body["record"])
            before = self.state
            self.state, postings = fold(before, record)
            if self.posted and _sums(postings) != _sums(entry.postings):
                return f"the postings are not those of ledger record {record.seq}"
            self._count(record, before)
        except (LedgerBroken, KeyError, TypeError, ValueError) as error:
            return f"the ledger does not fold: {error!r}"
        self._hold(entry)
        return next((said for table, pool in self.pools.items() if (said := pool.broken(table))), None)

    def _pool(self, table: str) -> Pool:
        return self.pools.setdefault(table, Pool())

    def _hold(self, entry: Entry) -> None:
        if not self.posted:
            for table, pool in self.pools.items():
                pool.held = self.state.tables[table].total_micros
            return
        for posting in entry.postings:
            if posting.account.startswith(_POOLS):
                self._pool(posting.account.partition(":")[2]).held += posting.micros

    def _count(self, record: Record, before: LedgerState) -> None:
        body: Body = record.body
        match body:
            case CountersAbsorbed() | CountersAccepted():
                pool, was, now = self._pool(body.table), before.tables[body.table].absorbed, body.counters
                pool.contributed += now.main_micros + now.reserve_micros - was.main_micros - was.reserve_micros
                pool.reversed += now.reversed_main_micros - was.reversed_main_micros
                pool.reversed += now.reversed_reserve_micros - was.reversed_reserve_micros
                pool.funding += body.rescue_micros
                if isinstance(body, CountersAccepted):
                    pool.adjustments += body.adjust_main_micros + body.adjust_reserve_micros
            case Awarded(granted=granted):
                self._grant(granted, record.seq, before)
            case Voided():
                for granted in body.granted:
                    was_granted = before.awards[granted.name.key]
                    self._take_back(was_granted.granted, was_granted.seq, before)
                    self._grant(granted, was_granted.seq, before)
                for table, micros in body.rescue:
                    self._pool(table).funding += micros
            case Adjusted():
                moved = body.main_micros + body.reserve_micros
                pool = self._pool(body.table)
                pool.transfers += moved if body.transfer else 0
                pool.adjustments += 0 if body.transfer else moved
            case Joined():
                self._pool(body.table).funding += body.funding_micros
            case Left():
                self._pool(body.table).transfers -= body.main_micros + body.reserve_micros + body.overflow_micros

    def _grant(self, granted: Granted, place: int, before: LedgerState) -> None:
        for change in granted.changes:
            pool = self._pool(change.table)
            pool.granted += change.debit
            pool.funding += change.funding
            pool.transfers += _carried(change, place, before)

    def _take_back(self, granted: Granted, place: int, before: LedgerState) -> None:
        for change in granted.changes:
            pool = self._pool(change.table)
            pool.voided += change.debit
            pool.funding -= change.funding
            pool.transfers -= _carried(change, place, before)


def _carried(change: Change, place: int, before: LedgerState) -> int:
    """What a table that has left since has taken along: it comes back, or goes, as a transfer (link rule 8)."""
    account = before.tables[change.table]
    gone = not account.in_carousel or place < account.since
    return change.debit - change.funding if gone else 0


def _sums(postings: tuple[Posting, ...]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for posting in postings:
        sums[posting.account] = sums.get(posting.account, 0) + posting.micros
    return sums


def ledger_holds() -> Callable[[Entry], str | None]:
    """The check of a host's journal, or of the ledger that a table's journal mirrors; other entries pass."""
    refold: Refold | None = None

    def after(entry: Entry) -> str | None:
        nonlocal refold
        if entry.kind == "host.adopting" and entry.body.get("blank"):
            refold = None  # a promoted host let go of its own ledger: the winner's follows from its first record
        hosted = entry.kind.startswith("ledger.")
        if not hosted and entry.kind != "link.record":
            return None
        refold = refold or Refold(posted=hosted)
        return refold.after(entry)

    return after
