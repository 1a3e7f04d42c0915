"""After which entries a checkpoint is signed at once: money awarded, paid or taken back, new seeds, a shift's close."""

from controller.core.ledger import Entry

_TABLE_KINDS = frozenset(
    {
        "prize.paid",
        "prize.advanced",
        "draw.chain",
        "draw.prize",
        "draw.prize_paid",
        "draw.prize_void",
        "hand.void",
        "table.leaving",
    }
)
_LEDGER_KINDS = frozenset({"award", "void", "void_held", "adjustment", "seal", "leave", "joined", "epoch"})


def of_table(entry: Entry) -> bool:
    """Awards of the carousel as the table mirrors them, its draws' commitments and prizes, payments, voids."""
    if entry.kind == "link.record":
        return entry.body["record"]["kind"] in _LEDGER_KINDS
    return entry.kind in _TABLE_KINDS


def of_host(entry: Entry) -> bool:
    """Awards, their voids, people's adjustments, changes of the roster, and a new epoch."""
    return entry.kind.startswith("ledger.") and entry.kind.removeprefix("ledger.") in _LEDGER_KINDS


def of_people(entry: Entry) -> bool:
    """A closed shift, which names the heads of all the node's journals; these are signed after it (`ShiftClose`)."""
    return entry.kind == "shift.closed"
