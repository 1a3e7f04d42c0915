"""Ratios of the journal: bets through engine and journal, verification, and the start, each beside its bare floor."""

import asyncio
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from controller.adapters.journal import Journal
from controller.adapters.journal_snapshots import Snapshots
from controller.adapters.journal_verify import verify
from controller.adapters.runner import Runner
from controller.adapters.service import settle_memory
from controller.core.events import AntePlaced, CreditWagered, Envelope
from controller.core.ledger import Entry, move
from controller.engine.table_state import JackpotKind, JackpotTerms, TableState
from tests.engine.pit import PRIZES, Pit, oasis_settings

ROUNDS = 7
LIFE = "t1-i1"
"""The incarnation that the table of these measurements was enrolled with."""
Plain = tuple[str, str, str, dict[str, object], list[list[object]]]
"""Id, kind, actor, body and postings of an entry."""
COLUMNS = "(seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, actor TEXT NOT NULL, wall_ms INTEGER"
COLUMNS += " NOT NULL, cause BLOB NOT NULL, body BLOB NOT NULL, postings BLOB NOT NULL, chain BLOB NOT NULL) STRICT"


@dataclass(frozen=True, slots=True)
class Rate:
    """Things per second: of the clock, and of the processor's time in this process, whatever else the machine does."""

    wall: float
    cpu: float


class Watch:
    """Both clocks from now on."""

    def __init__(self) -> None:
        self._began = time.perf_counter(), time.process_time()

    def rate(self, count: int) -> Rate:
        wall, cpu = time.perf_counter() - self._began[0], time.process_time() - self._began[1]
        return Rate(count / wall, count / cpu)


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two figures of one run side by side, and the bound that the quotient has to keep."""

    name: str
    ours: float
    floor: float
    quotient: float
    bound: str
    kept: bool

    def __str__(self) -> str:
        mark = "" if self.kept else "  NOT KEPT"
        return f"{self.name}: {self.ours:,.3g} beside {self.floor:,.3g} = {self.quotient:.2f} ({self.bound}){mark}"


def at_least(name: str, least: float, ours: Callable[[int], Rate], floor: Callable[[int], Rate]) -> Iterator[Ratio]:
    """Rates in turns, by the wall clock and by processor time; medians, so that a burst of other work hardly counts."""
    pairs = [(floor(number), ours(number)) for number in range(ROUNDS)]
    found = []
    for clock in ("wall", "cpu"):
        bare, mine = ([getattr(pair[side], clock) for pair in pairs] for side in (0, 1))
        quotient = statistics.median(one / other for one, other in zip(mine, bare, strict=True))
        found.append((clock, statistics.median(mine), statistics.median(bare), quotient))
    for clock, our_rate, bare_rate, quotient in found:
        yield Ratio(f"{name}, {clock} time", our_rate, bare_rate, quotient, f"at least {least}", quotient >= least)


def bets(count: int) -> Iterator[Envelope]:
    """Credits as sensors report them, on boxes that all have an ante."""
    for number in range(count):
        yield Envelope(f"bet-{number}", CreditWagered(1 + number % 7), "sensor")


def enrolled() -> Pit:
    """An Oasis table of a carousel, with its link up, that takes any number of credits in one hand."""
    terms = JackpotTerms(JackpotKind.PROGRESSIVE, 1, PRIZES, main_bp=2_000, reserve_bp=500, max_credits=10**9)
    return Pit(oasis_settings(jackpot=terms, minimum_minor=10**9))


async def table_with_antes(journal: Journal) -> tuple[Runner[TableState], asyncio.Task[None]]:
    pit = enrolled()
    await journal.append(pit.journal, 1_700_000_000_000)
    runner = Runner(pit.machine, journal, lambda: 1_700_000_000_000)
    runner.start()
    task = asyncio.create_task(runner.run())
    for seat in range(1, 8):
        answer = await runner.submit(Envelope(f"ante-{seat}", AntePlaced(seat), "dealer"))
        assert answer.refused is None, answer
    return runner, task


def through_engine_and_journal(path: Path, count: int, batch: int) -> Rate:
    """Durable bets per second; a batch is handed in together and awaited before the next."""

    async def run() -> Rate:
        with Journal.open(path, name="t1", incarnation=LIFE) as journal:
            runner, task = await table_with_antes(journal)
            events = list(bets(count))
            watch = Watch()
            for start in range(0, count, batch):
                answers = [runner.post(event) for event in events[start : start + batch]]
                for answer in answers:
                    assert (await answer).entries[0].kind == "credit.wagered"
            rate = watch.rate(count)
            await runner.stop()
            await task
            return rate

    return asyncio.run(run())


def rows_of_bets(directory: Path, count: int) -> list[Plain]:
    """What the engine writes for these bets, as plain values for the bare writer."""
    path = directory / "model.db"
    through_engine_and_journal(path, count, 100)
    with Journal.open(path, create=False) as journal:
        entries = [stored.entry for stored in journal.entries() if stored.entry.kind == "credit.wagered"]
    return [
        (entry.id, entry.kind, entry.actor, dict(entry.body), [[each.account, each.micros] for each in entry.postings])
        for entry in entries
    ]


def bare_writer(path: Path, rows: list[Plain], batch: int) -> Rate:
    """The same rows serialised, hashed and written by sqlite3 alone, with the same settings and the same batching."""
    connection = sqlite3.connect(path, isolation_level=None)
    for setting in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute(f"CREATE TABLE entries {COLUMNS}")
    chain, seq = bytes(32), 0
    watch = Watch()
    for start in range(0, len(rows), batch):
        made = []
        for entry_id, kind, actor, body, postings in rows[start : start + batch]:
            seq += 1
            stored = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
            moved = json.dumps(postings, separators=(",", ":")).encode()
            hashed = sha256(f"{entry_id}\n{kind}\n{actor}\n{seq}\n".encode() + stored + moved).digest()
            chain = sha256(chain + hashed).digest()
            made.append((seq, entry_id, kind, actor, 1_700_000_000_000, hashed, stored, moved, chain))
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO entries VALUES (?,?,?,?,?,?,?,?,?)", made)
        connection.execute("COMMIT")
    rate = watch.rate(len(rows))
    connection.close()
    return rate


def writing(directory: Path) -> Iterator[Ratio]:
    rows = rows_of_bets(directory, 10_000)
    settle_memory()  # as a node does when it has started
    for batch, count in ((1, 2_000), (100, 10_000)):
        ours = partial(_ours, directory, count, batch)
        floor = partial(_bare, directory, rows[:count], batch)
        yield from at_least(f"durable bets/s, {batch} per commit, beside bare sqlite3", 0.5, ours, floor)


def _ours(directory: Path, count: int, batch: int, number: int) -> Rate:
    return through_engine_and_journal(directory / f"ours-{batch}-{number}.db", count, batch)


def _bare(directory: Path, rows: list[Plain], batch: int, number: int) -> Rate:
    return bare_writer(directory / f"bare-{batch}-{number}.db", rows, batch)


def filled(path: Path, count: int) -> None:
    """A journal of many bets, and the snapshot that an orderly stop leaves."""
    with Journal.open(path, name="t1", incarnation=LIFE) as journal:
        for start in range(0, count, 5_000):
            numbers = range(start, min(start + 5_000, count))
            body = {"hand": 1, "seat": 1, "credits": 1, "manual": False, "total": 1}
            made = [
                Entry(f"bet-{n}", "credit.wagered", body, move("patrons", "bets", 10_000), "sensor") for n in numbers
            ]
            journal.append_now(made, 1_700_000_000_000)
        runner = Runner(enrolled().machine, journal, lambda: 0, snapshots=Snapshots())
        runner.start()
        asyncio.run(runner.save_snapshot())


def bare_reader(path: Path) -> Rate:
    """Entries per second by reading, parsing and hashing alone."""
    connection = sqlite3.connect(path)
    chain, count = bytes(32), 0
    watch = Watch()
    for seq, entry_id, kind, actor, wall_ms, cause, body, postings, _ in connection.execute(
        "SELECT seq, id, kind, actor, wall_ms, cause, body, postings, chain FROM entries ORDER BY seq"
    ):
        json.loads(body)
        json.loads(postings)
        hashed = sha256(f"{entry_id}\n{kind}\n{actor}\n{wall_ms}\n{seq}\n".encode() + cause + body + postings).digest()
        chain = sha256(chain + hashed).digest()
        count += 1
    connection.close()
    return watch.rate(count)


def verification(path: Path) -> Rate:
    """Entries per second of a whole `journal verify`, the check of the file included."""
    watch = Watch()
    with Journal.open(path, create=False) as journal:
        report = verify(journal)
    assert report.ok, report.findings
    return watch.rate(report.entries)


def start(path: Path) -> float:
    """Seconds from opening a journal to a state that takes events."""
    began = time.perf_counter()
    with Journal.open(path, create=False) as journal:
        runner = Runner(enrolled().machine, journal, lambda: 0, snapshots=Snapshots())
        runner.start()
        return time.perf_counter() - began


def starting(directory: Path, count: int) -> Ratio:
    full, empty = directory / "full.db", directory / "empty.db"
    filled(full, count)
    filled(empty, 0)
    pairs = [(start(empty), start(full)) for _ in range(ROUNDS)]
    quotient = statistics.median(full_s / empty_s for empty_s, full_s in pairs)
    ours, floor = (statistics.median(pair[side] for pair in pairs) for side in (1, 0))
    name = f"seconds to start with {count:,} entries beside none"
    return Ratio(name, ours, floor, quotient, "at most 2", quotient <= 2)


def ratios(entries: int = 1_000_000) -> Iterator[Ratio]:
    """All ratios, each as soon as it is measured; scratch files lie here, as /tmp may be memory."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as scratch:
        directory = Path(scratch)
        yield from writing(directory)
        yield starting(directory, entries)
        full = directory / "full.db"
        yield from at_least(
            "entries/s verified beside bare reading", 0.5, lambda _: verification(full), lambda _: bare_reader(full)
        )


def main(arguments: list[str]) -> int:
    kept = True
    for ratio in ratios(int(arguments[0]) if arguments else 1_000_000):
        print(ratio, flush=True)
        kept = kept and ratio.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
