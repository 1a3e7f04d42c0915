"""Refusals as answers of the web: RFC 9457 problems with the refusal's name and facts, in the reader's language."""

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from controller.api.facts import House, facts_said
from controller.api.form_errors import form_refused, form_said
from controller.api.texts import Money, accepted_language, catalogue, choose_language
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.ports import RunnerStopped

MEDIA_TYPE = "application/problem+json"

STATUS: Mapping[Refusal, int] = {
    Refusal.NOT_LOGGED_IN: 401,
    Refusal.LOGIN_FAILED: 401,
    Refusal.ROLE_MISSING: 403,
    Refusal.TOKEN_MISSING: 403,
    Refusal.ORIGIN_NOT_ALLOWED: 403,
    Refusal.SAME_PERSON_TWICE: 403,
    Refusal.HOST_NOT_ALLOWED: 421,
    Refusal.UNKNOWN_TABLE: 404,
    Refusal.UNKNOWN_CAROUSEL: 404,
    Refusal.UNKNOWN_DEVICE: 404,
    Refusal.UNKNOWN_JOURNAL: 404,
    Refusal.UNKNOWN_LAMP: 404,
    Refusal.JOURNAL_HAS_SECRETS: 403,
    Refusal.UNKNOWN_AMOUNT: 404,
    Refusal.AMOUNT_AT_HOST: 404,
    Refusal.UNKNOWN_APPROVAL: 404,
    Refusal.UNKNOWN_USER: 404,
    Refusal.UNKNOWN_SHIFT: 404,
    Refusal.SLIP_NOT_ISSUED: 404,
    Refusal.UNKNOWN_PRIZE: 404,
    Refusal.UNKNOWN_HAND: 404,
    Refusal.UNKNOWN_SEAT: 404,
    Refusal.NOT_FOUND: 404,
    Refusal.METHOD_NOT_ALLOWED: 405,
    Refusal.BODY_TOO_LARGE: 413,
    Refusal.BODY_TOO_SLOW: 408,
    Refusal.BODY_NOT_JSON: 415,
    Refusal.FORM_INVALID: 422,
    Refusal.DAYS_BACKWARDS: 422,
    Refusal.AMOUNT_TOO_LARGE: 422,
    Refusal.SECRET_TOO_WEAK: 422,
    Refusal.SECRET_SAME: 422,
    Refusal.SECRET_EXPIRED: 403,
    Refusal.SETTINGS_INVALID: 422,
    Refusal.PROFILE_UNFIT: 422,
    Refusal.SETTING_FIXED: 422,
    Refusal.SETTINGS_TAG_MISSING: 428,
    Refusal.SETTINGS_TAG_STALE: 412,
    Refusal.TOO_MANY_TRIES: 429,
    Refusal.TOO_MANY_REQUESTS: 429,
    Refusal.EXPORT_IN_COURSE: 429,
    Refusal.NOT_READY: 503,
    Refusal.SERVICE_ENDED: 503,
    Refusal.JOURNAL_SLOW: 503,
}
"""Every other refusal is a conflict with the state of things: 409."""


class Problem(Exception):
    """A refusal on its way out of a route."""

    def __init__(self, refused: Refused, headers: Mapping[str, str] | None = None) -> None:
        self.refused = refused
        self.headers = dict(headers or {})
        super().__init__(refused.reason.value)


def language_of(request: Request) -> str:
    """The language of an answer: `?lang=`, what the browser accepts, the site's."""
    ports = getattr(request.app.state, "ports", None)
    site = None if ports is None else ports.config.site.language
    return choose_language(
        request.query_params.get("lang"), accepted_language(request.headers.get("accept-language")), site
    )


def house_of(request: Request, language: str) -> House | None:
    """How the site writes amounts and calls things; None before there is a site."""
    ports = getattr(request.app.state, "ports", None)
    return None if ports is None else house_at(ports, language)


def house_at(ports: Any, language: str) -> House:
    """The same, of a node's ports."""
    config = ports.config
    names = {
        "table": {table.id: table.name for table in config.tables},
        "carousel": {carousel.id: carousel.name for carousel in config.carousels},
        "person": {user.login: user.name for user in ports.accounts.state.users.values()},
    }
    return House(Money(config.site.symbol, config.site.decimals, language), names)


def problem_body(refused: Refused, language: str, house: House | None = None) -> dict[str, Any]:
    """The document of a refusal."""
    texts = catalogue(language)
    name = refused.reason.value
    facts = dict(refused.facts)
    title = texts.name("refusal", name)
    if refused.reason is Refusal.FORM_INVALID and facts:
        said = form_said(facts, language)
        detail = f"{title}. {said}" if said else title
    else:
        said = facts_said(name, facts, language, house)
        detail = f"{title} ({said})" if said else title
    return {
        "type": f"urn:carrusel:refusal:{name}",
        "title": title,
        "status": STATUS.get(refused.reason, 409),
        "detail": detail,
        "refusal": name,
        "facts": facts,
    }


def problem_response(
    refused: Refused, language: str, headers: Mapping[str, str] | None = None, house: House | None = None
) -> Response:
    """A refusal as a response."""
    body = problem_body(refused, language, house)
    headers = dict(headers or {})
    if refused.reason is Refusal.TOO_MANY_TRIES:
        headers["Retry-After"] = str(refused.facts.get("wait_s", 60))
    return JSONResponse(body, body["status"], headers, media_type=MEDIA_TYPE)


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    page: Callable[[Request, Problem], Response] | None = getattr(request.app.state, "problem_page", None)
    if page is not None and _is_page(request):
        return page(request, error)
    language = language_of(request)
    return problem_response(error.refused, language, error.headers, house_of(request, language))


def _is_page(request: Request) -> bool:
    """Whether a browser shows the answer: of a page of the panel, or of a paper that one of its links leads to."""
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return await _problem(request, Problem(form_refused(error.errors())))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    reason = {405: Refusal.METHOD_NOT_ALLOWED, 400: Refusal.FORM_INVALID}.get(error.status_code, Refusal.NOT_FOUND)
    return await _problem(request, Problem(refuse(reason), error.headers))


async def _ended(request: Request, error: Exception) -> Response:
    """The machine that was asked ended meanwhile: nobody here knows whether it counted, its journal does."""
    return await _problem(request, Problem(refuse(Refusal.SERVICE_ENDED)))


def answer_problems(app: FastAPI) -> None:
    """Every error of the application answers as a problem."""
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(RunnerStopped, _ended)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
