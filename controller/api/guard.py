"""The outermost layer: Host and Origin lists, body size and type, and the headers of every answer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.api.problems import problem_response
from controller.api.texts import accepted_language, choose_language
from controller.config.site import Api
from controller.core.refusal import Refusal, Refused, refuse

BODY_BYTES = 64 * 1024
BODY_WITHIN_S = 10
"""A body that has not come whole within this time is not waited for."""
UNREAD = frozenset({Refusal.BODY_TOO_LARGE, Refusal.BODY_TOO_SLOW})
"""Refusals that leave some of a body on the connection, which then ends."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Refuses what no route should ever see. A state change needs an Origin header of this very site."""

    def __init__(self, app: ASGIApp, api: Api, language: str) -> None:
        self._app = app
        self._hosts = frozenset(api.allowed_hosts)
        self._origins = frozenset(api.origins)
        self._language = language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_headers(send)
        headers = Headers(scope=scope)
        refused = self._check(scope, headers)
        body = _Body(receive)
        if refused is None and scope["method"] not in SAFE:
            refused = await body.read()
        if refused is not None:
            language = choose_language(accepted_language(headers.get("accept-language")), self._language)
            ends = {"Connection": "close"} if refused.reason in UNREAD else {}
            await problem_response(refused, language, ends)(scope, receive, send)
            return
        await self._app(scope, body.receive, send)

    def _check(self, scope: Scope, headers: Headers) -> Refused | None:
        host = headers.get("host", "")
        if _without_port(host) not in self._hosts:
            return refuse(Refusal.HOST_NOT_ALLOWED, host=host[:80])
        if scope["method"] in SAFE:
            return None
        origin = headers.get("origin", "")
        if origin not in self._origins and origin != f"{scope['scheme']}://{host}":
            return refuse(Refusal.ORIGIN_NOT_ALLOWED, origin=origin[:80])
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length[:12]) > BODY_BYTES:
            return refuse(Refusal.BODY_TOO_LARGE, most=BODY_BYTES)
        has_body = headers.get("content-length") not in (None, "0") or "transfer-encoding" in headers
        kind = headers.get("content-type", "").split(";")[0].strip().lower()
        if has_body and kind != "application/json":
            return refuse(Refusal.BODY_NOT_JSON, type=kind[:80])
        return None


class _Body:
    """Reads a bounded body before anything acts on it, and hands it on."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._messages: list[Message] = []

    async def read(self) -> Refused | None:
        """The refusal of a body that is too large or does not come in time; None once it is whole."""
        try:
            async with asyncio.timeout(BODY_WITHIN_S):
                return await self._read()
        except TimeoutError:
            return refuse(Refusal.BODY_TOO_SLOW, within_s=BODY_WITHIN_S)

    async def _read(self) -> Refused | None:
        size = 0
        more = True
        while more:
            message = await self._receive()
            self._messages.append(message)
            size += len(message.get("body", b""))
            if size > BODY_BYTES:
                return refuse(Refusal.BODY_TOO_LARGE, most=BODY_BYTES)
            more = message.get("more_body", False)
        return None

    async def receive(self) -> Message:
        return self._messages.pop(0) if self._messages else await self._receive()


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0].lstrip("[")
    return host.partition(":")[0].lower()


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sender
