"""What people and the daemon tell a carousel host; reasons here, the two persons in the envelope."""

from dataclasses import dataclass

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
    """An incarnation is over: lost, copied, or to be replaced."""

    table: str
    reason: str


@dataclass(frozen=True, slots=True)
class StepAccepted:
    """A quarantined counter step is true; `wrong_*`: the part of it that is not, taken out as an adjustment."""

    table: str
    reason: str
    wrong_main_micros: int = 0
    wrong_reserve_micros: int = 0


@dataclass(frozen=True, slots=True)
class MeterAdjusted:
    """A table's pools are corrected by these amounts, up or down; awards that were given do not change."""

    table: str
    main_micros: int
    reason: str
    reserve_micros: int = 0


@dataclass(frozen=True, slots=True)
class StartValueReset:
    """A table's start value is set anew; `meter_too`: its balance is brought to it as well, by an adjustment."""

    table: str
    start_micros: int
    reason: str
    meter_too: bool = False


@dataclass(frozen=True, slots=True)
class BalanceTransferred:
    """Money of a table's main pool goes to another table's, or (None) out of the carousel."""

    table: str
    micros: int
    reason: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class PrizeReleased:
    """A held award may be paid (rule 4)."""

    name: ClaimName
    reason: str


@dataclass(frozen=True, slots=True)
class AwardSettled:
    """An open award of a sealed incarnation was settled by people, outside the tables."""

    name: ClaimName
    reason: str


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
    | StepAccepted
    | MeterAdjusted
    | StartValueReset
    | BalanceTransferred
    | PrizeReleased
    | AwardSettled
    | HostPromoted
    | TableExcluded
)
