"""The equation of a carousel, asked of its folded ledger: what came in is what is there and what went out."""

from controller.core.ledger import LedgerBroken
from controller.engine.host_state import HostState
from controller.engine.ledger_state import LedgerState
from controller.engine.table_state import TableState

MANY_TABLES = 500
"""Up to so many the sum over all tables costs less than the commit it is asked for."""


def check_ledger(ledger: LedgerState) -> None:
    """Contributions + funding + adjustments = pools + awards + transfers out, to the micro; LedgerBroken otherwise."""
    accounts = [ledger.tables[table] for table in ledger.tables]
    pools = sum(account.total_micros for account in accounts)
    came = ledger.contributions_micros + ledger.funding_micros + ledger.adjustments_micros
    went = pools + ledger.awards_micros + ledger.transfers_micros
    if came != went:
        raise LedgerBroken(f"carousel {ledger.carousel}: {came} micros came in, {went} are there or went out")
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
