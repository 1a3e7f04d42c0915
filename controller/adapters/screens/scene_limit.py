"""The limit of a meter on screens: what the ceilings of its tables let it reach."""

from controller.core.money import floor_minor
from controller.engine.ledger_state import LedgerState
from display.scene import Amount


def meter_limit(ledger: LedgerState) -> Amount | None:
    """The sum of the active tables' ceilings in minor units; None where one has none: then there is no limit.

    A meter that was above a ceiling when it was lowered keeps what it has: the limit shown is never below it.
    """
    ceilings = [ledger.tables[table].profile.ceiling_micros for table in ledger.active()]
    known = [ceiling for ceiling in ceilings if ceiling is not None]
    if not known or len(known) < len(ceilings):
        return None
    return Amount.of(floor_minor(max(sum(known), ledger.amount_micros), ledger.minor_micros))
