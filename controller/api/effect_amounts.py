"""Where the amount that an act would change can be asked, by the name of its effect."""

from collections.abc import Mapping
from typing import Any

from controller.api.context import ApiPorts
from controller.api.origin import copy_at
from controller.api.prize_views import prizes_of

Effect = Mapping[str, Any]


def asked_effects(ports: ApiPorts, target: str, event: Mapping[str, Any], effects: Any) -> list[dict[str, Any]]:
    """Effects of an act that nobody has asked for yet, each with the address of the amount as it stands now."""
    return [{**each, "of": amount_of(ports, target, event, each)} for each in effects]


def amount_of(ports: ApiPorts, target: str, event: Mapping[str, Any], effect: Effect) -> str:
    """The address of an effect's amount; empty where it has none but the request's own.

    target: `table:t1`, `carousel:gran`; event: the act as it is recorded.
    """
    kind, _, name = target.partition(":")
    if effect["unit"] != "minor" or (kind == "table" and name not in ports.tables):
        return ""
    here = f"{kind}/{name}"
    if kind == "table":
        return _at_table(ports, name, here, event, effect)
    return _at_carousel(here, effect)


def _at_table(ports: ApiPorts, table: str, here: str, event: Mapping[str, Any], effect: Effect) -> str:
    where, prize = effect["where"], event.get("prize")
    match effect["what"]:
        case "bets_returned":
            return f"{here}/hand/{event['hand']}/bets"
        case "carousel_meter":
            return f"carousel/{ports.config.table(table).carousel_id}/meter{copy_at(ports, table)}"
        case "prize_cancelled":
            return _prize_at(ports, table, here, event["hand"], effect, "prize", "amount_minor")
        case "prize_kept":
            return _prize_at(ports, table, here, event["hand"], effect, "paid", "paid_minor")
        case "prize_paid" if prize:
            return f"{here}/paid/{prize}"
        case "prize_released" | "prize_override" if prize:
            return f"{here}/payable/{prize}"
        case "box_result":
            return f"{here}/result/{event['hand']}/{where['seat']}"
        case "stack":
            return f"{here}/stack/{where['seat']}"
        case "draw_pool":
            return f"{here}/pool/{where['draw']}"
        case "orphans":
            return f"{here}/orphans"
    return ""


def _prize_at(ports: ApiPorts, table: str, here: str, hand: int, effect: Effect, what: str, field: str) -> str:
    """The prize of a box that a correction or a void takes back, or what was paid of it: of two the one of this amount.

    what: how an address calls it; field: where the prize has it. Requests of before name no category.
    """
    where = effect["where"]
    wanted = (hand, where["seat"], effect["before"])
    found = (
        each["id"]
        for each in prizes_of(ports.table(table).state)
        if (each["hand"], each["seat"], each[field]) == wanted and where.get("category") in (None, each["category"])
    )
    prize = next(found, "")
    return f"{here}/{what}/{prize}" if prize else ""


def _at_carousel(here: str, effect: Effect) -> str:
    table = effect["where"].get("table", "")
    places = {
        "carousel_meter": f"{here}/meter",
        "table_meter": f"{here}/main/{table}",
        "table_reserve": f"{here}/reserve/{table}",
        "start_value": f"{here}/start/{table}",
        "orphans": f"{here}/orphans",
        "pools_moved": f"{here}/pools",
    }
    return places.get(effect["what"], "")
