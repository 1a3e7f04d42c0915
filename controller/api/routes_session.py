"""Logging in and out, one's own PIN, and the accounts of the others."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from controller.api import acts, targets
from controller.api.auth import Allowed, Caller, check_secret, close_session, open_session, station_of
from controller.api.context import ApiPorts, ports_of
from controller.api.pins import check_strength, hashed, pin_life
from controller.api.problems import Problem
from controller.api.roles import MATRIX, Permission
from controller.api.schemas import (
    Document,
    LoginForm,
    NoForm,
    OwnPinForm,
    PinForm,
    RequestKey,
    UserChangeForm,
    UserForm,
)
from controller.api.views import user_view
from controller.core.refusal import Refusal, refuse
from controller.engine.accounts_events import SecretSet, UserAdded, UserChanged

router = APIRouter(tags=["people"])


@router.post(
    "/session", summary="Log in with login (or badge) and PIN; a PIN that has expired takes `new_pin` beside it"
)
async def log_in(form: LoginForm, request: Request, response: Response, key: RequestKey) -> Document:
    attempt = f"login/{station_of(request)}/{key}"
    caller = await open_session(request, response, attempt, form.login, form.pin, form.new_pin)
    return _me(ports_of(request), caller)


@router.get("/session", summary="Who is logged in, and the token for state changes")
async def me(request: Request, caller: Annotated[Caller, Depends(Allowed(Permission.READ))]) -> Document:
    return _me(ports_of(request), caller)


@router.delete("/session", summary="Log out")
async def log_out(
    request: Request, response: Response, caller: Annotated[Caller, Depends(Allowed(Permission.READ))]
) -> Document:
    await close_session(request, response, caller)
    return {"status": "done"}


def _me(ports: ApiPorts, caller: Caller) -> Document:
    life = pin_life(ports, caller.user)
    rights = sorted(permission.value for permission, roles in MATRIX.items() if caller.user.role in roles)
    return {
        "user": user_view(caller.user),
        "csrf_token": caller.token,
        "until_ms": caller.session.until_ms,
        "pin_until_ms": life.until_ms,
        "pin_expires_soon": life.is_told,
        "permissions": rights,
    }


@router.post("/session/pin", summary="Set one's own PIN; all of one's sessions end")
async def set_own_pin(
    form: OwnPinForm,
    request: Request,
    key: RequestKey,
    caller: Annotated[Caller, Depends(Allowed(Permission.OWN_ACCOUNT))],
) -> Document:
    ports = ports_of(request)
    check_strength(form.pin, caller.login, form.old_pin)
    await check_secret(ports, f"own-pin/{caller.login}/{key}", caller.login, form.old_pin, station_of(request))
    secret = await hashed(ports, form.pin, acts.envelope_id(caller, key))
    return await acts.do(ports, caller, targets.NODE, SecretSet(caller.login, secret), key)


@router.get("/users", summary="Accounts, without their secrets")
async def users(request: Request, caller: Annotated[Caller, Depends(Allowed(Permission.READ_USERS))]) -> Document:
    return {"users": [user_view(user) for user in ports_of(request).accounts.state.users.values()]}


@router.post("/users", summary="Ask for a new account; a second person approves it", status_code=202)
async def add_user(
    form: UserForm,
    request: Request,
    key: RequestKey,
    caller: Annotated[Caller, Depends(Allowed(Permission.USERS))],
) -> Document:
    ports = ports_of(request)
    check_strength(form.pin, form.login)
    if form.login in ports.accounts.state.users:
        raise Problem(refuse(Refusal.USER_EXISTS, login=form.login))
    secret = await hashed(ports, form.pin, acts.envelope_id(caller, key))
    event = UserAdded(form.login, form.name, form.role.value, secret, form.language, form.badge)
    return await acts.ask(ports, caller, targets.NODE, event, key, Permission.USERS_APPROVE)


@router.post("/users/{login}", summary="Ask for a change of an account", status_code=202)
async def change_user(
    login: str,
    form: UserChangeForm,
    request: Request,
    key: RequestKey,
    caller: Annotated[Caller, Depends(Allowed(Permission.USERS))],
) -> Document:
    ports = ports_of(request)
    _check_known(ports, login)
    role = form.role.value if form.role is not None else None
    event = UserChanged(login, form.name, role, form.language, form.badge, form.disabled)
    return await acts.ask(ports, caller, targets.NODE, event, key, Permission.USERS_APPROVE)


@router.post("/users/{login}/disable", summary="Shut an account at once; opening it again takes two people")
async def disable_user(
    login: str,
    form: NoForm,
    request: Request,
    key: RequestKey,
    caller: Annotated[Caller, Depends(Allowed(Permission.USERS))],
) -> Document:
    ports = ports_of(request)
    _check_known(ports, login)
    return await acts.do(ports, caller, targets.NODE, UserChanged(login, disabled=True), key)


@router.post("/users/{login}/pin", summary="Ask for a new PIN of another person", status_code=202)
async def set_pin(
    login: str,
    form: PinForm,
    request: Request,
    key: RequestKey,
    caller: Annotated[Caller, Depends(Allowed(Permission.USERS))],
) -> Document:
    ports = ports_of(request)
    _check_known(ports, login)
    check_strength(form.pin, login)
    secret = await hashed(ports, form.pin, acts.envelope_id(caller, key))
    return await acts.ask(ports, caller, targets.NODE, SecretSet(login, secret), key, Permission.USERS_APPROVE)


def _check_known(ports: ApiPorts, login: str) -> None:
    if login not in ports.accounts.state.users:
        raise Problem(refuse(Refusal.UNKNOWN_USER, login=login[:64]))
