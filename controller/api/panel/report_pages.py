"""Pages of figures: how an amount came about, and the shift."""

from fastapi import Request
from starlette.responses import Response

from controller.api.auth import Caller
from controller.api.context import ApiPorts, ports_of
from controller.api.intervention_papers import told_of
from controller.api.liability import liability
from controller.api.origin import origin
from controller.api.panel.charts import chart_of
from controller.api.panel.filters import Filled
from controller.api.panel.pages import need_caller, page_language, render, router
from controller.api.periods import Period, day_period, open_shift, shift_period
from controller.api.reports import report_of
from controller.api.routes_reports import count_view
from controller.api.texts import catalogue
from controller.api.views import carousel_view
from controller.api.words import Words, today

MOST_MOVEMENTS = 200
"""Movements that the page lists; it says how many lie before them, and each of its sums can be asked."""


@router.get("/origin/{carousel}")
async def amount_origin(carousel: str, request: Request) -> Response:
    caller = need_caller(request)
    ports = ports_of(request)
    shown = carousel_view(ports, ports.host(carousel))
    told = await origin(ports, carousel)
    lines = told["lines"][-MOST_MOVEMENTS:]
    left_off = told["lines_left_off"] + len(told["lines"]) - len(lines)
    told = {**told, "lines": lines}
    return render(request, "origin.html", caller, "seeds", carousel=shown, told=told, left_off=left_off)


def _shown(ports: ApiPorts, filled: Filled, day: str, month: str, shift: int | None) -> Period:
    """The period that a page asks for: a shift, a month, a day, else today; the form then says which day that is."""
    now = today(ports)
    asked = filled.period(ports, day, month) if shift is None else shift_period(ports, shift)
    period = asked or day_period(ports, now)
    as_typed = filled.words.typed
    for name, said in (("day", now), ("month", now[:7])):
        if name not in filled.wrong:
            filled.shown[name] = as_typed(period.name if period.span == name else said)
    return period


@router.get("/shift")
async def shift(request: Request, day: str = "", month: str = "", shift: int | None = None) -> Response:
    caller: Caller = need_caller(request)
    ports = ports_of(request)
    words = Words(ports, page_language(request, caller))
    texts, money = catalogue(words.language), words.functions()["money"]
    filled = Filled(words)
    period = _shown(ports, filled, day, month, shift)
    report = await report_of(ports, period)
    charts = []
    for carousel in ports.hosts:
        drawn = chart_of(report.meters[carousel], period, ports.clock(), ports.config.site.zone, money)
        charts.append({"carousel": carousel, "name": words.carousel_name(carousel), **drawn})
    return render(
        request,
        "shift.html",
        caller,
        "shift",
        report=report,
        period=period,
        filled=filled,
        open_shift=open_shift(ports),
        closed=list(reversed(ports.accounts.state.shifts))[:30],
        today=today(ports),
        held=liability(ports),
        charts=charts,
        people_did=[told_of(words, texts, done) for done in reversed(report.people)],
        counts=[count_view(each) for each in reversed(ports.accounts.state.counts)][:25],
    )
