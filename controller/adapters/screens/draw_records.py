"""A table's draws read back from its journal for the players' page: the newest kept, older ones found by halving."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec

from controller.adapters.journal.chain import Row
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.store import Store
from display.draws import DrawBox, DrawOutcome, DrawRecord, TableDraws

KEPT = 200
"""Draws of a table that are answered from memory."""
SHOWN = 20
"""Draws on a table's page."""
BEFORE = 5
"""Earlier draws told beside one hand's."""
WINDOW = 500
"""Entries read from the journal at once, between two of its commits."""
MOST_WINDOWS = 80
"""Windows read for one question at most; what is farther away is not answered."""
KINDS = frozenset({"draw.chain", "bets.closed", "draw.made", "draw.seats", "hand.void"})


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the entries so far have told: the seed published last, by which hand, and the closed hand's list."""

    commitment: str = ""
    committed_hand: int | None = None
    next_index: int = 0
    closed: Mapping[str, Any] | None = None
    closed_ms: int = 0


@dataclass(frozen=True, slots=True)
class _Fold:
    """Records of consecutive entries, oldest first, up to a seq. A draw whose commitment lies before is left out."""

    site: str
    table: str
    lives: tuple[tuple[int, str], ...]
    seq: int = 0
    seen: _Seen = _Seen()
    records: tuple[DrawRecord, ...] = ()

    def after(self, rows: Iterable[Row]) -> "_Fold":
        """The fold after these rows, with the newest records only."""
        fold = self
        records = list(self.records)
        for row in rows:
            seen = fold.seen
            if row.kind in KINDS:
                seen = _told(fold, seen, row, records)
            fold = replace(fold, seq=row.seq, seen=seen)
        return replace(fold, records=tuple(records[-KEPT:]))

    def incarnation(self, seq: int) -> str:
        """The journal's life in which an entry was written."""
        return [name for start, name in self.lives if start <= seq][-1]


def _told(fold: _Fold, seen: _Seen, row: Row, records: list[DrawRecord]) -> _Seen:
    body = msgspec.json.decode(row.body)
    if row.kind == "draw.chain":
        return replace(seen, commitment=body["commitment"], committed_hand=None, next_index=1)
    if row.kind == "draw.seats":
        return replace(seen, commitment=body["seed"], committed_hand=body["hand"], next_index=body["index"] + 1)
    if row.kind == "bets.closed":
        return replace(seen, closed=body, closed_ms=row.wall_ms)
    if row.kind == "hand.void":
        for place, record in enumerate(records[-2:], start=max(len(records) - 2, 0)):
            if record.hand == body["hand"]:
                records[place] = replace(record, void=True)
        return seen
    closed = seen.closed
    if seen.commitment and closed is not None and closed["hand"] == body["hand"]:
        records.append(_record(fold, seen, closed, body, row.seq))
    return replace(seen, commitment=body["seed"], committed_hand=body["hand"], next_index=body["index"] + 1)


def _record(fold: _Fold, seen: _Seen, closed: Mapping[str, Any], made: Mapping[str, Any], seq: int) -> DrawRecord:
    return DrawRecord(
        site=fold.site,
        table=fold.table,
        incarnation=fold.incarnation(seq),
        hand=made["hand"],
        index=made["index"],
        closed_ms=seen.closed_ms,
        boxes=tuple(DrawBox(box["seat"], box["ante"], box["credits"]) for box in closed["list"]),
        list_hash=made["list_hash"],
        outside=made.get("outside", ""),
        commitment=seen.commitment,
        committed_hand=seen.committed_hand,
        seed=made["seed"],
        outcomes=tuple(DrawOutcome(kind, result, tuple(seats)) for kind, result, seats in made["results"]),
        entry=seq,
        outside_source=closed.get("outside_source", ""),
    )


class TableDrawLog:
    """One table's draws. Everything is read from the journal, so a restart forgets nothing.

    One question is answered at a time: whoever asks, the journal is read in small windows between its commits.
    """

    def __init__(self, journal: Journal, site: str, table: str) -> None:
        self._journal = journal
        self._site = site
        self._table = table
        self._turn = asyncio.Lock()
        self._newest: _Fold | None = None

    async def recent(self) -> TableDraws:
        """The last draws, newest first."""
        async with self._turn:
            fold = await self._catch_up()
        return _answer(fold, fold.records[-SHOWN:])

    async def of_hand(self, hand: int) -> TableDraws | None:
        """A hand's draws, then up to five before it; None when the hand had none."""
        async with self._turn:
            fold = await self._catch_up()
            found = _ending_with(fold.records, hand)
            if found is None and fold.records and hand < fold.records[0].hand:
                found = _ending_with((await self._around(hand, fold)).records, hand)
        return None if found is None else _answer(fold, found)

    async def _catch_up(self) -> _Fold:
        fold = self._newest if self._newest is not None else await self._begin()
        head = self._journal.head.seq
        if head - fold.seq > WINDOW * MOST_WINDOWS:
            fold = await self._begin()
        while fold.seq < head:
            fold = fold.after(await self._rows(fold.seq))
        self._newest = fold
        return fold

    async def _begin(self) -> _Fold:
        """An empty fold placed so far back that the newest draws lie after it."""
        lives = await self._journal.ask(Store.incarnations)
        named = tuple((row.seq, msgspec.json.decode(row.body)["incarnation"]) for row in lives)
        start, draws = self._journal.head.seq, 0
        for _ in range(MOST_WINDOWS):
            if start == 0 or draws > KEPT:
                break
            start = max(start - WINDOW, 0)
            draws += sum(row.kind == "draw.made" for row in await self._rows(start))
        return _Fold(self._site, self._table, named, start)

    async def _around(self, hand: int, newest: _Fold) -> _Fold:
        """The fold of the entries that lead to a hand's draw: hands grow with the journal, so its place is halved."""
        low, high = 0, newest.records[0].entry
        while high - low > WINDOW:
            middle = (low + high) // 2
            drawn = await self._next_draw(middle, high)
            if drawn is not None and drawn < hand:
                low = middle
            else:
                high = middle
        fold = replace(newest, seq=max(low - 2 * WINDOW, 0), seen=_Seen(), records=())
        for _ in range(MOST_WINDOWS):
            rows = await self._rows(fold.seq)
            fold = fold.after(rows)
            if not rows or (fold.records and fold.records[-1].hand > hand + 1):
                break
        return fold

    async def _next_draw(self, after_seq: int, until: int) -> int | None:
        """Hand of the first draw after a seq."""
        for _ in range(MOST_WINDOWS):
            rows = await self._rows(after_seq)
            made = next((row for row in rows if row.kind == "draw.made"), None)
            if made is not None:
                return int(msgspec.json.decode(made.body)["hand"])
            if not rows or rows[-1].seq >= until:
                return None
            after_seq = rows[-1].seq
        return None

    async def _rows(self, after_seq: int) -> list[Row]:
        values = await self._journal.ask(partial(Store.page, after_seq=after_seq, limit=WINDOW))
        return [Row(*each) for each in values]


def _ending_with(records: tuple[DrawRecord, ...], hand: int) -> tuple[DrawRecord, ...] | None:
    """The record of a hand with some before it, oldest first."""
    place = next((place for place, record in enumerate(records) if record.hand == hand), None)
    return None if place is None else records[max(place - BEFORE, 0) : place + 1]


def _answer(fold: _Fold, records: tuple[DrawRecord, ...]) -> TableDraws:
    return TableDraws(records[::-1], fold.seen.commitment, fold.seen.next_index)


class NodeDraws:
    """The draws of all tables of a node, as the screens' listener asks for them; draws: whether a table has any now."""

    def __init__(self, logs: Mapping[str, TableDrawLog], draws: Callable[[str], bool] = lambda table: True) -> None:
        self._logs = dict(logs)
        self._draws = draws

    def tables(self) -> tuple[str, ...]:
        return tuple(filter(self._draws, self._logs))

    async def recent(self, table: str) -> TableDraws | None:
        log = self._logs.get(table)
        return None if log is None else await log.recent()

    async def of_hand(self, table: str, hand: int) -> TableDraws | None:
        log = self._logs.get(table)
        return None if log is None else await log.of_hand(hand)
