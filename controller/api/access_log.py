"""Who opened what of the controller: the first opening of each part by each session, and every paper taken out."""

from collections.abc import Collection, Mapping

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.api.context import ApiPorts, ports_of
from controller.core.events import Envelope
from controller.engine.accounts_events import PartOpened
from controller.engine.accounts_state import Session
from controller.engine.ports import StoredEntry

PARTS: Mapping[str, str] = {
    "": "floor",
    "floor": "floor",
    "about": "floor",
    "table": "table",
    "tables": "table",
    "prizes": "prizes",
    "approvals": "approvals",
    "seeds": "seeds",
    "carousels": "seeds",
    "origin": "seeds",
    "amount": "amounts",
    "amounts": "amounts",
    "journal": "journal",
    "journals": "journal",
    "devices": "devices",
    "shift": "shift",
    "shifts": "shift",
    "reports": "shift",
    "counts": "shift",
    "users": "users",
    "account": "account",
    "session": "account",
    "settings": "settings",
    "access": "access",
    "accesses": "access",
}
"""Part of the controller by the first word of an address, of the panel or of the API."""
NAMED = ("table", "prizes", "approvals", "seeds", "journal")
"""Parts that show one thing of several, which their address names."""
PAPERS = (".csv", ".pdf", "/slip", "/export")
"""Ends of addresses whose answer leaves the controller as a paper, a sheet or a journal's export."""
KINDS = ("login.passed", "login.failed", "login.ended", "access.opened", "access.taken")
"""Entries of the node's journal that tell who was at the controller."""


FAILED = 400
"""Statuses from here on show nothing of the house, but for pages that say so (`shown`)."""


def part_of(path: str) -> str | None:
    """The part an address belongs to; None for what shows nothing of the house (files, the login)."""
    return PARTS.get(_words(path)[0])


def _words(path: str) -> list[str]:
    return path.removeprefix("/api/v1").strip("/").split("/")


def thing_of(path: str, query: Mapping[str, str]) -> str:
    """What of its part an address shows: a table, `table:prize`, an amount, a journal; else "".

    query: what the route reads of it, so that made-up words are no things.
    """
    words = _words(path)
    within = words[1] if len(words) > 1 and part_of(path) in NAMED else ""
    if query.get("prize"):
        return f"{within}:{query['prize']}"[:160]
    return (query.get("of") or query.get("journal") or within)[:160]


def opened_by(request: Request, session: Session) -> None:
    """Say whose session a request is of, for the log."""
    request.state.session = session


class AccessLog:
    """Journals who opens what before the answer leaves, once it is known that there is such a thing."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def noted(message: Message) -> None:
            state = scope.get("state", {})
            session = state.get("session")
            begins = session is not None and message["type"] == "http.response.start"
            if begins and (message["status"] < FAILED or state.get("shown")):
                await note_opening(Request(scope), session)
            await send(message)

        await self._app(scope, receive, noted)


async def note_opening(request: Request, session: Session) -> None:
    """Journal that a session opened a part, once, or took a paper, each time."""
    if request.method != "GET":
        return
    ports, path = ports_of(request), request.url.path
    part = part_of(path)
    if path.endswith(PAPERS):
        taken = f"{path}?{request.url.query}" if request.url.query else path
        await _tell(ports, session, PartOpened(session.id, part or "", taken[:200]), ports.new_key())
    elif part is not None:
        opened = PartOpened(session.id, part, of=thing_of(path, _read(request)))
        if opened.name not in session.opened:
            await _tell(ports, session, opened, ports.new_key())


def _read(request: Request) -> Mapping[str, str]:
    """The words of the query that the route reads."""
    route = request.scope.get("route")
    known = {field.alias for field in route.dependant.query_params} if isinstance(route, APIRoute) else set()
    return {name: value for name, value in request.query_params.items() if name in known}


async def _tell(ports: ApiPorts, session: Session, opened: PartOpened, key: str) -> None:
    await ports.accounts.submit(Envelope(f"opened/{session.id}/{key}", opened, session.login))


def is_access(stored: StoredEntry, logins: Collection[str]) -> bool:
    """Whether an entry tells of somebody at the controller, and of one of these where any is named."""
    entry = stored.entry
    return entry.kind in KINDS and (not logins or entry.body.get("login", entry.actor) in logins)
