"""Draws read back from a table's journal: the newest, an old one behind many entries, voids, restarts, a new chain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.adapters.journal.journal import Journal
from controller.adapters.screens import draw_records
from controller.adapters.screens.draw_records import KEPT, NodeDraws, TableDrawLog
from controller.core.draws import CARTA_MAGICA, DrawContext, commitment_of, draw_card
from controller.core.draws_verify import hash_of_list
from controller.core.ledger import Entry
from display.draws import DrawBox

LIFE = "ab" * 16
ROWS = [{"seat": 2, "ante": 1_000, "credits": 3}]


class Book:
    """A journal with hands in it, each drawn by the rule; `filler` entries of other kinds between them."""

    def __init__(self, path: Path, length: int = 400) -> None:
        self.path = path
        self.journal = Journal.open(path, name="table-t1", incarnation=LIFE)
        seeds = [bytes(32)]
        for _ in range(length):
            seeds.append(commitment_of(seeds[-1]))
        self.seeds = seeds[::-1]
        self.count = 0
        self.add("draw.chain", commitment=self.seeds[0].hex(), length=length)

    def add(self, kind: str, **body: object) -> Entry:
        self.count += 1
        entry = Entry(f"e{self.count}", kind, body)
        self.journal.append_now([entry], 1_000 + self.count)
        return entry

    def fill(self, count: int) -> None:
        entries = [Entry(f"f{self.count}-{at}", "link.record", {"at": at}) for at in range(count)]
        self.journal.append_now(entries, 5)

    def hand(self, number: int, index: int) -> None:
        digest = hash_of_list(ROWS)
        card = str(draw_card(self.seeds[index], DrawContext("casa", "t1", LIFE, number, CARTA_MAGICA, digest)))
        self.add("bets.closed", hand=number, list=ROWS, list_hash=digest, draws=[CARTA_MAGICA])
        results = [[CARTA_MAGICA, card, []]]
        self.add("draw.made", hand=number, index=index, seed=self.seeds[index].hex(), list_hash=digest, results=results)

    def log(self) -> TableDrawLog:
        return TableDrawLog(self.journal, "casa", "t1")

    def restart(self) -> None:
        self.journal.close()
        self.journal = Journal.open(self.path, name="table-t1")


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    one = Book(tmp_path / "t.db")
    yield one
    one.journal.close()


async def test_what_was_frozen_published_and_revealed_comes_back_as_journaled(book: Book) -> None:
    for number in (1, 2, 3):
        book.hand(number, number)
    found = await book.log().of_hand(2)
    assert found is not None
    newest, before = found.records
    assert (newest.hand, newest.index, newest.seed) == (2, 2, book.seeds[2].hex())
    assert (newest.site, newest.table, newest.incarnation) == ("casa", "t1", LIFE)
    assert newest.boxes == (DrawBox(2, 1_000, 3),)
    assert (newest.commitment, newest.committed_hand) == (book.seeds[1].hex(), 1)
    assert (before.commitment, before.committed_hand) == (book.seeds[0].hex(), None)
    assert (found.next_commitment, found.next_index) == (book.seeds[3].hex(), 4)


async def test_a_new_hand_is_there_once_it_is_durable(book: Book) -> None:
    log = book.log()
    book.hand(1, 1)
    assert [each.hand for each in (await log.recent()).records] == [1]
    book.add("bets.closed", hand=2, list=ROWS, list_hash=hash_of_list(ROWS), draws=[CARTA_MAGICA])
    assert await log.of_hand(2) is None
    results: list[object] = []
    book.add("draw.made", hand=2, index=2, seed="00", list_hash=hash_of_list(ROWS), results=results)
    assert [each.hand for each in (await log.recent()).records] == [2, 1]


async def test_a_void_hand_keeps_its_draw_and_says_so(book: Book) -> None:
    book.hand(1, 1)
    book.hand(2, 2)
    book.add("hand.void", hand=1)
    assert [(each.hand, each.void) for each in (await book.log().recent()).records] == [(2, False), (1, True)]


async def test_a_new_chain_starts_from_its_own_commitment(book: Book) -> None:
    book.hand(1, 1)
    book.add("draw.chain", commitment="cd" * 32, length=9)
    log = book.log()
    assert (await log.recent()).next_commitment == "cd" * 32
    book.hand(2, 1)
    assert (await log.recent()).records[0].committed_hand is None


async def test_a_journal_without_draws_has_none(book: Book) -> None:
    recent = await book.log().recent()
    assert (recent.records, recent.next_commitment) == ((), book.seeds[0].hex())
    assert await book.log().of_hand(1) is None


async def test_every_hand_is_found_after_a_restart_however_far_back(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draw_records, "WINDOW", 16)
    monkeypatch.setattr(draw_records, "KEPT", 20)
    for number in range(1, 101):
        book.hand(number, number)
        book.fill(number % 7)
    book.restart()
    log = book.log()
    for number in range(1, 101):
        found = await log.of_hand(number)
        assert found is not None, number
        assert (found.records[0].hand, found.records[0].seed) == (number, book.seeds[number].hex())
    assert await log.of_hand(101) is None
    assert await log.of_hand(0) is None


async def test_what_is_read_for_one_question_is_bounded(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw_records, "WINDOW", 10)
    monkeypatch.setattr(draw_records, "MOST_WINDOWS", 3)
    book.hand(1, 1)
    book.fill(500)
    assert (await book.log().recent()).records == ()
    book.hand(2, 2)
    book.hand(3, 3)
    assert [each.hand for each in (await book.log().recent()).records] == [3]


async def test_the_node_answers_for_its_own_tables_only(book: Book) -> None:
    book.hand(1, 1)
    node = NodeDraws({"t1": book.log()})
    assert node.tables() == ("t1",)
    assert await node.recent("t2") is None
    assert await node.of_hand("t2", 1) is None
    found = await node.of_hand("t1", 1)
    assert found is not None and replace(found, records=()).next_index == 2
    assert KEPT >= 200
