"""Draws as a player can check them: what was frozen, published and revealed, and who gives these records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class DrawBox:
    """A line of the list frozen at no va más: ante in minor units, jackpot credits."""

    seat: int
    ante: int
    credits: int


@dataclass(frozen=True, slots=True)
class DrawOutcome:
    """One draw of a hand: `kind` "carta_magica" or "jugador_afortunado", its result as text ("Qh", "4", "" none).

    `positions` are the seats it was drawn from, empty for a card.
    """

    kind: str
    result: str
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawRecord:
    """The draws of one hand as the journal holds them; hashes and seeds in hexadecimal, times in UTC milliseconds.

    `commitment` is what was known before the hand: the seed of draw `index - 1`, revealed with hand `committed_hand`
    (None: published at the start of the chain; the same hand: by the seat draw before it). `hand` and the three names
    before it go into the draw's message, and so does `outside`, published where `outside_source` says.
    """

    site: str
    table: str
    incarnation: str
    hand: int
    index: int
    closed_ms: int
    boxes: tuple[DrawBox, ...]
    list_hash: str
    outside: str
    commitment: str
    committed_hand: int | None
    seed: str
    outcomes: tuple[DrawOutcome, ...]
    entry: int
    void: bool = False
    outside_source: str = ""


DRAW_TAG = "carrusel/draw/v1"


def message_of(record: DrawRecord, kind: str) -> dict[str, str]:
    """The fields of a draw's message in their order, the counter left out, each by its name on the page."""
    return {
        "tag": DRAW_TAG,
        "site": record.site,
        "table": record.table,
        "life": record.incarnation,
        "hand": str(record.hand),
        "kind": kind,
        "list": record.list_hash,
        "outside": record.outside,
    }


@dataclass(frozen=True, slots=True)
class TableDraws:
    """Draws of a table, newest first, and what is published for the next one (empty: no chain yet)."""

    records: tuple[DrawRecord, ...]
    next_commitment: str
    next_index: int = 0

    def to_json(self) -> str:
        """What the page's own recomputation reads."""
        return json.dumps(asdict(self), separators=(",", ":"))


class DrawRecords(Protocol):
    """Where the pages get draws from; only what is durable is ever given."""

    def tables(self) -> Sequence[str]:
        """Ids of the tables that have draws."""

    async def recent(self, table: str) -> TableDraws | None:
        """The last draws of a table; None for a table without draws."""

    async def of_hand(self, table: str, hand: int) -> TableDraws | None:
        """The draws of one hand, and after it some of those before, by which its chain is seen; None when unknown."""
