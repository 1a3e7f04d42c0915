"""What travels between tables and host: frozen values; the wire adds version, sender, order and signature."""

from dataclasses import dataclass, field

from controller.core.prizes import Winner
from controller.engine.epoch import Epoch
from controller.engine.ledger_records import ClaimName, Counters, Mark, Record, Signed, Terms, digest_of


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
    """COUNTER: a table's cumulative counters; `leaving`: they are final and the table asks to leave (rule 8).

    terms: the terms that it plays by from a hand on; it takes no jackpot bet by them before the ledger has them.
    """

    table: str
    incarnation: str
    epoch: Epoch
    mark: Mark
    counters: Counters
    leaving: Signed | None = None
    terms: Terms | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """BIRTH (alive) and DEATH (the broker's will) of one boot of a table; presence never moves money.

    program: version of the program; terms: digest of the jackpot's terms there; nonce: fresh for each start of the
    table's program, which the host's beats must repeat. Peers of before say none of these.
    """

    table: str
    incarnation: str
    epoch: Epoch
    mark: Mark
    alive: bool
    program: str = ""
    terms: str = ""
    nonce: str = ""


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
    """RECEIVED: the last ledger record a table has journaled, and what it has paid by row (whole minor units).

    verified: rows that two people have verified and nobody has paid yet, for screens alone; a table of before does not
    say it. beside: minor units that two people had paid beyond what was computed of a row (below 0: less); they move no
    pool, and a table of before does not say them. settled: it has journaled the jackpot's end, and nothing of before
    can be won or claimed there any more.
    """

    table: str
    incarnation: str
    epoch: Epoch
    mark: Mark
    seq: int
    hash: str
    paid: tuple[tuple[str, int], ...] = field(default=())
    verified: tuple[str, ...] = field(default=())
    beside: tuple[tuple[str, int], ...] = field(default=())
    settled: bool = False


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
class SignedHead:
    """A checkpoint of a journal, or another node's signature below it: the same words, each under its key (all hex)."""

    name: str
    incarnation: str
    seq: int
    chain: str
    key: str
    signature: str


@dataclass(frozen=True, slots=True)
class Checkpointed:
    """CHECKPOINT: a table's newest signed checkpoint, and its signature below the host's; nothing is decided by it."""

    table: str
    incarnation: str
    epoch: Epoch
    mark: Mark
    points: tuple[SignedHead, ...]


@dataclass(frozen=True, slots=True)
class HostStatus:
    """HOST: who serves, and how far its ledger goes; a hint (also the host's will, alive False).

    program: version of the program that serves. echoes: by table the nonce of its birth, so that no recorded beat of a
    host that is gone opens the bets of a table that starts later. A host of before says neither.
    """

    epoch: Epoch
    seq: int
    hash: str
    alive: bool = True
    program: str = ""
    echoes: tuple[tuple[str, str], ...] = field(default=())


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
class HostCheckpointed:
    """HOST_CHECKPOINT: the newest signed checkpoint of the host's journal, for tables to keep and to sign below."""

    epoch: Epoch
    point: SignedHead


@dataclass(frozen=True, slots=True)
class Cosigned:
    """COSIGNED: the host's signature below a table's checkpoint, or one of the table's own that the host has kept."""

    epoch: Epoch
    table: str
    point: SignedHead


@dataclass(frozen=True, slots=True)
class PendingPrize:
    """A prize that was awarded and is not known to be paid.

    waiting: a winner whose claim has no answer, since two people must first accept counters of its table (rule 9); what
    it will be awarded is not known, so its amount is 0. verified: its table says that it waits only for its payment.
    """

    table: str
    hand: int
    seat: int
    category: str
    amount_minor: int
    held: bool
    waiting: bool = False
    verified: bool = False

    @property
    def place(self) -> tuple[str, int, int, str]:
        """Which prize it is, however it stands: table, hand, seat, category."""
        return self.table, self.hand, self.seat, self.category


@dataclass(frozen=True, slots=True)
class PaidPrize:
    """A prize of which two people had another amount paid than the computed one; amount_minor: what was paid in all."""

    table: str
    hand: int
    seat: int
    category: str
    amount_minor: int

    @property
    def place(self) -> tuple[str, int, int, str]:
        """Which prize it is: table, hand, seat, category."""
        return self.table, self.hand, self.seat, self.category


@dataclass(frozen=True, slots=True)
class Meter:
    """METER: for screens only. as of = (epoch, seq, hash); a screen ignores a lower one.

    paid: of the newest prizes out of the meter those that were paid by another amount; a host of before says none.
    """

    epoch: Epoch
    seq: int
    hash: str
    currency: str
    amount_minor: int
    amount_micros: int
    tables: tuple[tuple[str, int], ...]
    pending: tuple[PendingPrize, ...] = field(default=())
    paid: tuple[PaidPrize, ...] = field(default=())

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


TableMessage = Counter | Status | Claimed | Received | Report | Checkpointed
HostMessage = HostStatus | Ledger | Collect | Meter | Roster | HostCheckpointed | Cosigned
Message = TableMessage | HostMessage


@dataclass(frozen=True, slots=True)
class LinkReceived:
    """A message arrived, its signature checked: the event that tables and hosts decide on."""

    message: Message
