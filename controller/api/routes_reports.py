"""Papers and figures: slips, the day's report as JSON, CSV and PDF, the count room, and the close of a shift."""

import csv
import io
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from controller.api import acts
from controller.api.auth import Allowed, Caller
from controller.api.context import ApiPorts, ports_of
from controller.api.panel.words import Words
from controller.api.prize_story import prize_slip
from controller.api.problems import language_of
from controller.api.reports import DayReport, day_report, table_figures
from controller.api.reports import day_bounds as bounds_of
from controller.api.roles import Permission
from controller.api.schemas import CountForm, Document, RequestKey, ShiftForm
from controller.api.slips import report_pdf, slip_pdf
from controller.api.texts import GROUPING, catalogue
from controller.engine.accounts_events import CountEntered, ShiftClosed

router = APIRouter(tags=["reports"])
Reader = Annotated[Caller, Depends(Allowed(Permission.READ))]
Counter = Annotated[Caller, Depends(Allowed(Permission.COUNT_ROOM))]
Closer = Annotated[Caller, Depends(Allowed(Permission.SHIFT))]
Day = Annotated[str, Query(pattern=r"^\d{4}-\d{2}-\d{2}$", description="a day at the site, as 2026-11-29")]
PDF = "application/pdf"
PDF_ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {PDF: {}}, "description": "A PDF"}}
CSV_ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {}}, "description": "A sheet"}}


@router.get(
    "/tables/{table}/prizes/slip", summary="The slip of a prize (PDF)", response_class=Response, responses=PDF_ANSWER
)
async def slip(
    table: str, request: Request, caller: Reader, prize: Annotated[str, Query(min_length=1, max_length=200)]
) -> Response:
    ports = ports_of(request)
    language = language_of(request)
    found = await prize_slip(ports, table, prize, Words(ports, language))
    return Response(slip_pdf(ports, found, language), media_type=PDF, headers=_named(f"slip-{found.number}.pdf"))


@router.get("/reports/day", summary="A day's figures by table, and the account of each carousel")
async def day(request: Request, caller: Reader, day: Day) -> Document:
    return (await day_report(ports_of(request), day)).plain()


@router.get("/reports/day.csv", summary="The same as CSV", response_class=Response, responses=CSV_ANSWER)
async def day_csv(request: Request, caller: Reader, day: Day) -> Response:
    ports = ports_of(request)
    report = await day_report(ports, day)
    text = csv_of(ports, report, language_of(request))
    return Response(text, media_type="text/csv; charset=utf-8", headers=_named(f"day-{day}.csv"))


@router.get("/reports/day.pdf", summary="The same as PDF", response_class=Response, responses=PDF_ANSWER)
async def day_pdf(request: Request, caller: Reader, day: Day) -> Response:
    ports = ports_of(request)
    report = await day_report(ports, day)
    return Response(report_pdf(ports, report, language_of(request)), media_type=PDF, headers=_named(f"day-{day}.pdf"))


@router.get("/counts", summary="What the count room entered, with the variance against the metered bets")
async def counts(request: Request, caller: Reader) -> Document:
    return {"counts": [count_view(each) for each in reversed(ports_of(request).accounts.state.counts)]}


@router.post("/counts", summary="Enter the count of a table and shift")
async def enter_count(form: CountForm, request: Request, key: RequestKey, caller: Counter) -> Document:
    ports = ports_of(request)
    ports.table(form.table)
    begin_ms, end_ms = bounds_of(ports, form.shift[:10])
    metered = await table_figures(ports, form.table, begin_ms, end_ms)
    event = CountEntered(form.table, form.shift, form.counted_minor, metered.handle_minor)
    return await acts.do(ports, caller, acts.Target(acts.NODE), event, key)


@router.post(
    "/shifts/close", summary="Ask to close and sign a shift: its figures and every journal's head", status_code=202
)
async def close_shift(form: ShiftForm, request: Request, key: RequestKey, caller: Closer) -> Document:
    ports = ports_of(request)
    report = await day_report(ports, form.shift[:10])
    heads = {name: [journal.head()[0], journal.head()[1].hex()] for name, journal in ports.journals().items()}
    event = ShiftClosed(form.shift, heads, report.plain())
    return await acts.ask(ports, caller, acts.Target(acts.NODE), event, key, Permission.SHIFT)


def count_view(count: Any) -> Document:
    """A count with its variance."""
    return {
        "table": count.table,
        "shift": count.shift,
        "counted_minor": count.counted_minor,
        "metered_minor": count.metered_minor,
        "variance_minor": count.variance_minor,
        "actor": count.actor,
        "at_ms": count.at_ms,
    }


def csv_of(ports: ApiPorts, report: DayReport, language: str) -> str:
    """One line for each table, then one for each movement of a carousel; amounts in units of the currency.

    The header of an amount names the currency. Where the decimal mark is a comma, columns are set apart by semicolons,
    as spreadsheets of that language read and write them.
    """
    texts, words = catalogue(language), Words(ports, language)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";" if GROUPING[language][1] == "," else ",", lineterminator="\r\n")
    unit = ports.config.site.currency

    def amount_of(minor: int) -> str:
        return words.sheet(minor * ports.minor_micros)

    def header(column: str) -> str:
        label = texts.text(f"shift.{column}")
        return f"{label} ({unit})" if column in ("handle", "contributed", "paid") else label

    columns = ("hands", "voids", "bets", "handle", "contributed", "hits", "paid")
    writer.writerow([texts.text("fact.table"), *(header(column) for column in columns)])
    for row in report.tables:
        handle, paid = amount_of(row.handle_minor), amount_of(row.paid_minor)
        figures = (row.hands, row.voids, row.bets, handle, words.sheet(row.contribution_micros), row.hits, paid)
        writer.writerow([safe_cell(words.table_name(row.table)), *figures])
    if report.carousels:
        writer.writerow([])
        heads = [texts.text("fact.carousel"), texts.text("shift.moved"), texts.text("fact.amount")]
        writer.writerow([*heads[:2], f"{heads[2]} ({unit})"])
    for account in report.carousels:
        name = safe_cell(words.carousel_name(account.carousel))
        writer.writerow([name, texts.text("shift.opening"), words.sheet(account.opening_micros)])
        for what, micros in account.moved_micros.items():
            writer.writerow([name, texts.name("moved", what), words.sheet(micros)])
        writer.writerow([name, texts.text("shift.closing"), words.sheet(account.closing_micros)])
    return out.getvalue()


def safe_cell(text: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text


def _named(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'inline; filename="{name}"'}
