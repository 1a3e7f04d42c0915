"""States of machines as the API and the panel show them: plain values, amounts in whole minor units."""

from collections.abc import Container, Mapping
from typing import Any

from controller.api.closing import closing_view
from controller.api.context import ApiPorts
from controller.api.device_views import devices_view
from controller.api.lost_awards import to_settle
from controller.api.prize_views import OPEN, by_amount, prizes_of
from controller.core.games.game import Box
from controller.core.hands import rank
from controller.core.money import floor_minor
from controller.core.refusal import Refused
from controller.engine import host_closing, member
from controller.engine.accounts_state import Approval, ApprovalStatus, User
from controller.engine.host_state import HostState
from controller.engine.ledger_records import ClaimName
from controller.engine.ledger_state import ORPHANS, Account, Standing
from controller.engine.member_state import RowStatus
from controller.engine.ports import JOURNAL_SLOW, SLOW_MS, HostDesk, TableDesk
from controller.engine.table_bets import bets_open
from controller.engine.table_decks import decks_in_use
from controller.engine.table_holds import open_holds
from controller.engine.table_pools import left_pools
from controller.engine.table_restored import OUTCOMES
from controller.engine.table_state import Hand, TableSettings, TableState
from controller.engine.table_view import seat_lamps

HIDDEN = frozenset({"secret"})


def hand_named(state: TableState, number: int | None) -> Hand | None:
    """The hand in course or the last one."""
    return next((each for each in (state.hand, state.last) if each is not None and number in (None, each.number)), None)


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
    if desk.writing_ms >= SLOW_MS:  # its own journal tells it only when that is over
        found.append({"alarm": JOURNAL_SLOW, "source": desk.journal.name})
    told = {(each["alarm"], each.get("source")) for each in found}
    codes = {code for code, _ in told}
    if state.link.standing is None:
        found.append({"alarm": "not_enrolled"})
    if not state.link.link_up and "link_lost" not in codes:
        found.append({"alarm": "link_lost"})
    for device in desk.devices():
        if device.link != "up" and ("device_down", device.name) not in told:
            found.append({"alarm": f"device_{device.link}", "device": device.name})
    found += [{"alarm": "bets_stopped", "source": source, "why": why} for source, why in state.stops.items()]
    if state.restored:
        found.append({"alarm": "restored_money"})
    if state.draws_off:
        found.append({"alarm": "draws_off", "why": state.draws_off})
    if state.book.unconfirmed:
        found.append({"alarm": "terms_unconfirmed"})
    if state.link.terms_waiting:
        found.append({"alarm": "terms_on_their_way"})
    if state.unread:
        seats = sorted({unread.seat for unread in state.unread.values()})
        found.append({"alarm": "credits_unread", "seats": ", ".join(str(seat) for seat in seats)})
    return found


def _outside(state: TableState) -> dict[str, str]:
    """The outside input of the draws to come."""
    value, source = state.draws_outside
    return {"value": value, "source": source}


def lamp_view(state: TableState) -> dict[str, Any] | None:
    """The one lamp that is lit for people to look at."""
    tested = state.lamp_on_test
    return None if tested is None else {"seat": tested.seat, "lamp": tested.lamp}


def table_summary(ports: ApiPorts, table_id: str) -> dict[str, Any]:
    """One line of the floor."""
    desk = ports.table(table_id)
    state, settings = desk.state, desk.settings
    table = ports.config.table(table_id)
    account = state.link.ledger.tables.get(table_id)  # the table's pool, whichever incarnation of it brought that
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
        "own_minor": ports.minor(account.main_micros) if account is not None and account.in_carousel else 0,
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
        "pending_hands": sorted({prize["hand"] for prize in prizes_of(state) if prize["status"] in OPEN}),
        "unread_count": len(state.unread),
        "alarms": alarms_of(desk),
        "draws_off": state.draws_off,
        "outside": _outside(state) if settings.draws_outside else None,
        "devices_up": sum(device.link == "up" for device in desk.devices()),
        "devices": len(desk.devices()),
        "lamp_test": state.lamp_test,
        "lamp_on_test": lamp_view(state),
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
        "hand_last": hand_view(desk.read(state.last.settings), state, state.last) if state.last is not None else None,
        "prizes": prizes_of(state),
        "open_prizes": by_amount([prize for prize in prizes_of(state) if prize["status"] in OPEN]),
        "stops": dict(state.stops),
        "settings_pending": state.book.pending is not None,
        "terms_unconfirmed": state.book.unconfirmed,
        "closed_seats": {source: list(seats) for source, seats in state.closed_seats.items()},
        "decks": list(decks_in_use(settings, state)),
        "decks_replaced": dict(state.decks_replaced),
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
        "pools_left": [each["pool"] for each in left_of(ports, table_id)],
        "orphans_minor": ports.minor(state.orphans_micros),
        "open_claims": list(state.link.open_claims),
        "claims": open_claims(state),
        "restored": [
            {
                "id": each.id,
                "kind": each.kind,
                "hand": each.hand,
                "seat": each.seat,
                "amount_minor": ports.minor(each.micros),
                "closed": each.closed,
                "linked_minor": ports.minor(each.shares.meter_micros + each.shares.reserve_micros),
                "outcomes": [outcome.value for outcome in OUTCOMES[each.kind]],
            }
            for each in state.restored.values()
        ],
        "device_views": devices_view(desk),
    }


def open_claims(state: TableState) -> list[dict[str, Any]]:
    """Winners whose claim the carousel has not answered, with what the table's own copy of the ledger gives.

    paid_minor: what was advanced; most_minor: what two people may still advance, 0 while nobody may.
    """
    holds = open_holds(state)
    claims = [state.link.open_claims[key] for key in state.link.open_claims]
    return [
        {
            "hand": each.claim.name.hand,
            "seat": winner.seat,
            "row": each.claim.name.row(winner.seat),
            "category": winner.category.value,
            "estimate_minor": dict(each.estimate).get(winner.seat, 0),
            "paid_minor": row.paid_minor if (row := state.link.rows.get(each.claim.name.row(winner.seat))) else 0,
            "held": each.claim.name.row(winner.seat) in holds,
            "most_minor": _most(state, each.claim.name, winner.seat, holds),
        }
        for each in claims
        for winner in each.claim.winners
    ]


def _most(state: TableState, name: ClaimName, seat: int, holds: Container[str]) -> int:
    most = member.most_advance(state.link, name.hand, seat)
    return 0 if isinstance(most, Refused) or name.row(seat) in holds else max(most, 0)


def _bound(ports: ApiPorts, micros: int | None) -> int | None:
    return None if micros is None else ports.minor(micros)


def _settled(state: HostState, account: Account, unsettled: Container[str]) -> bool | None:
    """Whether nothing of before the jackpot's end is open at a table; None for one that has no say in it."""
    closing = state.ledger.closing
    if closing is None or not closing.closed or account.standing is not Standing.ACTIVE:
        return None
    return account.profile.table not in unsettled


def left_of(ports: ApiPorts, table_id: str) -> list[dict[str, Any]]:
    """What a table holds that none of its draws pays out of any more: former draws' pools, its register of orphans."""
    desk = ports.table(table_id)
    held = left_pools(desk.settings, desk.state)
    if desk.state.orphans_micros:
        held = {**held, ORPHANS: desk.state.orphans_micros}
    return [{"table": table_id, "pool": pool, "micros": micros} for pool, micros in held.items()]


def carousel_view(ports: ApiPorts, desk: HostDesk) -> dict[str, Any]:
    """A carousel's ledger: amount, tables, totals over its life, what waits for people."""
    state: HostState = desk.state
    ledger = state.ledger
    named = {carousel.id: carousel.name for carousel in ports.config.carousels}
    alive, unsettled = desk.alive(), host_closing.unsettled(state)
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
            "transfers": ledger.moved_out_micros,
        },
        "closing": closing_view(ports, ledger),
        "orphans_minor": ports.minor(ledger.orphans_micros),
        "held_minor": ports.minor(sum(account.total_micros for account in ledger.tables.values())),
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
                "settled": _settled(state, account, unsettled),
            }
            for table, account in ((each, ledger.tables[each]) for each in ports.in_order(ledger.tables))
        ],
        "held": [
            {"claim": key, "revision": answered.revision}
            for key, answered in ledger.awards.items()
            if answered.held and not answered.released
        ],
        "to_settle": to_settle(state),
        "waiting": [
            {"table": claim.name.table, "hand": claim.name.hand, "seat": seat, "category": category}
            for claim in state.waiting.values()
            for seat, category in claim.winners
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
        "pin_given": user.secret_given,
    }


def without_secrets(value: Mapping[str, Any]) -> dict[str, Any]:
    """A body with the values hidden that nobody should read."""
    return {
        key: "…" if key in HIDDEN else without_secrets(each) if isinstance(each, Mapping) else each
        for key, each in value.items()
    }


def approval_view(ports: ApiPorts, approval: Approval) -> dict[str, Any]:
    """An approval as both people see it."""
    expired = approval.status is ApprovalStatus.OPEN and not approval.waits_at(ports.clock())
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
