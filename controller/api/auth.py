"""Sessions, the token against forged requests, roles, and the comparison of a PIN counted before it is made."""

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from controller.api.access_log import opened_by
from controller.api.context import ApiPorts, ports_of
from controller.api.guard import SAFE
from controller.api.pins import check_strength, hashed
from controller.api.problems import Problem
from controller.api.roles import Permission, may, roles_of
from controller.core.events import Envelope
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.accounts_events import LoggedOut, LoginBegun, LoginFailed, LoginPassed, SecretSet
from controller.engine.accounts_state import Session, User
from controller.engine.stations import network_of

COOKIE = "carrusel_session"
TOKEN_HEADER = "x-csrf-token"
IDLE_MS = 30 * 60_000
TOKEN_DOMAIN = b"carrusel csrf v1\n"


@dataclass(frozen=True, slots=True)
class Caller:
    """The person behind a request. `token` must come back in the header of every state change."""

    user: User
    session: Session
    token: str

    @property
    def login(self) -> str:
        return self.user.login


def session_id(token: str) -> str:
    """What the journal keeps of a session's token."""
    return sha256(token.encode()).hexdigest()


def csrf_token(token: str) -> str:
    """The session's own token against forged requests."""
    return hmac.new(token.encode(), TOKEN_DOMAIN, sha256).hexdigest()


def station_of(request: Request) -> str:
    """Where a try comes from: the peer's address, in IPv6 its network; a Unix socket is one station."""
    return network_of(request.client.host) if request.client is not None else "local"


def find_caller(request: Request) -> Caller | None:
    """Who is logged in, if anybody: an unexpired session, used lately, of an account that is not disabled."""
    ports = ports_of(request)
    token = request.cookies.get(COOKIE, "")
    session = ports.accounts.state.sessions.get(session_id(token)) if token else None
    if session is None:
        return None
    now = ports.clock()
    seen = ports.seen_ms.get(session.id, max(session.used_ms, session.began_ms))
    if not session.began_ms <= now < session.until_ms or now - seen > IDLE_MS:
        return None
    user = ports.accounts.state.users.get(session.login)
    if user is None or user.disabled:
        return None
    if not _is_automatic(request):
        ports.seen_ms[session.id] = now
    return Caller(user, session, csrf_token(token))


def _is_automatic(request: Request) -> bool:
    """Whether a page asks by itself, to follow the house: that is no use of the session by a person."""
    return request.headers.get("x-automatic") == "1" or request.headers.get("accept") == "text/event-stream"


class Allowed:
    """Dependency of every route: a session, a role that has the permission, and the token on state changes."""

    def __init__(self, permission: Permission) -> None:
        self.permission = permission

    async def __call__(self, request: Request) -> Caller:
        caller = find_caller(request)
        if caller is None:
            raise Problem(refuse(Refusal.NOT_LOGGED_IN))
        if request.method not in SAFE:
            given = request.headers.get(TOKEN_HEADER, "")
            if not hmac.compare_digest(given.encode(), caller.token.encode()):
                raise Problem(refuse(Refusal.TOKEN_MISSING))
        if not may(caller.user.role, self.permission):
            raise Problem(refuse(Refusal.ROLE_MISSING, roles=", ".join(roles_of(self.permission))))
        opened_by(request, caller.session)
        return caller


async def note_page(request: Request) -> None:
    """Dependency of the panel's pages: who opens one is in the journal before it is shown."""
    caller = find_caller(request)
    if caller is not None:
        opened_by(request, caller.session)


def permission_of(route: APIRoute) -> Permission | None:
    """The permission a route asks for; None when it asks for none."""
    for each in route.dependant.dependencies:
        if isinstance(each.call, Allowed):
            return each.call.permission
    return None


def find_user(ports: ApiPorts, name: str) -> tuple[str, User | None]:
    """The login to count a try under, and its account: by login, or by the badge that was held to the reader."""
    users = ports.accounts.state
    user = users.users.get(name) or users.user_of_badge(name)
    return (user.login if user is not None else name), user


async def check_secret(ports: ApiPorts, attempt: str, name: str, secret: str, station: str) -> User:
    """The person whose PIN this is, expired or not; Problem when the try must wait or does not hold."""
    user = await _compared(ports, attempt, name, secret, station)
    await _passed(ports, attempt, user, "")
    return user


async def _compared(ports: ApiPorts, attempt: str, name: str, secret: str, station: str) -> User:
    """The person whose PIN this is. The try is journaled first; Problem when it must wait or does not hold."""
    login, user = find_user(ports, name)
    begun = await ports.accounts.submit(Envelope(attempt, LoginBegun(login, station), login))
    if begun.refused is not None:
        raise Problem(begun.refused)
    if begun.repeated:
        raise Problem(refuse(Refusal.CONFLICT, id=attempt))
    stored = user.secret if user is not None and not user.disabled else None
    if not await ports.passwords.verify(secret, stored) or user is None:
        await ports.accounts.submit(Envelope(f"{attempt}/failed", LoginFailed(attempt), login))
        raise Problem(_failed(ports, login))
    return user


async def _passed(ports: ApiPorts, attempt: str, user: User, session: str) -> None:
    """The try is over: its failures are forgotten, and a session begins where one is asked and the PIN still holds."""
    passed = await ports.accounts.submit(Envelope(f"{attempt}/passed", LoginPassed(attempt, session), user.login))
    if passed.refused is None:
        return
    if passed.refused.reason is Refusal.SECRET_EXPIRED:  # it was the right PIN: no guess is left counted
        await ports.accounts.submit(Envelope(f"{attempt}/passed", LoginPassed(attempt), user.login))
    raise Problem(passed.refused)


def _failed(ports: ApiPorts, login: str) -> Refused:
    """How many tries are left before a wait, the same for accounts that do not exist."""
    tries = ports.accounts.state.account_tries.get(login)
    left = -tries.failures % ports.policy.tries if tries is not None else ports.policy.tries
    return refuse(Refusal.LOGIN_FAILED, tries_left=left)


async def open_session(
    request: Request, response: Response, attempt: str, name: str, secret: str, new_secret: str | None = None
) -> Caller:
    """Log a person in: the browser gets the token, the journal its hash. With `new_secret` the PIN is changed first."""
    ports = ports_of(request)
    token = secrets.token_urlsafe(32)
    if new_secret is not None:
        check_strength(new_secret, find_user(ports, name)[0], secret)
    user = await _compared(ports, attempt, name, secret, station_of(request))
    if new_secret is not None:
        changed = SecretSet(user.login, await hashed(ports, new_secret, attempt))
        await ports.accounts.submit(Envelope(f"{attempt}/secret", changed, user.login))
    await _passed(ports, attempt, user, session_id(token))
    user = ports.accounts.state.users[user.login]
    session = ports.accounts.state.sessions[session_id(token)]
    for ended in ports.seen_ms.keys() - ports.accounts.state.sessions.keys():
        del ports.seen_ms[ended]
    ports.seen_ms[session.id] = ports.clock()
    response.set_cookie(
        COOKIE,
        token,
        max_age=max((session.until_ms - session.began_ms) // 1000, 1),
        path="/",
        secure=request.headers.get("origin", "").startswith("https:"),  # as the browser sees it, whatever is in between
        httponly=True,
        samesite="strict",
    )
    return Caller(user, session, csrf_token(token))


async def close_session(request: Request, response: Response, caller: Caller) -> None:
    """Log out: the session ends in the journal, then in the browser."""
    ports = ports_of(request)
    await ports.accounts.submit(Envelope(f"logout/{caller.session.id}", LoggedOut(caller.session.id), caller.login))
    ports.seen_ms.pop(caller.session.id, None)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
