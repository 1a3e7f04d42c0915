"""Prizes as the API and the panel show them: the carousel's and the draws', with their hold, checks and slip."""

from typing import Any

from controller.api.context import ApiPorts
from controller.core.records import to_record
from controller.engine.table_holds import open_holds
from controller.engine.table_overrides import difference_of, in_force, overridden, paid_difference
from controller.engine.table_papers import prize_facts, slip_number
from controller.engine.table_state import TableState

OPEN = frozenset({"claimed", "held", "pending", "verified", "stopped"})


def prizes_of(state: TableState) -> list[dict[str, Any]]:
    """Every prize a table still names, the carousel's and the draws', oldest hand first."""
    holds = open_holds(state)
    found: list[dict[str, Any]] = []
    for row in state.link.rows.values():
        paid = {"paid_minor": row.paid_minor, "payable_minor": row.payable_minor, "source": "carousel"}
        found.append({"id": row.id, **(prize_facts(state, row.id) or {}), **paid})
    for drawn in state.draw_prizes.values():
        paid = {
            "paid_minor": drawn.amount_minor if drawn.status.value == "paid" else 0,
            "payable_minor": drawn.amount_minor if drawn.status.value in OPEN else 0,
            "source": "draw",
        }
        found.append({"id": drawn.id, **(prize_facts(state, drawn.id) or {}), **paid})
    for prize in found:
        prize["hold"] = to_record(holds[prize["id"]]) if prize["id"] in holds else None
        prize["check"] = to_record(state.checks[prize["id"]]) if prize["id"] in state.checks else None
        prize["slip"] = _slip(state, prize["id"])
        _override(state, prize)
    return sorted(found, key=lambda prize: (prize["hand"], prize["seat"], prize["id"]))


def _override(state: TableState, prize: dict[str, Any]) -> None:
    """What two people have paid instead of the computed amount: `payable_minor` and `paid_minor` are of cash.

    computed_minor: what is payable by the rules; due_minor: what the player gets of the prize in all, and
    difference_minor of it beyond the computed prize, below 0 less.
    """
    override, waits = overridden(state, prize["id"]), in_force(state, prize["id"])
    prize["override"] = to_record(override) if override is not None else None
    prize["computed_minor"] = prize["payable_minor"]
    prize["difference_minor"] = difference_of(state, prize["id"])
    prize["due_minor"] = prize["amount_minor"] + prize["difference_minor"]
    prize["payable_minor"] += waits.difference_minor if waits is not None else 0
    prize["paid_minor"] += paid_difference(state, prize["id"])


def find_prize(state: TableState, prize_id: str) -> dict[str, Any] | None:
    """One prize of a table by id."""
    return next((prize for prize in prizes_of(state) if prize["id"] == prize_id), None)


def largest_of(prize: dict[str, Any]) -> int:
    """The sum that the bounds of a payment are about: the prize's, or what is paid instead where that is more."""
    amount: int = max(prize["amount_minor"], prize["payable_minor"])
    return amount


def by_amount(prizes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The largest first; equals keep their order."""
    return sorted(prizes, key=lambda prize: -(prize["payable_minor"] or prize["amount_minor"]))


def pending_prizes(ports: ApiPorts) -> list[dict[str, Any]]:
    """Prizes that wait for people, at every table of the node, the largest first."""
    waiting = []
    for table in ports.config.tables:
        desk = ports.tables.get(table.id)
        if desk is None:
            continue
        for prize in prizes_of(desk.state):
            if prize["status"] in OPEN:
                needs = largest_of(prize) >= desk.settings.second_person_from_minor
                waiting.append({"table": table.id, "table_name": table.name, "needs_second": needs, **prize})
    return by_amount(waiting)


def _slip(state: TableState, prize_id: str) -> dict[str, Any] | None:
    """The prize's latest slip: its number, its copies, why it is void, what the tax office takes and what is left."""
    slip = state.slips.get(prize_id)
    if slip is None:
        return None
    number = slip_number(state.link.settings.table, state.slip_series, slip.number)
    net = slip.amount_minor + slip.difference_minor - slip.withheld_minor
    said = {"number": number, "copies": slip.copies, "void": slip.void}
    return {**said, "withheld_minor": slip.withheld_minor, "net_minor": net}
