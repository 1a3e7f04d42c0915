"""The carousel's ledger as a journal holds it: records by sequence number, read only when a table lacks them."""

from array import array
from collections.abc import Sequence

from controller.adapters.journal.journal import Journal
from controller.engine.ledger_reading import record_from_plain
from controller.engine.ledger_records import Record


class JournalArchive:
    """Records of a table's journal (`link.record`) or a host's (`ledger.*`), found through an index built on demand.

    A promoted host may hold a record twice, or one it let go of: the last one under a sequence number counts.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._places = array("Q", [0])
        self._indexed = 0

    def records(self, first: int, count: int) -> Sequence[Record]:
        """At most `count` records from `first` on; waits for the disk, so call it from a thread for long ledgers."""
        self._index()
        last = min(first + count, len(self._places)) - 1
        found: dict[int, Record] = {}
        if last < first:
            return ()
        for stored in self._journal.entries(self._places[first] - 1):
            if "record" in stored.entry.body and stored.seq == self._places_of(stored.entry.body["record"]["seq"]):
                record = record_from_plain(stored.entry.body["record"])
                found[record.seq] = record
            if stored.seq >= self._places[last]:
                break
        return tuple(found[seq] for seq in range(first, last + 1) if seq in found)

    def _places_of(self, seq: int) -> int:
        return self._places[seq] if seq < len(self._places) else 0

    def _index(self) -> None:
        for stored in self._journal.entries(self._indexed):
            self._indexed = stored.seq
            if stored.entry.kind != "link.record" and not stored.entry.kind.startswith("ledger."):
                continue
            seq = stored.entry.body["record"]["seq"]
            del self._places[seq:]
            self._places.append(stored.seq)
