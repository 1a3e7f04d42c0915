"""The journal of one machine: opened by path or URL, appended to durably, read back with its chain checked."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.journal.chain import (
    NO_CHAIN,
    Head,
    Row,
    Stored,
    genesis,
    identity,
    link,
    to_record,
    to_stored,
    typed,
)
from controller.adapters.journal.checkpoints import EVERY, Checkpoint, Signer, is_signature
from controller.adapters.journal.errors import Fault, JournalDamaged, JournalError, JournalUnfit
from controller.adapters.journal.schema import CosignatureRow
from controller.adapters.journal.sqlite import open_sqlite
from controller.adapters.journal.store import Store
from controller.adapters.journal.writer import Append, Appended, Call, LoopReply, Writer, begin
from controller.core.ledger import Entry

T = TypeVar("T")
PAGE = 1000
"""Entries read at once."""


def is_server(url: str | Path) -> bool:
    """Whether it names a database on a server, not a file."""
    return str(url).startswith(("postgresql:", "postgresql+psycopg:", "postgres:"))


def open_store(url: str | Path, *, name: str | None, create: bool, replicated: bool = False) -> Store:
    """The connection of a journal: a path, `sqlite:///PATH`, or `postgresql://…` (the journal is the schema `name`).

    replicated: a server writes only while a standby is waited for.
    """
    text = str(url)
    if is_server(text):
        try:
            from controller.adapters.journal.postgresql import open_postgresql  # an extra: psycopg
        except ModuleNotFoundError as missing:
            raise JournalUnfit("a journal on a server needs psycopg: install the extra `postgres`") from missing

        return open_postgresql(text, name=name, create=create, replicated=replicated)
    return open_sqlite(Path(text.removeprefix("sqlite:///")), create=create)


class Journal:
    """Append-only, chained, one writer. Construct with `Journal.open`; close it, or use it as a context manager.

    The `async` methods are for the event loop; the others wait for the disk and are for start-up, threads and commands.
    """

    def __init__(self, store: Store, name: str, incarnation: str, head: Head, signer: Signer | None) -> None:
        self.name = name
        self.incarnation = incarnation
        self.dialect = store.dialect
        self._store = store
        self._signer = signer
        self._writer = Writer(store, head, signer)

    @classmethod
    def open(
        cls,
        url: str | Path,
        *,
        name: str | None = None,
        key: Ed25519PrivateKey | None = None,
        create: bool = True,
        incarnation: str | None = None,
        wall_ms: int = 0,
        checkpoint_every: int = EVERY,
        replicated: bool = False,
    ) -> "Journal":
        """Open a journal, or make one called `name` (its genesis is the first entry, at `wall_ms`).

        `key` signs checkpoints; without one there are none. `incarnation` is random unless given. Raises JournalInUse,
        JournalUnfit (wrong place, other name, later version, none there and not `create`), JournalDamaged.
        `replicated`: see `open_store`.
        """
        store = open_store(url, name=name, create=create, replicated=replicated)
        try:
            store.migrate(create=create)
            if create and name is not None and store.head().seq == 0:
                begin(store, genesis(name, incarnation or secrets.token_hex(16)), wall_ms)
            found, current = identity(store.incarnations())
            if name is not None and found != name:
                raise JournalUnfit(f"the journal at {url} is that of {found}, not of {name}")
            signer = None if key is None else Signer(key, found, current, checkpoint_every)
            return cls(store, found, current, store.head(), signer)
        except store.errors as error:
            store.close()
            raise store.explain(error) from error
        except BaseException:
            store.close()
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what waits, then let the file or the server go. Closing twice does nothing."""
        if self._writer.stop():
            self._store.close()

    @property
    def head(self) -> Head:
        """Seq and chain of the last committed entry."""
        return self._writer.head

    @property
    def last_wall_ms(self) -> int:
        """What the wall clock said at the last entry."""
        rows = self.ask_now(partial(Store.page, after_seq=self.head.seq - 1, limit=1))
        return Row(*rows[0]).wall_ms if rows else 0

    async def append(
        self,
        entries: Sequence[Entry],
        wall_ms: int,
        *,
        causes: Mapping[str, bytes] | None = None,
        fresh: bool = False,
        checkpoint: bool = False,
    ) -> Appended:
        """Store entries in one commit, all or none; durable on return. `causes` are event digests by entry id.

        The same id with the same content changes nothing (with `fresh`: AlreadyStored), with other content: Conflict.
        `checkpoint` signs one at the last entry. TypeError for a body that is not exact JSON; JournalFailed when the
        world fails. A caller that is cancelled leaves a commit that may still happen: ask by id.
        """
        reply = LoopReply()
        self._append(entries, wall_ms, causes, fresh, checkpoint, reply)
        result: Appended = await reply.future
        return result

    def append_now(
        self,
        entries: Sequence[Entry],
        wall_ms: int,
        *,
        causes: Mapping[str, bytes] | None = None,
        fresh: bool = False,
        checkpoint: bool = False,
    ) -> Appended:
        """`append`, waiting in the calling thread."""
        reply: Future[Appended] = Future()
        self._append(entries, wall_ms, causes, fresh, checkpoint, reply)
        return reply.result()

    def _append(
        self,
        entries: Sequence[Entry],
        wall_ms: int,
        causes: Mapping[str, bytes] | None,
        fresh: bool,
        checkpoint: bool,
        reply: Any,
    ) -> None:
        causes = causes or {}
        records = [to_record(entry, causes.get(entry.id, b"")) for entry in entries]
        self._writer.put(Append(records, wall_ms, fresh, checkpoint, reply))

    async def ask(self, do: Callable[[Store], T]) -> T:
        """Do something on the connection between commits, from the event loop."""
        reply = LoopReply()
        self._writer.put(Call(do, reply))
        result: T = await reply.future
        return result

    def ask_now(self, do: Callable[[Store], T]) -> T:
        """Do something on the connection between commits, waiting in the calling thread."""
        result: T = self._writer.call(do)
        return result

    async def checkpoint(self) -> Checkpoint | None:
        """Sign the present head (awards, shift close); None without a key."""
        return (await self.append((), 0, checkpoint=True)).checkpoint

    def checkpoints(self) -> list[Checkpoint]:
        """All stored checkpoints, oldest first."""
        return [Checkpoint(self.name, row[1], row[0], *row[2:]) for row in self.ask_now(Store.checkpoints)]

    def newest_checkpoint(self) -> Checkpoint | None:
        """The last one stored, of whatever incarnation; None when there is none."""
        rows = self.ask_now(partial(Store.checkpoints, newest=True))
        return Checkpoint(self.name, rows[0][1], rows[0][0], *rows[0][2:]) if rows else None

    def cosign(self, seq: int, node: str, public_key: bytes, signature: bytes) -> None:
        """Keep another node's signature under our checkpoint at a seq; JournalError when it does not hold."""
        point = next((each for each in self.checkpoints() if each.seq == seq), None)
        if point is None or not is_signature(public_key, signature, point.message()):
            raise JournalError(f"the cosignature of {node} at seq {seq} does not hold")
        self.ask_now(partial(Store.insert, model=CosignatureRow, rows=[(seq, node, public_key, signature)]))

    async def moments(self, after_seq: int, limit: int) -> list[tuple[int, int]]:
        """Seq and wall milliseconds of up to `limit` entries after a seq, in order, unchecked."""
        return await self.ask(partial(Store.moments, after_seq=after_seq, limit=limit))

    async def find(self, ids: Iterable[str]) -> dict[str, Stored]:
        """The stored entries among ids."""
        wanted = tuple(ids)
        rows = await self.ask(lambda store: store.rows_of(wanted))
        return {entry_id: to_stored(row) for entry_id, row in rows.items()}

    async def about(self, subject: str, before: int, limit: int) -> list[Stored]:
        """The newest `limit` entries about a subject that lie before a seq, newest first."""
        rows = await self.ask(partial(Store.about, subject=subject, before=before, limit=limit))
        return [to_stored(row) for row in rows]

    async def caused(self, ids: Iterable[str]) -> dict[str, tuple[Stored, ...]]:
        """For each id that is stored: its entry, and those right after it that the same event caused."""
        wanted = tuple(ids)
        rows = await self.ask(lambda store: store.caused(wanted))
        return {entry_id: tuple(to_stored(row) for row in found) for entry_id, found in rows.items()}

    def entries(self, after_seq: int = 0, chain: bytes | None = None) -> Iterator[Stored]:
        """Entries after a seq in order, each chained to the one before; raises JournalDamaged at the first that is not.

        `chain` is what the caller believes the chain to be at `after_seq` (default: what is stored there).
        """
        if chain is None:
            chain = self.chain_at(after_seq)
        if chain is None:
            return
        seq = after_seq
        while rows := self.ask_now(partial(Store.page, after_seq=seq, limit=PAGE)):
            for row in typed(rows, seq):
                if row.seq != seq + 1:
                    raise JournalDamaged(seq + 1, Fault.GAP)
                seq, chain = row.seq, link(chain, row)
                if chain != row.chain:
                    raise JournalDamaged(seq, Fault.ALTERED)
                yield to_stored(row)

    def chain_at(self, seq: int) -> bytes | None:
        """The stored chain at a seq (zeros at 0), None beyond the end."""
        if seq == 0:
            return NO_CHAIN
        row = self.ask_now(partial(Store.row_at, seq=seq))
        return None if row is None else row.chain
