"""The story of one prize: where its amount came from, who verified and paid it, and its slip."""

from typing import Any

from controller.api.context import ApiPorts
from controller.api.prize_views import find_prize
from controller.api.problems import Problem
from controller.api.routes_journal import entries_about
from controller.api.slips import Slip
from controller.api.views import hand_named
from controller.api.words import Words
from controller.core.hands import Category
from controller.core.refusal import Refusal, refuse
from controller.engine import subjects
from controller.engine.host_state import HostState
from controller.engine.ports import StoredEntry
from controller.engine.table_hand import counting_cards

STEPS = (
    "draw.prize",
    "draw.prize_verified",
    "draw.prize_paid",
    "draw.prize_void",
    "prize.hold",
    "prize.hold_released",
    "prize.checked",
    "prize.overridden",
    "prize.override_ended",
    "slip.issued",
    "slip.copied",
    "slip.voided",
    "prize.verified",
    "prize.paid",
)
GRANTED, VERIFIED, PAID = ("draw.prize",), ("draw.prize_verified", "prize.verified"), ("draw.prize_paid", "prize.paid")


def need_prize(ports: ApiPorts, table: str, prize_id: str) -> dict[str, Any]:
    """The prize; refused by name when the table does not name it (any more)."""
    found = find_prize(ports.table(table).state, prize_id)
    if found is None:
        raise Problem(refuse(Refusal.UNKNOWN_PRIZE, prize=prize_id[:120]))
    return found


async def way_of(ports: ApiPorts, table: str, prize_id: str) -> list[StoredEntry]:
    """The entries of a prize's way to the player, oldest first."""

    found = await entries_about(ports.table(table).journal, subjects.of_prize(prize_id))
    return [stored for stored in found if stored.entry.kind in STEPS]


def award_of(ports: ApiPorts, table: str, prize: dict[str, Any]) -> dict[str, Any] | None:
    """The meter before the award and what each table pays of it; None where the house pays."""
    if prize["source"] != "carousel" or prize["paid_by"] != "meter":
        return None
    host = ports.hosts.get(ports.config.table(table).carousel_id)
    state: HostState | None = host.state if host is not None else None
    answered = state.ledger.awards.get(prize["id"].rpartition("/")[0]) if state is not None else None
    if state is None or answered is None:
        return None
    had = {balance.table: balance.micros for balance in answered.before}
    row = state.ledger.prizes_of(answered.granted.name).row(Category(prize["category"]))
    return {
        "seq": answered.seq,
        "before_minor": ports.minor(sum(had.values())),
        "percent": row.percent if row is not None else None,
        "tables": [
            {
                "table": change.table,
                "had_minor": ports.minor(had.get(change.table, 0)),
                "pays_minor": ports.minor(change.debit),
            }
            for change in answered.granted.changes
            if change.debit
        ],
    }


async def hand_void(ports: ApiPorts, table: str, number: int) -> dict[str, Any] | None:
    """By whom, when and why a hand was voided; None where it stands."""
    story = await entries_about(ports.table(table).journal, subjects.of_hand(number))
    stored = next((each for each in story if each.entry.kind == "hand.void"), None)
    if stored is None:
        return None
    body = stored.entry.body
    said = {"seq": stored.seq, "wall_ms": stored.wall_ms, "actor": stored.entry.actor}
    return {**said, "reason": body["reason"], "note": body["note"], "second": body.get("second")}


async def seen_cards(ports: ApiPorts, table: str, prize: dict[str, Any]) -> list[str]:
    """The cards of the box that count, else those it has: of a hand that the table holds, or as its end was stored."""
    desk = ports.table(table)
    hand = hand_named(desk.state, prize["hand"])
    if hand is not None:
        played_by = desk.read(hand.settings)
        box = next((each for each in played_by.game.boxes(hand.game) if each.seat == prize["seat"]), None)
        return [] if box is None else [str(card) for card in counting_cards(played_by, hand.game, box)]

    story = await entries_about(desk.journal, subjects.of_hand(prize["hand"]))
    ends = [stored.entry for stored in story if stored.entry.kind in ("hand.over", "hand.corrected")]
    cards = ends[-1].body.get("cards", []) if ends else []
    return next((codes for seat, codes in cards if seat == prize["seat"]), [])


async def slip_facts(ports: ApiPorts, table: str, prize: dict[str, Any], words: Words) -> dict[str, Any]:
    """What a slip says beside the table's own figures: site, table, cards, and who has done what until now."""
    steps = (*GRANTED, *VERIFIED, *PAID)
    way = [stored for stored in await way_of(ports, table, prize["id"]) if stored.entry.kind in steps]
    by_kind = {stored.entry.kind: stored for stored in way}
    hand = await entries_about(ports.table(table).journal, subjects.of_hand(prize["hand"]))
    over = next((stored.wall_ms for stored in hand if stored.entry.kind == "hand.over"), 0)
    return {
        "site": ports.config.site.name,
        "table": words.table_name(table),
        "game": ports.config.table(table).game,
        "cards": await seen_cards(ports, table, prize),
        "when_ms": way[-1].wall_ms if way else ports.clock(),
        "hand_ms": over,
        "verified_by": _people(by_kind, VERIFIED, words),
        "paid_by_people": _people(by_kind, PAID, words),
    }


async def prize_slip(ports: ApiPorts, table: str, prize_id: str) -> Slip:
    """The latest slip of a prize as its entry holds it; refused by name when none was issued."""
    state = ports.table(table).state
    note = state.slips.get(prize_id)
    if note is None:
        raise Problem(refuse(Refusal.SLIP_NOT_ISSUED, prize=prize_id[:120]))
    journal = ports.table(table).journal
    stored = (await journal.find([note.entry]))[note.entry]
    prize = find_prize(state, prize_id)
    gone = prize is not None and prize["status"] == "void"
    paid = await _paid_before_copy(ports, table, prize_id)
    return Slip(
        content=stored.entry.body["content"],
        sha256=stored.entry.body["sha256"],
        copy=note.copies,
        void=note.void or ("prize_changed" if gone else ""),
        issued_ms=stored.wall_ms,
        entry=f"{journal.name}/{stored.seq}",
        chain=stored.chain.hex(),
        paid_ms=paid.wall_ms if paid is not None else 0,
        payers=() if paid is None else tuple(filter(None, (paid.entry.actor, paid.entry.body.get("second")))),
    )


async def _paid_before_copy(ports: ApiPorts, table: str, prize_id: str) -> StoredEntry | None:
    """The payment of a slip that was issued before it, where its newest copy was made after it."""
    paid = told = None
    for stored in await way_of(ports, table, prize_id):
        if stored.entry.kind == "slip.issued":
            paid = told = None
        elif stored.entry.kind in PAID:
            paid = stored
        elif stored.entry.kind == "slip.copied":
            told = paid
    return told


def _people(by_kind: dict[str, StoredEntry], kinds: tuple[str, ...], words: Words) -> str:
    stored = next((by_kind[kind] for kind in kinds if kind in by_kind), None)
    if stored is None:
        return ""
    second = stored.entry.body.get("second")
    first = words.person(stored.entry.actor)
    return f"{first}, {words.person(second)}" if second else first
