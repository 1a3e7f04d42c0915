"""The read-only listener of the screens: table and signage pages, their feeds, static files and fonts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import fontpkg  # type: ignore[import-untyped]  # ships no type information
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from display.draw_words import DrawWords
from display.draws import DrawRecords, TableDraws
from display.feed import Feed, TooManySubscribers, UnknownScreen
from display.scene import Currency, TableScreen
from display.texts import DEFAULT_LANGUAGE, LANGUAGES, choose_language, screen_texts

STALE_AFTER_MS = 2_500
SEND_TIMEOUT_S = 10.0
MOST_HANDS = 10**12
FONTS = {"inter.ttf": "Inter", "vollkorn.ttf": "Vollkorn"}

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


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """What a site sets for its screens.

    `language` is the default one ("es" or "en"; a page may ask another by `?lang=`), `time_zone` an IANA name,
    `reduced_motion` stops every turn and wheel at all screens, `stale_after_ms` is how long a screen goes without
    a word from the feed before it closes its shutters (the promise is three seconds). `currency` is how the players'
    page of a draw writes antes; screens have it in their scenes.
    """

    language: str = DEFAULT_LANGUAGE
    time_zone: str = "America/Argentina/Buenos_Aires"
    reduced_motion: bool = False
    stale_after_ms: int = STALE_AFTER_MS
    currency: Currency = field(default_factory=Currency)


def build_app(feed: Feed, settings: ScreenSettings, draws: DrawRecords | None = None) -> Starlette:
    """The ASGI application of the read-only listener: GET and HEAD only, nothing leaves the host.

    With `draws`, players check them at `/draw/{table}` and `/draw/{table}/{hand}`.
    """
    feed.build = feed.build or _build()
    pages = _Pages(feed, settings, draws)
    routes = [
        Route("/", pages.index),
        Route("/table/{id}", pages.table),
        Route("/signage/{carousel}", pages.signage),
        Route("/feed/{screen}", pages.stream),
        Route("/draw/{table}", pages.draws),
        Route("/draw/{table}/{hand}", pages.draw_of_hand),
        Route("/healthz", _health),
        Route("/static/fonts/{name}", _font),
        Mount("/static", StaticFiles(directory=Path(str(files("display") / "static")))),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(_ReadOnly)],
        exception_handlers={HTTPException: _problem_of, UnknownScreen: _unknown_screen, TooManySubscribers: _full},
    )


class _Pages:
    """The handlers that need the feed and the site's settings."""

    def __init__(self, feed: Feed, settings: ScreenSettings, draws: DrawRecords | None) -> None:
        self._feed = feed
        self._settings = settings
        self._draws = draws
        self._templates = Environment(
            loader=PackageLoader("display"), autoescape=select_autoescape(), undefined=StrictUndefined
        )

    async def index(self, request: Request) -> Response:
        language = self._language(request)
        return self._page(
            "index.html",
            language,
            tables=[name.removeprefix("table-") for name in self._feed.screens if name.startswith("table-")],
            carousels=[name.removeprefix("signage-") for name in self._feed.screens if name.startswith("signage-")],
            draws=() if self._draws is None else self._draws.tables(),
        )

    async def table(self, request: Request) -> Response:
        return self._screen(request, f"table-{request.path_params['id']}", "table")

    async def signage(self, request: Request) -> Response:
        return self._screen(request, f"signage-{request.path_params['carousel']}", "signage")

    async def stream(self, request: Request) -> Response:
        stream = self._feed.subscribe(request.path_params["screen"])
        return EventSourceResponse(stream, ping=0, sep="\n", send_timeout=SEND_TIMEOUT_S)

    async def draws(self, request: Request) -> Response:
        table = request.path_params["table"]
        found = None if self._draws is None else await self._draws.recent(table)
        return self._draw_page(request, table, found, None)

    async def draw_of_hand(self, request: Request) -> Response:
        table, hand = request.path_params["table"], _hand_number(request.path_params["hand"])
        found = None if self._draws is None or hand is None else await self._draws.of_hand(table, hand)
        return self._draw_page(request, table, found, hand)

    def _draw_page(self, request: Request, table: str, found: TableDraws | None, hand: int | None) -> Response:
        if found is None:
            return problem(404, "unknown_draw", "There is no draw of that table and hand.")
        language = self._language(request)
        page = DrawWords(screen_texts(language), self._settings.currency, self._settings.time_zone)
        return self._page("draw.html", language, **page.values(table, self._label(table), found, hand))

    def _label(self, table: str) -> str:
        """The table's number as its screen shows it; its id before the first scene."""
        name = f"table-{table}"
        scene = self._feed.newest(name)[1] if name in self._feed.screens else None
        return scene.label if isinstance(scene, TableScreen) else table

    def _screen(self, request: Request, screen: str, kind: str) -> Response:
        self._feed.newest(screen)
        return self._page("screen.html", self._language(request), screen=screen, kind=kind)

    def _page(self, template: str, language: str, **values: object) -> Response:
        catalogue = screen_texts(language)
        html = self._templates.get_template(template).render(
            language=language,
            text=catalogue.text,
            texts=Markup(_script_json(json.dumps(catalogue.texts, ensure_ascii=False))),
            settings=self._settings,
            build=self._feed.build,
            **values,
        )
        return HTMLResponse(html, headers={"Cache-Control": "no-store"})

    def _language(self, request: Request) -> str:
        return choose_language(request.query_params.get("lang"), self._settings.language)


def _hand_number(text: str) -> int | None:
    """The hand of an address; None for what is no number or greater than any."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_HANDS))
    return int(text) if is_number and int(text) <= MOST_HANDS else None


class _ReadOnly:
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
                headers[name] = value
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return sender


def problem(status: int, refusal: str, detail: str) -> JSONResponse:
    """An RFC 9457 answer with the refusal's name."""
    body = {"type": f"urn:carrusel:refusal:{refusal}", "title": refusal, "status": status, "detail": detail}
    return JSONResponse(body, status, media_type="application/problem+json")


async def _problem_of(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return problem(error.status_code, "not_found" if error.status_code == 404 else "refused", error.detail)


async def _unknown_screen(_request: Request, error: Exception) -> Response:
    return problem(404, "unknown_screen", f"There is no screen named {error}.")


async def _full(_request: Request, _error: Exception) -> Response:
    response = problem(503, "too_many_screens", "The feed has as many screens as it takes.")
    response.headers["Retry-After"] = "5"
    return response


async def _health(_request: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def _font(request: Request) -> Response:
    family = FONTS.get(request.path_params["name"])
    if family is None:
        raise HTTPException(404)
    return FileResponse(fontpkg.path(family), media_type="font/ttf", headers={"Cache-Control": "max-age=86400"})


def _build() -> str:
    """A name of the pages' present files: it changes when any of them does."""
    digest = hashlib.sha256()
    for path in sorted(Path(str(files("display"))).rglob("*")):
        if path.suffix in {".js", ".css", ".html", ".json"}:
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _script_json(text: str) -> str:
    """JSON that cannot close the script element it stands in."""
    return text.replace("<", "\\u003c")


__all__ = ["LANGUAGES", "ScreenSettings", "build_app", "problem"]
