"""Prizes of the whole node: what waits, and the last ones."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request

from controller.api.auth import Allowed, Caller
from controller.api.context import ApiPorts, ports_of
from controller.api.payments import PAID
from controller.api.prize_views import pending_prizes, prizes_of
from controller.api.roles import Permission
from controller.api.routes_journal import entries_about
from controller.api.schemas import Document
from controller.engine import subjects

router = APIRouter(tags=["prizes"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
LAST = 25
SETTLED = ("paid", "void")
MOST_SETTLED = 5000
"""Settled prizes whose time is kept: more than the tables of a node name at once."""


@router.get("/prizes", summary="Prizes that wait for people, and the last 25")
async def prizes(request: Request, caller: Reader) -> Document:
    ports = ports_of(request)
    return {"pending": pending_prizes(ports), "last": await last_prizes(ports)}


async def last_prizes(ports: ApiPorts) -> list[dict[str, Any]]:
    """The prizes of the node that were paid or voided last, the last one first (conformance: last 25 hits).

    `settled_ms`: when, as the table's journal tells.
    """
    settled = []
    for table_id, desk in ports.tables.items():
        name = ports.config.table(table_id).name
        for prize in prizes_of(desk.state):
            if prize["status"] in SETTLED:
                at_ms, seq = await _settled(ports, table_id, prize)
                row = {"table": table_id, "table_name": name, "settled_ms": at_ms, **prize}
                settled.append(((at_ms, seq), row))
    return [row for _, row in sorted(settled, key=lambda each: each[0], reverse=True)[:LAST]]


async def _settled(ports: ApiPorts, table: str, prize: dict[str, Any]) -> tuple[int, int]:
    """Wall time and seq of the entry by which a prize was paid or voided: looked for once, as it never changes."""
    known = ports.kept.settled
    name = (table, prize["id"], prize["status"])
    if name not in known:
        way = await entries_about(ports.table(table).journal, subjects.of_prize(prize["id"]))
        payments = [stored for stored in way if stored.entry.kind in PAID] or way
        while len(known) >= MOST_SETTLED:
            del known[next(iter(known))]
        known[name] = (payments[-1].wall_ms, payments[-1].seq) if payments else (0, 0)
    return known[name]
