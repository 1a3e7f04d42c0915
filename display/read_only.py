"""A listener that only answers: GET and HEAD, security headers on everything, refusals by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class ReadOnly:
    """Refuses every method but GET and HEAD, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_headers(send)
        if scope["method"] not in ("GET", "HEAD"):
            response = problem(405, "read_only", "This listener only answers GET and HEAD.")
            response.headers["Allow"] = "GET, HEAD"
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return sender


def problem(status: int, refusal: str, detail: str) -> JSONResponse:
    """An RFC 9457 answer with the refusal's name."""
    body = {"type": f"urn:carrusel:refusal:{refusal}", "title": refusal, "status": status, "detail": detail}
    return JSONResponse(body, status, media_type="application/problem+json")
