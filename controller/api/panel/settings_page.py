"""The page of a table's settings: a form by theme, what waits for its moment, and what happened to them."""

from fastapi import Request
from starlette.responses import Response

from controller.api.context import ports_of
from controller.api.house_rules import days_ahead, history_of, settings_view, tag_of
from controller.api.panel.pages import need_caller, render, router
from controller.api.setting_fields import FIELDS, HANDS, HANDS_BETWEEN, has_row, left_over, shown_themes
from controller.api.views import table_summary


@router.get("/table/{table}/settings")
async def table_settings(table: str, request: Request) -> Response:
    caller = need_caller(request)
    ports = ports_of(request)
    desk = ports.table(table)
    shown = settings_view(desk)
    themes = shown_themes(shown["settings"])
    return render(
        request,
        "table_settings.html",
        caller,
        "floor",
        table=table_summary(ports, table),
        shown=shown,
        tag=tag_of(desk),
        themes=themes,
        fields=FIELDS,
        listed=[hand for hand in HANDS if has_row(shown["settings"], hand)],
        unlisted=[hand for hand in HANDS if not has_row(shown["settings"], hand)],
        hands_between=HANDS_BETWEEN,
        left_over=left_over(shown["settings"], themes),
        history=await history_of(desk),
        days_ahead=days_ahead(ports),
    )
