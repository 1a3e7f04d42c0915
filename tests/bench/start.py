"""The start with a million entries beside none, after an orderly stop and after a kill."""

import asyncio
import os
import signal
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from controller.adapters.journal.journal import Journal
from controller.adapters.journal.snapshots import Snapshots
from controller.adapters.runner import SNAPSHOT_EVERY, Runner
from controller.core.ledger import Entry, move
from controller.engine.table_state import TableState
from tests.bench._ratios import ROUNDS, Ratio, scratch, told
from tests.bench.journal import LIFE, bets, enrolled

MOST = 2


def filled(path: Path, count: int) -> None:
    """A journal of many bets, and the snapshot that an orderly stop leaves."""
    with Journal.open(path, name="t1", incarnation=LIFE) as journal:
        for start in range(0, count, 5_000):
            numbers = range(start, min(start + 5_000, count))
            body = {"hand": 1, "seat": 1, "credits": 1, "manual": False, "total": 1}
            made = [
                Entry(f"old-{n}", "credit.wagered", body, move("patrons", "bets", 10_000), "sensor") for n in numbers
            ]
            journal.append_now(made, 1_700_000_000_000)
        runner = table(journal)
        runner.start()
        asyncio.run(runner.save_snapshot())


def table(journal: Journal) -> Runner[TableState]:
    return Runner(enrolled().machine, journal, lambda: 0, snapshots=Snapshots())


def killed(path: Path) -> None:
    """Go on with a journal in a process that is killed when it has the most entries that a kill leaves unsealed."""
    child = os.fork()
    if child == 0:
        asyncio.run(bet_until_killed(path))
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), status


async def bet_until_killed(path: Path) -> None:
    with Journal.open(path, create=False) as journal:
        runner = table(journal)
        runner.start()
        task = asyncio.create_task(runner.run())
        for envelope in bets(3 * SNAPSHOT_EVERY - 1):
            await runner.submit(envelope)
        os.kill(os.getpid(), signal.SIGKILL)
        await task


def start(path: Path) -> float:
    """Seconds from opening a journal to a state that takes events."""
    began = time.perf_counter()
    with Journal.open(path, create=False) as journal:
        table(journal).start()
        return time.perf_counter() - began


def starting(directory: Path, count: int) -> Iterator[Ratio]:
    full, empty = directory / "full.db", directory / "empty.db"
    filled(full, count)
    filled(empty, 0)
    yield beside(f"seconds to start with {count:,} entries beside none", full, empty)
    killed(full)
    yield beside("the same after kill -9", full, empty)


def beside(name: str, full: Path, empty: Path) -> Ratio:
    pairs = [(start(empty), start(full)) for _ in range(ROUNDS)]
    quotient = statistics.median(full_s / empty_s for empty_s, full_s in pairs)
    ours, floor = (statistics.median(pair[side] for pair in pairs) for side in (1, 0))
    return Ratio(name, ours, floor, quotient, f"at most {MOST}", quotient <= MOST)


def main(arguments: list[str]) -> int:
    with scratch() as directory:
        return told(starting(directory, int(arguments[0]) if arguments else 1_000_000))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
