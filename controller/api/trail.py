"""Where in a carousel's ledger a question may begin, so that the oldest records are not folded again for each."""

import asyncio
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from controller.engine.ledger_records import Record
from controller.engine.ledger_state import LedgerState

MOST_PLACES = 128
"""States kept of one ledger; beyond, every other one is let go and they lie twice as far apart."""
MOST_FOLLOWED = 512
"""Questions whose sums are kept; beyond, the oldest is let go and asked from the beginning again."""


@dataclass(frozen=True, slots=True)
class Step:
    """One record, the ledger before and after it, and the journal entry that holds it."""

    record: Record
    wall_ms: int
    before: LedgerState
    after: LedgerState
    stored_seq: int


@dataclass(frozen=True, slots=True)
class Place:
    """The ledger as it stood before the entries after a seq of its journal."""

    after_seq: int
    state: LedgerState


@dataclass(slots=True)
class Trail:
    """What was learned of a ledger on the way: some of its states, and which records restarted the meter."""

    places: list[Place]
    resets: list[int] = field(default_factory=list)
    before_reset: Place | None = None
    apart: int = 500
    end: int = 0
    """Journal seq up to which it is known."""

    def learn(self, step: Step, is_reset: bool) -> None:
        """A step that somebody walks; those that are known change nothing."""
        if step.stored_seq <= self.end:
            return
        self.end = step.stored_seq
        if step.before.seq == 0 and len(self.places) > 1:  # a host that adopted another ledger begins anew
            self.places, self.resets, self.before_reset = [Place(step.stored_seq - 1, step.before)], [], None
        if is_reset:
            self.resets.append(step.record.seq)
            self.before_reset = Place(step.stored_seq - 1, step.before)
        if step.after.seq - self.places[-1].state.seq >= self.apart:
            self.places.append(Place(step.stored_seq, step.after))
        if len(self.places) > MOST_PLACES:
            self.places, self.apart = self.places[::2], self.apart * 2

    def place_before(self, record: int) -> Place:
        """The nearest known state before a record."""
        at = bisect_left(self.places, record, key=lambda place: place.state.seq)
        found = self.places[max(at - 1, 0)]
        reset = self.before_reset
        return reset if reset is not None and found.state.seq < reset.state.seq < record else found

    def record_holding(self, award: str) -> int:
        """A record after the newest known place in whose ledger an award stands, by its key; 1 for none."""
        holding = (place.state.seq for place in reversed(self.places) if award in place.state.awards)
        return next(holding, 0) + 1

    def last_reset(self, until: int | None) -> int:
        """The last known restart before a record, None = of all; 0 = the beginning of the ledger."""
        at = len(self.resets) if until is None else bisect_left(self.resets, until)
        return self.resets[at - 1] if at else 0


class Follower(Protocol):
    """Sums over a ledger's records, taken in order; `begin` forgets them, as another ledger was adopted."""

    def begin(self) -> None: ...

    def take(self, step: Step) -> None: ...


F = TypeVar("F", bound=Follower)


@dataclass(slots=True)
class Followed(Generic[F]):
    """A follower and how far it has come; asked again, only what is new since then is folded."""

    sums: F
    place: Place
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class Trails:
    """What is remembered between questions about the carousels of a node; a start forgets it."""

    trails: dict[tuple[str, str], Trail] = field(default_factory=dict)
    followed: dict[tuple[str, str, str], Followed[Follower]] = field(default_factory=dict)

    def of(self, journal: str, blank: LedgerState) -> Trail:
        """The trail of a carousel's ledger in a journal; blank: what a ledger of it begins with."""
        return self.trails.setdefault((journal, blank.carousel), Trail([Place(0, blank)]))

    def following(self, journal: str, blank: LedgerState, name: str, new: Callable[[], Follower]) -> Followed[Follower]:
        """The sums by that name over a ledger, as far as they have come."""
        key = (journal, blank.carousel, name)
        if key not in self.followed:
            while len(self.followed) >= MOST_FOLLOWED:
                del self.followed[next(iter(self.followed))]
            self.followed[key] = Followed(new(), Place(0, blank))
        return self.followed[key]
