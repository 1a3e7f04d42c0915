"""What the ledger's records add up to: balances by table, absorbed counters, awards; the same at host and tables."""

from dataclasses import dataclass, field
from enum import Enum

from controller.core.prizes import Balance, PaidBy, PrizeList, Winner
from controller.engine.epoch import NO_EPOCH, Epoch
from controller.engine.frozen_map import FrozenMap
from controller.engine.ledger_records import (
    GENESIS,
    NO_MARK,
    ZERO,
    ClaimName,
    Counters,
    Granted,
    Mark,
    PrizeRow,
    Profile,
    Terms,
)

KEPT_AWARDS = 400
"""Awards that can still be corrected; older ones are closed (their hands stay answered) and people adjust.

Open ones are kept beyond that, once the ledger tells what was paid."""
KEPT_CLOSED = 100
"""Hands of a table that are known one by one as closed; of older ones only the highest."""
KEPT_LISTS = 20
"""Former prize lists of a table by which its older hands are still judged, and incarnations whose lists are known."""
KEPT_HASHES = 256
"""Hashes of the newest records, to notice a different record under a known seq."""


Former = tuple[tuple[int, PrizeList], ...]
"""Prize lists of a table that were changed, oldest first, each with the first hand that it is not for."""


class Standing(Enum):
    """A table's place in the roster."""

    JOINING = "joining"
    ACTIVE = "active"
    SEALED = "sealed"
    LEFT = "left"


@dataclass(frozen=True)
class Account:
    """One table id: its pools in micros (they outlive an incarnation) and what is absorbed of its incarnation.

    closed_hand: hands up to this one are answered for ever, whether their award is still kept or not; closed_hands: the
    newest of those whose award was let go, above it, as an earlier hand's claim may still be on its way.
    since: the record that brought its balance in; what was awarded before then is not its balance's affair. came: all
    such records of this table id, as it may have left with its balance and come back with another.
    past: incarnations before this one, which never come back.
    joining: the profile's incarnation waits for `joined`; the balance of the one before it stays in the carousel.
    terms: what the table changed last; former: the lists of before, each with the first hand that it is not for.
    ended: of incarnations before this one, newest last, what they were played by: former lists, and the last one.
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
    closed_hands: tuple[int, ...] = field(default=())
    joining: bool = False
    since: int = 0
    came: tuple[int, ...] = field(default=())
    past: tuple[str, ...] = field(default=())
    terms: Terms | None = None
    former: Former = field(default=())
    ended: tuple[tuple[str, Former, PrizeList], ...] = field(default=())

    def is_closed(self, hand: int) -> bool:
        """Whether the award of a hand of this incarnation was let go, or that of any such hand would have been."""
        return hand <= self.closed_hand or hand in self.closed_hands

    def prizes_of(self, incarnation: str, hand: int) -> PrizeList:
        """The prize list that a hand was played by; of an incarnation that is no longer known, the present one."""
        former, last = self.former, self.profile.prizes
        if incarnation != self.profile.incarnation:
            known = ((lists, prizes) for name, lists, prizes in self.ended if name == incarnation)
            former, last = next(known, ((), self.profile.prizes))
        return next((prizes for first_hand, prizes in former if hand < first_hand), last)

    @property
    def pools(self) -> tuple[int, int, int]:
        """Main, reserve and overflow, in micros."""
        return (self.main_micros, self.reserve_micros, self.overflow_micros)

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
    """The latest answer to a hand's claim. before: the balances at its place in the ledger; refused: reason by name.

    paid: by seat what its table has paid, and what beside the computed amount, minor units; settled: people have seen
    to it outside the tables. Both as the ledger tells it, which is all that every mirror knows.
    """

    revision: int
    digest: str
    seq: int
    winners: tuple[Winner, ...]
    granted: Granted
    held: bool = False
    released: bool = False
    refused: str | None = None
    before: tuple[Balance, ...] = field(default=())
    paid: tuple[tuple[int, int, int], ...] = field(default=())
    settled: bool = False

    @property
    def takes_from_meter(self) -> bool:
        """Whether its amounts depend on the meter: only such awards hold others or are held (rule 4)."""
        return any(row.paid_by == PaidBy.METER.value for row in self.granted.rows)

    @property
    def waits(self) -> bool:
        """Whether it is held, and neither released nor settled: only such awards are computed again (rule 5)."""
        return self.held and not self.released and not self.settled

    def told(self, seat: int) -> tuple[int, int]:
        """What the ledger tells as paid of a seat's row, and beside it."""
        return next(((minor, beside) for at, minor, beside in self.paid if at == seat), (0, 0))

    @property
    def unpaid(self) -> tuple[PrizeRow, ...]:
        """Rows that the ledger does not tell as paid; none of an award that people have settled."""
        if self.settled:
            return ()
        return tuple(row for row in self.granted.rows if row.amount_minor > self.told(row.seat)[0])


ORPHANS = "orphans"
"""The register of orphans: money of closed jackpots that no jackpot holds, and the target that means it."""


@dataclass(frozen=True, slots=True)
class Closing:
    """An announced end of the jackpot, as its records say; closed: the day came. seq: the record that announced it.

    recovered: tables whose start value the house has taken back: what comes in after it is all players' money.
    """

    day: str
    target: str
    keep_start: bool
    seq: int
    closed: bool = False
    recovered: tuple[str, ...] = ()


@dataclass(frozen=True)
class LedgerState:
    """Fold of the ledger. The sums are micros over its whole life, as the equation of the carousel names them.

    roster_seq: the last record that changed the roster. resets: awards that took the whole of the meter.
    closing: the jackpot's end, if announced. orphans: what closed jackpots left and no jackpot holds.
    tells_payments: whether records of payments have begun; before them nothing here says which award is open.
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
    resets: int = 0
    closing: Closing | None = None
    orphans_micros: int = 0
    tells_payments: bool = False

    @property
    def moved_out_micros(self) -> int:
        """What left the pools as transfers, what is in the register of orphans included."""
        return self.transfers_micros + self.orphans_micros

    def prizes_of(self, name: ClaimName) -> PrizeList:
        """The prize list of a claim's hand; KeyError for a table that never joined."""
        return self.tables[name.table].prizes_of(name.incarnation, name.hand)

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
