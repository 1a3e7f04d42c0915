"""What must add up in a journal beyond its chain: asked after every entry of a verification."""

from collections.abc import Callable

from controller.core.ledger import Entry


def equations() -> tuple[Callable[[Entry], str | None], ...]:
    """Fresh checks of all that a table's or a host's entries must add up to."""
    return (pools_hold(),)


def pools_hold() -> Callable[[Entry], str | None]:
    """A check that no pool is ever below zero.

    Every entry balances, so all accounts together are always zero: funding + contributions - reversals + adjustments +
    transfers = meters + reserves + overflow + prizes granted - voided. What can still be false is a pool that gave
    more than it had.
    """
    pools: dict[str, int] = {}

    def after(entry: Entry) -> str | None:
        for posting in entry.postings:
            if posting.account.startswith("pool."):
                pools[posting.account] = pools.get(posting.account, 0) + posting.micros
        below = sorted({posting.account for posting in entry.postings if pools.get(posting.account, 0) < 0})
        return f"{below[0]} stands at {pools[below[0]]} micros" if below else None

    return after
