"""A table's devices and their last frames as pages and the API tell them."""

from typing import Any

from controller.api.context import ApiPorts
from controller.api.problems import Problem
from controller.core.refusal import Refusal, refuse
from controller.engine.ports import FrameView, TableDesk


def devices_view(desk: TableDesk) -> list[dict[str, Any]]:
    """The table's devices as they are now."""
    return [
        {
            "name": device.name,
            "driver": device.driver,
            "port": device.port,
            "link": device.link,
            "seats": list(device.seats),
            "last_ms": device.last_ms,
            "last": dict(device.last),
        }
        for device in desk.devices()
    ]


def lamps_of(ports: ApiPorts, table_id: str) -> dict[int, tuple[str, ...]]:
    """What lamps each seat has, as they are wired: lamp, invite, out."""
    wired: dict[int, tuple[str, ...]] = {}
    for output in ports.config.table(table_id).outputs:
        if output.seat is not None and output.means not in wired.get(output.seat, ()):
            wired[output.seat] = (*wired.get(output.seat, ()), output.means)
    return dict(sorted(wired.items()))


def frames_view(desk: TableDesk, device: str) -> list[dict[str, Any]]:
    """A device's last frames, newest first; refused by name where there is no such device."""
    found = desk.frames(device)
    if found is None:
        raise Problem(refuse(Refusal.UNKNOWN_DEVICE, device=device[:64]))
    return [_exchange(each) for each in found]


def _exchange(each: FrameView) -> dict[str, Any]:
    return {
        "at_ms": each.at_ms,
        "first_ms": each.first_ms,
        "times": each.times,
        "outcome": each.outcome,
        "withheld": each.withheld,
        "cut": each.cut,
        "parts": [
            {"way": part.way, "hex": part.data.hex(" ").upper(), "bad": part.bad, "fields": dict(part.fields)}
            for part in each.parts
        ],
    }
