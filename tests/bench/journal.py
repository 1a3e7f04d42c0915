"""Bets through engine and journal until they are durable, beside sqlite3 alone."""

import asyncio
import json
import sqlite3
import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

from controller.adapters.journal.journal import Journal
from controller.adapters.runner import Runner
from controller.adapters.service import settle_memory
from controller.core.events import AntePlaced, CreditWagered, Envelope
from controller.engine.table_state import JackpotKind, JackpotTerms, TableState
from tests.bench._ratios import Rate, Ratio, Watch, at_least, scratch, told
from tests.engine.pit import PRIZES, Pit, oasis_settings

LIFE = "t1-i1"
"""The incarnation that the table of these measurements was enrolled with."""
Plain = tuple[str, str, str, dict[str, object], list[list[object]]]
"""Id, kind, actor, body and postings of an entry."""
COLUMNS = "(seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, actor TEXT NOT NULL, wall_ms INTEGER"
COLUMNS += " NOT NULL, cause BLOB NOT NULL, body BLOB NOT NULL, postings BLOB NOT NULL, chain BLOB NOT NULL) STRICT"


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


def main() -> int:
    with scratch() as directory:
        return told(writing(directory))


if __name__ == "__main__":
    sys.exit(main())
