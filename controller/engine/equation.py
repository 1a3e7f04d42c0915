"""The carousel's equation: what came in is what is held, awarded, transferred or still on its way (checked live)."""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.core.ledger import LedgerBroken
from controller.engine.host_state import HostState
from controller.engine.ledger_state import LedgerState
from controller.engine.member_state import MemberState


@dataclass(frozen=True, slots=True)
class Equation:
    """Both sides in micros. contributions: what the tables say they took in (less reversals), absorbed or not.

    contributions + funding + adjustments = balances + awards + transfers + on_the_way
    """

    contributions: int
    funding: int
    adjustments: int
    balances: int
    awards: int
    transfers: int
    on_the_way: int

    @property
    def holds(self) -> bool:
        left = self.contributions + self.funding + self.adjustments
        return left == self.balances + self.awards + self.transfers + self.on_the_way


def equation_of(state: HostState | LedgerState, members: Iterable[MemberState] = ()) -> Equation:
    """The equation of a ledger as it stands; members: tables whose own counters are known here."""
    ledger = state.ledger if isinstance(state, HostState) else state
    on_the_way = 0
    for member in members:
        account = ledger.account(member.settings.table, member.settings.incarnation)
        if account is not None:
            on_the_way += member.counters.net_micros - account.absorbed.net_micros
    accounts = (ledger.tables[table] for table in ledger.tables)
    return Equation(
        contributions=ledger.contributions_micros + on_the_way,
        funding=ledger.funding_micros,
        adjustments=ledger.adjustments_micros,
        balances=sum(account.total_micros for account in accounts),
        awards=ledger.awards_micros,
        transfers=ledger.transfers_micros,
        on_the_way=on_the_way,
    )


def check_equation(state: HostState | LedgerState, members: Iterable[MemberState] = ()) -> Equation:
    """The equation, which holds, and the shown amount, which is the main pools' sum; raises LedgerBroken otherwise."""
    ledger = state.ledger if isinstance(state, HostState) else state
    equation = equation_of(ledger, members)
    if not equation.holds:
        raise LedgerBroken(f"carousel {ledger.carousel}: the equation does not hold: {equation}")
    shown = sum(balance.micros for balance in ledger.balances())
    if shown != ledger.amount_micros:
        raise LedgerBroken(f"carousel {ledger.carousel}: shows {ledger.amount_micros}, the balances are {shown}")
    return equation
