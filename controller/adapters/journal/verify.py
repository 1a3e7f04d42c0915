"""A whole journal checked from its genesis to its end: the first bad seq, what is wrong there, and what still holds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from controller.adapters.journal.chain import (
    NO_CHAIN,
    NOT_JSON,
    RESTORED,
    Head,
    Row,
    link,
)
from controller.adapters.journal.checkpoints import EVERY, Checkpoint, is_signature
from controller.adapters.journal.errors import Fault, JournalDamaged
from controller.adapters.journal.faults import diagnose, file_faults, rows_in_order
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.mentioned import Mentioned, mentioned
from controller.adapters.journal.reading import Equation, Reading, reading
from controller.adapters.journal.store import Store
from controller.core.ledger import sum_of


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
    keys whose checkpoints count, of which there must be one not far from the end (none given: any key's).
    """
    walk = _Walk(journal, tuple(equations), against, frozenset(keys), mentioned(journal))
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


def _unreadable(row: Row, error: Exception) -> JournalDamaged:
    """A body that is whole as it was chained, but in no form that this version knows."""
    why = str(error) if isinstance(error, ValueError) else repr(error)
    return JournalDamaged(row.seq, Fault.UNREADABLE, f"what stands in {row.kind} cannot be read: {why}")


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
    index: Mentioned
    seq: int = 0
    chain: bytes = NO_CHAIN
    lives: list[_Life] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    last_good: Checkpoint | None = None
    good_checkpoints: int = 0
    stored: dict[int, list[Checkpoint]] = field(default_factory=dict)

    @property
    def head(self) -> Head:
        """What is good so far."""
        return Head(self.seq, self.chain)

    def through(self) -> None:
        """Every entry, in order; raises JournalDamaged at the first bad one."""
        for checkpoint in [*self.journal.checkpoints(), *self.against]:
            self.stored.setdefault(checkpoint.seq, []).append(checkpoint)
        for row in rows_in_order(self.journal):
            seq = self.seq + 1
            if row.seq != seq:
                raise JournalDamaged(seq, Fault.GAP, f"the next entry is {row.seq}")
            chain = link(self.chain, row)
            if chain != row.chain:
                raise diagnose(self.journal, self.chain, row)
            self._check_content(row)
            self.seq, self.chain = seq, chain
            if seq in self.stored:
                self._check_checkpoints(self.head)

    def _check_content(self, row: Row) -> None:
        try:
            entry = reading(row)
            if total := sum_of(entry.postings):
                raise JournalDamaged(row.seq, Fault.UNBALANCED, f"{row.id} ({row.kind}): by {total} micros")
            if row.seq == 1 or row.kind == RESTORED:
                self._begin_life(row, entry)
            problem = self._asked(entry)
            entry.read_through()
            self.index.after(row)
        except msgspec.DecodeError as error:
            if isinstance(error, msgspec.ValidationError):
                raise _unreadable(row, error) from error
            raise JournalDamaged(row.seq, Fault.ALTERED, NOT_JSON) from error
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
            raise _unreadable(row, error) from error
        if problem:
            raise JournalDamaged(row.seq, Fault.EQUATION, problem)

    def _asked(self, entry: Reading) -> str | None:
        """What the first equation says that does not hold."""
        return next((said for equation in self.equations if (said := equation(entry))), None)

    def _begin_life(self, row: Row, entry: Reading) -> None:
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
        """Checkpoints that saw more than is there or are missing, cosignatures that do not hold, an index that leads
        astray."""
        ends = {life.incarnation: life.last_seq or self.head.seq for life in self.lives}
        for seq in sorted(self.stored):
            checkpoint = self.stored[seq][0]
            if checkpoint.is_signed():
                end = ends.get(checkpoint.incarnation, self.head.seq)
                yield Finding(Fault.CUT_TAIL, end + 1, f"a checkpoint of {checkpoint.incarnation} saw seq {seq}")
            else:
                yield Finding(Fault.BAD_CHECKPOINT, seq, "its signature does not hold, and there is no such entry")
        since = self.last_good.seq if self.last_good else 0
        if self.keys and not since:
            yield Finding(Fault.NOT_SIGNED, 1, "no checkpoint is of a key given")
        elif self.keys and self.seq - since > EVERY:
            detail = f"{self.seq - since} entries follow the last checkpoint of a key given"
            yield Finding(Fault.NOT_SIGNED, since + 1, detail)
        messages = {each.seq: each.message() for each in self.journal.checkpoints()}
        for seq, node, key, signature in self.journal.ask_now(Store.cosignatures):
            if not is_signature(key, signature, messages.get(seq, b"")):
                yield Finding(Fault.BAD_CHECKPOINT, seq, f"the cosignature of {node} does not hold")
        if self.index.wrong is not None:
            yield Finding(Fault.BAD_INDEX, *self.index.wrong)
        if seen := self.index.beyond(self.seq):
            yield Finding(Fault.CUT_TAIL, self.seq + 1, f"the index mentions seq {seen}")
