"""What must add up in a journal beyond its chain: asked after every entry of a verification."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.adapters.journal_refold import ledger_holds
from controller.core.ledger import Entry

Equation = Callable[[Entry], str | None]
_DRAWS = ("carta_magica", "jugador_afortunado")


def equations() -> tuple[Equation, ...]:
    """Fresh checks of all that a table's or a host's entries must add up to."""
    return (pools_hold(), ledger_holds(), Contributions().after, DrawPools().after)


def pools_hold() -> Equation:
    """A check that no pool, and nothing that is owed to players, is ever below zero."""
    pools: dict[str, int] = {}

    def after(entry: Entry) -> str | None:
        moved = [each.account for each in entry.postings if each.account.startswith(("pool.", "prizes.payable"))]
        if not moved:
            return None
        for posting in entry.postings:
            if posting.account in moved:
                pools[posting.account] = pools.get(posting.account, 0) + posting.micros
        below = sorted(account for account in moved if pools[account] < 0)
        return f"{below[0]} stands at {pools[below[0]]} micros" if below else None

    return after


@dataclass(slots=True)
class Contributions:
    """A table's linked pool: contributed - reversed = what its accounts `carousel.main` and `carousel.reserve` hold.

    Contributed is what the hands' closed bets say; the counters that the host absorbs must say the same, in each
    incarnation. earlier: what the incarnations before this one left on the accounts.
    """

    posted: dict[str, int] = field(default_factory=lambda: {"main": 0, "reserve": 0})
    earlier: dict[str, int] = field(default_factory=lambda: {"main": 0, "reserve": 0})
    bets: dict[str, int] = field(default_factory=lambda: {"main": 0, "reserve": 0})

    def after(self, entry: Entry) -> str | None:
        """What does not add up after an entry."""
        for posting in entry.postings:
            if posting.account in ("carousel.main", "carousel.reserve"):
                self.posted[posting.account.removeprefix("carousel.")] += posting.micros
        if entry.kind == "bets.closed":
            self.bets["main"] += entry.body["contribution"]["meter_micros"]
            self.bets["reserve"] += entry.body["contribution"]["reserve_micros"]
        elif entry.kind == "journal.restored":
            self.earlier, self.bets = dict(self.posted), {"main": 0, "reserve": 0}
        elif entry.kind == "link.counted":
            return self._counted(entry.body)
        return None

    def _counted(self, counters: Mapping[str, Any]) -> str | None:
        for pool in ("main", "reserve"):
            contributed, reversed_ = counters[f"{pool}_micros"], counters[f"reversed_{pool}_micros"]
            held = self.posted[pool] - self.earlier[pool]
            if contributed - reversed_ != held:
                return f"carousel.{pool}: counters say {contributed} - {reversed_}, the account holds {held} micros"
            if contributed != self.bets[pool]:
                return f"carousel.{pool}: counters say {contributed}, the hands contributed {self.bets[pool]} micros"
        return None


@dataclass(slots=True)
class DrawPools:
    """A draw's own pool: contributed - reversed = held + prizes granted - voided, each from the entries that say so."""

    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_DRAWS, 0))
    owed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_DRAWS, 0))

    def after(self, entry: Entry) -> str | None:
        """What does not add up after an entry."""
        pools = [posting for posting in entry.postings if posting.account.removeprefix("pool.") in self.held]
        for posting in pools:
            self.held[posting.account.removeprefix("pool.")] += posting.micros
        for kind, micros in _said(entry).items():
            self.owed[kind] += micros
        for kind in _DRAWS:
            if self.held[kind] != self.owed[kind]:
                return f"pool.{kind} holds {self.held[kind]} micros, its entries say {self.owed[kind]}"
        return None


def _said(entry: Entry) -> Mapping[str, int]:
    """What an entry's body does to the draws' pools."""
    body = entry.body
    match entry.kind:
        case "bets.closed":
            return {kind: body["contribution"][f"{kind}_micros"] for kind in _DRAWS}
        case "draw.prize":
            return {body["kind"]: -body["pool_micros"]}
        case "draw.prize_void":
            return {body["kind"]: body["pool_micros"]}
        case "pools.reversed":
            return {kind: -micros for kind, micros in body["pools"].items()}
        case _:
            return {}
