"""The read-only listener of the screens: table and signage pages, their feeds, static files and fonts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import fontpkg  # type: ignore[import-untyped]  # ships no type information
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from display.draw_words import DrawWords
from display.draws import DrawRecords, TableDraws
from display.feed import Feed, TooManySubscribers, UnknownScreen
from display.read_only import ReadOnly, problem
from display.scene import Currency, TableScreen
from display.texts import DEFAULT_LANGUAGE, choose_language, screen_texts

STALE_AFTER_MS = 2_500
SEND_TIMEOUT_S = 10.0
MOST_HANDS = 10**12
STYLES = {
    "table": ("table", "stages/draws", "stages/hand", "stages/paper", "circle", "portrait", "tall"),
    "signage": ("signage", "tall"),
}
FONTS = {"inter.ttf": "Inter", "vollkorn.ttf": "Vollkorn"}


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """What a site sets for its screens.

    `language` is the default one ("es" or "en"; a page may ask another by `?lang=`), `time_zone` an IANA name,
    `reduced_motion` stops every turn and wheel at all screens, `stale_after_ms` is how long a screen goes without
    a word from the feed before it closes its shutters (the promise is three seconds). `currency` is how the players'
    page of a draw writes antes; screens have it in their scenes. `names` is what people call a screen, by its id
    ("table-t1": "Mesa 1").
    """

    language: str = DEFAULT_LANGUAGE
    time_zone: str = "America/Argentina/Buenos_Aires"
    reduced_motion: bool = False
    stale_after_ms: int = STALE_AFTER_MS
    currency: Currency = field(default_factory=Currency)
    names: Mapping[str, str] = field(default_factory=dict)


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
        middleware=[Middleware(ReadOnly)],
        exception_handlers={
            HTTPException: pages.not_answered,
            UnknownScreen: pages.unknown_screen,
            TooManySubscribers: _full,
        },
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
        return self._index(request, "")

    def _index(self, request: Request, missing: str) -> Response:
        """What there is, by the names that people use; `missing` is the address that was asked for in vain."""
        return self._page(
            "index.html",
            self._language(request),
            tables=self._named("table-", self._feed.screens),
            carousels=self._named("signage-", self._feed.screens),
            draws=self._named("table-", [f"table-{name}" for name in self._draws.tables()] if self._draws else []),
            missing=missing,
        )

    def _named(self, kind: str, screens: Iterable[str]) -> list[tuple[str, str]]:
        """Id and name of the screens of a kind."""
        found = [(name.removeprefix(kind), name) for name in screens if name.startswith(kind)]
        return [(each, self._settings.names.get(name, each)) for each, name in found]

    async def unknown_screen(self, request: Request, error: Exception) -> Response:
        return self._not_there(request, "unknown_screen", f"There is no screen named {error}.")

    async def not_answered(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            return self._not_there(request, "not_found", error.detail)
        return problem(error.status_code, "refused", error.detail)

    def _not_there(self, request: Request, refusal: str, detail: str) -> Response:
        """A page that says what there is for a person, a problem by name for a program."""
        if "text/html" not in request.headers.get("accept", ""):
            return problem(404, refusal, detail)
        page = self._index(request, request.url.path[:80])
        page.status_code = 404
        return page

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
        return await self._draw_page(request, table, found, None)

    async def draw_of_hand(self, request: Request) -> Response:
        table, hand = request.path_params["table"], _hand_number(request.path_params["hand"])
        found = None if self._draws is None or hand is None else await self._draws.of_hand(table, hand)
        return await self._draw_page(request, table, found, hand)

    async def _no_draw(self, request: Request, table: str, hand: int | None) -> Response:
        """That a hand had no draw, with the table's latest ones, where its draws are told at all."""
        refusal, detail = "unknown_draw", "There is no draw of that table and hand."
        latest = None if self._draws is None or hand is None else await self._draws.recent(table)
        if latest is None or "text/html" not in request.headers.get("accept", ""):
            return self._not_there(request, refusal, detail)
        page = self._told(request, table, latest, None, without=hand)
        page.status_code = 404
        return page

    async def _draw_page(self, request: Request, table: str, found: TableDraws | None, hand: int | None) -> Response:
        if found is None:
            return await self._no_draw(request, table, hand)
        return self._told(request, table, found, hand)

    def _told(
        self, request: Request, table: str, draws: TableDraws, hand: int | None, without: int | None = None
    ) -> Response:
        """The page of draws; without: the hand that was asked for and has none."""
        language = self._language(request)
        page = DrawWords(screen_texts(language), self._settings.currency, self._settings.time_zone)
        values = page.values(table, self._label(table), draws, hand)
        return self._page("draw.html", language, **values, without=None if without is None else page.number(without))

    def _label(self, table: str) -> str:
        """The table's number as its screen shows it; its id before the first scene."""
        name = f"table-{table}"
        scene = self._feed.newest(name)[1] if name in self._feed.screens else None
        return scene.label if isinstance(scene, TableScreen) else table

    def _screen(self, request: Request, screen: str, kind: str) -> Response:
        self._feed.newest(screen)
        return self._page("screen.html", self._language(request), screen=screen, kind=kind, styles=STYLES[kind])

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


async def _full(_request: Request, _error: Exception) -> Response:
    response = problem(503, "too_many_screens", "The feed has as many screens as it takes.")
    response.headers["Retry-After"] = "5"
    return response


async def _health(_request: Request) -> Response:
    """Whoever asks may know that it is there: also the page of a screen that waits for it, which is another origin."""
    return JSONResponse({"status": "ok"}, headers={"Cross-Origin-Resource-Policy": "cross-origin"})


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
