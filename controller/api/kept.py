"""What was computed from the journals and is gone on with, so that whoever looks on pays for what is new alone."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from controller.api.days import Calendar
from controller.engine.ports import JournalReader, StoredEntry

PAGE = 500
MOST_TOLD = 4096
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Span:
    """Entries of a journal: those after `after`, up to `last` included."""

    after: int
    last: int


class Fold(Protocol[T_co]):
    """A sum over entries that follow one another, up to the entry `at`."""

    @property
    def at(self) -> int: ...

    async def take(self, page: Sequence[StoredEntry]) -> None:
        """The entries after `at`: all of them, or none where it fails."""

    def told(self) -> T_co:
        """What it comes to by now, which later entries leave as it is."""


@dataclass(slots=True)
class Kept:
    """By journal: its days, and its folds by what they are and the entry that they begin after."""

    calendars: dict[str, Calendar] = field(default_factory=dict)
    folds: dict[tuple[str, str, int], Any] = field(default_factory=dict)
    settled: dict[tuple[str, str, str], tuple[int, int]] = field(default_factory=dict)
    """Wall time and seq by table, prize and status of what was paid or voided."""
    told: dict[str, str] = field(default_factory=dict)
    """What the newest requests asked for that left no entry, by their ids: their keys are never another act's."""
    is_exporting: bool = False
    """Whether somebody takes a journal out, which reads and checks all of it."""
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    def remember(self, request: str, asked: str) -> None:
        """Keep what a request asked for; of more than MOST_TOLD the oldest are let go."""
        self.told[request] = asked
        while len(self.told) > MOST_TOLD:
            del self.told[next(iter(self.told))]

    def lock(self, journal: str) -> asyncio.Lock:
        """Held by who folds a journal: many who look on at once cost one fold."""
        return self._locks.setdefault(journal, asyncio.Lock())

    def of_journal(self, journal: str, what: str) -> list[Any]:
        """The folds of a kind over a journal."""
        return [fold for (name, kind, _), fold in self.folds.items() if (name, kind) == (journal, what)]

    async def folded(
        self, reader: JournalReader, what: str, span: Span, begin: Callable[[], Awaitable[Fold[T_co]]], most: int
    ) -> T_co:
        """A fold over a span, gone on from where an earlier one over the same beginning stands.

        begin: a fold that has taken nothing after the span's beginning. most: folds of this kind that are kept; the
        one that was asked for longest ago goes first.
        """
        async with self.lock(reader.name):
            key = (reader.name, what, span.after)
            fold: Fold[T_co] | None = self.folds.pop(key, None)
            if fold is None or fold.at > span.last:
                fold = await begin()
            while fold.at < span.last:
                page = await reader.page(fold.at, min(PAGE, span.last - fold.at))
                if not page:
                    break
                await fold.take(page)
            if span.after < span.last:
                self.folds[key] = fold
            alike = [each for each in self.folds if each[1] == what]
            for oldest in alike[: max(len(alike) - most, 0)]:
                del self.folds[oldest]
            return fold.told()
