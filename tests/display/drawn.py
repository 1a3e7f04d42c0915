"""Draws of a table made by the rule itself, for the tests of the players' page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from controller.core.draws import (
    CARTA_MAGICA,
    JUGADOR_AFORTUNADO,
    DrawContext,
    commitment_of,
    draw_card,
    draw_position,
)
from controller.core.draws_verify import hash_of_list
from display.draws import DrawBox, DrawOutcome, DrawRecord, TableDraws

SEATS = tuple(range(1, 8))
BOXES = (DrawBox(1, 500_000, 3), DrawBox(2, 1_000_000, 5), DrawBox(3, 500_000, 0), DrawBox(6, 2_000_000, 1))
CLOSED_MS = 1_783_557_720_000


def chain(length: int) -> list[bytes]:
    """Seeds s(0)..s(length)."""
    seeds = [sha256(b"a chain for pages").digest()]
    for _ in range(length):
        seeds.append(commitment_of(seeds[-1]))
    return seeds[::-1]


def records(count: int = 7, first_hand: int = 18_336, index: int = 1) -> TableDraws:
    """So many hands, the newest first, each with both draws, all as the rule has them."""
    seeds = chain(index + count + 1)
    made = []
    for place in range(count):
        hand, at = first_hand + place, index + place
        rows = [{"seat": box.seat, "ante": box.ante, "credits": box.credits} for box in BOXES]
        digest = hash_of_list(rows)
        seed = seeds[at]
        outside = "0417" if place == 2 else ""
        context = DrawContext("puerto", "4", "5f0c" * 8, hand, CARTA_MAGICA, digest, outside)
        card = str(draw_card(seed, context))
        seat = str(draw_position(seed, replace(context, kind=JUGADOR_AFORTUNADO), SEATS))
        made.append(
            DrawRecord(
                site="puerto",
                table="4",
                incarnation="5f0c" * 8,
                hand=hand,
                index=at,
                closed_ms=CLOSED_MS + place * 90_000,
                boxes=BOXES,
                list_hash=digest,
                outside=outside,
                commitment=seeds[at - 1].hex(),
                committed_hand=None if at == 1 else hand - 1,
                seed=seed.hex(),
                outcomes=(DrawOutcome(CARTA_MAGICA, card), DrawOutcome(JUGADOR_AFORTUNADO, seat, SEATS)),
                entry=at * 40,
                void=place == 1,
                outside_source="Quiniela" if outside else "",
            )
        )
    return TableDraws(tuple(made[::-1]), made[-1].seed, index + count)


@dataclass
class Told:
    """A table "4" with these draws; a test changes them as somebody who lies would."""

    draws: TableDraws

    def tables(self) -> tuple[str, ...]:
        return ("4",)

    async def recent(self, table: str) -> TableDraws | None:
        return self.draws if table == "4" else None

    async def of_hand(self, table: str, hand: int) -> TableDraws | None:
        place = next((at for at, each in enumerate(self.draws.records) if each.hand == hand), None)
        if table != "4" or place is None:
            return None
        return replace(self.draws, records=self.draws.records[place : place + 6])
