"""A whole journal checked from its genesis to its end: the first bad seq, what is wrong there, and what still holds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from controller.adapters.journal import Journal
from controller.adapters.journal_chain import (
    NO_CHAIN,
    RESTORED,
    Head,
    Row,
    link,
    to_stored,
)
from controller.adapters.journal_checkpoints import Checkpoint, is_signature
from controller.adapters.journal_errors import Fault, JournalDamaged
from controller.adapters.journal_faults import COLUMN_TYPES, diagnose, file_faults, rows_in_order
from controller.adapters.journal_store import Store
from controller.core.ledger import Entry, LedgerBroken, check_balanced

Equation = Callable[[Entry], str | None]
"""Folds one entry after the other; says what does not add up after it, or None."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, and the first bad seq (None = no entry in particular)."""

    fault: Fault
    seq: int | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a verification found; `entries` and `head` count what is good."""

    name: str
    incarnation: str
    entries: int
    head: Head
    findings: tuple[Finding, ...] = ()
    last_good_checkpoint: Checkpoint | None = None
    checkpoints: int = 0

    @property
    def ok(self) -> bool:
        return not self.findings

    def as_record(self) -> dict[str, Any]:
        """Plain values for JSON."""
        first = self.findings[0] if self.findings else None
        good = self.last_good_checkpoint
        return {
            "name": self.name,
            "incarnation": self.incarnation,
            "ok": self.ok,
            "entries": self.entries,
            "seq": self.head.seq,
            "head": self.head.chain.hex(),
            "first_bad_seq": first.seq if first else None,
            "fault": first.fault.value if first else None,
            "findings": [{"fault": each.fault.value, "seq": each.seq, "detail": each.detail} for each in self.findings],
            "checkpoints": self.checkpoints,
            "last_good_checkpoint": good.as_record() if good else None,
        }


def verify(
    journal: Journal,
    *,
    equations: Iterable[Equation] = (),
    against: Sequence[Checkpoint] = (),
    keys: Iterable[bytes] = (),
    pages: bool = True,
) -> Report:
    """Read everything once; `pages` lets SQLite look at its file too, which holds up a journal in use.

    `against` are checkpoints kept outside, which alone reveal a cut tail or a rewritten history; `keys` are the public
    keys whose checkpoints count (none given: any key's).
    """
    walk = _Walk(journal, tuple(equations), against, frozenset(keys))
    try:
        walk.through()
    except JournalDamaged as damage:
        walk.findings.append(Finding(damage.fault, damage.seq, damage.detail))
    else:
        walk.findings += walk.beyond_the_end()
    if pages and (said := file_faults(journal)):
        walk.findings.append(Finding(Fault.FILE_DAMAGE, None, said))
    good = walk.head
    return Report(
        journal.name, journal.incarnation, good.seq, good, tuple(walk.findings), walk.last_good, walk.good_checkpoints
    )


def damaged(error: JournalDamaged) -> Report:
    """The report on a journal that could not even be opened."""
    return Report("", "", 0, Head(0, NO_CHAIN), (Finding(error.fault, error.seq, error.detail),))


@dataclass(slots=True)
class _Life:
    """An incarnation's reach: from its first seq up to where a restore left it."""

    name: str
    incarnation: str
    last_seq: int | None = None


@dataclass(slots=True)
class _Walk:
    journal: Journal
    equations: tuple[Equation, ...]
    against: Sequence[Checkpoint]
    keys: frozenset[bytes]
    head: Head = field(default_factory=lambda: Head(0, NO_CHAIN))
    lives: list[_Life] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    last_good: Checkpoint | None = None
    good_checkpoints: int = 0
    stored: dict[int, list[Checkpoint]] = field(default_factory=dict)

    def through(self) -> None:
        """Every entry, in order; raises JournalDamaged at the first bad one."""
        for checkpoint in [*self.journal.checkpoints(), *self.against]:
            self.stored.setdefault(checkpoint.seq, []).append(checkpoint)
        for values in rows_in_order(self.journal):
            if tuple(map(type, values)) != COLUMN_TYPES:
                raise JournalDamaged(self.head.seq + 1, Fault.ALTERED, "a column holds another type")
            row = Row(*values)
            if row.seq != self.head.seq + 1:
                raise JournalDamaged(self.head.seq + 1, Fault.GAP, f"the next entry is {row.seq}")
            chain = link(self.head.chain, row)
            if chain != row.chain:
                raise diagnose(self.journal, self.head.chain, row)
            self._check_content(row)
            self.head = Head(row.seq, chain)
            if row.seq in self.stored:
                self._check_checkpoints(self.head)

    def _check_content(self, row: Row) -> None:
        try:
            entry = to_stored(row).entry
            check_balanced(entry)
        except LedgerBroken as error:
            raise JournalDamaged(row.seq, Fault.UNBALANCED, str(error)) from error
        except (msgspec.DecodeError, TypeError, ValueError) as error:
            raise JournalDamaged(row.seq, Fault.ALTERED, "the body is not JSON") from error
        if row.seq == 1 or entry.kind == RESTORED:
            self._begin_life(row, entry)
        for equation in self.equations:
            if problem := equation(entry):
                raise JournalDamaged(row.seq, Fault.EQUATION, problem)

    def _begin_life(self, row: Row, entry: Entry) -> None:
        try:
            incarnation = str(entry.body["incarnation"])
            if row.seq == 1:
                self.lives.append(_Life(str(entry.body["name"]), incarnation))
                return
            previous = entry.body["previous"]
            left = (previous["incarnation"], previous["seq"], previous["head"])
        except (KeyError, TypeError) as error:
            raise JournalDamaged(row.seq, Fault.BAD_GENESIS, "it does not name its incarnation") from error
        if left != (self.lives[-1].incarnation, self.head.seq, self.head.chain.hex()):
            raise JournalDamaged(row.seq, Fault.BAD_GENESIS, "the restore names another past")
        self.lives[-1].last_seq = self.head.seq
        self.lives.append(_Life(self.lives[0].name, incarnation))

    def _check_checkpoints(self, head: Head) -> None:
        for checkpoint in self.stored.pop(head.seq):
            if not checkpoint.is_signed():
                raise JournalDamaged(head.seq, Fault.BAD_CHECKPOINT, "its signature does not hold")
            if self.keys and checkpoint.public_key not in self.keys:
                raise JournalDamaged(head.seq, Fault.BAD_CHECKPOINT, f"signed by {checkpoint.public_key.hex()}")
            if (checkpoint.name, checkpoint.incarnation) not in {(life.name, life.incarnation) for life in self.lives}:
                raise JournalDamaged(head.seq, Fault.OTHER_HISTORY, f"it is of incarnation {checkpoint.incarnation}")
            if checkpoint.chain != head.chain:
                since = self.last_good.seq if self.last_good else 0
                detail = f"the checkpoint at {head.seq} saw another history (the last that fits is at {since})"
                raise JournalDamaged(since + 1, Fault.OTHER_HISTORY, detail)
            self.last_good = checkpoint
            self.good_checkpoints += 1

    def beyond_the_end(self) -> Iterator[Finding]:
        """Checkpoints that saw more than is there, and cosignatures that do not hold."""
        ends = {life.incarnation: life.last_seq or self.head.seq for life in self.lives}
        for seq in sorted(self.stored):
            checkpoint = self.stored[seq][0]
            if checkpoint.is_signed():
                end = ends.get(checkpoint.incarnation, self.head.seq)
                yield Finding(Fault.CUT_TAIL, end + 1, f"a checkpoint of {checkpoint.incarnation} saw seq {seq}")
            else:
                yield Finding(Fault.BAD_CHECKPOINT, seq, "its signature does not hold, and there is no such entry")
        messages = {each.seq: each.message() for each in self.journal.checkpoints()}
        for seq, node, key, signature in self.journal.ask_now(Store.cosignatures):
            if not is_signature(key, signature, messages.get(seq, b"")):
                yield Finding(Fault.BAD_CHECKPOINT, seq, f"the cosignature of {node} does not hold")
