"""What can go wrong with a journal, by what the caller can do about it."""

from collections.abc import Iterable
from enum import Enum


class Fault(Enum):
    """What can be wrong with a stored journal."""

    ALTERED = "altered"
    GAP = "gap"
    SWAPPED = "swapped"
    BAD_CHAIN = "bad_chain"
    UNBALANCED = "unbalanced"
    BAD_GENESIS = "bad_genesis"
    BAD_CHECKPOINT = "bad_checkpoint"
    OTHER_HISTORY = "other_history"
    CUT_TAIL = "cut_tail"
    NOT_SIGNED = "not_signed"
    EQUATION = "equation"
    UNREADABLE = "unreadable"
    BAD_INDEX = "bad_index"
    FILE_DAMAGE = "file_damage"


class JournalError(Exception):
    """Root of the journal's errors."""


class JournalInUse(JournalError):
    """Another process (the daemon, as a rule) holds the journal: ask it, or read a backup."""


class JournalUnfit(JournalError):
    """This place or file cannot serve as the journal: network file system, other name, newer version, no journal."""


class JournalDamaged(JournalError):
    """A stored entry is not what was written; `seq` is the first bad one (None = the file as a whole)."""

    def __init__(self, seq: int | None, fault: Fault, detail: str = "") -> None:
        self.seq, self.fault, self.detail = seq, fault, detail
        place = "the file" if seq is None else f"seq {seq}"
        super().__init__(f"journal damaged at {place}: {fault.value}{': ' if detail else ''}{detail}")


class JournalFailed(JournalError):
    """A commit failed (disk full, I/O error, server gone): nothing was acknowledged, no further write is tried."""


class Conflict(JournalError):
    """An id is already stored with other content; nothing of the append was written."""

    def __init__(self, entry_id: str) -> None:
        self.id = entry_id
        super().__init__(f"entry {entry_id} is already in the journal with other content")


class AlreadyStored(JournalError):
    """A fresh append met ids that are already stored; nothing of it was written."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.ids = frozenset(ids)
        super().__init__(f"already in the journal: {', '.join(sorted(self.ids))}")
