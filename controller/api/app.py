"""Builds the admin application: routes that refuse by default, problems, and the guard around everything."""

from collections.abc import Iterator
from types import ModuleType

from fastapi import FastAPI, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from controller.api import (
    routes_access,
    routes_amounts,
    routes_approvals,
    routes_carousels,
    routes_circle,
    routes_closing,
    routes_devices,
    routes_health,
    routes_journal,
    routes_leaflet,
    routes_prizes,
    routes_reports,
    routes_session,
    routes_settings,
    routes_slips,
    routes_table_settings,
    routes_tables,
)
from controller.api.access_log import AccessLog
from controller.api.acts import resume
from controller.api.auth import permission_of
from controller.api.context import ApiPorts
from controller.api.guard import Guard
from controller.api.panel import routes as panel_routes
from controller.api.panel.docs import documented
from controller.api.panel.pages import LoginNeeded, need_caller, problem_page, render, to_login
from controller.api.problems import MEDIA_TYPE, answer_problems

PREFIX = "/api/v1"
OPEN = frozenset({("POST", f"{PREFIX}/session"), ("GET", "/healthz"), ("GET", "/readyz"), ("GET", "/metrics")})
"""Routes without a login: the login itself, and what machines ask."""

MODULES: tuple[tuple[str, ModuleType], ...] = (
    (PREFIX, routes_session),
    (PREFIX, routes_access),
    (PREFIX, routes_reports),
    (PREFIX, routes_slips),
    (PREFIX, routes_tables),
    (PREFIX, routes_devices),
    (PREFIX, routes_circle),
    (PREFIX, routes_prizes),
    (PREFIX, routes_carousels),
    (PREFIX, routes_closing),
    (PREFIX, routes_amounts),
    (PREFIX, routes_approvals),
    (PREFIX, routes_journal),
    (PREFIX, routes_settings),
    (PREFIX, routes_table_settings),
    (PREFIX, routes_leaflet),
    ("", routes_health),
)

DESCRIPTION = """Admin API of a node: its tables, carousels, people and journals.

Amounts are whole minor units of the site's currency where a name ends in `_minor`, and micros of the unit where it
ends in `_micros`. A state change needs the session's cookie, its token in `X-CSRF-Token`, and an `Origin` header of
this very address. An act of two people answers 202 with an approval; another person approves exactly its digest.
Errors are problem+json (RFC 9457) with the refusal's name and facts, their sentences in the language of
`Accept-Language` (es, en), else the site's.

`Idempotency-Key` (1 to 64 letters, digits, `.`, `_`, `:`, `-`) makes a POST safe to repeat. A key belongs to the person
who sends it and is remembered for ever, as the id of the entry. The same key with the same body does nothing again: the
stored answer comes back, with `repeated` true, or the same approval. The same key with another body or address is
refused, `conflict`, also (until a restart) where nothing had to be done and no entry was left. What was refused left
nothing behind, so its key may be used again. Without a key every POST is an act of its own. A login's key belongs to
the station and is good for one comparison of a PIN."""

__all__ = ["ApiPorts", "build_app", "permission_of", "resume"]


class RouteUnguarded(Exception):
    """A route of the API says no permission: it would answer everybody."""


def build_app(ports: ApiPorts) -> FastAPI:
    """The ASGI application of the admin listener; also run `resume(ports)` once after a start."""
    app = FastAPI(
        title="Carrusel",
        version="1",
        description=DESCRIPTION,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses={"default": {"description": "A refusal by name", "content": {MEDIA_TYPE: {}}}},
    )
    app.state.ports = ports
    app.state.problem_page = problem_page
    check_guarded()
    for prefix, module in MODULES:
        app.include_router(module.router, prefix=prefix)
    app.include_router(panel_routes.router)

    @app.get(f"{PREFIX}/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        caller = need_caller(request)
        groups = documented(app, api_routes())
        return render(request, "docs.html", caller, groups=groups, description=DESCRIPTION)

    app.add_exception_handler(LoginNeeded, to_login)
    answer_problems(app)
    app.add_middleware(AccessLog)
    app.add_middleware(Guard, api=ports.config.api, language=ports.config.site.language)
    return app


def api_routes() -> Iterator[tuple[str, APIRoute]]:
    """Every route of the API and of the health checks with its full path."""
    for prefix, module in MODULES:
        for route in module.router.routes:
            if isinstance(route, APIRoute):
                yield prefix + route.path, route


def check_guarded() -> None:
    """Every route but the few open ones depends on `Allowed`; RouteUnguarded names the first that does not."""
    for path, route in api_routes():
        methods = sorted(route.methods or ())
        if not all((method, path) in OPEN for method in methods) and permission_of(route) is None:
            raise RouteUnguarded(f"{methods} {path}")
