"""The story of one prize: where its amount came from, who verified and paid it, and its slip."""

from typing import Any

from controller.api.context import ApiPorts
from controller.api.panel.words import Words
from controller.api.problems import Problem
from controller.api.routes_journal import newest_entries
from controller.api.slips import Slip
from controller.api.views import find_prize, hand_named
from controller.core.hands import Category
from controller.core.refusal import Refusal, refuse
from controller.engine.host_state import HostState
from controller.engine.ports import StoredEntry

STEPS = ("draw.prize", "draw.prize_verified", "draw.prize_paid", "draw.prize_void", "prize.verified", "prize.paid")
GRANTED, VERIFIED, PAID = ("draw.prize",), ("draw.prize_verified", "prize.verified"), ("draw.prize_paid", "prize.paid")


def need_prize(ports: ApiPorts, table: str, prize_id: str) -> dict[str, Any]:
    """The prize; refused by name when the table does not name it (any more)."""
    found = find_prize(ports.table(table).state, prize_id)
    if found is None:
        raise Problem(refuse(Refusal.UNKNOWN_PRIZE, prize=prize_id[:120]))
    return found


async def way_of(ports: ApiPorts, table: str, prize_id: str) -> list[StoredEntry]:
    """The entries of a prize's way to the player, oldest first."""

    def matches(stored: StoredEntry) -> bool:
        return stored.entry.kind in STEPS and stored.entry.body.get("prize") == prize_id

    found, _ = await newest_entries(ports.table(table).journal, None, 20, matches)
    return list(reversed(found))


def award_of(ports: ApiPorts, table: str, prize: dict[str, Any]) -> dict[str, Any] | None:
    """The meter before the award and what each table pays of it; None where the house pays."""
    if prize["source"] != "carousel" or prize["paid_by"] != "meter":
        return None
    host = ports.hosts.get(ports.config.table(table).carousel_id)
    state: HostState | None = host.state if host is not None else None
    answered = state.ledger.awards.get(prize["id"].rpartition("/")[0]) if state is not None else None
    if answered is None:
        return None
    had = {balance.table: balance.micros for balance in answered.before}
    row = ports.table(table).settings.jackpot.prizes.row(Category(prize["category"]))
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


def seen_cards(ports: ApiPorts, table: str, prize: dict[str, Any]) -> list[str]:
    """The cards of the box that count, else those it has, while the table still holds that hand."""
    desk = ports.table(table)
    hand = hand_named(desk.state, prize["hand"])
    if hand is None:
        return []
    game = desk.settings.game
    box = next((each for each in game.boxes(hand.game) if each.seat == prize["seat"]), None)
    if box is None:
        return []
    return [str(card) for card in game.jackpot_cards(hand.game, prize["seat"]) or box.cards]


async def prize_slip(ports: ApiPorts, table: str, prize_id: str, words: Words) -> Slip:
    """The slip of a prize; its number is the journal entry it rests on: the payment, else what came before it."""
    prize = need_prize(ports, table, prize_id)
    way = await way_of(ports, table, prize_id)
    by_kind = {stored.entry.kind: stored for stored in way}
    journal = ports.table(table).journal
    newest = way[-1] if way else None
    seq = newest.seq if newest is not None else journal.head()[0]
    wall_ms = newest.wall_ms if newest is not None else ports.clock()
    return Slip(
        number=f"{table}-{seq}",
        game=ports.config.table(table).game,
        table=words.table_name(table),
        hand=prize["hand"],
        seat=prize["seat"],
        category=prize["category"],
        cards=", ".join(words.card_name(card) for card in seen_cards(ports, table, prize)),
        article=prize["article"],
        amount_minor=prize["amount_minor"],
        paid_by=prize["paid_by"],
        status=prize["status"],
        when=f"{words.day(wall_ms)} {words.clock(wall_ms)[-8:]}",
        verified_by=_people(by_kind, VERIFIED, words),
        paid_by_people=_people(by_kind, PAID, words),
        entry=f"{journal.name}/{seq}",
        chain=(newest.chain if newest is not None else journal.head()[1]).hex(),
    )


def _people(by_kind: dict[str, StoredEntry], kinds: tuple[str, ...], words: Words) -> str:
    stored = next((by_kind[kind] for kind in kinds if kind in by_kind), None)
    if stored is None:
        return ""
    second = stored.entry.body.get("second")
    first = words.person(stored.entry.actor)
    return f"{first}, {words.person(second)}" if second else first
