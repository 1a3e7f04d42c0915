"""Records of a table's counters: what it took in and reversed since its incarnation began, folded into its pools."""

from dataclasses import dataclass
from typing import NamedTuple

from controller.engine.signed import Signed

GENESIS = "0" * 64


class Mark(NamedTuple):
    """A place in a table's journal: count of starts, number of its own link entries, and their chain's head."""

    boot: int
    seq: int
    head: str


NO_MARK = Mark(0, 0, GENESIS)


@dataclass(frozen=True, slots=True)
class Counters:
    """A table's cumulative counters of one incarnation, in micros, and hands locked; none ever falls."""

    main_micros: int = 0
    reserve_micros: int = 0
    reversed_main_micros: int = 0
    reversed_reserve_micros: int = 0
    hands: int = 0

    def merged(self, other: "Counters") -> "Counters":
        """The highest of each: any order and any number of copies give the same."""
        return Counters(
            max(self.main_micros, other.main_micros),
            max(self.reserve_micros, other.reserve_micros),
            max(self.reversed_main_micros, other.reversed_main_micros),
            max(self.reversed_reserve_micros, other.reversed_reserve_micros),
            max(self.hands, other.hands),
        )

    @property
    def net_main_micros(self) -> int:
        return self.main_micros - self.reversed_main_micros

    @property
    def net_reserve_micros(self) -> int:
        return self.reserve_micros - self.reversed_reserve_micros

    @property
    def net_micros(self) -> int:
        return self.net_main_micros + self.net_reserve_micros


ZERO = Counters()


@dataclass(frozen=True, slots=True)
class CountersAbsorbed:
    """A table's counters folded. rescue: what the house puts in where a reversal took a balance below zero."""

    table: str
    incarnation: str
    counters: Counters
    mark: Mark
    rescue_micros: int = 0

    @property
    def overflow_micros(self) -> int:
        """What of the step comes back out of the overflow."""
        return 0


@dataclass(frozen=True, slots=True)
class OverflowReversed(CountersAbsorbed):
    """Counters folded, of which a reversal takes from the overflow: the meter stands at its ceiling, and what a hand
    put in beyond it is not the meter's to give back.
    """

    overflow_micros: int = 0


@dataclass(frozen=True, slots=True)
class CountersAccepted:
    """Counters beyond the bound accepted by two people; what of the step was wrong is taken out as an adjustment."""

    table: str
    incarnation: str
    counters: Counters
    mark: Mark
    signed: Signed
    adjust_main_micros: int = 0
    adjust_reserve_micros: int = 0
    rescue_micros: int = 0

    @property
    def overflow_micros(self) -> int:
        """What of the step comes back out of the overflow."""
        return 0


@dataclass(frozen=True, slots=True)
class OverflowAccepted(CountersAccepted):
    """Accepted counters of which what was wrong had passed the ceiling, wholly or in part: it is taken out there."""

    overflow_micros: int = 0
