"""The players' rules of a table, as they follow from its settings in force: a page to read, print or put on a phone."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from controller.api.auth import Allowed, Caller
from controller.api.context import ports_of
from controller.api.house_rules import settings_view
from controller.api.leaflet.content import Ahead, leaflet
from controller.api.leaflet.page import page_of
from controller.api.problems import language_of
from controller.api.roles import Permission
from controller.api.routes_settings import in_force
from controller.api.setting_fields import FIELDS, THEMES
from controller.api.words import Words
from controller.engine.ports import TableDesk

router = APIRouter(tags=["tables"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]


@router.get(
    "/tables/{table}/leaflet",
    summary="The rules of a table's jackpot for its players, made of its settings in force (HTML to print)",
    response_class=HTMLResponse,
)
async def table_leaflet(table: str, request: Request, caller: Reader) -> HTMLResponse:
    ports = ports_of(request)
    desk, language = ports.table(table), language_of(request)
    config = in_force(ports)
    ahead = _ahead(Words(ports, language), desk)
    return HTMLResponse(page_of(leaflet(config, config.table(table), language, ahead), alone=False))


def _ahead(words: Words, desk: TableDesk) -> Ahead:
    """The announced end of the table's jackpot, and the settings that wait for their moment."""
    closing = desk.state.link.ledger.closing
    waiting = settings_view(desk)["pending"] if desk.state.hand.settings else None
    said = [
        f"{words.setting_name(each['key'])}: {words.setting_value(each['key'], each['before'])} → "
        f"{words.setting_value(each['key'], each['after'])}."
        for each in (waiting["changes"] if waiting else ())
        if each["key"] in FIELDS and each["key"] not in THEMES["people"]
    ]
    return Ahead(
        ends=closing.day if closing is not None else "",
        ended=closing is not None and closing.closed,
        changes=tuple(each[:1].upper() + each[1:] for each in said),
        from_day=waiting["day"] if waiting else "",
    )
