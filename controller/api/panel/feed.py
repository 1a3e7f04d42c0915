"""The panel's feed: one event for every commit of the node, whichever journal it is in; the open page asks again."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request
from sse_starlette import EventSourceResponse
from starlette.responses import Response

from controller.api.auth import find_caller
from controller.api.context import ApiPorts, ports_of
from controller.api.panel.pages import need_caller, router
from controller.engine.ports import Desk

__all__ = ["router"]

SEND_TIMEOUT_S = 10.0
"""A browser that takes nothing for so long is let go; one that is there comes back by itself."""


@router.get("/feed")
async def feed(request: Request) -> Response:
    need_caller(request)
    return EventSourceResponse(_commits(ports_of(request), request), ping=15, sep="\n", send_timeout=SEND_TIMEOUT_S)


async def _commits(ports: ApiPorts, request: Request) -> AsyncIterator[dict[str, str]]:
    """Ends with the session: a browser that was logged out hears nothing more."""
    desks: list[Desk[Any]] = [*ports.tables.values(), *ports.hosts.values(), ports.accounts]
    waiting = {asyncio.ensure_future(desk.changed(desk.journal.head()[0])): desk for desk in desks}
    try:
        yield {"event": "commit", "data": ""}
        while find_caller(request) is not None:
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                desk = waiting.pop(each)
                waiting[asyncio.ensure_future(desk.changed(each.result()))] = desk
            yield {"event": "commit", "data": ""}
    finally:
        for each in waiting:
            each.cancel()
