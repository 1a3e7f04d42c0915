"""What travels between tables and host: frozen values; the wire adds version, sender, order and signature."""

from dataclasses import dataclass, field

from controller.core.prizes import Winner
from controller.engine.ledger_records import ClaimName, Counters, Epoch, Mark, Record, Signed, digest_of


@dataclass(frozen=True, slots=True)
class Claim:
    """A hand's winners and the table's counters at lock. Revision 1 is the first; a higher one corrects it (rule 5).

    paid: whole minor units paid by seat when the revision was journaled. signed: the two people of a correction.
    """

    name: ClaimName
    revision: int
    winners: tuple[Winner, ...]
    counters: Counters
    mark: Mark
    paid: tuple[tuple[int, int], ...] = field(default=())
    signed: Signed | None = None

    @property
    def id(self) -> str:
        return f"{self.name.key}/{self.revision}"

    @property
    def digest(self) -> str:
        """The same id with another digest is a conflict."""
        return digest_of(self)


@dataclass(frozen=True, slots=True)
class Counter:
    """COUNTER: a table's cumulative counters; `leaving`: they are final and the table asks to leave (rule 8)."""

    table: str
    incarnation: str
    epoch: Epoch
    mark: Mark
    counters: Counters
    leaving: Signed | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """BIRTH (alive) and DEATH (the broker's will) of one boot of a table; presence never moves money."""

    table: str
    incarnation: str
    epoch: Epoch
    mark: Mark
    alive: bool


@dataclass(frozen=True, slots=True)
class Claimed:
    """CLAIM: re-sent until the ledger answers it."""

    table: str
    incarnation: str
    epoch: Epoch
    mark: Mark
    claim: Claim


@dataclass(frozen=True, slots=True)
class Received:
    """RECEIVED: the last ledger record a table has journaled, and what it has paid by row (whole minor units)."""

    table: str
    incarnation: str
    epoch: Epoch
    mark: Mark
    seq: int
    hash: str
    paid: tuple[tuple[str, int], ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Report:
    """REPORT: the answer to COLLECT, after the table journaled its epoch (rule 6).

    source: highest sender's epoch it journaled a record from. complete: False while it is blank or catching up.
    stopped: it pays nothing any more, and its ledger counts for nothing.
    roster: `table/incarnation` of the members as its ledger has them. records: a part of its ledger from `first` on,
    as many as one message takes.
    """

    table: str
    incarnation: str
    epoch: Epoch
    mark: Mark
    seq: int
    hash: str
    source: Epoch
    counters: Counters
    complete: bool
    stopped: bool
    roster: tuple[str, ...]
    paid: tuple[tuple[str, int], ...] = field(default=())
    first: int = 1
    records: tuple[Record, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class HostStatus:
    """HOST: who serves, and how far its ledger goes; a hint (also the host's will, alive False)."""

    epoch: Epoch
    seq: int
    hash: str
    alive: bool = True


@dataclass(frozen=True, slots=True)
class Ledger:
    """LEDGER: one record; `epoch` is the sender's, the record's own is history."""

    epoch: Epoch
    record: Record


@dataclass(frozen=True, slots=True)
class Collect:
    """COLLECT: a promoted host asks a table for its ledger from a sequence number on."""

    epoch: Epoch
    table: str
    first: int


@dataclass(frozen=True, slots=True)
class PendingPrize:
    """A prize that was awarded and is not known to be paid, or waits for an answer."""

    table: str
    hand: int
    seat: int
    category: str
    amount_minor: int
    held: bool


@dataclass(frozen=True, slots=True)
class Meter:
    """METER: for screens only. as of = (epoch, seq, hash); a screen ignores a lower one."""

    epoch: Epoch
    seq: int
    hash: str
    currency: str
    amount_minor: int
    amount_micros: int
    tables: tuple[tuple[str, int], ...]
    pending: tuple[PendingPrize, ...] = field(default=())

    def is_newer(self, shown: "Meter | None") -> bool:
        """Whether a screen that shows `shown` may show this: never a lower as-of."""
        return shown is None or (self.epoch, self.seq) >= (shown.epoch, shown.seq)


@dataclass(frozen=True, slots=True)
class RosterLine:
    """A member as everybody may know it."""

    table: str
    incarnation: str
    key: str
    standing: str
    start_micros: int


@dataclass(frozen=True, slots=True)
class Roster:
    """ROSTER: members, keys, currency and start values, as of a record; changes themselves are ledger records."""

    epoch: Epoch
    seq: int
    currency: str
    members: tuple[RosterLine, ...]


TableMessage = Counter | Status | Claimed | Received | Report
HostMessage = HostStatus | Ledger | Collect | Meter | Roster
Message = TableMessage | HostMessage


@dataclass(frozen=True, slots=True)
class LinkReceived:
    """A message arrived, its signature checked: the event that tables and hosts decide on."""

    message: Message
