"""A host's journal, followed entry by entry: one gapless chained ledger, each figure as the checker computes it."""

from __future__ import annotations

from controller.core.ledger import Entry
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import Record
from controller.engine.payment_records import PaidTold
from tests.invariants.broken import hold
from tests.invariants.oracle import Oracle


class LedgerBook:
    """oracle: the checker's own fold of the ledger as it stands. ever: all records this host ever wrote or copied."""

    def __init__(self, carousel: str) -> None:
        self.carousel = carousel
        self.oracle = Oracle()
        self.records: list[Record] = []
        self.ever: set[tuple[int, str]] = set()
        self.ids: set[str] = set()

    def follow(self, entry: Entry) -> Record | None:
        """One more entry; its record where it is one. Raises Violation, or the oracle's Wrong."""
        hold(entry.id not in self.ids, f"{self.carousel}: two entries {entry.id}")
        self.ids.add(entry.id)
        hold(sum(posting.micros for posting in entry.postings) == 0, f"{self.carousel}: {entry.id} does not balance")
        if entry.kind == "host.adopting" and entry.body["blank"]:
            self.oracle, self.records = Oracle(), []
        if not entry.kind.startswith("ledger."):
            return None
        record = record_from_plain(entry.body["record"])
        before = self.records[-1].hash if self.records else record.prev
        place = (len(self.records) + 1, before)
        hold((record.seq, record.prev) == place, f"{self.carousel}: record {record.seq} is not at {place}")
        self.oracle.follow(record)
        self.records.append(record)
        self.ever.add((record.seq, record.hash))
        return record

    @property
    def told(self) -> dict[str, int]:
        """Minor units by row that tables have paid, as the ledger tells it."""
        found: dict[str, int] = {}
        for record in self.records:
            if isinstance(record.body, PaidTold):
                found.update({row.row: row.minor + row.beside for row in record.body.rows})
        return found

    @property
    def amounts(self) -> dict[str, int]:
        """Minor units by row as the ledger grants them now."""
        found = {}
        for key, prize in self.oracle.prizes.items():
            found.update({f"{key}/{seat}": minor for seat, minor in prize.amounts.items()})
        return found
