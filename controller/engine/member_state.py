"""A table's side of its carousel: what it owns (counters, claims, rows) and its mirror of the host's ledger."""

from dataclasses import dataclass, field
from enum import Enum

from controller.core.prizes import PrizeList
from controller.engine.epoch import NO_EPOCH, Epoch
from controller.engine.frozen_map import FrozenMap
from controller.engine.ledger_records import NO_MARK, ZERO, ClaimName, Counters, Mark, Signed, Terms
from controller.engine.ledger_state import Account, LedgerState, Standing
from controller.engine.messages import Claim

KEPT_ROWS = 100
"""Closed rows (paid or void) that a table still holds, beside those of which the ledger does not tell the payment."""


class OnLinkLoss(Enum):
    """Rule 7: what a table does with jackpot bets while the host cannot be heard."""

    STOP_BETS = "stop_bets"
    CONTINUE = "continue"


class RowStatus(Enum):
    """One payable row. CLAIMED: no award yet, an advance was paid; STOPPED: a correction was journaled."""

    CLAIMED = "claimed"
    HELD = "held"
    PENDING = "pending"
    VERIFIED = "verified"
    STOPPED = "stopped"
    PAID = "paid"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class MemberSettings:
    """What a table knows of itself and its carousel from configuration and from its journal's incarnation.

    host_keys: public keys (hex) that may author the ledger, empty = whoever the link's own check lets through.
    lost_limit_minutes: with `continue`, how long bets go on without the host, 0 = without end (rule 7).
    program: the version that runs here; terms: digest of the jackpot's terms here (`ledger_profiles.terms_of`).
    """

    table: str
    carousel: str
    incarnation: str
    currency: str
    minor_micros: int
    prizes: PrizeList
    on_link_loss: OnLinkLoss = OnLinkLoss.STOP_BETS
    host_keys: tuple[str, ...] = field(default=())
    lost_limit_minutes: int = 0
    program: str = ""
    terms: str = ""


@dataclass(frozen=True, slots=True)
class PayableRow:
    """The one thing that authorises cash: (table, incarnation, hand, seat). payable = latest award - paid.

    beside_minor: what two people had paid beyond that, below 0 what they kept of it; the house's, never the carousel's.
    """

    id: str
    hand: int
    seat: int
    category: str
    amount_minor: int
    paid_by: str
    article: str
    status: RowStatus
    paid_minor: int = 0
    seq: int = 0
    beside_minor: int = 0

    @property
    def payable_minor(self) -> int:
        return max(self.amount_minor - self.paid_minor, 0)


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """A claim the ledger has not answered. estimate: minor units by seat out of the ledger journaled at lock."""

    claim: Claim
    estimate: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MemberState:
    """Fold of a table's `link.*` entries.

    mark: its own chain, over what the table itself decided (not over mirrored records), quoted in every message.
    unconfirmed: marks that the ledger has not confirmed yet. confirmed: the ledger knows the mark of this start.
    epoch: highest seen; source: highest sender's epoch it journaled a record from; report: the epoch to answer.
    lost_minutes: how long the host was not heard, as journaled; at the limit it stays until both agree again.
    stopped: why this table pays nothing any more until it is enrolled again.
    terms: what it changed last of the terms it plays by, told to the host until the ledger has it.
    """

    settings: MemberSettings
    ledger: LedgerState
    counters: Counters = ZERO
    mark: Mark = NO_MARK
    started: int = 0
    confirmed: bool = False
    unconfirmed: tuple[Mark, ...] = field(default=())
    epoch: Epoch = NO_EPOCH
    source: Epoch = NO_EPOCH
    report: Epoch | None = None
    report_first: int = 1
    collects: int = 0
    rows: FrozenMap[PayableRow] = field(default_factory=FrozenMap)
    closed_rows: tuple[str, ...] = field(default=())
    open_claims: FrozenMap[OpenClaim] = field(default_factory=FrozenMap)
    leaving: Signed | None = None
    link_up: bool = False
    lost_minutes: int = 0
    stopped: str | None = None
    terms: Terms | None = None

    @property
    def terms_waiting(self) -> bool:
        """Whether the ledger does not have the terms yet that this table plays by."""
        if self.terms is None:
            return False
        account = self.account
        return account is None or account.terms != self.terms

    def prizes_of(self, name: ClaimName) -> PrizeList:
        """The prize list that a hand of this table is played by."""
        account = self.account
        if self.terms is not None and name.hand >= self.terms.first_hand:
            return self.terms.prizes
        if account is None or (self.terms is None and account.terms is None):
            return self.settings.prizes
        return account.prizes_of(name.incarnation, name.hand)

    @property
    def account(self) -> Account | None:
        """This incarnation's account in the mirrored ledger."""
        return self.ledger.account(self.settings.table, self.settings.incarnation)

    @property
    def standing(self) -> Standing | None:
        """Its place in the roster, None while it was never enrolled (or another incarnation has taken its place)."""
        account = self.account
        if account is None:
            return None
        return Standing.JOINING if account.joining else account.standing

    @property
    def is_overdue(self) -> bool:
        """Whether the host was not heard for longer than bets may go on (rule 7)."""
        limit = self.settings.lost_limit_minutes
        return 0 < limit <= self.lost_minutes

    @property
    def agrees(self) -> bool:
        """Whether the ledger has all that this table contributed, and has answered all that it claimed."""
        account = self.account
        return account is not None and account.absorbed == self.counters and not self.open_claims

    @property
    def meter_micros(self) -> int:
        """The carousel's amount as this table has journaled it."""
        return self.ledger.amount_micros

    @property
    def unpaid(self) -> bool:
        """Whether a row still waits for cash or for an answer."""
        return any(row.status not in (RowStatus.PAID, RowStatus.VOID) for row in self.rows.values())


def first(settings: MemberSettings) -> MemberState:
    """A table that has not heard of any carousel yet."""
    return MemberState(settings, LedgerState(settings.carousel, settings.minor_micros))
