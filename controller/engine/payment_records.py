"""Records of what became of an award: paid by its table, or settled by people where its table is no more."""

from dataclasses import dataclass
from typing import NamedTuple

from controller.engine.signed import Signed


class PaidRow(NamedTuple):
    """A row and what was paid of it by now, minor units. beside: what two people had paid beyond that."""

    row: str
    minor: int
    beside: int = 0


@dataclass(frozen=True, slots=True)
class PaidTold:
    """What a table has paid of its rows, as it told the host; the first such record begins the telling (no rows: that).

    From there on the ledger alone says which award is open, to every mirror and to a host that takes over.
    mark: the table's own place (boot, number, head) when it said so.
    """

    table: str
    incarnation: str
    mark: tuple[int, int, str]
    rows: tuple[PaidRow, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """Two people have settled an award (`table/incarnation/hand`) outside the tables: nothing of it is to be paid.

    signed: None where a host says again what its own journal held before the ledger told of payments.
    """

    key: str
    signed: Signed | None = None
