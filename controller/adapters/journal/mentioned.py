"""The table of mentions held against the entries it was made of, as a verification reads them."""

from dataclasses import dataclass, field

from controller.adapters.journal.chain import Row
from controller.adapters.journal.errors import JournalError
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.store import Store
from controller.adapters.journal.subjects import SPAN, is_hand, subjects_of


@dataclass(slots=True)
class Mentioned:
    """The mentions of a journal at one moment; entries that come later are not its affair.

    wrong: the first entry that could not be found, or is found under what it is not about, and its subject; no entry
    in particular where the mentions cannot be read.
    """

    head: int
    left: dict[int, list[str]]
    wrong: tuple[int | None, str] | None = None
    _until: dict[str, int] = field(default_factory=dict)
    """By hand, the seq from which an entry about it wants a mention of its own."""

    def after(self, row: Row) -> None:
        """The next entry, in order."""
        about, there = subjects_of(row.kind, row.body), self.left.pop(row.seq, None)
        if there is None:
            there = []
            if not about:
                return
        if row.seq > self.head or self.wrong is not None:
            return
        for subject in there:
            if subject not in about:
                self.wrong = (row.seq, f"the entry is not about {subject}")
                return
            self._until[subject] = row.seq + SPAN if is_hand(subject) else row.seq + 1
        for subject in about:
            if row.seq >= self._until.get(subject, 0):
                self.wrong = (row.seq, f"no mention leads to this entry about {subject}")
                return

    def beyond(self, last: int) -> int | None:
        """The highest mentioned seq when there is none so high any more: more was there than now."""
        seen = max(self.left, default=0)
        return seen if seen > last else None


def mentioned(journal: Journal) -> Mentioned:
    """The mentions as they are now; they may be unreadable while the entries are sound."""
    try:
        head, rows = journal.ask_now(_read)
    except JournalError as error:
        return Mentioned(0, {}, (None, str(error)))
    left: dict[int, list[str]] = {}
    for subject, seq in rows:
        left.setdefault(seq, []).append(subject)
    return Mentioned(head, left)


def _read(store: Store) -> tuple[int, list[tuple[str, int]]]:
    return store.head().seq, store.mentions()
