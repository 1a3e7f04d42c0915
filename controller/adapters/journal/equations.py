"""What must add up in a journal beyond its chain: asked after every entry of a verification."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.adapters.journal.reading import Equation, Reading
from controller.adapters.journal.refold import ledger_holds
from controller.core.jackpot import Contribution, contribution_in
from controller.engine.table_state import drawn_shares

_DRAW_POOLS = tuple(f"pool.{kind}" for kind in drawn_shares(Contribution()))
_NEVER_BELOW = ("pool.", "prizes.payable", "orphans")


def equations() -> tuple[Equation, ...]:
    """Fresh checks of all that a table's or a host's entries must add up to, to be asked in this order."""
    held: dict[str, int] = {}
    return (pools_hold(held), ledger_holds(), Contributions(held).after, DrawPools(held).after)


def pools_hold(held: dict[str, int] | None = None) -> Equation:
    """A check that no pool, and nothing that is owed to players, is ever below zero.

    held: micros by account after the entry, kept here for others to look at.
    """
    sums = {} if held is None else held

    def after(entry: Reading) -> str | None:
        below = False  # at the end of the entry, or on the way
        for account, micros in entry.postings:
            sums[account] = now = sums.get(account, 0) + micros
            if now < 0 and account.startswith(_NEVER_BELOW):
                below = True
        if not below:
            return None
        names = sorted(name for name, _ in entry.postings if sums[name] < 0 and name.startswith(_NEVER_BELOW))
        return f"{names[0]} stands at {sums[names[0]]} micros" if names else None

    return after


@dataclass(slots=True)
class Contributions:
    """A table's linked pool: contributed - reversed = what its accounts `carousel.main` and `carousel.reserve` hold.

    Contributed is what the hands' closed bets say; the counters that the host absorbs must say the same, in each
    incarnation. held: micros by account; earlier: what the incarnations before this one left on the two.
    """

    held: Mapping[str, int]
    earlier: dict[str, int] = field(default_factory=lambda: {"main": 0, "reserve": 0})
    bets: dict[str, int] = field(default_factory=lambda: {"main": 0, "reserve": 0})

    def after(self, entry: Reading) -> str | None:
        """What does not add up after an entry."""
        if entry.kind == "bets.closed":
            shares = contribution_in(entry.body)
            self.bets["main"] += shares.meter_micros
            self.bets["reserve"] += shares.reserve_micros
        elif entry.kind == "journal.restored":
            self.earlier = {pool: self.held.get(f"carousel.{pool}", 0) for pool in ("main", "reserve")}
            self.bets = {"main": 0, "reserve": 0}
        elif entry.kind == "link.counted":
            return self._counted(entry.body)
        return None

    def _counted(self, counters: Mapping[str, Any]) -> str | None:
        for pool in ("main", "reserve"):
            contributed, reversed_ = counters[f"{pool}_micros"], counters[f"reversed_{pool}_micros"]
            held = self.held.get(f"carousel.{pool}", 0) - self.earlier[pool]
            if contributed - reversed_ != held:
                return f"carousel.{pool}: counters say {contributed} - {reversed_}, the account holds {held} micros"
            if contributed != self.bets[pool]:
                return f"carousel.{pool}: counters say {contributed}, the hands contributed {self.bets[pool]} micros"
        return None


@dataclass(slots=True)
class DrawPools:
    """A draw's own pool: contributed - reversed = held + prizes granted - voided, each from the entries that say so."""

    held: Mapping[str, int]
    owed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_DRAW_POOLS, 0))

    def after(self, entry: Reading) -> str | None:
        """What does not add up after an entry."""
        if says := _SAYS.get(entry.kind):
            for kind, micros in says(entry.body).items():
                self.owed[f"pool.{kind}"] += micros
        for account, owed in self.owed.items():
            if self.held.get(account, 0) != owed:
                return f"{account} holds {self.held.get(account, 0)} micros, its entries say {owed}"
        return None


_SAYS: dict[str, Callable[[Mapping[str, Any]], Mapping[str, int]]] = {
    "bets.closed": lambda body: drawn_shares(contribution_in(body)),
    "draw.prize": lambda body: {body["kind"]: -body["pool_micros"]},
    "draw.prize_void": lambda body: {body["kind"]: body["pool_micros"]},
    "restored.settled": lambda body: body["pools"],
    "pool.moved": lambda body: body["pools"],
    "pools.reversed": lambda body: {kind: -micros for kind, micros in body["pools"].items()},
}
"""By kind of entry, what its body does to the draws' pools."""
