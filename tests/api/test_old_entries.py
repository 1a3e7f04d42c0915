"""An old prize, its slip and its hand are found at a cost that does not grow with the journal."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.journal.journal import Journal
from controller.adapters.journal.store import Store
from controller.core.events import PrizePaid, PrizeVerified
from controller.core.ledger import Entry
from tests.api.office import Office, open_office

LATER = 50_000
BOUND = 600
"""Rows of entries that one question may read: some windows of a hand's entries, never the journal."""


@contextmanager
def rows_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many rows each query of the tables `entries` brings from now on, in every journal."""
    read: list[int] = []
    fetch = Store.fetch

    def counted(store: Store, sql: str, parameters: Any = ()) -> list[Any]:
        rows = fetch(store, sql, parameters)
        if "entries" in sql:
            read.append(len(rows))
        return rows

    with monkeypatch.context() as patched:
        patched.setattr(Store, "fetch", counted)
        yield read


async def paid_prize(directory: Path) -> tuple[str, int]:
    """A prize that was verified, has its slip and is paid; its id and its hand."""
    async with open_office(directory) as office:
        prize = await office.win()
        await office.tell("t1", PrizeVerified(prize["id"]), "ana")
        ana = await office.person("ana")
        assert (await ana.post("/api/v1/tables/t1/slips", {"prize": prize["id"]})).status_code == 200
        await office.tell("t1", PrizePaid(prize["id"]), "ana", "beto")
        await office.win(cards="4c 4d 4h 4s 2c", seat=2)
        await office.win(cards="5c 5d 5h 5s 2c", seat=2)  # the hand before the last is no longer in the state
    return prize["id"], prize["hand"]


def years_go_by(path: Path) -> None:
    """Entries of hands that nobody asks about, which fold to nothing."""
    with Journal.open(path, create=False) as journal:
        last = journal.last_wall_ms
        later = [Entry(f"later-{n}", "later.note", {"hand": 1_000 + n // 50}) for n in range(LATER)]
        journal.append_now(later, last, fresh=True)


async def asked(office: Office, prize: str, hand: int) -> dict[str, str]:
    """What each page and address answers, as text."""
    ana, aldo = await office.person("ana"), await office.person("aldo")
    answers = {
        "page": await ana.get(f"/prizes/t1?prize={prize}"),
        "slip": await aldo.get(f"/api/v1/tables/t1/prizes/slip?prize={prize}"),
        "slips": await aldo.get("/api/v1/tables/t1/slips"),
        "hand": await aldo.get(f"/api/v1/journals/table-t1/entries?hand={hand}&limit=200"),
        "bets": await aldo.get(f"/api/v1/amounts/origin?of=table/t1/hand/{hand}/bets"),
        "paid": await aldo.get(f"/api/v1/amounts/origin?of=table/t1/paid/{prize}"),
        "again": await ana.post("/api/v1/tables/t1/prizes/pay", {"prize": prize}, Accept_Language="en"),
    }
    assert [name for name, each in answers.items() if each.status_code != 200] == ["again"], answers
    return {name: each.content.decode("latin-1") for name, each in answers.items()}


async def test_an_old_prize_its_slip_and_its_hand_are_found_without_reading_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prize, hand = await paid_prize(tmp_path)
    years_go_by(tmp_path / "state" / "table-t1.db")
    async with open_office(tmp_path) as office:
        assert office.node.tables["t1"].journal.head.seq > LATER
        with rows_read(monkeypatch) as read:
            said = await asked(office, prize, hand)
    assert max(read) < BOUND and sum(read) < 7 * BOUND, sorted(read)[-20:]
    assert 'aria-label="nueve de diamantes"' in said["page"]
    assert said["slip"].startswith("%PDF")
    assert '"slip.issued"' in said["slips"]
    assert all(f'"{kind}"' in said["hand"] for kind in ("credit.wagered", "bets.closed", "hand.over", "prize.paid"))
    assert '"bet"' in said["bets"] and '"paid"' in said["paid"]
    assert "prize_already_paid" in said["again"] and "Ana, Beto" in said["again"]
