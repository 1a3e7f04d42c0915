"""The panel's addresses: pages and the static files."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any

from fastapi import Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, RedirectResponse, Response

from controller.api import acts, targets
from controller.api.auth import find_caller
from controller.api.closing import local_day
from controller.api.context import ApiPorts, ports_of
from controller.api.fonts import FONTS, font_file
from controller.api.host_alarms import host_alarms
from controller.api.kept import Span
from controller.api.panel import (
    amounts,
    device_pages,
    feed,
    hand_pages,
    prize_pages,
    report_pages,
    settings_page,
    table_pages,
)
from controller.api.panel.filters import Filled
from controller.api.panel.pages import STATIC, need_caller, open_approvals, page_language, render, router
from controller.api.panel.who import logins_of
from controller.api.pins import pin_life
from controller.api.prize_story import seen_cards
from controller.api.prize_views import find_prize, pending_prizes
from controller.api.problems import Problem
from controller.api.roles import Permission
from controller.api.routes_access import newest_accesses
from controller.api.routes_journal import entry_view, hand_of, matching, may_leave, newest_entries, table_of
from controller.api.spans import span_between
from controller.api.views import (
    approval_view,
    carousel_view,
    left_of,
    table_summary,
    table_view,
    user_view,
)
from controller.api.words import Words
from controller.core.causes import CAUSES, PoolChange
from controller.core.events import Key
from controller.core.refusal import Refusal, refuse
from controller.engine.accounts_state import Role
from controller.engine.table_pools import pools_in_force

__all__ = [
    "amounts",
    "device_pages",
    "feed",
    "hand_pages",
    "prize_pages",
    "report_pages",
    "router",
    "settings_page",
    "table_pages",
]

NOTHING = Span(0, 0)
"""The entries that a form finds while something is wrong with it."""
KINDS = (
    "prize.",
    "draw.",
    "hand.",
    "credit",
    "bets.",
    "settings.",
    "key.",
    "link.",
    "ledger.",
    "device",
    "login.",
    "access.",
    "approval.",
    "user.",
)

Asked = Annotated[str, Query(alias="from")]
Until = Annotated[str, Query(alias="to")]
"""Days of a list, as its form sends them or as people write them."""

GROUPED: Mapping[str, tuple[str, ...]] = {"prize.": ("prize.", "draw.prize")}
"""Kinds that people look for under one name: prizes of a draw are prizes too."""


def _floor(ports: ApiPorts) -> dict[str, Any]:
    tables = [table_summary(ports, table_id) for table_id in ports.tables]
    tables = [{**table, "own_alarms": own_alarms(table)} for table in tables]
    linked = {carousel.id for carousel in ports.config.carousels}
    carousels = [{**carousel_view(ports, desk), "linked": desk.carousel in linked} for desk in ports.hosts.values()]
    alarms = [*grouped_alarms(tables), *host_alarms(ports)]
    return {
        "tables": tables,
        "carousels": carousels,
        "pending": pending_prizes(ports),
        "approvals": open_approvals(ports),
        "alarms": alarms,
    }


SHARED = ("clock_unsynchronised", "clock_jumped", "disk_low", "replica_missing", "journal_slow", "broker_open")
"""Alarms of the node, which stand at each of its tables alike."""
FIRST = ("prize_called", "void_called", "bets_stopped", "not_enrolled", "link_lost", "terms_unconfirmed")
"""Alarms that a table's card names before others: what waits for a person, and what stops the jackpot."""


def own_alarms(table: dict[str, Any]) -> list[dict[str, Any]]:
    """A table's alarms without those of its node, the ones that stop it or wait for a person first."""
    own = [alarm for alarm in table["alarms"] if alarm["alarm"] not in SHARED]
    return sorted(own, key=lambda alarm: FIRST.index(alarm["alarm"]) if alarm["alarm"] in FIRST else len(FIRST))


def grouped_alarms(tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The floor's alarms; one that stands at several tables alike (the clock, the disk, the broker) is told once."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for table in tables:
        for alarm in table["alarms"]:
            shared = alarm["alarm"] in SHARED
            key = (alarm["alarm"], "" if shared else table["id"], str(alarm))
            found[key] = alarm if shared else {**alarm, "table_name": table["name"], "table": table["id"]}
    return list(found.values())


@router.get("/")
async def floor(request: Request) -> Response:
    return render(request, "floor.html", need_caller(request), "floor", **_floor(ports_of(request)))


@router.get("/login")
async def login(request: Request) -> Response:
    if find_caller(request) is not None:
        return RedirectResponse("/", 303)
    return render(request, "login.html", None)


@router.get("/table/{table}")
async def table(table: str, request: Request) -> Response:
    caller = need_caller(request)
    keys = [key.value for key in Key]
    causes = [cause.value for cause in CAUSES[PoolChange.LEAVE]]
    shown = table_view(ports_of(request), table)
    return render(request, "table.html", caller, "floor", table=shown, keys=keys, leave_causes=causes)


@router.get("/table/{table}/stop")
async def stop(table: str, request: Request) -> Response:
    caller = need_caller(request, Permission.BETS)
    return render(request, "stop.html", caller, "floor", table=table_summary(ports_of(request), table))


@router.get("/seeds")
async def seeds(request: Request) -> Response:
    ports = ports_of(request)
    earliest = local_day(ports, ports.clock()) + timedelta(days=ports.config.closing.notice_days)
    return render(
        request,
        "seeds.html",
        need_caller(request),
        "seeds",
        carousels=[carousel_view(ports, desk) for desk in ports.hosts.values()],
        left=[each for table in ports.tables for each in left_of(ports, table)],
        draws={table: pools_in_force(desk.settings) for table, desk in ports.tables.items()},
        notice_days=ports.config.closing.notice_days,
        earliest=earliest.isoformat(),
        causes={change.value: [cause.value for cause in CAUSES[change]] for change in CAUSES},
    )


@router.get("/seeds/{carousel}/{table}")
async def seed(carousel: str, table: str, request: Request, what: str = "start") -> Response:
    caller = need_caller(request, Permission.SEED_START if what == "start" else Permission.SEED_METER)
    ports = ports_of(request)
    shown = carousel_view(ports, ports.host(carousel))
    row = next((each for each in shown["tables"] if each["table"] == table), None)
    if row is None or what not in ("start", "adjust", "transfer"):
        raise Problem(refuse(Refusal.UNKNOWN_TABLE, table=table[:64]))
    changes = {
        "start": [PoolChange.START],
        "adjust": [PoolChange.RAISE, PoolChange.LOWER_RESERVE],
        "transfer": [PoolChange.TRANSFER],
    }[what]
    causes = list(dict.fromkeys(cause.value for change in changes for cause in CAUSES[change]))
    return render(request, "seed.html", caller, "seeds", carousel=shown, row=row, what=what, causes=causes)


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
    target = targets.Target.parse(found["act"]["target"])
    named = found["act"]["event"].get("prize")
    prize = find_prize(ports.table(target.id).state, named) if named and target.id in ports.tables else None
    cards = await seen_cards(ports, target.id, prize) if prize is not None else []
    return render(request, "approval.html", caller, "approvals", approval=found, prize=prize, seen_cards=cards)


@router.get("/journal")
async def journal(
    request: Request,
    journal: str = "",
    kind: str = "",
    hand: str = "",
    actor: str = "",
    before: int | None = None,
    first: Asked = "",
    last: Until = "",
) -> Response:
    caller = need_caller(request, Permission.READ_JOURNAL)
    ports = ports_of(request)
    names = list(ports.journals())
    reader = ports.journal(journal or names[0])
    language = page_language(request, caller)
    filled = Filled(Words(ports, language))
    number, days = filled.number("hand", hand), filled.days(first, last)
    logins = logins_of(ports, language, actor)
    own = table_of(reader.name)
    wanted = matching(GROUPED.get(kind, kind), logins, number, own)
    within = NOTHING if filled.wrong else await span_between(ports, reader, *days)
    found, next_before = await newest_entries(reader, before, 50, wanted, hand_of(number), within)
    seq, chain = reader.head()
    return render(
        request,
        "journal.html",
        caller,
        "journal",
        journals=names,
        journal=reader.name,
        may_leave=may_leave(ports, reader),
        kinds=KINDS,
        kind=kind,
        hand=number,
        actor=actor,
        days=days,
        filled=filled,
        people=[user.name for user in ports.accounts.state.users.values()],
        entries=[entry_view(stored) for stored in found],
        own=own,
        next_before=next_before,
        head_seq=seq,
        head_chain=chain.hex(),
    )


@router.get("/users")
async def users(request: Request) -> Response:
    caller = need_caller(request, Permission.READ_USERS)
    ports = ports_of(request)
    people = ports.accounts.state.users
    return render(
        request,
        "users.html",
        caller,
        "users",
        users=[user_view(user) for user in people.values()],
        lives={login: pin_life(ports, user) for login, user in people.items()},
        roles=[role.value for role in Role],
    )


@router.get("/access")
async def access(
    request: Request, person: str = "", before: int | None = None, first: Asked = "", last: Until = ""
) -> Response:
    caller = need_caller(request, Permission.READ_USERS)
    ports = ports_of(request)
    language = page_language(request, caller)
    filled, logins = Filled(Words(ports, language)), logins_of(ports, language, person)
    days = filled.days(first, last)
    within = NOTHING if filled.wrong else await span_between(ports, ports.accounts.journal, *days)
    found, next_before = await newest_accesses(ports, logins, before, 100, within)
    return render(
        request,
        "access.html",
        caller,
        "access",
        entries=found,
        person_asked=person,
        days=days,
        filled=filled,
        next_before=next_before,
        people=[user.name for user in ports.accounts.state.users.values()],
    )


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
