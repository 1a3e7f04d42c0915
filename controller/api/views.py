"""States of machines as the API and the panel show them: plain values, amounts in whole minor units."""

from collections.abc import Mapping
from typing import Any

from controller.api.context import ApiPorts
from controller.core.games.game import Box
from controller.core.hands import rank
from controller.core.money import floor_minor
from controller.engine.accounts_state import Approval, ApprovalStatus, User
from controller.engine.host_state import HostState
from controller.engine.member_state import RowStatus
from controller.engine.ports import HostDesk, TableDesk
from controller.engine.table_bets import bets_open
from controller.engine.table_state import Hand, TableSettings, TableState
from controller.engine.table_view import seat_lamps

OPEN = frozenset({"claimed", "held", "pending", "verified", "stopped"})
HIDDEN = frozenset({"secret"})


def hand_named(state: TableState, number: int | None) -> Hand | None:
    """The hand in course or the last one."""
    return next((each for each in (state.hand, state.last) if each is not None and number in (None, each.number)), None)


def prizes_of(state: TableState) -> list[dict[str, Any]]:
    """Every prize a table still names, the carousel's and the draws', oldest hand first."""
    rows = [
        {
            "id": row.id,
            "hand": row.hand,
            "seat": row.seat,
            "category": row.category,
            "amount_minor": row.amount_minor,
            "paid_minor": row.paid_minor,
            "payable_minor": row.payable_minor,
            "status": row.status.value,
            "paid_by": row.paid_by,
            "article": row.article,
            "source": "carousel",
        }
        for row in state.link.rows.values()
    ]
    drawn = [
        {
            "id": prize.id,
            "hand": prize.hand,
            "seat": prize.seat,
            "category": prize.kind,
            "amount_minor": prize.amount_minor,
            "paid_minor": prize.amount_minor if prize.status.value == "paid" else 0,
            "payable_minor": prize.amount_minor if prize.status.value in OPEN else 0,
            "status": prize.status.value,
            "paid_by": "pool" if prize.pool_micros else "house",
            "article": "62" if prize.kind == "carta_magica" else "63",
            "source": "draw",
        }
        for prize in state.draw_prizes.values()
    ]
    return sorted([*rows, *drawn], key=lambda prize: (prize["hand"], prize["seat"], prize["id"]))


def find_prize(state: TableState, prize_id: str) -> dict[str, Any] | None:
    """One prize of a table by id."""
    return next((prize for prize in prizes_of(state) if prize["id"] == prize_id), None)


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
                needs = prize["amount_minor"] >= desk.settings.second_person_from_minor
                waiting.append({"table": table.id, "table_name": table.name, "needs_second": needs, **prize})
    return by_amount(waiting)


def _category(cards: tuple[Any, ...]) -> str | None:
    return rank(cards).category.value if 5 <= len(cards) <= 7 else None


def _box(settings: TableSettings, hand: Hand, seat: int, box: Box | None, lamp: str) -> dict[str, Any]:
    counting = settings.game.jackpot_cards(hand.game, seat) if box is not None else None
    cards = box.cards if box is not None else ()
    return {
        "seat": seat,
        "occupied": box is not None,
        "ante_minor": box.ante_minor if box is not None else 0,
        "stack_minor": box.stack_minor if box is not None else None,
        "credits": hand.credits.get(seat, 0),
        "refused_credits": hand.refused_credits.get(seat, 0),
        "cards": list(cards),
        "category": _category(counting or cards),
        "folded": box is not None and box.folded,
        "bought": box is not None and box.bought,
        "decided": box is not None and box.decided,
        "out_of_jackpot": box is not None and settings.game.lost_jackpot(hand.game, seat),
        "lamp": lamp,
    }


def hand_view(settings: TableSettings, state: TableState, hand: Hand) -> dict[str, Any]:
    """A hand with its boxes, the bank, the board, the draws and the base game's advice."""
    game = settings.game
    boxes = {box.seat: box for box in game.boxes(hand.game)}
    lamps = seat_lamps(settings, state) if hand is state.hand else {}
    advice = {each.seat: each for each in game.settlement(hand.game)}
    rows = []
    for seat in settings.seats:
        lamp = lamps[seat].value if seat in lamps else "off"
        row = _box(settings, hand, seat, boxes.get(seat), lamp)
        if seat in advice:
            row["advice"] = {"reason": advice[seat].reason, "net_minor": advice[seat].net}
        rows.append(row)
    return {
        "number": hand.number,
        "phase": game.phase(hand.game),
        "stage": game.stage(hand.game).value,
        "turn": game.turn(hand.game),
        "closed": hand.closed,
        "void": hand.void,
        "void_called": hand.void_called,
        "prize_called": list(hand.prize_called),
        "revision": hand.revision,
        "boxes": rows,
        "dealer": list(game.dealer(hand.game)),
        "board": list(game.board(hand.game)),
        "draws": [
            {"kind": draw.kind, "outcome": draw.outcome, "named_seat": hand.named.get(draw.kind)} for draw in hand.draws
        ],
        "draw_pending": hand.draw_pending,
    }


def alarms_of(desk: TableDesk) -> list[dict[str, Any]]:
    """What people should look at, by name: calls of the dealer first, then open alarms, then what is not as usual."""
    state = desk.state
    found: list[dict[str, Any]] = []
    if state.hand.prize_called:
        found.append({"alarm": "prize_called", "hand": state.hand.number})
    if state.hand.void_called:
        found.append({"alarm": "void_called", "hand": state.hand.number})
    found += [
        {"alarm": each.code, "source": each.source, "detail": each.detail, "seat": each.seat, "open": True}
        for each in state.alarms.values()
        if each.attention
    ]
    told = {(each["alarm"], each.get("source")) for each in found}
    codes = {code for code, _ in told}
    if not state.link.link_up and "link_lost" not in codes:
        found.append({"alarm": "link_lost"})
    for device in desk.devices():
        if device.link != "up" and ("device_down", device.name) not in told:
            found.append({"alarm": f"device_{device.link}", "device": device.name})
    found += [{"alarm": "bets_stopped", "source": source, "why": why} for source, why in state.stops.items()]
    if state.unread:
        seats = sorted({unread.seat for unread in state.unread.values()})
        found.append({"alarm": "credits_unread", "seats": ", ".join(str(seat) for seat in seats)})
    return found


def table_summary(ports: ApiPorts, table_id: str) -> dict[str, Any]:
    """One line of the floor."""
    desk = ports.table(table_id)
    state, settings = desk.state, desk.settings
    table = ports.config.table(table_id)
    account = state.link.account
    return {
        "id": table_id,
        "name": table.name,
        "game": table.game,
        "carousel": table.carousel_id,
        "linked": table.linked,
        "hand": state.hand.number,
        "phase": settings.game.phase(state.hand.game),
        "stage": settings.game.stage(state.hand.game).value,
        "bets_open": bets_open(settings, state),
        "link_up": state.link.link_up,
        "standing": state.link.standing.value if state.link.standing is not None else None,
        "meter_minor": ports.minor(max(state.link.meter_micros, 0)),
        "own_minor": ports.minor(account.main_micros) if account is not None else 0,
        "seats": [
            {
                "seat": row["seat"],
                "occupied": row["occupied"],
                "credits": row["credits"],
                "out": row["out_of_jackpot"],
                "lamp": row["lamp"],
            }
            for row in hand_view(settings, state, state.hand)["boxes"]
        ],
        "pending": sum(prize["status"] in OPEN for prize in prizes_of(state)),
        "unread_count": len(state.unread),
        "alarms": alarms_of(desk),
        "devices_up": sum(device.link == "up" for device in desk.devices()),
        "devices": len(desk.devices()),
        "seq": desk.journal.head()[0],
    }


def table_view(ports: ApiPorts, table_id: str) -> dict[str, Any]:
    """A table live: everything a pit boss can see of it."""
    desk = ports.table(table_id)
    state, settings = desk.state, desk.settings
    return {
        **table_summary(ports, table_id),
        "credit_minor": settings.jackpot.credit_minor,
        "max_credits": settings.jackpot.max_credits,
        "minimum_minor": settings.minimum_minor,
        "hand_now": hand_view(settings, state, state.hand),
        "hand_last": hand_view(settings, state, state.last) if state.last is not None else None,
        "prizes": prizes_of(state),
        "open_prizes": by_amount([prize for prize in prizes_of(state) if prize["status"] in OPEN]),
        "stops": dict(state.stops),
        "closed_seats": {source: list(seats) for source, seats in state.closed_seats.items()},
        "unread": [
            {
                "id": each.id,
                "hand": each.hand,
                "seat": each.seat,
                "lost_min": each.lost_min,
                "lost_max": each.lost_max,
                "why": each.why,
            }
            for each in state.unread.values()
        ],
        "pools": {kind: ports.minor(micros) for kind, micros in state.pools.items()},
        "open_claims": list(state.link.open_claims),
        "device_views": devices_view(desk),
    }


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
            "last": device.last_text,
        }
        for device in desk.devices()
    ]


def _bound(ports: ApiPorts, micros: int | None) -> int | None:
    return None if micros is None else ports.minor(micros)


def carousel_view(ports: ApiPorts, desk: HostDesk) -> dict[str, Any]:
    """A carousel's ledger: amount, tables, totals over its life, what waits for people."""
    state: HostState = desk.state
    ledger = state.ledger
    named = {carousel.id: carousel.name for carousel in ports.config.carousels}
    alive = desk.alive()
    return {
        "id": desk.carousel,
        "name": named.get(desk.carousel, desk.carousel),
        "phase": state.phase.value,
        "key": state.settings.key,
        "amount_minor": ports.minor(ledger.amount_micros),
        "amount_micros": ledger.amount_micros,
        "epoch": list(state.epoch),
        "seq": ledger.seq,
        "totals_micros": {
            "contributions": ledger.contributions_micros,
            "funding": ledger.funding_micros,
            "adjustments": ledger.adjustments_micros,
            "awards": ledger.awards_micros,
            "transfers": ledger.transfers_micros,
        },
        "tables": [
            {
                "table": table,
                "standing": account.standing.value,
                "main_minor": ports.minor(account.main_micros),
                "main_micros": account.main_micros,
                "reserve_minor": ports.minor(account.reserve_micros),
                "overflow_minor": ports.minor(account.overflow_micros),
                "start_minor": ports.minor(account.start_micros),
                "ceiling_minor": _bound(ports, account.profile.ceiling_micros),
                "alive": alive.get(table),
                "quarantined": table in state.quarantined,
            }
            for table, account in ledger.tables.items()
        ],
        "held": [
            {"claim": key, "revision": answered.revision}
            for key, answered in ledger.awards.items()
            if answered.held and not answered.released
        ],
        "why_fenced": state.why_fenced,
    }


def user_view(user: User) -> dict[str, Any]:
    """An account without its secret."""
    return {
        "login": user.login,
        "name": user.name,
        "role": user.role.value,
        "language": user.language,
        "has_badge": bool(user.badge),
        "disabled": user.disabled,
        "secret_at_ms": user.secret_at_ms,
    }


def without_secrets(value: Mapping[str, Any]) -> dict[str, Any]:
    """A body with the values hidden that nobody should read."""
    return {
        key: "…" if key in HIDDEN else without_secrets(each) if isinstance(each, Mapping) else each
        for key, each in value.items()
    }


def approval_view(ports: ApiPorts, approval: Approval) -> dict[str, Any]:
    """An approval as both people see it."""
    expired = approval.status is ApprovalStatus.OPEN and ports.clock() >= approval.until_ms
    return {
        "id": approval.id,
        "status": "expired" if expired else approval.status.value,
        "act": without_secrets(approval.act),
        "digest": approval.digest,
        "roles": list(approval.roles),
        "asked_by": approval.asked_by,
        "asked_ms": approval.asked_ms,
        "until_ms": approval.until_ms,
        "second": approval.second,
        "settled_ms": approval.settled_ms,
        "effects": [dict(effect) for effect in approval.effects],
        "outcome": dict(approval.outcome),
    }


def meter_minor(ports: ApiPorts, micros: int) -> int:
    """A meter in whole minor units, never below zero."""
    return floor_minor(max(micros, 0), ports.minor_micros)


def is_settled(status: str) -> bool:
    """Whether a row's way has ended."""
    return status in (RowStatus.PAID.value, RowStatus.VOID.value)
