"""The invariants over all journals of a carousel, the same for the simulator's nodes and for real daemons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tests.invariants.broken import hold
from tests.invariants.ledger_book import LedgerBook
from tests.invariants.table_book import TableBook


def check_carousel(
    tables: Iterable[TableBook],
    ledgers: Iterable[LedgerBook],
    serving: LedgerBook,
    excluded: Collection[str] = (),
    settled: Mapping[str, int] | None = None,
) -> None:
    """At any moment, faults or none. tables: every incarnation there was; ledgers: of every host there was.

    serving: the ledger that counts. excluded: incarnations (`table/incarnation`) that two people shut out of it, whose
    payments it learns of later, if ever. settled: minor units by row that people paid outside the tables.
    """
    tables = list(tables)
    ever = serving.ever.union(*(ledger.ever for ledger in ledgers))
    counted: dict[tuple[str, str], tuple[int, ...]] = {}
    for table in tables:
        table.check()
        for record in table.mirror:
            hold((record.seq, record.hash) in ever, f"{table.table} has a record {record.seq} that no host wrote")
        for incarnation, counters in table.counters.items():
            who = table.table, incarnation
            counted[who] = max(counters, counted.get(who, counters), key=sum)  # a copy of a journal may be behind
    for who, absorbed in serving.oracle.raw.items():
        own = counted.get(who)
        if own is not None and "/".join(who) not in excluded:
            below = all(there <= here for there, here in zip(absorbed, own, strict=True))
            hold(below, f"the ledger counts {absorbed} of {who}, which counted {own}")
    check_cash(tables, serving, excluded, settled or {})
    check_awards(tables, serving)


def check_cash(
    tables: Collection[TableBook], serving: LedgerBook, excluded: Collection[str], settled: Mapping[str, int]
) -> None:
    """What left the tables: by the incarnation that won it, and no more than the ledger ever granted the row."""
    cash: dict[str, dict[object, int]] = {}
    advanced: dict[str, int] = {}
    for table in tables:
        for row, payments in table.paid.items():
            cash.setdefault(row, {}).update({payment.mark: payment.minor for payment in payments})
        for row, minor in table.advanced.items():
            advanced[row] = max(advanced.get(row, 0), minor)
    for row in {*cash, *advanced, *settled}:
        left = sum(cash.get(row, {}).values()) + advanced.get(row, 0) + settled.get(row, 0)
        most = max(serving.oracle.highest.get(row, 0), advanced.get(row, 0))
        if row.rsplit("/", 2)[0] not in excluded:
            hold(left <= most, f"{row} was paid {left}, the ledger granted {most}")


def check_awards(tables: Iterable[TableBook], serving: LedgerBook) -> None:
    """Each award of the ledger answers a claim that its table journaled, for the winners named there."""
    claims: dict[str, list[tuple[Any, ...]]] = {}
    known = set()
    for table in tables:
        known |= {(table.table, incarnation) for incarnation in table.incarnations}
        for key, revisions in table.claims.items():
            claims.setdefault(key, []).extend(revisions)
    for key, prize in serving.oracle.prizes.items():
        name, incarnation, _ = key.split("/")
        seats = tuple(sorted((each.seat, each.category.value, each.strength) for each in prize.winners))
        claimed = seats in claims.get(key, []) or (name, incarnation) not in known
        hold(claimed, f"{key} is awarded to {seats}, which {name} never claimed")


def check_rest(tables: Iterable[TableBook], serving: LedgerBook) -> None:
    """Once nothing waits any more: tables and ledger say the same, every claim is answered and every prize paid.

    tables: those that are members now.
    """
    for table in tables:
        table.check_rest()
        counted = serving.oracle.counted.get((table.table, table.incarnation), (0, 0))
        hold(counted == table.net, f"{table.table} took in {table.net}, the ledger has {counted}")
        ledger = [record.hash for record in serving.records[: len(table.mirror)]]
        hold([record.hash for record in table.mirror] == ledger, f"{table.table} mirrors another ledger")
        for row, minor in serving.amounts.items():
            if row.startswith(f"{table.table}/{table.incarnation}/"):
                paid = table.sum_paid(row)
                hold(paid >= minor, f"{row} was granted {minor} and paid {paid}")
