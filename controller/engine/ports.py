"""What the API asks of the rest of the house: desks of machines, their journals, and the hashing of PINs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from controller.core.events import Envelope
from controller.core.ledger import Entry
from controller.core.refusal import Refused
from controller.engine.accounts_state import AccountsState
from controller.engine.host_state import HostState
from controller.engine.table_state import TableSettings, TableState

S_co = TypeVar("S_co", covariant=True)
JOURNAL_SLOW = "journal_slow"
SLOW_MS = 10_000
"""From here on a commit that is not answered is an alarm: its table takes nothing meanwhile, and people should know."""


class RunnerStopped(Exception):
    """A machine takes nothing more: stopped, or failed. Whether an event counted stands in its journal, by its id."""


class Answer(Protocol):
    """What became of an envelope: its entries, or why not. `repeated`: it had been stored before."""

    @property
    def entries(self) -> tuple[Entry, ...]: ...

    @property
    def refused(self) -> Refused | None: ...

    @property
    def repeated(self) -> bool: ...


class StoredEntry(Protocol):
    """An entry read back: its place, the informative wall clock of its commit, and the chain there."""

    @property
    def seq(self) -> int: ...

    @property
    def entry(self) -> Entry: ...

    @property
    def wall_ms(self) -> int: ...

    @property
    def chain(self) -> bytes: ...


class JournalReader(Protocol):
    """A machine's journal, read without stopping it."""

    @property
    def name(self) -> str: ...

    @property
    def incarnation(self) -> str: ...

    def head(self) -> tuple[int, bytes]:
        """Seq and chain of the last commit."""

    async def page(self, after_seq: int, limit: int) -> Sequence[StoredEntry]:
        """Up to `limit` entries after a seq, in order, their chain checked."""

    async def moments(self, after_seq: int, limit: int) -> Sequence[tuple[int, int]]:
        """Seq and wall milliseconds of up to `limit` entries after a seq, in order, unchecked."""

    async def find(self, ids: Iterable[str]) -> Mapping[str, StoredEntry]:
        """The stored entries among ids."""

    async def about(self, subject: str, before: int, limit: int) -> Sequence[StoredEntry]:
        """The newest `limit` entries about a subject that lie before a seq, newest first (see `engine/subjects.py`)."""

    def export(self) -> Iterator[bytes]:
        """The export up to the present head, part by part; each is waited for in the thread that asks for it."""

    def verifier(self) -> bytes:
        """The program that verifies an export with nothing but Python."""


class Desk(Protocol[S_co]):
    """A running machine: its last committed state, a way in, and a way to wait for the next commit."""

    @property
    def state(self) -> S_co: ...

    @property
    def journal(self) -> JournalReader: ...

    @property
    def writing_ms(self) -> int:
        """For how long the commit in course has not been answered; 0 without one."""

    async def submit(self, envelope: Envelope) -> Answer:
        """Answered once durable."""

    def would_refuse(self, envelope: Envelope) -> Refused | None:
        """Why the machine would refuse an envelope as things stand; nothing is stored."""

    async def changed(self, after_seq: int) -> int:
        """Waits until the journal is past a seq; answers the new one."""


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device as people see it: its link, and the newest thing it said (`last*` empty until then).

    `last` has the event's class name under `event` and the fields that tell it from others.
    """

    name: str
    driver: str
    port: str
    link: str
    seats: tuple[int, ...] = ()
    last_ms: int | None = None
    last: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FramePart:
    """A frame, or a run of noise. way: `out` to the device, `in` from it; bad: why nobody may believe it."""

    way: str
    data: bytes
    bad: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FrameView:
    """A request with its answer, or what a device said by itself; `times` that it came, from `first_ms` to `at_ms`.

    outcome: answered, silent, sent (no answer is due) or heard. cut: bytes that were not kept. withheld: what a reader
    read in the hand that is being played; it has no parts then.
    """

    at_ms: int
    first_ms: int
    times: int
    outcome: str
    cut: int = 0
    withheld: bool = False
    parts: tuple[FramePart, ...] = ()


class TableDesk(Desk[TableState], Protocol):
    """A table of this node."""

    @property
    def settings(self) -> TableSettings:
        """The settings in force."""

    def read(self, text: str) -> TableSettings:
        """Settings as the journal holds them; ValueError for what are none."""

    def devices(self) -> tuple[DeviceView, ...]: ...

    def frames(self, device: str) -> tuple[FrameView, ...] | None:
        """The last frames of a device, newest first; None where there is no such device."""


class HostDesk(Desk[HostState], Protocol):
    """A carousel whose ledger this node keeps (also that of a single table)."""

    @property
    def carousel(self) -> str: ...

    def alive(self) -> Mapping[str, bool]:
        """Whether each member's link is up."""


class AccountsDesk(Desk[AccountsState], Protocol):
    """The node's people."""


class Passwords(Protocol):
    """Argon2, off the event loop and never more than a few at once."""

    async def hash(self, secret: str, salt: bytes) -> str:
        """The hash to store; the salt is 16 bytes, never used for two secrets."""

    async def verify(self, secret: str, stored: str | None) -> bool:
        """Whether a secret is the stored one; with None it takes as long and answers False."""
