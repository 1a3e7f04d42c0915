"""What the floor shows of its carousels' hosts: alarms that end by themselves, each with whom it is about."""

from typing import Any

from controller.api.context import ApiPorts

ENDING = frozenset(
    {
        "counters_quarantined",
        "table_forked",
        "host_fenced",
        "program_differs",
        "terms_differ",
        "terms_not_taken",
        "table_gone",
        "ledger_elsewhere",
        "ledger_awaited",
    }
)
"""Alarms that last as long as their cause: of others nobody could say at a host that he has seen to them."""


def host_alarms(ports: ApiPorts) -> list[dict[str, Any]]:
    """Open alarms of the hosts of this node, oldest first; `at`: the table or the carousel that each is about."""
    return [
        {"alarm": alarm.code, "at": alarm.source, "detail": alarm.detail}
        for desk in ports.hosts.values()
        for alarm in desk.state.alarms.values()
        if alarm.attention and alarm.code in ENDING
    ]
