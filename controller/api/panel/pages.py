"""The pages: each gathers what its template shows; an open one asks for itself again at every commit."""

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, Request
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse, RedirectResponse, Response

from controller.api.auth import Caller, find_caller, note_page
from controller.api.context import ApiPorts, ports_of
from controller.api.panel.filters import Filled
from controller.api.pins import pin_life
from controller.api.prize_views import pending_prizes
from controller.api.problems import Problem, house_of, problem_body
from controller.api.roles import Permission, may, roles_of
from controller.api.texts import choose_language
from controller.api.views import approval_view
from controller.api.words import Words
from controller.core.refusal import Refusal, refuse

LANGUAGE_COOKIE = "carrusel_language"
NAV = (
    ("floor", "floor", Permission.READ),
    ("prizes", "prize", Permission.READ),
    ("approvals", "people", Permission.READ),
    ("seeds", "seed", Permission.READ),
    ("journal", "journal", Permission.READ_JOURNAL),
    ("devices", "device", Permission.READ),
    ("shift", "shift", Permission.READ),
    ("users", "person", Permission.READ_USERS),
    ("access", "look", Permission.READ_USERS),
)
STATIC = Path(__file__).parent / "static"

router = APIRouter(include_in_schema=False, dependencies=[Depends(note_page)])
_templates = Environment(
    loader=PackageLoader("controller.api.panel"),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    trim_blocks=True,
)


class LoginNeeded(Exception):
    """A page was asked for without a session."""


def page_language(request: Request, caller: Caller | None) -> str:
    """The language of a page: asked, remembered, the person's, the site's."""
    site = ports_of(request).config.site.language
    own = caller.user.language if caller is not None else None
    return choose_language(request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE), own, site)


def need_caller(request: Request, permission: Permission = Permission.READ) -> Caller:
    """The person of a page; LoginNeeded without one, Problem when the role may not read it."""
    caller = find_caller(request)
    if caller is None:
        raise LoginNeeded
    if not may(caller.user.role, permission):
        raise Problem(refuse(Refusal.ROLE_MISSING, roles=", ".join(roles_of(permission))))
    return caller


def open_approvals(ports: ApiPorts) -> list[dict[str, Any]]:
    """Approvals that wait for a second person now, newest first."""
    found = [approval_view(ports, each) for each in reversed(list(ports.accounts.state.approvals.values()))]
    return [each for each in found if each["status"] == "open"]


def render(request: Request, template: str, caller: Caller | None, here: str = "", **values: Any) -> Response:
    """A page or part in the reader's language."""
    ports = ports_of(request)
    language = page_language(request, caller)
    rights = {permission.value for permission in Permission if caller and may(caller.user.role, permission)}
    bubbles = {"prizes": len(pending_prizes(ports)), "approvals": len(open_approvals(ports))} if caller else {}
    html = _templates.get_template(template).render(
        **Words(ports, language).functions(),
        caller=caller,
        here=here,
        nav=[(place, icon) for place, icon, right in NAV if right.value in rights],
        bubbles=bubbles,
        pin_life=pin_life(ports, caller.user) if caller else None,
        may=rights.__contains__,
        **values,
    )
    filled: Filled | None = values.get("filled")
    is_wrong = filled is not None and bool(filled.wrong)
    request.state.shown = is_wrong  # what stands beside the form that is refused is opened all the same
    response = HTMLResponse(html, 422 if is_wrong else 200)
    if request.query_params.get("lang") == language:
        response.set_cookie(LANGUAGE_COOKIE, language, max_age=365 * 86_400, httponly=True, samesite="strict")
    return response


async def to_login(request: Request, error: Exception) -> Response:
    """Nobody is logged in: a page goes to the login, one that asks by itself is told."""
    if request.headers.get("x-automatic") == "1":
        return Response(status_code=401)
    return RedirectResponse("/login", 303)


def _beyond(title: str, detail: str) -> str:
    """What the detail says beyond the title that it begins with."""
    more = detail.removeprefix(title).lstrip(". ")
    return more[1:-1] if more.startswith("(") and more.endswith(")") else more


def problem_page(request: Request, problem: Problem) -> Response:
    """A refusal as a page."""
    language = page_language(request, None)
    body = problem_body(problem.refused, language, house_of(request, language))
    response = render(request, "problem.html", None, problem=body, more=_beyond(body["title"], body["detail"]))
    response.status_code = body["status"]
    return response
