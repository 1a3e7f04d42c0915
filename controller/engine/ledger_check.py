"""What must hold of a carousel's ledger and of a table before each commit, or the daemon ends."""

from controller.core.ledger import LedgerBroken
from controller.engine.equation import equation_of
from controller.engine.host_state import HostState
from controller.engine.ledger_state import LedgerState
from controller.engine.table_state import TableState

MANY_TABLES = 500
"""Up to so many the sum over all tables costs less than the commit it is asked for."""


def check_ledger(ledger: LedgerState) -> None:
    """The equation holds to the micro, and the shown amount is the main pools' sum; LedgerBroken otherwise."""
    equation = equation_of(ledger)
    came, went = equation.came, equation.went
    if came != went:
        raise LedgerBroken(f"carousel {ledger.carousel}: {came} micros came in, {went} are there or went out")
    accounts = (ledger.tables[table] for table in ledger.tables)
    shown = sum(account.main_micros for account in accounts if account.in_carousel)
    if shown != ledger.amount_micros:
        raise LedgerBroken(f"carousel {ledger.carousel} shows {ledger.amount_micros} micros, its tables hold {shown}")


def check_host(state: HostState) -> None:
    """A host's ledger, asked before its commits and at its start; of a very large carousel, at every 64th record."""
    ledger = state.ledger
    if len(ledger.tables) <= MANY_TABLES or ledger.seq % 64 == 0:
        check_ledger(ledger)


def check_table(state: TableState) -> None:
    """No pool of a draw gave more than it had, and nothing was reversed that was not contributed."""
    below = next((kind for kind, micros in state.pools.items() if micros < 0), None)
    if below is not None:
        raise LedgerBroken(f"the pool of {below} stands at {state.pools[below]} micros")
    counters = state.link.counters
    if counters.net_main_micros < 0 or counters.net_reserve_micros < 0:
        raise LedgerBroken(f"table {state.link.settings.table} took back more than it contributed")
