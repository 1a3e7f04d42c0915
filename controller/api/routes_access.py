"""Who was at the controller: logins, openings of its parts, and papers taken out, from the node's journal."""

from collections.abc import Collection
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request

from controller.api.access_log import is_access
from controller.api.auth import Allowed, Caller
from controller.api.context import ApiPorts, ports_of
from controller.api.kept import Span
from controller.api.roles import Permission
from controller.api.routes_journal import FirstDay, LastDay, newest_entries
from controller.api.schemas import Document
from controller.api.spans import span_between
from controller.engine import subjects

router = APIRouter(tags=["people"])


@router.get("/accesses", summary="Who logged in, which parts they opened and which papers they took, newest first")
async def accesses(
    request: Request,
    caller: Annotated[Caller, Depends(Allowed(Permission.READ_USERS))],
    person: Annotated[str, Query(max_length=64, description="only this login")] = "",
    before: Annotated[int | None, Query(ge=1, le=2**53, description="only entries before this seq")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    first: FirstDay = "",
    last: LastDay = "",
) -> Document:
    ports = ports_of(request)
    within = await span_between(ports, ports.accounts.journal, first, last)
    found, next_before = await newest_accesses(ports, (person,) if person else (), before, limit, within)
    return {"accesses": found, "next_before": next_before}


async def newest_accesses(
    ports: ApiPorts, logins: Collection[str], before: int | None, limit: int, within: Span | None = None
) -> tuple[list[dict[str, Any]], int | None]:
    """Accesses, newest first, and the seq to go on before."""
    found, next_before = await newest_entries(
        ports.accounts.journal, before, limit, lambda stored: is_access(stored, logins), subjects.PEOPLE, within
    )
    rows = [
        {
            "seq": stored.seq,
            "wall_ms": stored.wall_ms,
            "kind": stored.entry.kind,
            "attempt": stored.entry.body.get("attempt", ""),
            "login": stored.entry.body.get("login", stored.entry.actor),
            "station": stored.entry.body.get("station", ""),
            "part": stored.entry.body.get("part", ""),
            "of": stored.entry.body.get("of", ""),
            "taken": stored.entry.body.get("taken", ""),
        }
        for stored in found
    ]
    return rows, next_before
