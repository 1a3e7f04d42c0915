"""The carousel's equation, in the one place where it is written: what came in is what is there and what went out."""

from dataclasses import dataclass

from controller.engine.ledger_state import LedgerState


@dataclass(frozen=True, slots=True)
class Equation:
    """Both sides in micros: contributions + funding + adjustments = balances + awards + transfers.

    contributions: what the ledger absorbed of the tables' bets, less reversals. transfers: what left the pools, money
    in the register of orphans included.
    """

    contributions: int
    funding: int
    adjustments: int
    balances: int
    awards: int
    transfers: int

    @property
    def came(self) -> int:
        return self.contributions + self.funding + self.adjustments

    @property
    def went(self) -> int:
        """What is there or went out."""
        return self.balances + self.awards + self.transfers

    @property
    def holds(self) -> bool:
        return self.came == self.went


def equation_of(ledger: LedgerState) -> Equation:
    """The equation of a ledger as it stands."""
    accounts = (ledger.tables[table] for table in ledger.tables)
    return Equation(
        contributions=ledger.contributions_micros,
        funding=ledger.funding_micros,
        adjustments=ledger.adjustments_micros,
        balances=sum(account.total_micros for account in accounts),
        awards=ledger.awards_micros,
        transfers=ledger.moved_out_micros,
    )
