"""The ceiling of a table's part of the meter: what passes it goes into the overflow, and comes out when taken back."""

from controller.engine.ledger_records import Counters
from controller.engine.ledger_state import Account


def passing(account: Account, counters: Counters) -> int:
    """What of the step to these counters passes the ceiling, in micros; a lowered ceiling takes nothing back."""
    ceiling, main = account.profile.ceiling_micros, _step(account, counters)
    if ceiling is None:
        return 0
    return min(max(account.main_micros + main - ceiling, 0), max(main, 0))


def returned(account: Account, counters: Counters, wrong_main: int = 0) -> int:
    """What of the step to these counters has to come back out of the overflow, in micros.

    A reversal at a meter that stands at its ceiling: that hand's contribution stands in the overflow, as far as there
    is one. A wrong part of an accepted step (wrong_main): what of it passed the ceiling with the step.
    """
    ceiling, main = account.profile.ceiling_micros, _step(account, counters)
    if main < 0:
        return min(-main, account.overflow_micros) if ceiling is not None and account.main_micros >= ceiling else 0
    return min(wrong_main, passing(account, counters))


def rescue_for(
    account: Account, counters: Counters, adjust_main: int = 0, adjust_reserve: int = 0, overflow: int = 0
) -> int:
    """What the house puts in when absorbing these counters takes a pool below zero (rule: owns what, 4).

    overflow: what comes back out of the overflow.
    """
    main = account.main_micros + _step(account, counters) - passing(account, counters) + overflow + adjust_main
    reserve = account.reserve_micros + counters.net_reserve_micros - account.absorbed.net_reserve_micros
    return max(-main, 0) + max(-(reserve + adjust_reserve), 0)


def _step(account: Account, counters: Counters) -> int:
    return counters.net_main_micros - account.absorbed.net_main_micros
