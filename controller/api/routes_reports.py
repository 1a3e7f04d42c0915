"""Figures: reports of a day, a month or a shift, what is held for the players, the count room, the close of a shift."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from controller.api import acts, targets
from controller.api.auth import Allowed, Caller
from controller.api.context import ApiPorts, ports_of
from controller.api.liability import liability
from controller.api.periods import Period, day_period, month_period, open_shift, shift_period
from controller.api.problems import Problem, language_of
from controller.api.report_papers import csv_of, liability_pdf, report_pdf
from controller.api.reports import Report, report_of, table_figures
from controller.api.roles import Permission
from controller.api.schemas import CountForm, Document, RequestKey, ShiftForm
from controller.core.refusal import Refusal, refuse
from controller.engine.accounts_events import CountEntered, ShiftClosed

router = APIRouter(tags=["reports"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
Counter = Annotated[Caller, Depends(Allowed(Permission.COUNT_ROOM))]
Closer = Annotated[Caller, Depends(Allowed(Permission.SHIFT))]
Span = Annotated[str, Path(pattern="^(day|month|shift)$")]
Day = Annotated[str | None, Query(pattern=r"^\d{4}-\d{2}-\d{2}$", description="a day at the site, as 2026-11-29")]
Month = Annotated[str | None, Query(pattern=r"^\d{4}-\d{2}$", description="a month, as 2026-11")]
Number = Annotated[int | None, Query(ge=0, le=10**9, description="of a closed shift; without it, the one in course")]
PDF = "application/pdf"
PDF_ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {PDF: {}}, "description": "A PDF"}}
CSV_ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {}}, "description": "A sheet"}}


def _asked(ports: ApiPorts, span: str, day: str | None, month: str | None, number: int | None) -> Period:
    """The period that a report's address names; Problem when it does not."""
    match span:
        case "day" if day is not None:
            return day_period(ports, day)
        case "month" if month is not None:
            return month_period(ports, month)
        case "shift":
            return shift_period(ports, number or 0)
    raise Problem(refuse(Refusal.FORM_INVALID, place=f"query.{span}", why="missing"))


async def _report(
    request: Request, span: Span, day: Day = None, month: Month = None, number: Number = None
) -> tuple[ApiPorts, Report]:
    ports = ports_of(request)
    return ports, await report_of(ports, _asked(ports, span, day, month, number))


Asked = Annotated[tuple[ApiPorts, Report], Depends(_report)]


@router.get("/reports/liability", summary="What is held for the players now: pools, reserves, unpaid prizes")
async def what_is_held(request: Request, caller: Reader) -> Document:
    return liability(ports_of(request)).plain()


@router.get("/reports/liability.pdf", summary="The same as PDF", response_class=Response, responses=PDF_ANSWER)
async def what_is_held_pdf(request: Request, caller: Reader) -> Response:
    ports = ports_of(request)
    text = liability_pdf(ports, liability(ports), language_of(request))
    return Response(text, media_type=PDF, headers=named_file("liability.pdf"))


@router.get("/reports/{span}.csv", summary="The same as CSV", response_class=Response, responses=CSV_ANSWER)
async def figures_csv(request: Request, caller: Reader, asked: Asked) -> Response:
    ports, report = asked
    text = csv_of(ports, report, language_of(request))
    return Response(text, media_type="text/csv; charset=utf-8", headers=named_file(f"{_file(report.period)}.csv"))


@router.get("/reports/{span}.pdf", summary="The same as PDF", response_class=Response, responses=PDF_ANSWER)
async def figures_pdf(
    request: Request,
    caller: Reader,
    asked: Asked,
    annex: Annotated[bool, Query(description="with every setting in force behind the signatures")] = False,
) -> Response:
    ports, report = asked
    text = report_pdf(ports, report, language_of(request), annex=annex)
    return Response(text, media_type=PDF, headers=named_file(f"{_file(report.period)}.pdf"))


@router.get("/reports/{span}", summary="A day, a month or a shift: figures by table, the account of each carousel")
async def figures(caller: Reader, asked: Asked) -> Document:
    _, report = asked
    return report.plain()


def _file(period: Period) -> str:
    return f"{period.span}-{period.number or period.name}".replace("/", "-")


@router.get("/counts", summary="What the count room entered, with the variance against the metered bets")
async def counts(request: Request, caller: Reader) -> Document:
    return {"counts": [count_view(each) for each in reversed(ports_of(request).accounts.state.counts)]}


@router.post("/counts", summary="Enter the count of a table and shift")
async def enter_count(form: CountForm, request: Request, key: RequestKey, caller: Counter) -> Document:
    ports = ports_of(request)
    ports.table(form.table)
    metered = await table_figures(ports, form.table, day_period(ports, form.shift[:10]))
    event = CountEntered(form.table, form.shift, form.counted_minor, metered.handle_minor)
    return await acts.do(ports, caller, targets.NODE, event, key)


@router.get("/shifts", summary="Closed shifts with their times and people, newest first, and the one in course")
async def shifts(request: Request, caller: Reader) -> Document:
    ports = ports_of(request)
    now = open_shift(ports)
    closed = [asdict(each) for each in reversed(ports.accounts.state.shifts)]
    return {"open": {"begin_ms": now.begin_ms, "end_ms": now.end_ms}, "closed": closed}


@router.post(
    "/shifts/close", summary="Ask to close and sign a shift: its figures and every journal's head", status_code=202
)
async def close_shift(form: ShiftForm, request: Request, key: RequestKey, caller: Closer) -> Document:
    ports = ports_of(request)
    period = open_shift(ports)
    closed = ports.accounts.state.shifts
    report = await report_of(ports, period)
    after = closed[-1].number if closed else 0
    event = ShiftClosed(form.shift, period.ends, report.figures(), period.begin_ms, period.end_ms, after)
    return await acts.ask(ports, caller, targets.NODE, event, key, Permission.SHIFT)


def count_view(count: Any) -> Document:
    """A count with its variance."""
    return {
        "id": count.id,
        "table": count.table,
        "shift": count.shift,
        "counted_minor": count.counted_minor,
        "metered_minor": count.metered_minor,
        "variance_minor": count.variance_minor,
        "actor": count.actor,
        "at_ms": count.at_ms,
    }


def named_file(name: str) -> dict[str, str]:
    """The header that gives a shown file its name."""
    return {"Content-Disposition": f'inline; filename="{name}"'}
