"""Prizes of the whole node: what waits, and the last ones."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request

from controller.api.auth import Allowed, Caller
from controller.api.context import ApiPorts, ports_of
from controller.api.roles import Permission
from controller.api.schemas import Document
from controller.api.views import pending_prizes, prizes_of

router = APIRouter(tags=["prizes"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
LAST = 25


@router.get("/prizes", summary="Prizes that wait for people, and the last 25")
async def prizes(request: Request, caller: Reader) -> Document:
    ports = ports_of(request)
    return {"pending": pending_prizes(ports), "last": last_prizes(ports)}


def last_prizes(ports: ApiPorts) -> list[dict[str, Any]]:
    """The newest settled prizes of every table, the highest hands first (conformance: last 25 hits)."""
    settled = []
    for table_id, desk in ports.tables.items():
        name = ports.config.table(table_id).name
        mine = [prize for prize in prizes_of(desk.state) if prize["status"] in ("paid", "void")]
        settled += [{"table": table_id, "table_name": name, **prize} for prize in mine[-LAST:]]
    return sorted(settled, key=lambda prize: prize["hand"], reverse=True)[:LAST]
