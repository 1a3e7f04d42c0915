"""Entries are found by their hand, prize or group, however old, in either database."""

import re
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.journal.chain import Row, canonical
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.store import Store
from controller.adapters.journal.subjects import SPAN, Mentions, is_hand, subjects_of
from controller.core.ledger import Entry
from controller.engine import subjects
from tests.golden.test_journals import JOURNALS

HANDS = [1, 1, 2, 2, 1, 3, 3] + [4] * (2 * SPAN + 5) + [2, 4]


def entry(number: int, hand: int) -> Entry:
    return Entry(f"e{number}", "game.event", {"hand": hand})


def written(journal: Journal, at_once: int) -> dict[int, list[int]]:
    """The seqs by hand, newest first."""
    entries = [entry(number, hand) for number, hand in enumerate(HANDS)]
    for start in range(0, len(entries), at_once):
        journal.append_now(entries[start : start + at_once], 1, fresh=True)
    seqs: dict[int, list[int]] = {}
    for seq, hand in enumerate(HANDS, 2):
        seqs.setdefault(hand, []).insert(0, seq)
    return seqs


def about(journal: Journal, subject: str, before: int = 10_000, limit: int = 1_000) -> list[int]:
    return [row.seq for row in journal.ask_now(lambda store: store.about(subject, before, limit))]


@pytest.mark.parametrize("at_once", [1, 7, 1_000])
def test_every_entry_of_a_hand_is_found_whichever_commits_wrote_it(journal_url: str, at_once: int) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        seqs = written(journal, at_once)
        for hand, there in seqs.items():
            assert about(journal, subjects.of_hand(hand)) == there
        whole = seqs[4]
        for before, limit in [(whole[0], 5), (whole[3], 2), (whole[-2], 9), (whole[-1], 3)]:
            wanted = [seq for seq in whole if seq < before][:limit]
            assert about(journal, subjects.of_hand(4), before, limit) == wanted
        assert about(journal, subjects.of_hand(9)) == []


def test_a_refused_commit_loses_no_mention(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "t1.db", name="t1") as journal:
        journal.append_now([entry(0, 1)], 1)
        with pytest.raises(Exception, match="e0"):  # the table refuses the id after the hand was mentioned
            journal.append_now([entry(1, 5), entry(0, 5)], 1, fresh=True)
        journal.append_now([entry(2, 5)], 1, fresh=True)
        assert about(journal, subjects.of_hand(5)) == [3]


def test_prizes_slips_and_people_are_mentioned_by_each_of_their_entries(journal_url: str) -> None:
    told = [
        Entry("a", "prize.paid", {"prize": "t1/i/4/2", "hand": 4}),
        Entry("b", "slip.issued", {"prize": "t1/i/4/2", "number": 1}),
        Entry("c", "login.passed", {"login": "ana"}),
        Entry("d", "prize.hold", {"prize": None, "hand": "4"}),
        Entry("e", "access.opened", {"login": "ana"}),
    ]
    with Journal.open(journal_url, name="t1") as journal:
        journal.append_now(told, 1)
        assert about(journal, subjects.of_prize("t1/i/4/2")) == [3, 2]
        assert about(journal, subjects.of_hand(4)) == [3, 2]
        assert about(journal, subjects.SLIPS) == [3]
        assert about(journal, subjects.PEOPLE) == [6, 4]


ROW, CLAIM = "t1/i/4/2", {"table": "t1", "incarnation": "i", "hand": 4}
NAMED: list[tuple[dict[str, Any], tuple[tuple[str, int], ...]]] = [
    ({"hand": 4, "prize": "4-carta_magica"}, (("", 4),)),
    ({"prize": ROW, "second": None}, (("t1", 4),)),
    ({"row": ROW, "actor": "ana"}, (("t1", 4),)),
    ({"rows": [[ROW, 1], ["t1/i/5/1", 2]], "table": "t1"}, (("t1", 4), ("t1", 5))),
    ({"name": CLAIM, "revision": 1}, (("t1", 4),)),
    ({"record": {"kind": "award", "body": {"granted": {"name": CLAIM, "rows": [{"seat": 2}]}}}}, (("t1", 4),)),
    ({"record": {"body": {"name": CLAIM, "granted": [{"name": {**CLAIM, "hand": 6}}]}}}, (("t1", 4), ("t1", 6))),
    ({"record": {"kind": "paid", "body": {"rows": [[ROW, 100, 0]]}}}, (("t1", 4),)),
    ({"record": {"kind": "settled", "body": {"key": "t1/i/4", "signed": None}}}, (("t1", 4),)),
    ({"act": {"target": "table:t2", "event": {"type": "HandVoided", "hand": 4}}}, (("t2", 4),)),
    ({"act": {"target": "table:t2", "event": {"type": "PrizePaid", "prize": "4-carta_magica"}}}, (("t2", 4),)),
    ({"act": {"target": "carousel:gran", "event": {"type": "PrizeReleased", "name": CLAIM}}}, (("t1", 4),)),
    ({"hand": True, "prize": 7, "row": "t1/i/x/2", "rows": [3, []], "name": "ana", "record": [], "act": {}}, ()),
    ({"record": {"body": {"profile": {"prizes": {"rows": [{"category": "flush"}]}}}}}, ()),
]


@pytest.mark.parametrize(("body", "hands"), NAMED)
def test_an_entry_is_about_every_hand_that_it_names_in_whatever_form(
    body: dict[str, Any], hands: tuple[tuple[str, int], ...]
) -> None:
    assert subjects.hands_of(body) == hands
    about_hands = [subject for subject in subjects_of("some.kind", canonical(body)) if is_hand(subject)]
    assert about_hands == [subjects.of_hand(number) for _, number in hands]


HANDLESS = frozenset({"host.reported", "approval.executed"})
"""Kinds that tell all that was paid by now, or of a request, which another entry says the hand of."""


@pytest.mark.parametrize("golden", JOURNALS, ids=lambda path: path.stem)
def test_whatever_a_stored_journal_tells_of_a_hand_is_found_by_it(golden: Path, tmp_path: Path) -> None:
    with Journal.open(shutil.copy(golden, tmp_path / "t1.db"), create=False) as journal:
        rows = [Row(*values) for values in journal.ask_now(lambda store: store.page(0, 10_000))]
        found = {seq for hand in range(20) for seq in about(journal, subjects.of_hand(hand))}
    telling = {
        row.seq
        for row in rows
        if row.kind not in HANDLESS and re.search(rb'"hand":\d|"(row|prize)":"|/\d+/\d', row.body)
    }
    assert telling <= found, [row.kind for row in rows if row.seq in telling - found]


@pytest.mark.parametrize("body", [b"", b"[1]", b'{"hand":', b"\xff"])
def test_a_damaged_body_is_about_nothing(body: bytes) -> None:
    assert list(subjects_of("hand.over", body)) == []


@pytest.mark.parametrize("golden", JOURNALS, ids=lambda path: path.stem)
def test_an_older_journal_is_mentioned_when_it_is_opened(golden: Path, tmp_path: Path) -> None:
    with Journal.open(shutil.copy(golden, tmp_path / "t1.db"), create=False) as journal:
        rows = [Row(*values) for values in journal.ask_now(lambda store: store.page(0, 10_000))]
        named = {subject for row in rows for subject in subjects_of(row.kind, row.body)}
        assert named or golden.stem.endswith("closing")
        for subject in named:
            there = [row.seq for row in reversed(rows) if subject in subjects_of(row.kind, row.body)]
            assert about(journal, subject) == there


def test_a_copy_of_a_journal_is_mentioned_as_it_is(tmp_path: Path) -> None:
    from controller.adapters.journal.backup import copy_beside_commits, restore

    with Journal.open(tmp_path / "t1.db", name="t1") as journal:
        seqs = written(journal, 7)
        copy_beside_commits(journal, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", tmp_path / "restored.db", wall_ms=2)
    for name in ("copy.db", "restored.db"):
        with Journal.open(tmp_path / name, create=False) as copied:
            assert {hand: about(copied, subjects.of_hand(hand)) for hand in seqs} == seqs


def test_a_hand_costs_few_mentions_and_each_search_is_by_key(tmp_path: Path) -> None:
    mentions = Mentions().of((seq, "game.event", b'{"hand":7}') for seq in range(1, 1_001))
    assert {subject for subject, _ in mentions} == {"hand 7"}
    assert {after - seq for (_, seq), (_, after) in pairwise(mentions)} == {SPAN}

    def plan(store: Store) -> list[str]:
        asked: list[str] = []
        fetch = store.fetch
        store.fetch = lambda sql, parameters=(): asked.append(sql) or fetch(sql, parameters)  # type: ignore[method-assign,func-returns-value]  # looks on
        store.about("hand 7", 10, 10)
        store.fetch = fetch  # type: ignore[method-assign]  # as it was
        return [row[-1] for row in fetch(f"EXPLAIN QUERY PLAN {asked[0]}", ("hand 7", 10, 10, SPAN, 10))]

    with Journal.open(tmp_path / "t1.db", name="t1") as journal:
        steps = journal.ask_now(plan)
    searched = [step for step in steps if "mentions" in step or "entries" in step]
    assert searched and not [step for step in searched if step.startswith(("SCAN mentions", "SCAN entries"))], steps
