"""The end of a jackpot: announced with its day, its money moved when it is over, and the registers of orphans; what is
left of the pool of a draw that a table has no more.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from controller.api import acts, targets
from controller.api.auth import Allowed, Caller
from controller.api.context import ports_of
from controller.api.roles import Permission
from controller.api.schemas import CausedForm, ClosingForm, Document, OrphansForm, Positive, RequestKey
from controller.core.draw_events import DrawPoolMoved
from controller.engine.host_events import ClosedDisposed, ClosingAsked, OrphansAssigned
from controller.engine.ledger_state import ORPHANS

router = APIRouter(tags=["carousels"])
MeterSetter = Annotated[Caller, Depends(Allowed(Permission.SEED_METER))]
Place = Annotated[str, Field(min_length=1, max_length=100)]


class PoolForm(CausedForm):
    """All that a draw's pool holds which pays no prizes any more (or the table's orphans), or so much of it: to the
    pool of a draw in force, to the register, or from there to a jackpot that people name.
    """

    pool: Place
    target: Place
    amount_minor: Positive | None = None


async def _ask(
    request: Request, caller: Caller, carousel: str, event: ClosingAsked | ClosedDisposed, key: str
) -> Document:
    ports = ports_of(request)
    return await acts.ask(ports, caller, targets.carousel(carousel), event, key, Permission.SEED_METER_APPROVE)


@router.post(
    "/carousels/{carousel}/closing",
    summary="Ask to announce the day from which no jackpot bets are taken, or (no day) to take it back",
    status_code=202,
)
async def announce(
    carousel: str, form: ClosingForm, request: Request, key: RequestKey, caller: MeterSetter
) -> Document:
    event = ClosingAsked(form.day or "", form.target.strip() or ORPHANS, form.reason, form.keep_start, form.cause)
    return await _ask(request, caller, carousel, event, key)


@router.post(
    "/carousels/{carousel}/closing/move",
    summary="Ask to move the money of a closed jackpot where it was announced",
    status_code=202,
)
async def move(carousel: str, form: CausedForm, request: Request, key: RequestKey, caller: MeterSetter) -> Document:
    return await _ask(request, caller, carousel, ClosedDisposed(form.reason, form.cause), key)


@router.post(
    "/carousels/{carousel}/orphans",
    summary="Ask to move money of the register of orphans to a jackpot, named",
    status_code=202,
)
async def assign(carousel: str, form: OrphansForm, request: Request, key: RequestKey, caller: MeterSetter) -> Document:
    ports = ports_of(request)
    event = OrphansAssigned(form.amount_minor * ports.minor_micros, form.target, form.reason, form.cause)
    return await acts.ask(ports, caller, targets.carousel(carousel), event, key, Permission.SEED_METER_APPROVE)


@router.post(
    "/tables/{table}/pools/move",
    summary="Ask to move the money of a pool that no draw of the table pays out of any more, or of the table's orphans",
    status_code=202,
)
async def move_pool(table: str, form: PoolForm, request: Request, key: RequestKey, caller: MeterSetter) -> Document:
    ports = ports_of(request)
    state = ports.table(table).state
    held = state.orphans_micros if form.pool == ORPHANS else state.pools.get(form.pool, 0)
    micros = held if form.amount_minor is None else form.amount_minor * ports.minor_micros
    event = DrawPoolMoved(form.pool, micros, form.target.strip(), form.reason, form.cause)
    return await acts.ask(ports, caller, targets.table(table), event, key, Permission.SEED_METER_APPROVE)
