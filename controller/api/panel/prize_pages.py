"""Pages of prizes: the queue, the last ones, and one prize on its way to the player."""

from typing import Any

from fastapi import Request
from starlette.responses import Response

from controller.api.context import ApiPorts, ports_of
from controller.api.panel.pages import need_caller, render, router
from controller.api.prize_story import award_of, hand_void, need_prize, seen_cards, way_of
from controller.api.prize_views import largest_of, pending_prizes
from controller.api.routes_prizes import last_prizes
from controller.api.views import hand_named, open_claims, table_summary
from controller.core.prize_events import CheckItem, HoldReason, OverrideReason, SlipVoidReason
from controller.engine.table_papers import check_list


async def _prizes(ports: ApiPorts) -> dict[str, Any]:
    claims = [
        {**claim, "table": table, "table_name": ports.config.table(table).name}
        for table, desk in ports.tables.items()
        for claim in open_claims(desk.state)
    ]
    return {"pending": pending_prizes(ports), "claims": claims, "last": await last_prizes(ports)}


@router.get("/prizes")
async def prizes(request: Request) -> Response:
    return render(request, "prizes.html", need_caller(request), "prizes", **await _prizes(ports_of(request)))


@router.get("/prizes/{table}")
async def one_prize(table: str, request: Request, prize: str) -> Response:
    caller = need_caller(request)
    ports = ports_of(request)
    found = need_prize(ports, table, prize)
    desk = ports.table(table)
    carousel = ports.config.table(table).carousel_id
    release = {"carousel": carousel, "claim": prize.rpartition("/")[0]} if carousel in ports.hosts else None
    seat = (found["hand"], found["seat"])
    claims = (each for each in open_claims(desk.state) if (each["hand"], each["seat"]) == seat)
    way = [
        {
            "seq": stored.seq,
            "kind": stored.entry.kind,
            "wall_ms": stored.wall_ms,
            "actor": stored.entry.actor,
            "second": stored.entry.body.get("second"),
        }
        for stored in await way_of(ports, table, prize)
    ]
    return render(
        request,
        "prize.html",
        caller,
        "prizes",
        table=table_summary(ports, table),
        prize=found,
        seen_cards=await seen_cards(ports, table, found),
        award=award_of(ports, table, found),
        release=release,
        claim=next(claims, None),
        needs_second=largest_of(found) >= desk.settings.second_person_from_minor,
        way=way,
        hand_void=await hand_void(ports, table, found["hand"]),
        check_items=[item.value for item in CheckItem],
        checks_open=check_list(desk.settings, desk.state, prize, largest_of(found)) is not None,
        withholding=ports.config.papers.withholding.of(found["due_minor"]),
        void_reasons=[reason.value for reason in SlipVoidReason],
        override_reasons=[reason.value for reason in OverrideReason],
        hold_reasons=[reason.value for reason in HoldReason],
        correctable=hand_named(desk.state, found["hand"]) is not None,
    )
