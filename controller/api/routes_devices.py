"""A table's devices: what there is, what was said on the line, and tests of the lamps."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from controller.api import acts, targets
from controller.api.auth import Allowed, Caller
from controller.api.context import ports_of
from controller.api.device_views import devices_view, frames_view, lamps_of
from controller.api.problems import Problem
from controller.api.roles import Permission
from controller.api.schemas import Document, RequestKey, SeatNumber
from controller.api.typed_fields import Form
from controller.core.equipment_events import LampTested, LampTestSwitched
from controller.core.refusal import Refusal, refuse

router = APIRouter(prefix="/tables/{table}/devices", tags=["tables"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
Listener = Annotated[Caller, Depends(Allowed(Permission.READ_FRAMES))]
Bettor = Annotated[Caller, Depends(Allowed(Permission.BETS))]


class LampsForm(Form):
    on: bool


class LampForm(Form):
    seat: SeatNumber
    lamp: Annotated[Literal["lamp", "invite", "out"], Field(description="what the output means at that seat")] = "lamp"


@router.get("", summary="The table's devices: links, and what each said last")
async def devices(table: str, request: Request, caller: Reader) -> Document:
    return {"devices": devices_view(ports_of(request).table(table))}


@router.get(
    "/{device}/frames",
    summary="A device's last frames, newest first: bytes and what they say; a card reader's when the hand is over",
)
async def frames(table: str, device: str, request: Request, caller: Listener) -> Document:
    return {"device": device, "frames": frames_view(ports_of(request).table(table), device)}


@router.post("/lamps", summary="Light every lamp for a test, between hands, or end the test")
async def test_lamps(table: str, form: LampsForm, request: Request, key: RequestKey, caller: Bettor) -> Document:
    return await acts.do(ports_of(request), caller, targets.table(table), LampTestSwitched(form.on), key)


@router.post("/lamp", summary="Light one lamp of a seat for five seconds, between hands; the first bet ends it too")
async def test_lamp(table: str, form: LampForm, request: Request, key: RequestKey, caller: Bettor) -> Document:
    ports = ports_of(request)
    ports.table(table)
    if form.lamp not in lamps_of(ports, table).get(form.seat, ()):
        raise Problem(refuse(Refusal.UNKNOWN_LAMP, seat=form.seat, lamp=form.lamp))
    return await acts.do(ports, caller, targets.table(table), LampTested(form.seat, form.lamp), key)
