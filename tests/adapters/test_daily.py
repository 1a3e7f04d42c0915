"""The daily look at every journal: beside a running table, and the end of the daemon when one does not hold."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from controller.adapters.daily import DailyVerify, check_journal
from controller.adapters.journal.journal import Journal
from controller.core.ledger import Entry, LedgerBroken, move
from tests.adapters.journal_fixtures import bet


async def test_journals_in_use_are_verified_again_and_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "a.db", name="a") as one, Journal.open(tmp_path / "b.db", name="b") as two:
        await one.append([bet(number) for number in range(50)], 0)
        daily = DailyVerify([one, two], first_after_s=0, every_s=0)
        task = asyncio.create_task(daily.run())
        async with asyncio.timeout(60):
            number = 50
            while daily.done < 3:
                await one.append([bet(number)], 0)
                number += 1
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.requirement("R51", "R88")
async def test_a_changed_entry_ends_it_with_name_and_seq(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Journal.open(path, name="table-t1") as journal:
        await journal.append([bet(number) for number in range(5)], 0)
    with sqlite3.connect(path) as database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute("UPDATE entries SET actor = 'thief' WHERE seq = 3")
    database.close()
    with Journal.open(path, name="table-t1") as journal, pytest.raises(LedgerBroken, match=r"table-t1.*seq 3"):
        await DailyVerify([journal], first_after_s=0, every_s=0).run()


@pytest.mark.promise("P4")
async def test_a_pool_that_gave_more_than_it_had_ends_it(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "a.db", name="table-t1") as journal:
        await journal.append([Entry("e1", "draw.prize", {}, move("pool.carta_magica", "prizes.payable", 5))], 0)
        with pytest.raises(LedgerBroken, match=r"seq 2 .*pool.carta_magica"):
            check_journal(journal)


async def test_what_else_is_looked_at_is_looked_at_each_day(tmp_path: Path) -> None:
    looked = asyncio.Event()
    daily = asyncio.create_task(DailyVerify([], then=[looked.set], first_after_s=0).run())
    async with asyncio.timeout(60):
        await looked.wait()
    daily.cancel()
    await asyncio.gather(daily, return_exceptions=True)
