"""The devices: what there is, and what was said last on the line of one of them."""

from functools import partial
from typing import Any

from fastapi import Request
from starlette.responses import Response

from controller.api.auth import Caller
from controller.api.context import ApiPorts, ports_of
from controller.api.device_views import devices_view, frames_view, lamps_of
from controller.api.frame_words import frame_said
from controller.api.panel.pages import need_caller, page_language, render, router
from controller.api.roles import Permission
from controller.api.texts import catalogue
from controller.api.views import table_summary

__all__ = ["router"]


def _tables(ports: ApiPorts) -> list[dict[str, Any]]:
    tables = []
    for table_id, desk in ports.tables.items():
        shown = table_summary(ports, table_id)
        views = [{**view, "alarms": alarms_at(shown["alarms"], view)} for view in devices_view(desk)]
        tables.append({**shown, "views": views, "lamps": lamps_of(ports, table_id)})
    return tables


def alarms_at(alarms: list[dict[str, Any]], device: dict[str, Any]) -> list[str]:
    """Alarms that stand because of a device, though its link may be good: its own, and credits unread at its seats."""
    seats = {str(seat) for seat in device["seats"]}
    return [
        alarm["alarm"]
        for alarm in alarms
        if device["name"] in (alarm.get("source"), alarm.get("device"))
        or (alarm["alarm"] == "credits_unread" and seats & set(alarm["seats"].split(", ")))
    ]


@router.get("/devices")
async def devices(request: Request, table: str = "", device: str = "") -> Response:
    """`table` and `device` name the one whose frames are shown."""
    caller: Caller = need_caller(request, Permission.READ_FRAMES if device else Permission.READ)
    ports = ports_of(request)
    frames = frames_view(ports.table(table), device) if device else None
    texts = catalogue(page_language(request, caller))
    return render(
        request,
        "devices.html",
        caller,
        "devices",
        tables=_tables(ports),
        open_table=table,
        open_device=device,
        frames=frames,
        frame_said=partial(frame_said, texts),
    )
