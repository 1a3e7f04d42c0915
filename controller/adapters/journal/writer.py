"""The journal's thread: takes every append that waits, writes them in one commit, and answers after it."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from controller.adapters.journal.chain import Head, Record, Row, rows_on, same_content, to_record
from controller.adapters.journal.checkpoints import Checkpoint, Signer
from controller.adapters.journal.errors import AlreadyStored, Conflict, JournalError, JournalFailed
from controller.adapters.journal.schema import CheckpointRow
from controller.adapters.journal.store import Store
from controller.core.ledger import Entry

GROUP = 1024
"""At most this many appends share one commit."""


class Reply(Protocol):
    """Where an answer goes; both kinds of Future's methods."""

    def set_result(self, result: Any, /) -> None: ...

    def set_exception(self, exception: BaseException, /) -> None: ...


class LoopReply:
    """Answers an asyncio future from the journal's thread; a caller that gave up, or a closed loop, is let go."""

    __slots__ = ("_loop", "future")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self._loop.create_future()

    def set_result(self, result: Any, /) -> None:
        self._answer(self.future.set_result, result)

    def set_exception(self, exception: BaseException, /) -> None:
        self._answer(self.future.set_exception, exception)

    def _answer(self, answer: Callable[[Any], None], value: Any) -> None:
        def unless_done() -> None:
            if not self.future.done():
                answer(value)

        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(unless_done)


@dataclass(frozen=True, slots=True)
class Appended:
    """What a commit stored: the head after it, where it began, ids there before, and a checkpoint if one fell."""

    head: Head
    first_seq: int
    repeated: frozenset[str] = frozenset()
    checkpoint: Checkpoint | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """A wish to append: all of it or nothing. `fresh` refuses ids that are stored, even with the same content."""

    records: Sequence[Record]
    wall_ms: int
    fresh: bool
    checkpoint: bool
    reply: Reply


@dataclass(frozen=True, slots=True)
class Call:
    """Something else to do on the connection, between commits."""

    do: Callable[[Store], Any]
    reply: Reply


class Writer:
    """One thread, one connection. After a failed commit it refuses every further write: only a new start may go on."""

    def __init__(self, store: Store, head: Head, signer: Signer | None) -> None:
        self.head = head
        self._store = store
        self._signer = signer
        self._failed: JournalFailed | None = None
        self._ended = False
        self._queue: queue.SimpleQueue[Append | Call | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def put(self, job: Append | Call) -> None:
        if self._ended:
            raise JournalFailed("the journal is closed")
        self._queue.put(job)

    def call(self, do: Callable[[Store], Any]) -> Any:
        """Do something on the connection and wait for it (not from the event loop while it serves)."""
        reply: Future[Any] = Future()
        self.put(Call(do, reply))
        return reply.result()

    def stop(self) -> bool:
        """Finish what waits, then end the thread; False when it had ended before."""
        if self._ended:
            return False
        self._queue.put(None)
        self._thread.join()
        return True

    def _run(self) -> None:
        """The thread. Should it ever end by a fault of ours, everybody who waits is told, and so is who comes later."""
        try:
            self._serve()
        finally:
            self._ended = True
            while not self._queue.empty():
                if (job := self._queue.get()) is not None:
                    job.reply.set_exception(JournalFailed("the journal is closed"))

    def _serve(self) -> None:
        waiting: list[Append] = []
        while True:
            job = self._queue.get()
            while isinstance(job, Append):
                waiting.append(job)
                if len(waiting) == GROUP or self._queue.empty():
                    break
                job = self._queue.get()
            if waiting:
                with _told([each.reply for each in waiting]):
                    self._write(waiting)
                waiting = []
            if isinstance(job, Call):
                with _told([job.reply]):
                    self._do(job)
            elif job is None:
                return

    def _do(self, call: Call) -> None:
        try:
            result = call.do(self._store)
        except self._store.errors as error:
            call.reply.set_exception(self._store.explain(error))
        except (JournalError, OSError, ValueError, OverflowError) as error:  # the last: a number that no database takes
            call.reply.set_exception(error)
        else:
            call.reply.set_result(result)

    def _write(self, jobs: Sequence[Append]) -> None:
        if self._failed is not None:
            for job in jobs:
                job.reply.set_exception(self._failed)
            return
        try:
            answers, head = self._transact(jobs)
        except self._store.errors as error:
            self._failed = self._give_up(error)
            for job in jobs:
                job.reply.set_exception(self._failed)
            return
        self.head = head
        for job, answer in zip(jobs, answers, strict=True):
            if isinstance(answer, Exception):
                job.reply.set_exception(answer)
            else:
                job.reply.set_result(answer)

    def _transact(self, jobs: Sequence[Append]) -> tuple[list[Appended | Exception], Head]:
        """One commit. Fresh ids are new as a rule, so that they are looked up only when the table refuses one."""
        if all(job.fresh for job in jobs):
            try:
                return self._commit(jobs, None)
            except self._store.duplicate:
                self._store.rollback()
        return self._commit(jobs, self._store.rows_of(record.id for job in jobs for record in job.records))

    def _commit(self, jobs: Sequence[Append], known: dict[str, Row] | None) -> tuple[list[Appended | Exception], Head]:
        """Write what the jobs ask for. known: the stored rows among their ids; None leaves that to the table."""
        store = self._store
        store.begin()
        plan = _Plan(self.head, self._signer)
        answers: list[Appended | Exception] = []
        for job in jobs:
            answers.append(plan.extend(job, job.records) if known is None else plan.take(job, known))
        if not plan.rows and not plan.checkpoints:
            store.rollback()
            return answers, self.head
        store.append(plan.rows)
        store.insert(CheckpointRow, [checkpoint.as_row() for checkpoint in plan.checkpoints])
        store.commit()
        return answers, plan.head

    def _give_up(self, error: Exception) -> JournalFailed:
        with contextlib.suppress(*self._store.errors):
            self._store.rollback()
        why = "the disk is full" if self._store.is_full(error) else self._store.why(error)
        failure = JournalFailed(f"the journal could not be written ({why}): nothing of this commit counts")
        failure.__cause__ = error
        return failure


@contextlib.contextmanager
def _told(replies: Sequence[Reply]) -> Iterator[None]:
    """When a fault of ours ends the thread, those who wait for it hear of it."""
    try:
        yield
    except BaseException as fault:
        failure = JournalFailed(f"the journal's thread broke: {fault!r}")
        for reply in replies:
            reply.set_exception(failure)
        raise


def begin(store: Store, entry: Entry, wall_ms: int) -> None:
    """Append one entry before the thread exists: a genesis or a restore."""
    store.begin()
    store.append(rows_on(store.head(), [to_record(entry)], wall_ms))
    store.commit()


class _Plan:
    """What one transaction will write, job by job."""

    def __init__(self, head: Head, signer: Signer | None) -> None:
        self.head = head
        self.rows: list[Row] = []
        self.checkpoints: list[Checkpoint] = []
        self._signer = signer

    def take(self, job: Append, known: dict[str, Row]) -> Appended | Exception:
        """Plan the rows of a job beside those that are known, or say why none of it is written."""
        new: dict[str, Record] = {}
        repeated = set()
        for record in job.records:
            if record.id in new:
                if new[record.id] != record:
                    return Conflict(record.id)
            elif (row := known.get(record.id)) is None:
                new[record.id] = record
            elif not job.fresh and not same_content(record, row):
                return Conflict(record.id)
            else:
                repeated.add(record.id)
        if job.fresh and repeated:
            return AlreadyStored(repeated)
        before = len(self.rows)
        appended = self.extend(job, list(new.values()), frozenset(repeated))
        known.update((row.id, row) for row in self.rows[before:])  # a later job may bring one of these ids
        return appended

    def extend(self, job: Append, records: Sequence[Record], repeated: frozenset[str] = frozenset()) -> Appended:
        """Plan rows for records whose ids are new."""
        rows = rows_on(self.head, records, job.wall_ms)
        first_seq = self.head.seq + 1
        if rows:
            self.head = Head(rows[-1].seq, rows[-1].chain)
            self.rows += rows
        return Appended(self.head, first_seq, repeated, self._sign(rows, job.checkpoint))

    def _sign(self, rows: list[Row], asked: bool) -> Checkpoint | None:
        if self._signer is None:
            return None
        due = [Head(row.seq, row.chain) for row in rows if row.seq % self._signer.every == 0]
        if asked and self.head not in due[-1:]:
            due.append(self.head)
        checkpoints = [self._signer.sign(head) for head in due]
        self.checkpoints += checkpoints
        return checkpoints[-1] if checkpoints else None
