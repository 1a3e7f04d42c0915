"""The runner of one machine: decide what waits, append it in one commit, and only then show the new state."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from controller.adapters.journal.chain import NO_CHAIN, Head
from controller.adapters.journal.checkpoints import Checkpoint
from controller.adapters.journal.digest import event_digest
from controller.adapters.journal.errors import AlreadyStored, JournalError
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.snapshots import Snapshots
from controller.core.events import Envelope
from controller.core.ledger import Entry, LedgerBroken
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.machine import Machine, handle
from controller.engine.messages import LinkReceived
from controller.engine.ports import RunnerStopped as RunnerStopped

S = TypeVar("S")
CAPACITY = 1024
"""Envelopes that may wait; beyond, `submit` waits."""
SNAPSHOT_EVERY = 500
"""Entries between two snapshots of a small state: what a start has to fold at most."""
SNAPSHOT_BYTES = 1_000
"""A larger state is sealed after an entry for each so many bytes of it: to fold an entry takes no longer than to read
those, so that a start is at most twice as long, and the seal of a large carousel costs its host little per entry."""


class Answer(NamedTuple):
    """What became of an envelope: its entries, or why not. `repeated`: it was stored before, with these entries."""

    entries: tuple[Entry, ...] = ()
    refused: Refused | None = None
    repeated: bool = False


@dataclass(slots=True)
class _Waiting:
    envelope: Envelope
    digest: bytes
    future: asyncio.Future[Answer]


class Runner(Generic[S]):
    """One queue, one machine, one journal. `clock` gives wall milliseconds; observers are told each committed state.

    An observer derives what lamps, screens and messages should say from the state alone; it is called once at the start
    and after every commit, never before one, and does not raise. `checkpoint_after` names the entries after which a
    checkpoint is signed in the same commit (awards, payments, shift close). `check` raises LedgerBroken for a state
    that must not be: it is asked at the start and before each commit, so that nothing of it is stored.
    """

    def __init__(
        self,
        machine: Machine[S],
        journal: Journal,
        clock: Callable[[], int],
        *,
        capacity: int = CAPACITY,
        checkpoint_after: Callable[[Entry], bool] = lambda entry: False,
        snapshots: Snapshots | None = None,
        snapshot_every: int = SNAPSHOT_EVERY,
        check: Callable[[S], None] = lambda state: None,
    ) -> None:
        self._machine = machine
        self._journal = journal
        self._clock = clock
        self._line: deque[_Waiting] = deque()
        self._capacity = capacity
        self._arrived = asyncio.Event()
        self._room = asyncio.Event()
        self._checkpoint_after = checkpoint_after
        self._snapshots = snapshots
        self._snapshot_every = self._snapshot_after = snapshot_every
        self._check = check
        self._snapshot_seq = 0
        self._left: tuple[Head, S] | None = None
        self._observers: list[Callable[[S], None]] = []
        self._state: S | None = None
        self._head = Head(0, NO_CHAIN)
        self._open = False
        self._writing_since_ns: int | None = None
        self.checkpoint: Checkpoint | None = None
        self.commits: list[Callable[[float, int], None]] = []
        """Told of each commit: seconds it took, entries it stored."""

    @property
    def running(self) -> bool:
        """Whether there is a state to be read."""
        return self._state is not None

    @property
    def waiting(self) -> int:
        """Envelopes in the queue."""
        return len(self._line)

    @property
    def writing_ms(self) -> int:
        """For how long the commit in course has not been answered; 0 without one."""
        return 0 if self._writing_since_ns is None else (time.monotonic_ns() - self._writing_since_ns) // 1_000_000

    @property
    def state(self) -> S:
        """The state of the last commit; RunnerStopped before the start and after a failure."""
        if self._state is None:
            raise RunnerStopped(f"{self._journal.name} has not started, or its work has ended")
        return self._state

    @property
    def head(self) -> Head:
        """Seq and chain of the journal at `state`."""
        return self._head

    def observe(self, observer: Callable[[S], None]) -> None:
        """Add an observer; one added after the start is told the present state at once."""
        self._observers.append(observer)
        if self._state is not None:
            observer(self._state)

    def start(self) -> None:
        """Fold the journal (checking its chain from the snapshot on) and tell the observers; raises JournalDamaged."""
        found = self._snapshots.load(self._journal) if self._snapshots else None
        state, from_head = found or (self._machine.first(), Head(0, NO_CHAIN))
        self._snapshot_seq = from_head.seq
        for stored in self._journal.entries(from_head.seq, from_head.chain):
            state = self._machine.apply(state, stored.entry)
        self._check(state)
        self._publish(state, self._journal.head)
        self._open = True

    async def save_snapshot(self) -> None:
        """Keep the present state, so that the next start folds only what comes after; nothing without `snapshots`."""
        if self._snapshots is not None and self._head.seq > self._snapshot_seq:
            size = await self._snapshots.save(self._journal, self._head, self.state)
            self._snapshot_seq = self._head.seq
            self._snapshot_after = max(self._snapshot_every, size // SNAPSHOT_BYTES)

    def leave_snapshot(self) -> None:
        """After an orderly end, `stop` or cancellation: keep the last committed state, waiting for the disk."""
        if self._snapshots is None or self._left is None or self._left[0].seq <= self._snapshot_seq:
            return
        head, state = self._left
        with contextlib.suppress(JournalError):  # a snapshot is a cache: without it the next start folds more
            self._snapshots.save_now(self._journal, head, state)
            self._snapshot_seq = head.seq

    async def submit(self, envelope: Envelope) -> Answer:
        """Hand in an event; answered after the commit.

        The same envelope again is answered with its stored entries when the machine gave the first of them its id; an
        event whose entries are named by their content (a message of the link) is decided again on what is known by now.
        RunnerStopped when the runner ends first. A caller that is cancelled does not take its event back.
        """
        while len(self._line) >= self._capacity:
            self._room.clear()
            await self._room.wait()
        return await self.post(envelope)

    def would_refuse(self, envelope: Envelope) -> Refused | None:
        """Why the machine would refuse an event on the present state; nothing is stored and nobody is told."""
        return handle(self._machine, self.state, envelope, self._clock())[2]

    def post(self, envelope: Envelope) -> asyncio.Future[Answer]:
        """Hand in an event without waiting for its answer; asyncio.QueueFull when too many wait."""
        if not self._open:
            raise RunnerStopped(f"{self._journal.name} takes nothing more: its work has ended")
        if len(self._line) >= self._capacity:
            raise asyncio.QueueFull
        waiting = _Waiting(envelope, event_digest(envelope), asyncio.get_running_loop().create_future())
        self._line.append(waiting)
        self._arrived.set()
        return waiting.future

    async def run(self) -> None:
        """Work until `stop`; raises LedgerBroken or a JournalError and discards the state, which ends the daemon.

        A cancellation discards it too, as a commit may have been on its way; `leave_snapshot` keeps the one before.
        """
        batch: list[_Waiting] = []
        try:
            while self._open or self._line:
                if not self._line:
                    self._arrived.clear()
                    await self._arrived.wait()
                batch = self._take()
                await self._work(batch)
                if self._head.seq - self._snapshot_seq >= self._snapshot_after:
                    await self.save_snapshot()
            await self.save_snapshot()
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError):
                self._left = (self._head, self.state)
            self._state = None
            raise
        finally:
            self._open = False
            for waiting in [*batch, *self._take()]:
                if not waiting.future.done():
                    waiting.future.set_exception(self._unanswered())
                    waiting.future.exception()  # a caller that gave up does not ask for it

    def _unanswered(self) -> RunnerStopped:
        name = self._journal.name
        return RunnerStopped(
            f"{name} ended before it answered: start the service again; what its journal holds of that was done,"
            " anything else was not"
        )

    async def sign(self, seq: int) -> None:
        """Sign a checkpoint at the present head, and tell the observers; nothing where one reaches a seq already,
        without a key, or once the runner ended."""
        newest = self.checkpoint or await asyncio.to_thread(self._journal.newest_checkpoint)
        if self._state is None or (newest is not None and newest.seq >= seq):
            return
        signed = await self._journal.checkpoint()
        if signed is None or self._state is None:
            return
        if self.checkpoint is None or self.checkpoint.seq < signed.seq:
            self.checkpoint = signed
        for observer in self._observers:
            observer(self._state)

    async def stop(self) -> None:
        """Take nothing more and let `run` end after what waits now; the state stays readable."""
        self._open = False
        self._arrived.set()

    def _take(self) -> list[_Waiting]:
        """Everything that waits, in order of arrival."""
        batch = list(self._line)
        self._line.clear()
        self._room.set()
        return batch

    async def _work(self, batch: Sequence[_Waiting]) -> None:
        """Decide, commit, publish, answer.

        The common event is new, so its id is not looked up first: the journal refuses a stored id, and the batch is
        decided again without it. Events without an entry are looked up, since a repeated one may be refused by now.
        """
        settled: dict[str, Answer] = {}
        while (decided := self._decide(batch, settled)).entries:
            self._check(decided.state)
            begun_s = time.perf_counter()
            self._writing_since_ns = time.monotonic_ns()
            try:
                appended = await self._journal.append(
                    decided.entries,
                    self._clock(),
                    causes=decided.causes,
                    fresh=True,
                    checkpoint=any(map(self._checkpoint_after, decided.entries)),
                )
            except AlreadyStored as known:
                await self._settle(decided, known.ids, settled)
                continue
            finally:
                self._writing_since_ns = None
            for told in self.commits:
                told(time.perf_counter() - begun_s, len(decided.entries))
            self.checkpoint = appended.checkpoint or self.checkpoint
            self._publish(decided.state, appended.head)
            break
        without = [item for item in decided.digests if item not in settled and not decided.answers[item].entries]
        if without:
            await self._settle(decided, without, settled)
        self._answer(batch, decided, settled)

    def _decide(self, batch: Sequence[_Waiting], settled: Mapping[str, Answer]) -> "_Decided[S]":
        """Decide one after the other, each on the state the one before left; nothing is kept yet."""
        now_ms = self._clock()
        decided = _Decided(self.state)
        state, digests, entries_so_far = decided.state, decided.digests, decided.entries
        for item in batch:
            envelope, digest = item.envelope, item.digest
            event_id = envelope.id
            if digests.setdefault(event_id, digest) is not digest or event_id in settled:
                continue
            state, entries, refused = handle(self._machine, state, envelope, now_ms)
            if entries and entries[0].id != event_id and not isinstance(envelope.event, LinkReceived):
                raise LedgerBroken(f"the first entry of event {event_id} has another id: {entries[0].id}")
            for entry in entries:
                decided.causes[entry.id] = digest
                if entry.id != event_id:
                    decided.owners[entry.id] = event_id
            entries_so_far += entries
            decided.answers[event_id] = Answer(entries, refused)
        decided.state = state
        return decided

    async def _settle(self, decided: "_Decided[S]", ids: Iterable[str], settled: dict[str, Answer]) -> None:
        """Answer the events behind stored ids: repeated when the stored cause is the same event, else a conflict."""
        stored = await self._journal.caused(ids)
        for entry_id in stored:
            owner = decided.owners.get(entry_id, entry_id)
            before = stored.get(owner)
            if before and before[0].cause == decided.digests[owner]:
                settled[owner] = Answer(tuple(each.entry for each in before), repeated=True)
            else:
                settled[owner] = Answer(refused=refuse(Refusal.CONFLICT, id=entry_id))

    def _publish(self, state: S, head: Head) -> None:
        self._state, self._head = state, head
        for observer in self._observers:
            observer(state)

    def _answer(self, batch: Sequence[_Waiting], decided: "_Decided[S]", settled: Mapping[str, Answer]) -> None:
        first: set[str] = set()
        for item in batch:
            entry_id = item.envelope.id
            answer = settled.get(entry_id) or decided.answers[entry_id]
            if decided.digests[entry_id] != item.digest:
                answer = Answer(refused=refuse(Refusal.CONFLICT, id=entry_id))
            elif entry_id in first and answer.entries:
                answer = answer._replace(repeated=True)
            first.add(entry_id)
            if not item.future.done():
                item.future.set_result(answer)


class _Decided(Generic[S]):
    """A batch decided on a state, before its commit: everything by id, in the order of decision."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.entries: list[Entry] = []
        self.causes: dict[str, bytes] = {}
        self.owners: dict[str, str] = {}
        self.digests: dict[str, bytes] = {}
        self.answers: dict[str, Answer] = {}
