"""The checker over real journals at rest: chains, pools, the ledger's own arithmetic, one award and one payment."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.adapters.journal import Journal
from controller.adapters.journal_equations import equations
from controller.adapters.journal_verify import verify
from controller.core.ledger import Entry, balances
from controller.engine.ledger_records import Awarded, record_from_plain
from tests.engine.oracle import Oracle

CENTAVO = 10_000


@dataclass
class Books:
    """What journals at rest say, after they were found to hold.

    awards: minor units by row, of the ledgers. paid: minor units by row, of the tables. figures: what each carousel
    shows, in minor units.
    """

    entries: dict[str, list[Entry]] = field(default_factory=dict)
    awards: dict[str, int] = field(default_factory=dict)
    paid: Counter[str] = field(default_factory=Counter)
    figures: dict[str, int] = field(default_factory=dict)

    def kinds(self, journal: str) -> Counter[str]:
        return Counter(entry.kind for entry in self.entries[journal])

    def balance(self, journal: str, account: str) -> int:
        """Minor units of an account, whole."""
        whole, rest = divmod(balances(self.entries[journal]).get(account, 0), CENTAVO)
        assert rest == 0
        return whole


def check_books(*states: Path) -> Books:
    """Read every journal of these state directories (nobody has them open) and check all that must hold."""
    books = Books()
    for state in states:
        for path in sorted(state.glob("*.db")):
            name = path.stem if path.stem != "node" else f"node-{state.parent.name}"
            assert name not in books.entries, f"two journals {name}"
            books.entries[name] = _read(path)
    for name, entries in books.entries.items():
        if name.startswith("carousel-"):
            _check_ledger(name, entries, books)
        elif name.startswith("table-"):
            _check_payments(entries, books)
    for row, minor in books.paid.items():
        assert minor <= books.awards.get(row, 0), f"{row}: {minor} paid of {books.awards.get(row)}"
    return books


def _read(path: Path) -> list[Entry]:
    with Journal.open(path, create=False) as journal:
        report = verify(journal, equations=equations())
        assert report.ok, (path.name, report.findings)
        return [stored.entry for stored in journal.entries()]


def _check_ledger(name: str, entries: list[Entry], books: Books) -> None:
    """Every record of the ledger against the checker's own arithmetic, which also holds the equation at every step."""
    oracle = Oracle()
    for entry in entries:
        if entry.kind.startswith("ledger."):
            record = record_from_plain(entry.body["record"])
            oracle.follow(record)
            if isinstance(record.body, Awarded):
                for row in record.body.granted.rows:
                    books.awards[record.body.granted.name.row(row.seat)] = row.amount_minor
    whole, _ = divmod(oracle.amount, CENTAVO)
    books.figures[name.removeprefix("carousel-")] = whole


def _check_payments(entries: list[Entry], books: Books) -> None:
    """Each row is paid by one entry; cash on the account is the sum of all payments."""
    before = sum(books.paid.values())
    for entry in entries:
        if entry.kind == "link.paid":
            row: Any = entry.body["row"]
            assert row not in books.paid, f"{row} is paid twice"
            books.paid[row] = entry.body["amount_minor"]
    drawn = [entry.body["amount_minor"] for entry in entries if entry.kind == "draw.prize_paid"]
    prizes = [entry.body["prize"] for entry in entries if entry.kind == "draw.prize_paid"]
    assert len(prizes) == len(set(prizes)), "a draw's prize is paid twice"
    cash = balances(entries).get("prizes.paid", 0)
    assert cash == (sum(books.paid.values()) - before + sum(drawn)) * CENTAVO
