"""What is held for the players: pools and reserves, prizes that are not paid yet, and the draws' own pools."""

from dataclasses import asdict, dataclass
from typing import Any

from controller.api.context import ApiPorts
from controller.api.prize_views import OPEN, prizes_of


@dataclass(frozen=True, slots=True)
class PoolsHeld:
    """A carousel's pools in micros; `funded_micros` is what the house has put in over the ledger's life.

    orphans: what its jackpot left when it ended, in the register of orphans; closing: the day it ends or ended, or "".
    """

    carousel: str
    main_micros: int
    reserve_micros: int
    overflow_micros: int
    orphans_micros: int
    funded_micros: int
    closing: str
    closed: bool

    @property
    def total_micros(self) -> int:
        return self.main_micros + self.reserve_micros + self.overflow_micros + self.orphans_micros


@dataclass(frozen=True, slots=True)
class TableHeld:
    """A table's open prizes (minor units) out of the progressive or a draw's pool, and its draws' pools in micros.

    house_minor: open prizes that the house pays, which no player has funded, and by how much two people had it pay
    more than computed (less: below 0). orphans: what pools of former draws left. total: without the house's.
    """

    table: str
    unpaid_minor: int
    house_minor: int
    draw_pools_micros: int
    orphans_micros: int
    total_micros: int


@dataclass(frozen=True, slots=True)
class Liability:
    """All of it now. The total is player-funded money and the seeds that stand in the same pools; reserves included."""

    at_ms: int
    carousels: tuple[PoolsHeld, ...]
    tables: tuple[TableHeld, ...]
    total_micros: int

    @property
    def house_minor(self) -> int:
        """Open prizes of every table that the house pays, which are in no pool and not in the total."""
        return sum(each.house_minor for each in self.tables)

    def plain(self) -> dict[str, Any]:
        return {
            "at_ms": self.at_ms,
            "carousels": [{**asdict(each), "total_micros": each.total_micros} for each in self.carousels],
            "tables": [asdict(each) for each in self.tables],
            "total_micros": self.total_micros,
        }


def liability(ports: ApiPorts) -> Liability:
    """The carousels whose ledger this node keeps, and this node's tables."""
    carousels = tuple(_pools(ports, name) for name in ports.hosts)
    tables = tuple(_table(ports, name) for name in ports.tables)
    held = sum(each.total_micros for each in carousels)
    held += sum(each.total_micros for each in tables)
    return Liability(ports.clock(), carousels, tables, held)


def _pools(ports: ApiPorts, carousel: str) -> PoolsHeld:
    ledger = ports.host(carousel).state.ledger
    accounts = [account for account in ledger.tables.values() if account.in_carousel]
    return PoolsHeld(
        carousel,
        sum(account.main_micros for account in accounts),
        sum(account.reserve_micros for account in accounts),
        sum(account.overflow_micros for account in accounts),
        ledger.orphans_micros,
        ledger.funding_micros,
        ledger.closing.day if ledger.closing is not None else "",
        ledger.closing is not None and ledger.closing.closed,
    )


def _table(ports: ApiPorts, table: str) -> TableHeld:
    state = ports.table(table).state
    waiting = [prize for prize in prizes_of(state) if prize["status"] in OPEN]
    unpaid = sum(prize["computed_minor"] for prize in waiting if prize["paid_by"] != "house")
    house = sum(prize["payable_minor"] for prize in waiting) - unpaid
    drawn = sum(state.pools.values())
    orphans = state.orphans_micros
    return TableHeld(table, unpaid, house, drawn, orphans, unpaid * ports.minor_micros + drawn + orphans)
