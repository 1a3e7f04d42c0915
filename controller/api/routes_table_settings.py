"""A table's settings: read with their ETag, changed between hands by two people, their history; the draws' input."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response

from controller.api import acts, targets
from controller.api.auth import Allowed, Caller
from controller.api.context import ports_of
from controller.api.house_rules import change_asked, check_day, history_of, settings_view, tag_of
from controller.api.problems import Problem, language_of
from controller.api.roles import Permission
from controller.api.routes_settings import UNCHANGED
from controller.api.schemas import Document, OutsideForm, RequestKey, SettingsForm, TermsForm
from controller.core.draw_events import DrawOutsideSet
from controller.core.refusal import Refusal, refuse
from controller.core.settings_events import TermsConfirmed

router = APIRouter(tags=["settings"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
Ruler = Annotated[Caller, Depends(Allowed(Permission.HOUSE_RULES))]
Judge = Annotated[Caller, Depends(Allowed(Permission.HANDS))]


@router.get(
    "/tables/{table}/settings",
    summary="A table's settings in force, and what waits for its moment",
    responses=UNCHANGED,
)
async def table_settings(
    table: str,
    request: Request,
    response: Response,
    caller: Reader,
    if_none_match: Annotated[str | None, Header(max_length=200)] = None,
) -> Any:
    desk = ports_of(request).table(table)
    tag = tag_of(desk)
    if if_none_match == tag:
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return settings_view(desk)


@router.put(
    "/tables/{table}/settings",
    summary="Ask to change a table's settings, in force between hands; those in force take back what waits",
    status_code=202,
)
async def change_settings(
    table: str,
    form: SettingsForm,
    request: Request,
    key: RequestKey,
    caller: Ruler,
    if_match: Annotated[str | None, Header(max_length=200, description="the ETag of what was read")] = None,
) -> Document:
    ports = ports_of(request)
    desk = ports.table(table)
    if if_match is None:
        raise Problem(refuse(Refusal.SETTINGS_TAG_MISSING))
    if if_match != tag_of(desk):
        raise Problem(refuse(Refusal.SETTINGS_TAG_STALE), {"ETag": tag_of(desk)})
    day = check_day(ports, form.day)
    event = replace(change_asked(ports, table, form.settings, form.reason, language_of(request)), day=day)
    return await acts.ask(ports, caller, targets.table(table), event, key, Permission.HOUSE_RULES_APPROVE)


@router.get("/tables/{table}/settings/history", summary="What happened to a table's settings, newest first")
async def settings_history(table: str, request: Request, caller: Reader) -> Document:
    return {"history": await history_of(ports_of(request).table(table))}


@router.post(
    "/tables/{table}/settings/confirm",
    summary="Ask to confirm the jackpot terms that the site's file changed, so that jackpot bets are taken again",
    status_code=202,
)
async def confirm_terms(table: str, form: TermsForm, request: Request, key: RequestKey, caller: Ruler) -> Document:
    event = TermsConfirmed(form.terms, form.reason)
    return await acts.ask(ports_of(request), caller, targets.table(table), event, key, Permission.HOUSE_RULES_APPROVE)


@router.post(
    "/tables/{table}/draws/outside",
    summary="Ask to set the outside input of the draws to come: a number published elsewhere, and where",
    status_code=202,
)
async def draw_outside(table: str, form: OutsideForm, request: Request, key: RequestKey, caller: Judge) -> Document:
    event = DrawOutsideSet(form.value, form.source)
    return await acts.ask(ports_of(request), caller, targets.table(table), event, key, Permission.HANDS_APPROVE)
