"""The runner: durable before visible, one answer per event id, nothing shown that a failed commit would take back."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.journal.checkpoints import node_key
from controller.adapters.journal.digest import event_digest
from controller.adapters.journal.errors import JournalFailed
from controller.adapters.journal.journal import Journal
from controller.adapters.runner import Runner, RunnerStopped
from controller.core.events import Envelope
from controller.core.ledger import Entry, LedgerBroken, Posting
from controller.core.refusal import Refusal
from tests.adapters.journal_fixtures import BetMachine, Bets, Closed, Wagered


@asynccontextmanager
async def running(journal: Journal, machine: Any = None, **options: Any) -> AsyncIterator[Runner[Bets]]:
    runner = Runner(machine or BetMachine(), journal, lambda: 1_700_000_000_000, **options)
    runner.start()
    task = asyncio.create_task(runner.run())
    try:
        yield runner
    finally:
        await runner.stop()
        await task


def wagered(number: int, seat: int = 1, micros: int = 100, refunds: int = 0) -> Envelope:
    return Envelope(f"e{number}", Wagered(seat, micros, refunds))


async def test_an_event_is_answered_with_its_entries_and_the_state_follows(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        async with running(journal) as runner:
            answer = await runner.submit(wagered(1, refunds=2))
            assert [entry.id for entry in answer.entries] == ["e1", "e1:0", "e1:1"]
            assert (answer.refused, answer.repeated) == (None, False)
            assert runner.state.by_seat == {1: 98}
            assert runner.head == journal.head
            refused = (await runner.submit(Envelope("c1", Closed()))).refused
            assert refused is None
            closed = (await runner.submit(wagered(2))).refused
            assert closed is not None and closed.reason is Refusal.BETS_CLOSED
            nothing = await runner.submit(Envelope("c2", Closed()))
            assert (nothing.entries, nothing.refused) == ((), None)
        assert [stored.entry.id for stored in journal.entries(1)] == ["e1", "e1:0", "e1:1", "c1"]


async def test_replay_gives_the_same_state_and_observers_are_told_at_the_start(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        async with running(journal) as runner:
            for number in range(10):
                await runner.submit(wagered(number, seat=number % 3, refunds=number % 2))
            before = runner.state
    with Journal.open(journal_url, name="t1") as journal:
        runner = Runner(BetMachine(), journal, lambda: 0)
        told: list[Bets] = []
        runner.observe(told.append)
        with pytest.raises(RunnerStopped):
            assert runner.state
        runner.start()
        assert told == [before] and runner.state == before
        late: list[Bets] = []
        runner.observe(late.append)
        assert late == [before]


class Watched(Journal):
    """A journal that writes down when a commit begins and when it is durable."""

    trace: list[str]

    async def append(self, entries: Sequence[Entry], wall_ms: int, **options: Any) -> Any:
        self.trace.append(f"append {' '.join(entry.id for entry in entries)}")
        appended = await super().append(entries, wall_ms, **options)
        assert set(await self.find(entry.id for entry in entries)) == {entry.id for entry in entries}
        self.trace.append("durable")
        return appended


@pytest.mark.requirement("R46")
@pytest.mark.promise("P2")
async def test_nothing_is_visible_before_it_is_durable(tmp_path: Path) -> None:
    trace: list[str] = []
    with Watched.open(tmp_path / "t1.db", name="t1") as journal:
        assert isinstance(journal, Watched)
        journal.trace = trace
        async with running(journal) as runner:
            runner.observe(lambda state: trace.append(f"shown {state.by_seat.get(1, 0)}"))

            async def place(number: int) -> None:
                await runner.submit(wagered(number))
                trace.append(f"answered e{number}")

            await asyncio.gather(place(1), place(2))
            await place(3)
    assert trace == [
        *("shown 0", "append e1 e2", "durable", "shown 200", "answered e1", "answered e2"),
        *("append e3", "durable", "shown 300", "answered e3"),
    ]


async def test_everything_that_waits_shares_one_commit(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        async with running(journal) as runner:
            shown: list[int] = []
            runner.observe(lambda state: shown.append(state.folded))
            answers = await asyncio.gather(*(runner.submit(wagered(number)) for number in range(50)))
        assert all(len(answer.entries) == 1 for answer in answers)
        assert shown == [1, 51]


async def test_the_same_event_again_is_answered_as_done(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        async with running(journal) as runner:
            first = await runner.submit(wagered(1, refunds=1))
            again = await runner.submit(wagered(1, refunds=1))
            assert (again.entries, again.repeated) == (first.entries, True)
            other = await runner.submit(wagered(1, micros=101, refunds=1))
            assert other.refused is not None and other.refused.reason is Refusal.CONFLICT
            somebody = await runner.submit(Envelope("e1", Wagered(1, 100, 1), actor="other"))
            assert somebody.refused is not None and somebody.refused.reason is Refusal.CONFLICT
            assert runner.state.by_seat == {1: 99}
    with Journal.open(journal_url, name="t1") as journal:
        async with running(journal) as runner:
            await runner.submit(Envelope("c1", Closed()))
            late = await runner.submit(wagered(1, refunds=1))  # would be refused by now
            assert (late.entries, late.repeated) == (first.entries, True)
            secondary = await runner.submit(Envelope("e1:0", Closed()))
            assert secondary.refused is not None and secondary.refused.reason is Refusal.CONFLICT


async def test_repeats_inside_one_batch(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        async with running(journal) as runner:
            await runner.submit(wagered(0))
            events = [wagered(0), wagered(1), wagered(1), wagered(1, micros=7), wagered(2), wagered(0, micros=7)]
            answers = await asyncio.gather(*(runner.submit(event) for event in events))
            got = [answer.refused.reason.value if answer.refused else answer.repeated for answer in answers]
            assert got == [True, False, True, "conflict", False, "conflict"]
            assert runner.state.by_seat == {1: 300}
        assert [stored.entry.id for stored in journal.entries(1)] == ["e0", "e1", "e2"]


class ReusesIds(BetMachine):
    """A machine at fault: it writes a second entry under an id that an older event has used."""

    def decide(self, state: Bets, envelope: Envelope, now_ms: int) -> Any:
        answer: Any = super().decide(state, envelope, now_ms)
        return (*answer, Entry("e0", "refund", {"seat": 1, "micros": 0})) if envelope.id == "e1" else answer


async def test_an_entry_id_of_another_event_is_a_conflict_and_writes_nothing(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        async with running(journal, ReusesIds()) as runner:
            await runner.submit(wagered(0))
            bad, good = await asyncio.gather(runner.submit(wagered(1)), runner.submit(wagered(2)))
            assert bad.refused is not None and bad.refused.reason is Refusal.CONFLICT
            assert good.entries and runner.state.by_seat == {1: 200}


class Unbalanced(BetMachine):
    def decide(self, state: Bets, envelope: Envelope, now_ms: int) -> Any:
        return (Entry(envelope.id, "bet", {"seat": 1, "micros": 1}, (Posting("bets", 1),)),)


@pytest.mark.requirement("R51")
async def test_a_broken_ledger_ends_the_runner_and_shows_nothing(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "t1.db", name="t1") as journal:
        runner = Runner(Unbalanced(), journal, lambda: 0)
        runner.start()
        shown: list[Bets] = []
        runner.observe(shown.append)
        task = asyncio.create_task(runner.run())
        with pytest.raises(RunnerStopped, match=r"^t1 ended before it answered: start the service again"):
            await runner.submit(wagered(1))
        with pytest.raises(LedgerBroken):
            await task
        with pytest.raises(RunnerStopped, match=r"^t1 takes nothing more"):
            await runner.submit(wagered(2))
        with pytest.raises(RunnerStopped):
            assert runner.state
        assert len(shown) == 1 and journal.head.seq == 1


@pytest.mark.requirement("R51")
@pytest.mark.promise("P2", "P8")
async def test_a_failed_commit_ends_the_runner_and_shows_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t1.db"
    with Journal.open(path, name="t1") as journal:
        journal.ask_now(lambda store: store.fetch("PRAGMA max_page_count = 1"))  # no page more than there are
        runner = Runner(BetMachine(), journal, lambda: 0)
        runner.start()
        task = asyncio.create_task(runner.run())
        done = 0
        shown: list[int] = []
        runner.observe(lambda state: shown.append(state.folded))
        with pytest.raises(RunnerStopped):
            while True:
                await runner.submit(wagered(done))
                done += 1
        with pytest.raises(JournalFailed, match="disk is full"):
            await task
    assert shown == list(range(1, done + 2))
    with Journal.open(path, name="t1") as journal:
        again = Runner(BetMachine(), journal, lambda: 0)
        again.start()
        assert again.state.folded == done + 1


async def test_a_full_queue_makes_callers_wait_and_nothing_is_lost(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "t1.db", name="t1") as journal:
        async with running(journal, capacity=2) as runner:
            await asyncio.gather(*(runner.submit(wagered(number)) for number in range(40)))
            assert runner.state.by_seat == {1: 4_000}


async def test_stop_finishes_what_waits_and_refuses_what_comes_later(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "t1.db", name="t1") as journal:
        runner = Runner(BetMachine(), journal, lambda: 0)
        runner.start()
        waiting = [asyncio.create_task(runner.submit(wagered(number))) for number in range(3)]
        await asyncio.sleep(0)
        await runner.stop()
        with pytest.raises(RunnerStopped):
            await runner.submit(wagered(9))
        await runner.run()
        assert [len((await each).entries) for each in waiting] == [1, 1, 1]
        assert runner.state.by_seat == {1: 300}


async def test_a_caller_that_gives_up_does_not_take_the_event_back(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "t1.db", name="t1") as journal:
        async with running(journal) as runner:
            task = asyncio.create_task(runner.submit(wagered(1)))
            await asyncio.sleep(0)
            task.cancel()
            assert (await runner.submit(wagered(1))).repeated
            assert runner.state.by_seat == {1: 100}


async def test_a_checkpoint_is_signed_in_the_commit_of_the_kinds_asked_for(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "t1.db", name="t1", key=node_key(tmp_path)) as journal:
        async with running(journal, checkpoint_after=lambda entry: entry.kind == "close") as runner:
            await runner.submit(wagered(1))
            none_yet = runner.checkpoint
            assert none_yet is None
            await runner.submit(Envelope("c1", Closed()))
            checkpoint = runner.checkpoint
            assert checkpoint is not None and checkpoint.is_signed()
            assert (checkpoint.seq, checkpoint.chain) == (journal.head.seq, journal.head.chain)
        assert journal.checkpoints() == [checkpoint]


def test_digests_tell_events_apart() -> None:
    events = [
        Envelope("a", Wagered(1, 2)),
        Envelope("b", Wagered(1, 2)),
        Envelope("a", Wagered(1, 3)),
        Envelope("a", Closed()),
        Envelope("a", Wagered(1, 2), actor="x"),
        Envelope("a", Wagered(1, 2), second="x"),
    ]
    assert len({event_digest(event) for event in events}) == len(events)
    assert event_digest(Envelope("a", Wagered(1, 2))) == event_digest(events[0])


def no_seat_nine(state: Bets) -> None:
    if 9 in state.by_seat:
        raise LedgerBroken("seat 9 has a bet")


async def test_a_state_that_must_not_be_is_never_stored_and_ends_the_runner(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        runner: Runner[Bets] = Runner(BetMachine(), journal, lambda: 0, check=no_seat_nine)
        runner.start()
        task = asyncio.create_task(runner.run())
        await runner.submit(wagered(1))
        with pytest.raises(RunnerStopped):
            await runner.submit(wagered(2, seat=9))
        with pytest.raises(LedgerBroken, match="seat 9"):
            await task
        assert [stored.entry.id for stored in journal.entries(1)] == ["e1"]


async def test_a_journal_whose_state_must_not_be_does_not_start(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        async with running(journal) as runner:
            await runner.submit(wagered(1, seat=9))
        with pytest.raises(LedgerBroken, match="seat 9"):
            Runner(BetMachine(), journal, lambda: 0, check=no_seat_nine).start()


async def test_commits_and_the_queue_can_be_watched(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        async with running(journal) as runner:
            commits: list[tuple[float, int]] = []
            runner.commits.append(lambda seconds, entries: commits.append((seconds, entries)))
            posted = [runner.post(wagered(number, refunds=1)) for number in range(3)]
            assert runner.waiting == 3
            await asyncio.gather(*posted)
            assert runner.waiting == 0
            assert sum(entries for _, entries in commits) == 6
            assert all(seconds > 0 for seconds, _ in commits)
