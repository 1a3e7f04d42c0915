"""Carousels: their ledger, and what people do to it; every act takes a reason and a second person."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from controller.api import acts, targets
from controller.api.auth import Allowed, Caller
from controller.api.context import ports_of
from controller.api.origin import meter_history, origin
from controller.api.problems import Problem, language_of
from controller.api.roles import Permission, may, roles_of
from controller.api.schemas import (
    AdjustForm,
    ClaimForm,
    Document,
    MemberForm,
    ReasonForm,
    RekeyForm,
    RequestKey,
    SettleForm,
    StartForm,
    StepForm,
    SwitchedOffForm,
    TransferForm,
)
from controller.api.views import carousel_view
from controller.core.refusal import Refusal, refuse
from controller.engine.host_events import (
    AwardSettled,
    BalanceTransferred,
    HostPromoted,
    MemberAccepted,
    MemberRekeyed,
    MemberSealed,
    MeterAdjusted,
    PrizeReleased,
    StartValueReset,
    StepAccepted,
    TableExcluded,
)
from controller.engine.host_members import amount_of
from controller.engine.ledger_profiles import profile_from_plain
from controller.engine.ledger_records import ClaimName

router = APIRouter(tags=["carousels"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
StartSetter = Annotated[Caller, Depends(Allowed(Permission.SEED_START))]
MeterSetter = Annotated[Caller, Depends(Allowed(Permission.SEED_METER))]
Linker = Annotated[Caller, Depends(Allowed(Permission.CAROUSEL))]
Payer = Annotated[Caller, Depends(Allowed(Permission.PRIZES))]


@router.get("/carousels", summary="Carousels whose ledger this node keeps")
async def carousels(request: Request, caller: Reader) -> Document:
    ports = ports_of(request)
    return {"carousels": [carousel_view(ports, desk) for desk in ports.hosts.values()]}


@router.get("/carousels/{carousel}", summary="One carousel: amount, tables, totals")
async def one_carousel(carousel: str, request: Request, caller: Reader) -> Document:
    ports = ports_of(request)
    return carousel_view(ports, ports.host(carousel))


@router.get("/carousels/{carousel}/origin", summary="How the amount came about since the last reset, record by record")
async def amount_origin(carousel: str, request: Request, caller: Reader) -> Document:
    return await origin(ports_of(request), carousel)


@router.get("/carousels/{carousel}/history", summary="The meter over its ledger; every lower reading with its reason")
async def history(carousel: str, request: Request, caller: Reader) -> Document:
    return await meter_history(ports_of(request), carousel)


@router.post("/carousels/{carousel}/start-value", summary="Ask to reset a table's start value", status_code=202)
async def start_value(
    carousel: str, form: StartForm, request: Request, key: RequestKey, caller: StartSetter
) -> Document:
    ports = ports_of(request)
    if form.meter_too and not may(caller.user.role, Permission.SEED_METER):
        raise Problem(refuse(Refusal.ROLE_MISSING, roles=", ".join(roles_of(Permission.SEED_METER))))
    event = StartValueReset(form.table, form.start_minor * ports.minor_micros, form.reason, form.meter_too, form.cause)
    target, language = targets.carousel(carousel), language_of(request)
    return await acts.ask(ports, caller, target, event, key, Permission.SEED_START_APPROVE, language)


@router.post("/carousels/{carousel}/adjustment", summary="Ask to correct a table's pools", status_code=202)
async def adjustment(
    carousel: str, form: AdjustForm, request: Request, key: RequestKey, caller: MeterSetter
) -> Document:
    ports = ports_of(request)
    micros = ports.minor_micros
    event = MeterAdjusted(form.table, form.main_minor * micros, form.reason, form.reserve_minor * micros, form.cause)
    return await acts.ask(ports, caller, targets.carousel(carousel), event, key, Permission.SEED_METER_APPROVE)


@router.post("/carousels/{carousel}/transfer", summary="Ask to move money between pools", status_code=202)
async def transfer(
    carousel: str, form: TransferForm, request: Request, key: RequestKey, caller: MeterSetter
) -> Document:
    ports = ports_of(request)
    micros = form.amount_minor * ports.minor_micros
    event = BalanceTransferred(form.table, micros, form.reason, form.target, form.cause)
    return await acts.ask(ports, caller, targets.carousel(carousel), event, key, Permission.SEED_METER_APPROVE)


@router.post("/carousels/{carousel}/release", summary="Ask to let a held award be paid", status_code=202)
async def release(carousel: str, form: ClaimForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    ports, name = ports_of(request), claim_name(form.claim)
    answered = ports.host(carousel).state.ledger.awards.get(name.key)
    event = PrizeReleased(name, form.reason, amount_of(answered) if answered is not None else None)
    return await acts.ask(ports, caller, targets.carousel(carousel), event, key, Permission.PRIZES_APPROVE)


@router.post("/carousels/{carousel}/settle-award", summary="Ask to settle an award of a sealed table", status_code=202)
async def settle_award(carousel: str, form: SettleForm, request: Request, key: RequestKey, caller: Payer) -> Document:
    event = AwardSettled(claim_name(form.claim), form.reason, form.seen_switched_off)
    return await acts.ask(ports_of(request), caller, targets.carousel(carousel), event, key, Permission.PRIZES_APPROVE)


@router.post("/carousels/{carousel}/members", summary="Ask to enrol a table, or its new incarnation", status_code=202)
async def enrol(carousel: str, form: MemberForm, request: Request, key: RequestKey, caller: Linker) -> Document:
    ports = ports_of(request)
    ports.host(carousel)
    try:
        profile = profile_from_plain(form.profile)
    except ValueError as wrong:
        raise Problem(refuse(Refusal.FORM_INVALID, place="body.profile", why=str(wrong)[:200])) from wrong
    if profile.table not in ports.config.accepted(carousel):
        raise Problem(refuse(Refusal.UNKNOWN_TABLE, table=profile.table[:64]))
    event = MemberAccepted(profile, form.reason)
    return await acts.ask(ports, caller, targets.carousel(carousel), event, key, Permission.CAROUSEL_APPROVE)


@router.post("/carousels/{carousel}/seal", summary="Ask to end a table's incarnation", status_code=202)
async def seal(carousel: str, form: SwitchedOffForm, request: Request, key: RequestKey, caller: Linker) -> Document:
    event = MemberSealed(form.table, form.reason, form.seen_switched_off)
    return await acts.ask(
        ports_of(request), caller, targets.carousel(carousel), event, key, Permission.CAROUSEL_APPROVE
    )


@router.post("/carousels/{carousel}/rekey", summary="Ask to accept another key of a table's node", status_code=202)
async def rekey(carousel: str, form: RekeyForm, request: Request, key: RequestKey, caller: Linker) -> Document:
    event = MemberRekeyed(form.table, form.key, form.reason)
    return await acts.ask(
        ports_of(request), caller, targets.carousel(carousel), event, key, Permission.CAROUSEL_APPROVE
    )


@router.post("/carousels/{carousel}/accept-step", summary="Ask to accept a quarantined counter step", status_code=202)
async def accept_step(carousel: str, form: StepForm, request: Request, key: RequestKey, caller: Linker) -> Document:
    ports = ports_of(request)
    micros = ports.minor_micros
    wrong = (form.wrong_main_minor * micros, form.wrong_reserve_minor * micros)
    event = StepAccepted(form.table, form.reason, *wrong, form.cause)
    return await acts.ask(ports, caller, targets.carousel(carousel), event, key, Permission.CAROUSEL_APPROVE)


@router.post("/carousels/{carousel}/promote", summary="Ask to make this host take over", status_code=202)
async def promote(carousel: str, form: ReasonForm, request: Request, key: RequestKey, caller: Linker) -> Document:
    return await acts.ask(
        ports_of(request),
        caller,
        targets.carousel(carousel),
        HostPromoted(form.reason),
        key,
        Permission.CAROUSEL_APPROVE,
    )


@router.post("/carousels/{carousel}/exclude", summary="Ask to leave out a table seen switched off", status_code=202)
async def exclude(carousel: str, form: SwitchedOffForm, request: Request, key: RequestKey, caller: Linker) -> Document:
    event = TableExcluded(form.table, form.reason, form.seen_switched_off)
    return await acts.ask(
        ports_of(request), caller, targets.carousel(carousel), event, key, Permission.CAROUSEL_APPROVE
    )


def claim_name(text: str) -> ClaimName:
    """`table/incarnation/hand` as the ledger names it."""
    table, incarnation, hand = text.split("/")
    return ClaimName(table, incarnation, int(hand))
