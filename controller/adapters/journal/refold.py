"""A carousel's ledger folded again from a journal's entries, and the equation of each table's pools after every record.

    funding + contributed - reversed + adjustments + transfers = meter + reserve + overflow + granted - voided

The left side and what was granted are read from the records' bodies; what is held, at a host, from the postings alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.adapters.journal.reading import Equation, Reading
from controller.core.ledger import LedgerBroken
from controller.engine.closing_records import Disposed
from controller.engine.ledger_book import Book
from controller.engine.ledger_fold import enter
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
    book: Book = field(default_factory=lambda: Book(LedgerState("", 1)))
    pools: dict[str, Pool] = field(default_factory=dict)
    _touched: dict[str, Pool] = field(default_factory=dict)
    """What the present record changes: the others' equations hold as they did."""
    _held_by: dict[str, str] = field(default_factory=dict)
    """The table whose pool an account is, none (empty) for other accounts."""

    def after(self, entry: Reading) -> str | None:
        """What does not add up after a record's entry."""
        self._touched.clear()
        try:
            record = entry.ledger_record()
            self._count(record)
            enter(self.book, record)
        except (LedgerBroken, KeyError, TypeError, ValueError) as error:
            return f"the ledger does not fold: {error!r}"
        if not self.posted:
            self._hold(self.book.postings.items())
        elif _are(entry.postings, self.book.postings):
            self._hold(entry.postings)
        else:
            return f"the postings are not those of ledger record {record.seq}"
        for table, pool in self._touched.items():
            if said := pool.broken(table):
                return said
        return None

    def _pool(self, table: str) -> Pool:
        pool = self.pools.get(table) or self.pools.setdefault(table, Pool())
        self._touched[table] = pool
        return pool

    def _hold(self, postings: Iterable[tuple[str, int]]) -> None:
        """What the tables hold by now: at a host by its postings, in a mirrored ledger by its accounts."""
        for account, micros in postings:
            table = self._held_by.get(account)
            if table is None:
                table = account.partition(":")[2] if account.startswith(_POOLS) else ""
                self._held_by[account] = table
            if table:
                pool = self._pool(table)
                pool.held = pool.held + micros if self.posted else self.book.account(table).total_micros

    def _count(self, record: Record) -> None:
        """What a record says, beside the ledger as it stands before it."""
        body: Body = record.body
        match body:
            case CountersAbsorbed() | CountersAccepted():
                pool, was, now = self._pool(body.table), self.book.account(body.table).absorbed, body.counters
                pool.contributed += now.main_micros + now.reserve_micros - was.main_micros - was.reserve_micros
                pool.reversed += now.reversed_main_micros - was.reversed_main_micros
                pool.reversed += now.reversed_reserve_micros - was.reversed_reserve_micros
                pool.funding += body.rescue_micros
                if isinstance(body, CountersAccepted):
                    pool.adjustments += body.adjust_main_micros + body.adjust_reserve_micros
            case Awarded(granted=granted):
                self._grant(granted, record.seq)
            case Voided():
                for granted in body.granted:
                    was_granted = self.book.awards[granted.name.key]
                    self._take_back(was_granted.granted, was_granted.seq)
                    self._grant(granted, was_granted.seq)
                for table, micros in body.rescue:
                    self._pool(table).funding += micros
            case Adjusted():
                moved = body.main_micros + body.reserve_micros
                pool = self._pool(body.table)
                pool.transfers += moved if body.transfer else 0
                pool.adjustments += 0 if body.transfer else moved
            case Joined():
                self._pool(body.table).funding += body.funding_micros
            case Disposed():
                pool = self._pool(body.table)
                pool.transfers -= body.main_micros + body.reserve_micros + body.overflow_micros
                pool.adjustments -= body.house_micros
            case Left():
                self._pool(body.table).transfers -= body.main_micros + body.reserve_micros + body.overflow_micros

    def _grant(self, granted: Granted, place: int) -> None:
        for change in granted.changes:
            pool = self._pool(change.table)
            pool.granted += change.debit
            pool.funding += change.funding
            pool.transfers += self._carried(change, place)

    def _take_back(self, granted: Granted, place: int) -> None:
        for change in granted.changes:
            pool = self._pool(change.table)
            pool.voided += change.debit
            pool.funding -= change.funding
            pool.transfers -= self._carried(change, place)

    def _carried(self, change: Change, place: int) -> int:
        """What a table that has left since has taken along: it comes back, or goes, as a transfer (link rule 8)."""
        account = self.book.account(change.table)
        gone = not account.in_carousel or place < account.since
        return change.debit - change.funding if gone else 0


def _are(postings: tuple[tuple[str, int], ...], sums: dict[str, int]) -> bool:
    """Whether postings move these sums; most have one for each account that moves."""
    if len(postings) == len(sums):
        for account, micros in postings:
            if sums.get(account) != micros:
                break
        else:
            return True
    left = dict(sums)
    for account, micros in postings:
        left[account] = left.get(account, 0) - micros
    return not any(left.values())


def ledger_holds() -> Equation:
    """The check of a host's journal, or of the ledger that a table's journal mirrors; other entries pass."""
    refold: Refold | None = None

    def after(entry: Reading) -> str | None:
        nonlocal refold
        if entry.kind == "host.adopting" and entry.body.get("blank"):
            refold = None  # a promoted host let go of its own ledger: the winner's follows from its first record
        hosted = entry.kind.startswith("ledger.")
        if not hosted and entry.kind != "link.record":
            return None
        refold = refold or Refold(posted=hosted)
        return refold.after(entry)

    return after
