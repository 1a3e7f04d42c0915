"""What the ledger's records add up to: balances by table, absorbed counters, awards; the same at host and tables."""

from dataclasses import dataclass, field
from enum import Enum

from controller.core.prizes import Balance, PaidBy, Winner
from controller.engine.frozen_map import FrozenMap
from controller.engine.ledger_records import (
    GENESIS,
    NO_EPOCH,
    NO_MARK,
    ZERO,
    Counters,
    Epoch,
    Granted,
    Mark,
    Profile,
)

KEPT_AWARDS = 400
"""Awards that can still be corrected; older ones are closed (their hands stay answered) and people adjust."""
KEPT_HASHES = 256
"""Hashes of the newest records, to notice a different record under a known seq."""


class Standing(Enum):
    """A table's place in the roster."""

    JOINING = "joining"
    ACTIVE = "active"
    SEALED = "sealed"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Account:
    """One table id: its pools in micros (they outlive an incarnation) and what is absorbed of its incarnation.

    closed_hand: hands up to this one are answered for ever, whether their award is still kept or not.
    since: the record that brought its balance in; what was awarded before then is not its balance's affair.
    past: incarnations before this one, which never come back.
    joining: the profile's incarnation waits for `joined`; the balance of the one before it stays in the carousel.
    """

    profile: Profile
    standing: Standing
    main_micros: int = 0
    reserve_micros: int = 0
    overflow_micros: int = 0
    absorbed: Counters = ZERO
    mark: Mark = NO_MARK
    start_micros: int = 0
    closed_hand: int = 0
    joining: bool = False
    since: int = 0
    past: tuple[str, ...] = field(default=())

    @property
    def total_micros(self) -> int:
        return self.main_micros + self.reserve_micros + self.overflow_micros

    @property
    def in_carousel(self) -> bool:
        """Whether its balance is part of the carousel's amount: a sealed table's balance stays."""
        return self.standing in (Standing.ACTIVE, Standing.SEALED)

    @property
    def balance(self) -> Balance:
        return Balance(
            self.profile.table, self.main_micros, self.start_micros, self.reserve_micros + self.overflow_micros
        )


@dataclass(frozen=True, slots=True)
class Answered:
    """The latest answer to a hand's claim. before: the balances at its place in the ledger; refused: reason by name."""

    revision: int
    digest: str
    seq: int
    winners: tuple[Winner, ...]
    granted: Granted
    held: bool = False
    released: bool = False
    refused: str | None = None
    before: tuple[Balance, ...] = field(default=())

    @property
    def takes_from_meter(self) -> bool:
        """Whether its amounts depend on the meter: only such awards hold others or are held (rule 4)."""
        return any(row.paid_by == PaidBy.METER.value for row in self.granted.rows)


@dataclass(frozen=True, slots=True)
class LedgerState:
    """Fold of the ledger. The sums are micros over its whole life, as the equation of the carousel names them.

    roster_seq: the last record that changed the roster.
    """

    carousel: str
    minor_micros: int
    seq: int = 0
    hash: str = GENESIS
    epoch: Epoch = NO_EPOCH
    hashes: tuple[str, ...] = field(default=())
    tables: FrozenMap[Account] = field(default_factory=FrozenMap)
    awards: FrozenMap[Answered] = field(default_factory=FrozenMap)
    award_order: tuple[str, ...] = field(default=())
    amount_micros: int = 0
    contributions_micros: int = 0
    funding_micros: int = 0
    adjustments_micros: int = 0
    awards_micros: int = 0
    transfers_micros: int = 0
    roster_seq: int = 0

    def account(self, table: str, incarnation: str) -> Account | None:
        """The account of exactly this incarnation."""
        account = self.tables.get(table)
        return account if account is not None and account.profile.incarnation == incarnation else None

    def balances(self) -> tuple[Balance, ...]:
        """The parts of the meter, by table id."""
        accounts = (self.tables[table] for table in self.tables)
        return tuple(account.balance for account in accounts if account.in_carousel)

    def hash_at(self, seq: int) -> str | None:
        """Hash of a recent record, the genesis for 0, None when it is unknown or no longer kept."""
        if seq == 0:
            return GENESIS
        place = len(self.hashes) - 1 - (self.seq - seq)
        return self.hashes[place] if 0 <= place < len(self.hashes) else None

    def active(self) -> tuple[str, ...]:
        """Ids of the tables in force, by id."""
        return tuple(table for table in self.tables if self.tables[table].standing is Standing.ACTIVE)

    def rostered(self) -> tuple[str, ...]:
        """`table/incarnation` in force or about to be: a join that is in the ledger may have taken effect since."""
        accounts = (self.tables[table] for table in self.tables)
        return tuple(
            f"{account.profile.table}/{account.profile.incarnation}"
            for account in accounts
            if account.joining or account.standing is Standing.ACTIVE
        )
