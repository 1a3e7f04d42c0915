"""Why a meter went down between two states of a ledger: drums go back for such a record only, once."""

from controller.engine.ledger_state import LedgerState
from display.scene import FallReason, MeterFall


def fall_between(before: LedgerState, after: LedgerState, own_table: str = "") -> MeterFall | None:
    """The fall to tell of, None where the amount did not fall or the table's own paper tells it (an award of its own).

    A step of several records is told by the weightiest: an award, then a void, a transfer, a new start value.
    """
    if after.seq <= before.seq or after.amount_micros >= before.amount_micros:
        return None
    if after.awards_micros > before.awards_micros:
        told = _newest_award(before, after)
        return None if told == own_table else MeterFall(after.seq, FallReason.AWARD)
    if after.contributions_micros < before.contributions_micros:
        return MeterFall(after.seq, FallReason.VOID)
    if after.moved_out_micros > before.moved_out_micros:
        return MeterFall(after.seq, FallReason.TRANSFER)
    if _starts(before) != _starts(after):
        return MeterFall(after.seq, FallReason.RESET)
    return MeterFall(after.seq, FallReason.ADJUSTMENT)


def _newest_award(before: LedgerState, after: LedgerState) -> str | None:
    """The table of the newest award out of the meter that the older state does not have."""
    for key in reversed(after.award_order):
        answered = after.awards[key]
        if answered.seq <= before.seq:
            break
        if answered.takes_from_meter:
            return answered.granted.name.table
    return None


def _starts(ledger: LedgerState) -> dict[str, int]:
    return {table: ledger.tables[table].start_micros for table in ledger.active()}
