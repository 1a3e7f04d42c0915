"""Pages of a table beside its live one: the terms it plays by."""

from fastapi import Request
from starlette.responses import Response

from controller.api.context import ports_of
from controller.api.panel.pages import need_caller, render, router
from controller.api.terms import terms_view
from controller.api.views import table_summary

__all__ = ["router"]


@router.get("/table/{table}/terms")
async def terms(table: str, request: Request) -> Response:
    caller = need_caller(request)
    ports = ports_of(request)
    shown = table_summary(ports, table)
    return render(request, "terms.html", caller, "floor", table=shown, terms=terms_view(ports, table))
