"""Approvals: what waits for a second person, and the second person's answer."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from controller.api import acts
from controller.api.auth import Allowed, Caller, check_secret, station_of
from controller.api.context import ports_of
from controller.api.pins import check_unexpired
from controller.api.problems import Problem
from controller.api.roles import Permission
from controller.api.schemas import ApproveForm, Document, RejectForm, RequestKey
from controller.api.views import approval_view
from controller.core.refusal import Refusal, refuse

router = APIRouter(tags=["approvals"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
Approver = Annotated[Caller, Depends(Allowed(Permission.APPROVALS))]


@router.get("/approvals", summary="Acts of two people, newest first")
async def approvals(request: Request, caller: Reader) -> Document:
    ports = ports_of(request)
    found = [approval_view(ports, each) for each in reversed(list(ports.accounts.state.approvals.values()))]
    return {"approvals": found}


@router.get("/approvals/{approval}", summary="One of them: exactly what is asked, before and after")
async def one_approval(approval: str, request: Request, caller: Reader) -> Document:
    ports = ports_of(request)
    return approval_view(ports, acts.find_approval(ports, approval))


@router.post("/approvals/{approval}/approve", summary="Approve exactly this, with one's PIN; it is done at once")
async def approve(approval: str, form: ApproveForm, request: Request, key: RequestKey, caller: Approver) -> Document:
    ports = ports_of(request)
    found = acts.find_approval(ports, approval)
    name = form.login or caller.login
    if name == found.asked_by:
        raise Problem(refuse(Refusal.SAME_PERSON_TWICE))
    if form.digest != found.digest:
        raise Problem(refuse(Refusal.APPROVAL_DIFFERS, approval=approval))
    attempt = f"approve/{station_of(request)}/{caller.login}/{key}"
    second = await check_secret(ports, attempt, name, form.pin, station_of(request))
    check_unexpired(ports, second)
    return await acts.approve(ports, second.login, approval, form.digest)


@router.post("/approvals/{approval}/reject", summary="Refuse it, or take one's own request back")
async def reject(approval: str, form: RejectForm, request: Request, key: RequestKey, caller: Approver) -> Document:
    ports = ports_of(request)
    acts.find_approval(ports, approval)
    return await acts.reject(ports, caller.login, approval, form.note)
