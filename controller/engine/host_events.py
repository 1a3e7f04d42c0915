"""What people and the daemon tell a carousel host; reasons here, the two persons in the envelope."""

from dataclasses import dataclass

from controller.core.causes import PoolCause
from controller.engine.ledger_records import ClaimName, Profile


@dataclass(frozen=True, slots=True)
class HostStarted:
    """The daemon started. nonce: fresh randomness, so that two starts from one journal write different records.

    restored: its journal came from a backup (so does a journal of another incarnation than the last time); it may lack
    records that tables have, so it waits to be promoted.
    in_database: its journal is held in a database that lets one host in at a time; a standby with a key of its own that
    finds it free takes over.
    """

    nonce: str
    restored: bool = False
    in_database: bool = False


@dataclass(frozen=True, slots=True)
class CarouselFounded:
    """The first host of a new carousel: nobody has a ledger of it yet."""

    reason: str


@dataclass(frozen=True, slots=True)
class MemberAccepted:
    """A table (or a new incarnation of one) is enrolled."""

    profile: Profile
    reason: str


@dataclass(frozen=True, slots=True)
class MemberSealed:
    """An incarnation is over: lost, copied, or to be replaced.

    seen_switched_off: two people have seen that it runs no more; it pays what it was awarded as long as it does.
    """

    table: str
    reason: str
    seen_switched_off: bool = False


@dataclass(frozen=True, slots=True)
class MemberRekeyed:
    """A table's node has another key (hex): people have read it to each other."""

    table: str
    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class StepAccepted:
    """A quarantined counter step is true; `wrong_*`: the part of it that is not, taken out as an adjustment.

    cause: why that part falls, asked where there is one.
    """

    table: str
    reason: str
    wrong_main_micros: int = 0
    wrong_reserve_micros: int = 0
    cause: PoolCause | None = None


@dataclass(frozen=True, slots=True)
class MeterAdjusted:
    """A table's pools are corrected by these amounts, up or down; awards that were given do not change."""

    table: str
    main_micros: int
    reason: str
    reserve_micros: int = 0
    cause: PoolCause | None = None


@dataclass(frozen=True, slots=True)
class StartValueReset:
    """A table's start value is set anew; `meter_too`: its balance is brought to it as well, by an adjustment."""

    table: str
    start_micros: int
    reason: str
    meter_too: bool = False
    cause: PoolCause | None = None


@dataclass(frozen=True, slots=True)
class BalanceTransferred:
    """Money of a table's main pool goes to another table's, or (None) out of the carousel."""

    table: str
    micros: int
    reason: str
    target: str | None = None
    cause: PoolCause | None = None


@dataclass(frozen=True, slots=True)
class ClosingAsked:
    """The jackpot ends on a day, and its money goes to a target; no day: it goes on after all.

    keep_start: the house takes the start values back before.
    """

    day: str
    target: str
    reason: str
    keep_start: bool = False
    cause: PoolCause | None = None


@dataclass(frozen=True, slots=True)
class ClosingDayCame:
    """By the site's calendar the announced day has begun."""

    day: str


@dataclass(frozen=True, slots=True)
class ClosedDisposed:
    """The money of a jackpot that is closed goes where it was announced."""

    reason: str
    cause: PoolCause | None = None


@dataclass(frozen=True, slots=True)
class OrphansAssigned:
    """Money of the register of orphans goes to another jackpot, as people name it."""

    micros: int
    target: str
    reason: str
    cause: PoolCause | None = None


@dataclass(frozen=True, slots=True)
class PrizeReleased:
    """A held award may be paid (rule 4). expected_minor: all of it as two people saw it, None = not told."""

    name: ClaimName
    reason: str
    expected_minor: int | None = None


@dataclass(frozen=True, slots=True)
class AwardSettled:
    """An open award of a sealed incarnation was settled by people, outside the tables.

    seen_switched_off: they have seen that the incarnation that won it runs no more, which would pay it too.
    """

    name: ClaimName
    reason: str
    seen_switched_off: bool = False


@dataclass(frozen=True, slots=True)
class HostPromoted:
    """This host takes over: it asks every table for its ledger and writes nothing meanwhile (rule 6).

    no_other_ledger: the two people know that every table's ledger is lost, so that this host's own may win unasked.
    """

    reason: str
    no_other_ledger: bool = False


@dataclass(frozen=True, slots=True)
class TableExcluded:
    """While collecting: two people have seen this table switched off.

    incarnation: which one; empty = those of the rosters known by now that have not answered.
    """

    table: str
    reason: str
    seen_switched_off: bool
    incarnation: str = ""


PeopleEvent = (
    CarouselFounded
    | MemberAccepted
    | MemberSealed
    | MemberRekeyed
    | StepAccepted
    | MeterAdjusted
    | StartValueReset
    | BalanceTransferred
    | ClosingAsked
    | ClosedDisposed
    | OrphansAssigned
    | PrizeReleased
    | AwardSettled
    | HostPromoted
    | TableExcluded
)
