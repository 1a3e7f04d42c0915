"""Days as spans of a journal: each entry is in exactly one, whatever the clock did between them.

Order is that of the entries; the clock is informative. Of the dates that entries carry, those are believed that stand
in order with the most entries; any other entry is of the believed day before it. A clock that runs ahead for a while
and is set right again thus opens no day and closes none, and one that falls back does not reopen yesterday.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

LATEST_MS = int(datetime(9999, 12, 30, tzinfo=UTC).timestamp()) * 1000
"""The last moment that has a day in every zone; what a clock says beyond it is taken for it."""


@dataclass(slots=True)
class Run:
    """Entries that follow one another with one date: its ordinal, the first seq, and how many."""

    day: int
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The run at the end of an ordered choice, the choice before it, and the entries of all of it."""

    run: Run
    before: "_Chosen | None"
    entries: int


def in_order(runs: Iterable[Run]) -> list[Run]:
    """Of some runs those whose days never fall and which hold the most entries; of equals the earlier days."""
    days: list[int] = []
    ends: list[_Chosen] = []  # the best choice that ends at each of those days: later ones hold more entries
    for run in runs:
        place = bisect_right(days, run.day)
        before = ends[place - 1] if place else None
        now = _Chosen(run, before, run.count + (before.entries if before is not None else 0))
        first = last = bisect_left(days, run.day)
        while last < len(ends) and ends[last].entries <= now.entries:
            last += 1
        days[first:last], ends[first:last] = [run.day], [now]
    chosen, link = [], ends[-1] if ends else None
    while link is not None:
        chosen.append(link.run)
        link = link.before
    return chosen[::-1]


@dataclass(slots=True)
class Calendar:
    """The days of one journal up to the entry `seen`, in a zone."""

    zone: ZoneInfo
    seen: int = 0
    runs: list[Run] = field(default_factory=list)
    _begin_ms: int = 0
    _end_ms: int = 0
    _told: tuple[int, list[Run]] = (0, [])

    def note(self, moments: Iterable[tuple[int, int]]) -> None:
        """Seq and wall milliseconds of the entries that come next."""
        for seq, wall_ms in moments:
            if not self._begin_ms <= wall_ms < self._end_ms or not self.runs:
                day = day_of(wall_ms, self.zone)
                self._begin_ms, self._end_ms = midnight_ms(day, self.zone), midnight_ms(day + _DAY, self.zone)
                if not self.runs or self.runs[-1].day != day.toordinal():
                    self.runs.append(Run(day.toordinal(), seq, 0))
            self.runs[-1].count += 1
            self.seen = seq

    def last_before(self, day: date) -> int:
        """The last entry of the days before a day; 0 when there is none."""
        if self._told[0] != self.seen:
            self._told = (self.seen, in_order(self.runs))
        believed = self._told[1]
        place = bisect_left([run.day for run in believed], day.toordinal())
        if place == len(believed):
            return self.seen
        return believed[place].first - 1 if place else 0


_DAY = timedelta(days=1)


def day_of(wall_ms: int, zone: ZoneInfo) -> date:
    """The day that a clock shows in a zone."""
    return datetime.fromtimestamp(min(max(wall_ms, 0), LATEST_MS) // 1000, UTC).astimezone(zone).date()


def midnight_ms(day: date, zone: ZoneInfo) -> int:
    """Wall milliseconds of a day's begin in a zone."""
    return int(datetime.combine(day, time(), zone).timestamp()) * 1000
