"""The pages of amounts: all there are, and how each came about."""

from typing import Any

from fastapi import Request
from starlette.responses import Response

from controller.api.amounts.ask import trace
from controller.api.amounts.listed import amounts_of_carousel, amounts_of_table, carousels_told
from controller.api.context import ports_of
from controller.api.panel.filters import Filled
from controller.api.panel.pages import need_caller, page_language, render, router
from controller.api.words import Words

__all__ = ["router"]


NEWEST_HANDS = 5
"""Hands whose amounts are listed unasked; a night has hundreds."""


def _split(group: dict[str, Any], hand: int | None) -> dict[str, Any]:
    """Amounts that stand now, and those of earlier hands: of the newest ones, or of the one that is asked for."""
    past = [each for each in group["amounts"] if each.facts.get("hand")]
    hands = sorted({each.facts["hand"] for each in past}, reverse=True)
    shown = {hand} if hand is not None else set(hands[:NEWEST_HANDS])
    listed = sorted((each for each in past if each.facts["hand"] in shown), key=lambda each: -each.facts["hand"])
    now = [each for each in group["amounts"] if not each.facts.get("hand")]
    return {**group, "amounts": now, "past": listed, "past_count": len(past)}


@router.get("/amounts")
async def amounts(request: Request, hand: str = "") -> Response:
    caller = need_caller(request)
    ports = ports_of(request)
    words = Words(ports, page_language(request, caller))
    told = carousels_told(ports)
    linked = [carousel.id for carousel in ports.config.carousels if carousel.id in told]
    filled = Filled(words)
    number = filled.number("hand", hand)
    groups: list[dict[str, Any]] = [
        {"id": f"carousel-{name}", "name": words.carousel_name(name), "amounts": amounts_of_carousel(ports, name)}
        for name in linked
    ]
    groups += [
        {"id": f"table-{name}", "name": words.table_name(name), "amounts": amounts_of_table(ports, name)}
        for name in ports.tables
    ]
    split = [_split(group, number) for group in groups]
    return render(request, "amounts.html", caller, "seeds", groups=split, hand=number, filled=filled)


@router.get("/amount")
async def amount(request: Request, of: str = "") -> Response:
    caller = need_caller(request)
    ports = ports_of(request)
    told = (await trace(ports, of)).plain(ports.minor_micros)
    return render(request, "amount.html", caller, "seeds", told=told)
