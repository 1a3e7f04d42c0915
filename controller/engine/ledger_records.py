"""The carousel's ledger: one gapless sequence of records, each with its author's epoch and the hash before it."""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from controller.core.prizes import PrizeList, Winner
from controller.core.records import to_record
from controller.engine.closing_records import ClosingAnnounced, Disposed, JackpotClosed, OrphansMoved
from controller.engine.counter_records import GENESIS as GENESIS
from controller.engine.counter_records import NO_MARK as NO_MARK
from controller.engine.counter_records import ZERO as ZERO
from controller.engine.counter_records import Counters as Counters
from controller.engine.counter_records import CountersAbsorbed as CountersAbsorbed
from controller.engine.counter_records import CountersAccepted as CountersAccepted
from controller.engine.counter_records import Mark as Mark
from controller.engine.counter_records import OverflowAccepted as OverflowAccepted
from controller.engine.counter_records import OverflowReversed as OverflowReversed
from controller.engine.epoch import Epoch
from controller.engine.payment_records import PaidTold, Settled
from controller.engine.signed import Signed as Signed

DOMAIN = b"carrusel/ledger/1\x00"
_encode = msgspec.json.Encoder(order="sorted").encode


@dataclass(frozen=True, slots=True)
class Profile:
    """One line of the roster. bound: the most a hand can add to main and reserve, in micros, None = no bound.

    ceiling: above it contributions wait in the overflow, which the next restart uses; None = no ceiling.
    """

    table: str
    incarnation: str
    key: str
    currency: str
    start_micros: int
    prizes: PrizeList
    bound_micros: int | None = None
    ceiling_micros: int | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a table from a hand of its incarnation on; bound and ceiling as in the profile; hash: their SHA-256."""

    first_hand: int
    prizes: PrizeList
    bound_micros: int | None
    ceiling_micros: int | None
    hash: str
    signed: Signed


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """What one seat is awarded, in whole minor units; `debit_micros` is what it takes from the meter."""

    seat: int
    category: str
    amount_minor: int
    paid_by: str
    article: str
    debit_micros: int = 0


class Change(NamedTuple):
    """What an award does to one table's pools, in micros; debit = funding - (main + reserve + overflow)."""

    table: str
    main: int
    reserve: int
    overflow: int
    funding: int

    @property
    def debit(self) -> int:
        return self.funding - self.main - self.reserve - self.overflow


@dataclass(frozen=True, slots=True)
class ClaimName:
    """A hand of one incarnation of a table; with a revision it names a claim."""

    table: str
    incarnation: str
    hand: int

    @property
    def key(self) -> str:
        return f"{self.table}/{self.incarnation}/{self.hand}"

    def row(self, seat: int) -> str:
        """Name of the payable row of a seat."""
        return f"{self.key}/{seat}"


@dataclass(frozen=True, slots=True)
class Granted:
    """The rows of one hand and what they do to the pools, as computed at one place of the ledger."""

    name: ClaimName
    rows: tuple[PrizeRow, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class EpochBegan:
    """The host named in the record's epoch writes from here on."""

    note: str


@dataclass(frozen=True, slots=True)
class Awarded:
    """The answer to a claim; contains the restart it causes. `arrival` counts claims as they came."""

    granted: Granted
    revision: int
    digest: str
    winners: tuple[Winner, ...]
    held: bool
    arrival: int
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class ClaimRefused:
    """The answer to a claim that wins nothing, with its reason by name."""

    name: ClaimName
    revision: int
    digest: str
    reason: str


@dataclass(frozen=True, slots=True)
class Released:
    """The pit boss lets a held award be paid."""

    name: ClaimName
    signed: Signed


@dataclass(frozen=True, slots=True)
class Voided:
    """A higher revision answered. granted: the claim's own rows again (none = void), then the held awards recomputed.

    winners: those of the revision. paid: what the table had paid by seat, minor units.
    rescue: what the house puts in where the balances no longer hold what the correction takes.
    """

    name: ClaimName
    revision: int
    digest: str
    winners: tuple[Winner, ...]
    paid: tuple[tuple[int, int], ...]
    signed: Signed
    granted: tuple[Granted, ...]
    rescue: tuple[tuple[str, int], ...] = field(default=())

    @property
    def holds(self) -> bool:
        """Whether the corrected award waits for people from here on, whatever was released of it before."""
        return False


@dataclass(frozen=True, slots=True)
class VoidedHeld(Voided):
    """A higher revision answered by amounts that nobody has let be paid: held, as an award of them would be."""

    @property
    def holds(self) -> bool:
        """See `Voided.holds`."""
        return True


@dataclass(frozen=True, slots=True)
class Adjusted:
    """People change a table's pools or start value; `transfer`: the money goes out or comes in, not the house's."""

    table: str
    main_micros: int
    reserve_micros: int
    signed: Signed
    start_micros: int | None = None
    transfer: bool = False


@dataclass(frozen=True, slots=True)
class JoinAsked:
    """Two people enrol a table; it takes effect with the record `joined`."""

    profile: Profile
    signed: Signed


@dataclass(frozen=True, slots=True)
class Joined:
    """Every rostered table has journaled the join. funding: the start value, zero for a table that has a balance."""

    table: str
    incarnation: str
    funding_micros: int


@dataclass(frozen=True, slots=True)
class Left:
    """A table has left with its balance; it names its final counters."""

    table: str
    incarnation: str
    counters: Counters
    main_micros: int
    reserve_micros: int
    overflow_micros: int
    signed: Signed


@dataclass(frozen=True, slots=True)
class Sealed:
    """An incarnation ends with these counters; its balance stays with the table id."""

    table: str
    incarnation: str
    counters: Counters
    signed: Signed


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """A table's node speaks under another key from here on; what the old one signs is refused."""

    table: str
    incarnation: str
    key: str
    signed: Signed


@dataclass(frozen=True, slots=True)
class TermsChanged:
    """A table plays by other terms from a hand on; hands before it keep the prize list they were played by."""

    table: str
    incarnation: str
    terms: Terms


Body = (
    EpochBegan
    | CountersAbsorbed
    | CountersAccepted
    | OverflowReversed
    | OverflowAccepted
    | Awarded
    | ClaimRefused
    | Released
    | Voided
    | VoidedHeld
    | Adjusted
    | JoinAsked
    | Joined
    | Left
    | Sealed
    | Rekeyed
    | TermsChanged
    | ClosingAnnounced
    | JackpotClosed
    | Disposed
    | OrphansMoved
    | PaidTold
    | Settled
)

KINDS: dict[str, type[Body]] = {
    "epoch": EpochBegan,
    "counters": CountersAbsorbed,
    "accept": CountersAccepted,
    "counters_overflow": OverflowReversed,
    "accept_overflow": OverflowAccepted,
    "award": Awarded,
    "refused": ClaimRefused,
    "release": Released,
    "void": Voided,
    "void_held": VoidedHeld,
    "adjustment": Adjusted,
    "join": JoinAsked,
    "joined": Joined,
    "leave": Left,
    "seal": Sealed,
    "rekey": Rekeyed,
    "terms": TermsChanged,
    "closing": ClosingAnnounced,
    "closed": JackpotClosed,
    "disposed": Disposed,
    "orphans": OrphansMoved,
    "paid": PaidTold,
    "settled": Settled,
}
KIND_OF: dict[type[Body], str] = {body: kind for kind, body in KINDS.items()}


class Record(msgspec.Struct, frozen=True):
    """One record of the ledger. hash = SHA-256 over domain, previous hash and the canonical JSON of the rest.

    A struct, as a verification makes one of nearly each entry of a host.
    """

    seq: int
    epoch: Epoch
    prev: str
    body: Body
    hash: str

    @property
    def kind(self) -> str:
        return KIND_OF[type(self.body)]

    def to_plain(self) -> dict[str, Any]:
        """The record as journals and messages hold it."""
        return {
            "seq": self.seq,
            "kind": self.kind,
            "epoch": list(self.epoch),
            "prev": self.prev,
            "body": to_record(self.body),
            "hash": self.hash,
        }


def digest_of(value: object) -> str:
    """SHA-256 of a value's canonical JSON, in hex."""
    return sha256(_encode(value)).hexdigest()


def seal_record(seq: int, epoch: Epoch, prev: str, body: Body) -> Record:
    """A record with its hash."""
    return Record(seq, epoch, prev, body, hash_of(seq, epoch, prev, body))


def hash_of(seq: int, epoch: Epoch, prev: str, body: Body) -> str:
    """A record's own hash, in hex."""
    content = _encode((seq, KIND_OF[type(body)], epoch, body))
    return sha256(DOMAIN + prev.encode() + content).hexdigest()
