"""Logging in and out, one's own PIN, and the accounts of the others."""

from hashlib import sha256
from itertools import pairwise
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from controller.api import acts
from controller.api.auth import Allowed, Caller, check_secret, close_session, open_session, station_of
from controller.api.context import ApiPorts, ports_of
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
WEAK = frozenset({"000000", "111111", "123456", "654321", "123123", "121212", "112233", "password", "contraseña"})


def check_strength(secret: str, login: str) -> None:
    """A PIN is not one digit repeated, a run, or the login itself."""
    digits = [ord(sign) for sign in secret]
    steps = {after - before for before, after in pairwise(digits)}
    if secret.lower() in WEAK or login in secret.lower() or len(steps) <= 1:
        raise Problem(refuse(Refusal.SECRET_TOO_WEAK))


async def hashed(ports: ApiPorts, secret: str, request_id: str) -> str:
    """The hash to journal. Its salt comes from the request's unique id: a repeated request is the same event."""
    return await ports.passwords.hash(secret, sha256(f"salt/{request_id}".encode()).digest()[:16])


@router.post("/session", summary="Log in with login (or badge) and PIN")
async def log_in(form: LoginForm, request: Request, response: Response, key: RequestKey) -> Document:
    caller = await open_session(request, response, f"login/{station_of(request)}/{key}", form.login, form.pin)
    return _me(caller)


@router.get("/session", summary="Who is logged in, and the token for state changes")
async def me(caller: Annotated[Caller, Depends(Allowed(Permission.READ))]) -> Document:
    return _me(caller)


@router.delete("/session", summary="Log out")
async def log_out(
    request: Request, response: Response, caller: Annotated[Caller, Depends(Allowed(Permission.READ))]
) -> Document:
    await close_session(request, response, caller)
    return {"status": "done"}


def _me(caller: Caller) -> Document:
    rights = sorted(permission.value for permission, roles in MATRIX.items() if caller.user.role in roles)
    return {
        "user": user_view(caller.user),
        "csrf_token": caller.token,
        "until_ms": caller.session.until_ms,
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
    check_strength(form.pin, caller.login)
    await check_secret(ports, f"own-pin/{caller.login}/{key}", caller.login, form.old_pin, station_of(request), "")
    secret = await hashed(ports, form.pin, acts.envelope_id(caller, key))
    return await acts.do(ports, caller, acts.Target(acts.NODE), SecretSet(caller.login, secret), key)


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
    return await acts.ask(ports, caller, acts.Target(acts.NODE), event, key, Permission.USERS_APPROVE)


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
    return await acts.ask(ports, caller, acts.Target(acts.NODE), event, key, Permission.USERS_APPROVE)


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
    return await acts.do(ports, caller, acts.Target(acts.NODE), UserChanged(login, disabled=True), key)


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
    return await acts.ask(
        ports, caller, acts.Target(acts.NODE), SecretSet(login, secret), key, Permission.USERS_APPROVE
    )


def _check_known(ports: ApiPorts, login: str) -> None:
    if login not in ports.accounts.state.users:
        raise Problem(refuse(Refusal.UNKNOWN_USER, login=login[:64]))
