"""Real journals at rest, read back and put to the invariants that the simulator's nodes are put to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.adapters.hardware.devices import known_hardware
from controller.adapters.journal.backup import backup
from controller.adapters.journal.equations import equations
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.verify import verify
from controller.config import load
from controller.core.ledger import Entry, balances
from controller.engine.epoch import NO_EPOCH
from tests.invariants.accounts_book import AccountsBook
from tests.invariants.bets_book import Stake
from tests.invariants.check import check_carousel, check_rest
from tests.invariants.ledger_book import LedgerBook
from tests.invariants.table_book import CENTAVO, TableBook

SITE = "carrusel.toml"


@dataclass
class Journals:
    """Journals as they were read and followed."""

    entries: dict[str, list[Entry]] = field(default_factory=dict)
    tables: list[TableBook] = field(default_factory=list)
    ledgers: list[LedgerBook] = field(default_factory=list)


@dataclass
class Books(Journals):
    """What journals at rest say, after they were found to hold.

    awards: minor units by row, of the ledgers. paid: minor units by row, of the tables. figures: what each carousel
    shows, in minor units.
    """

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


def check_books(*states: Path, at_rest: bool = False) -> Books:
    """Read every journal of these state directories (nobody has them open) and check all that must hold.

    The directories hold each journal once: of hosts, the one that counts. at_rest: nothing waits for an answer, for
    cash or for the network any more.
    """
    books = Books()
    for state in states:
        for path in sorted(state.glob("*.db")):
            name = path.stem if path.stem != "node" else f"node-{state.parent.name}"
            assert name not in books.entries, f"two journals {name}"
            _read(path, name, books)
    for ledger in books.ledgers:
        members = [table for table in books.tables if _is_of(table, ledger)]
        check_carousel(members, [ledger], ledger)
        if at_rest:
            check_rest(members, ledger)
        books.awards |= ledger.amounts
        books.figures[ledger.carousel], _ = divmod(ledger.oracle.amount, CENTAVO)
    for table in books.tables:
        table.check()
        books.paid.update({row: table.sum_paid(row) for row in table.paid})
    return books


def bring(database: str, state: Path, *names: str) -> None:
    """Journals of a database as files of a state directory, where the checks find them; nobody has them open."""
    for name in names:
        with Journal.open(database, name=name, create=False) as journal:
            backup(journal, state / f"{name}.db")


def check_directory(directory: Path) -> int:
    """Every journal below a directory, whatever it is: of any pit, of hosts of the past, copies; how many there are."""
    found = Journals()
    for path in sorted(directory.glob("**/*.db")):
        _read(path, str(path), found)
    for ledger in found.ledgers:
        same = [other for other in found.ledgers if _founded(other) == _founded(ledger)]
        members = [table for table in found.tables if _is_of(table, ledger)]
        if ledger is max(same, key=_standing):
            check_carousel(members, same, ledger)
    for table in found.tables:
        table.check()
    return len(found.entries)


def _founded(ledger: LedgerBook) -> str:
    return ledger.records[0].hash if ledger.records else ""


def _standing(ledger: LedgerBook) -> tuple[Any, int]:
    """Of two ledgers with one beginning, the one of the later epoch counts, then the longer one."""
    return (ledger.records[-1].epoch, len(ledger.records)) if ledger.records else (NO_EPOCH, 0)


def _is_of(table: TableBook, ledger: LedgerBook) -> bool:
    """Whether a table mirrors this carousel's ledger."""
    return bool(table.mirror) and (table.mirror[0].seq, table.mirror[0].hash) in ledger.ever


def stakes(state: Path) -> dict[str, Stake]:
    """What the site's file beside a state directory says that a bet is worth, by table."""
    file = state.with_name(SITE)
    if not file.exists():
        return {}
    config = load(file, known_hardware().drivers)
    minor = config.site.money.minor_micros
    return {
        table.id: Stake(table.jackpot.credit * minor, table.jackpot.contribution_bp, table.jackpot.reserve_bp)
        for table in config.tables
    }


def _read(path: Path, name: str, into: Journals) -> None:
    """One journal: verified as its command does it, then followed entry by entry."""
    with Journal.open(path, create=False) as journal:
        report = verify(journal, equations=equations())
        assert report.ok, (path.name, report.findings)
        stored = list(journal.entries())
    into.entries[name] = [each.entry for each in stored]
    kind, _, what = path.stem.partition("-")
    if kind == "carousel":
        ledger = LedgerBook(what)
        into.ledgers.append(ledger)
        for each in stored:
            ledger.follow(each.entry)
    elif kind == "table":
        table = TableBook(what, stake=stakes(path.parent).get(what))
        into.tables.append(table)
        for each in stored:
            table.follow(each.entry, each.chain)
    else:
        accounts = AccountsBook(name)
        for each in stored:
            accounts.follow(each.entry)
