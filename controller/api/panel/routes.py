"""The panel's addresses: pages, their live parts, and the static files."""

from typing import Any

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, RedirectResponse, Response

from controller.api import acts
from controller.api.auth import Caller, find_caller
from controller.api.context import ApiPorts, ports_of
from controller.api.effects import effects_of
from controller.api.fonts import FONTS, font_file
from controller.api.origin import meter_history, origin
from controller.api.panel.pages import STATIC, need_caller, open_approvals, page_language, render, router
from controller.api.panel.words import Words, chart_of, today
from controller.api.prize_story import award_of, need_prize, seen_cards, way_of
from controller.api.problems import Problem
from controller.api.reports import day_report
from controller.api.roles import Permission
from controller.api.routes_journal import entry_view, matching, newest_entries
from controller.api.routes_prizes import last_prizes
from controller.api.routes_reports import count_view
from controller.api.views import (
    approval_view,
    carousel_view,
    devices_view,
    find_prize,
    hand_named,
    hand_view,
    pending_prizes,
    prizes_of,
    table_summary,
    table_view,
    user_view,
)
from controller.core.cards import DECK
from controller.core.events import HandVoided, Key, VoidReason
from controller.core.games.layout import DEALER
from controller.core.refusal import Refusal, refuse
from controller.engine.accounts_state import Role

__all__ = ["router"]

VOID_REASONS = (
    (VoidReason.DEAL_ERROR, "68"),
    (VoidReason.BANK_CARD_EXPOSED, "69"),
    (VoidReason.WRONG_CARD_COUNT, "68"),
    (VoidReason.EXCHANGED_INFORMATION, "67"),
    (VoidReason.FOREIGN_BET, "70"),
    (VoidReason.DEVICE_FAULT, ""),
    (VoidReason.OTHER, ""),
)
KINDS = (
    "prize.",
    "draw.",
    "hand.",
    "credit",
    "bets.",
    "key.",
    "link.",
    "ledger.",
    "device",
    "login.",
    "approval.",
    "user.",
)


def _floor(ports: ApiPorts) -> dict[str, Any]:
    tables = [table_summary(ports, table_id) for table_id in ports.tables]
    alarms = grouped_alarms(tables)
    linked = {carousel.id for carousel in ports.config.carousels}
    return {
        "tables": tables,
        "carousels": [
            {**carousel_view(ports, desk), "linked": desk.carousel in linked} for desk in ports.hosts.values()
        ],
        "pending": pending_prizes(ports),
        "approvals": open_approvals(ports),
        "alarms": alarms,
    }


def grouped_alarms(tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The floor's alarms; one that stands at several tables alike (the clock, the disk, the broker) is told once."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for table in tables:
        for alarm in table["alarms"]:
            shared = alarm["alarm"] in ("clock_unsynchronised", "disk_low", "broker_open")
            key = (alarm["alarm"], "" if shared else table["id"], str(alarm))
            found[key] = alarm if shared else {**alarm, "table_name": table["name"], "table": table["id"]}
    return list(found.values())


@router.get("/")
async def floor(request: Request) -> Response:
    return render(request, "floor.html", need_caller(request), "floor", **_floor(ports_of(request)))


@router.get("/parts/floor")
async def floor_part(request: Request) -> Response:
    return render(request, "floor_part.html", need_caller(request), **_floor(ports_of(request)))


@router.get("/login")
async def login(request: Request) -> Response:
    if find_caller(request) is not None:
        return RedirectResponse("/", 303)
    return render(request, "login.html", None)


@router.get("/table/{table}")
async def table(table: str, request: Request) -> Response:
    caller = need_caller(request)
    keys = [key.value for key in Key]
    return render(request, "table.html", caller, "floor", table=table_view(ports_of(request), table), keys=keys)


@router.get("/parts/table/{table}")
async def table_part(table: str, request: Request) -> Response:
    return render(request, "table_part.html", need_caller(request), table=table_view(ports_of(request), table))


@router.get("/table/{table}/void")
async def void(table: str, request: Request, hand: int) -> Response:
    caller = need_caller(request, Permission.HANDS)
    ports = ports_of(request)
    _need_hand(ports, table, hand)
    effects = effects_of(ports, acts.table(table), HandVoided(VoidReason.OTHER, "", hand))
    reasons = [(reason.value, article) for reason, article in VOID_REASONS]
    summary = table_summary(ports, table)
    return render(
        request, "void.html", caller, "floor", table=summary, hand=hand, effects=effects, void_reasons=reasons
    )


@router.get("/table/{table}/cards")
async def cards(table: str, request: Request, hand: int) -> Response:
    caller = need_caller(request, Permission.HANDS)
    ports = ports_of(request)
    shown = _need_hand(ports, table, hand)
    return render(request, "cards.html", caller, "floor", table=table_summary(ports, table), hand=shown)


@router.get("/table/{table}/correct")
async def correct(table: str, request: Request, hand: int, place: str) -> Response:
    caller = need_caller(request, Permission.HANDS)
    ports = ports_of(request)
    shown = _need_hand(ports, table, hand)
    box = next((each for each in shown["boxes"] if f"seat-{each['seat']}" == place), None)
    old = shown["dealer"] if place == DEALER else shown["board"] if place == "board" else box["cards"] if box else []
    out = {card for each in shown["boxes"] for card in each["cards"]} | set(shown["dealer"]) | set(shown["board"])
    words = Words(ports, page_language(request, caller)).functions()
    return render(
        request,
        "correct.html",
        caller,
        "floor",
        table=table_summary(ports, table),
        hand=shown,
        place=place,
        place_words=words["place_name"](place),
        old=old,
        out=out,
        category=box["category"] if box else None,
        deck=[str(card) for card in sorted(DECK, key=lambda card: (card[1], DECK.index(card)))],
        prizes=[
            prize
            for prize in prizes_of(ports.table(table).state)
            if box and prize["hand"] == hand and prize["seat"] == box["seat"] and prize["status"] != "void"
        ],
    )


def _need_hand(ports: ApiPorts, table: str, number: int) -> dict[str, Any]:
    desk = ports.table(table)
    hand = hand_named(desk.state, number)
    if hand is None:
        raise Problem(refuse(Refusal.UNKNOWN_HAND, hand=number))
    return hand_view(desk.settings, desk.state, hand)


@router.get("/table/{table}/stop")
async def stop(table: str, request: Request) -> Response:
    caller = need_caller(request, Permission.BETS)
    return render(request, "stop.html", caller, "floor", table=table_summary(ports_of(request), table))


def _prizes(ports: ApiPorts) -> dict[str, Any]:
    return {"pending": pending_prizes(ports), "last": last_prizes(ports)}


@router.get("/prizes")
async def prizes(request: Request) -> Response:
    return render(request, "prizes.html", need_caller(request), "prizes", **_prizes(ports_of(request)))


@router.get("/parts/prizes")
async def prizes_part(request: Request) -> Response:
    return render(request, "prizes_part.html", need_caller(request), **_prizes(ports_of(request)))


@router.get("/prizes/{table}")
async def one_prize(table: str, request: Request, prize: str) -> Response:
    caller = need_caller(request)
    ports = ports_of(request)
    found = need_prize(ports, table, prize)
    desk = ports.table(table)
    carousel = ports.config.table(table).carousel_id
    release = {"carousel": carousel, "claim": prize.rpartition("/")[0]} if carousel in ports.hosts else None
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
        seen_cards=seen_cards(ports, table, found),
        award=award_of(ports, table, found),
        release=release,
        needs_second=found["amount_minor"] >= desk.settings.second_person_from_minor,
        way=way,
    )


@router.get("/seeds")
async def seeds(request: Request) -> Response:
    ports = ports_of(request)
    carousels = [carousel_view(ports, desk) for desk in ports.hosts.values()]
    return render(request, "seeds.html", need_caller(request), "seeds", carousels=carousels)


@router.get("/seeds/{carousel}/{table}")
async def seed(carousel: str, table: str, request: Request, what: str = "start") -> Response:
    caller = need_caller(request, Permission.SEED_START)
    ports = ports_of(request)
    shown = carousel_view(ports, ports.host(carousel))
    row = next((each for each in shown["tables"] if each["table"] == table), None)
    if row is None or what not in ("start", "adjust", "transfer"):
        raise Problem(refuse(Refusal.UNKNOWN_TABLE, table=table[:64]))
    return render(request, "seed.html", caller, "seeds", carousel=shown, row=row, what=what)


@router.get("/approvals")
async def approvals(request: Request) -> Response:
    caller = need_caller(request)
    ports = ports_of(request)
    found = [approval_view(ports, each) for each in reversed(list(ports.accounts.state.approvals.values()))]
    return render(request, "approvals.html", caller, "approvals", approvals=found)


@router.get("/approvals/{approval}")
async def approval(approval: str, request: Request) -> Response:
    caller = need_caller(request)
    ports = ports_of(request)
    found = approval_view(ports, acts.find_approval(ports, approval))
    target = acts.Target.parse(found["act"]["target"])
    named = found["act"]["event"].get("prize")
    prize = find_prize(ports.table(target.id).state, named) if named and target.id in ports.tables else None
    cards = seen_cards(ports, target.id, prize) if prize is not None else []
    return render(request, "approval.html", caller, "approvals", approval=found, prize=prize, seen_cards=cards)


@router.get("/journal")
async def journal(
    request: Request, journal: str = "", kind: str = "", hand: str = "", actor: str = "", before: int | None = None
) -> Response:
    caller = need_caller(request, Permission.READ_JOURNAL)
    ports = ports_of(request)
    names = list(ports.journals())
    reader = ports.journal(journal or names[0])
    number = int(hand) if hand.isdigit() else None
    found, next_before = await newest_entries(reader, before, 50, matching(kind, actor, number))
    seq, chain = reader.head()
    return render(
        request,
        "journal.html",
        caller,
        "journal",
        journals=names,
        journal=reader.name,
        kinds=KINDS,
        kind=kind,
        hand=number,
        actor=actor,
        entries=[entry_view(stored) for stored in found],
        next_before=next_before,
        head_seq=seq,
        head_chain=chain.hex(),
    )


def _devices(ports: ApiPorts) -> dict[str, Any]:
    return {
        "tables": [
            {**table_summary(ports, table_id), "views": devices_view(desk)} for table_id, desk in ports.tables.items()
        ]
    }


@router.get("/devices")
async def devices(request: Request) -> Response:
    return render(request, "devices.html", need_caller(request), "devices", **_devices(ports_of(request)))


@router.get("/parts/devices")
async def devices_part(request: Request) -> Response:
    return render(request, "devices_part.html", need_caller(request), **_devices(ports_of(request)))


@router.get("/origin/{carousel}")
async def amount_origin(carousel: str, request: Request) -> Response:
    caller = need_caller(request)
    ports = ports_of(request)
    shown = carousel_view(ports, ports.host(carousel))
    told = await origin(ports, carousel)
    return render(request, "origin.html", caller, "seeds", carousel=shown, told={**told, "lines": told["lines"][-200:]})


@router.get("/shift")
async def shift(request: Request, day: str = "") -> Response:
    caller: Caller = need_caller(request)
    ports = ports_of(request)
    words = Words(ports, page_language(request, caller))
    money = words.functions()["money"]
    charts = []
    for carousel in ports.hosts:
        points = (await meter_history(ports, carousel))["points"]
        charts.append({"name": words.carousel_name(carousel), **chart_of(points, money)})
    return render(
        request,
        "shift.html",
        caller,
        "shift",
        report=await day_report(ports, day or today(ports)),
        charts=charts,
        counts=[count_view(each) for each in reversed(ports.accounts.state.counts)][:25],
    )


@router.get("/users")
async def users(request: Request) -> Response:
    caller = need_caller(request, Permission.READ_USERS)
    found = [user_view(user) for user in ports_of(request).accounts.state.users.values()]
    return render(request, "users.html", caller, "users", users=found, roles=[role.value for role in Role])


@router.get("/account")
async def account(request: Request) -> Response:
    return render(request, "account.html", need_caller(request))


@router.get("/static/panel/{name}")
async def static(name: str) -> Response:
    known = {path.name: path for path in STATIC.iterdir()}
    if name not in known:
        raise HTTPException(404)
    return FileResponse(known[name], headers={"Cache-Control": "no-cache"})


@router.get("/static/fonts/{name}")
async def font(name: str) -> Response:
    if name not in FONTS:
        raise HTTPException(404)
    return FileResponse(font_file(name), media_type="font/ttf", headers={"Cache-Control": "max-age=86400"})
