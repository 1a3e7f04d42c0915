"""Prizes that a table or a carousel names no longer: as the table's journal and the carousel's records have them."""

from collections.abc import Sequence
from typing import Any

from controller.api.context import ApiPorts
from controller.api.origin import ledger_of, ledger_steps, trail_of
from controller.api.prize_views import find_prize
from controller.api.routes_journal import entries_about
from controller.core.prizes import PaidBy
from controller.engine import subjects
from controller.engine.ledger_records import PrizeRow
from controller.engine.ledger_state import Answered, LedgerState
from controller.engine.ports import StoredEntry

Prize = dict[str, Any]
PAYMENTS = ("prize.paid", "draw.prize_paid")


async def ledger_with(ports: ApiPorts, carousel: str, key: str) -> LedgerState | None:
    """The ledger in which an award stands: as it is, else as it last was before the award was let go.

    Its records are folded from the nearest place that is known to lie before; one state at a time is kept.
    """
    ledger = ledger_of(ports, carousel)[1]
    if key in ledger.awards:
        return ledger
    if not _was_answered(ledger, key):
        return None
    async for step in ledger_steps(ports, carousel, trail_of(ports, carousel).record_holding(key)):
        if key in step.before.awards and key not in step.after.awards:
            return step.before
    return None


def _was_answered(ledger: LedgerState, key: str) -> bool:
    """Whether the ledger may have let such an award go; of an incarnation that has ended it knows no hands."""
    table, _, rest = key.partition("/")
    incarnation, _, hand = rest.partition("/")
    account = ledger.tables.get(table)
    if account is None or not (hand.isascii() and hand.isdigit() and len(hand) < 16):
        return False
    if incarnation != account.profile.incarnation:
        return incarnation in account.past
    return int(hand) <= account.closed_hand or int(hand) in account.closed_hands


def award_row(answered: Answered | None, seat: str) -> PrizeRow | None:
    """A seat's row of an award, by the seat as addresses write it."""
    return None if answered is None else next((row for row in answered.granted.rows if str(row.seat) == seat), None)


async def prize_named(ports: ApiPorts, table: str, prize_id: str) -> Prize | None:
    """A prize as `prizes_of` tells it, or in the same words what the journals have of one that is no longer named."""
    found = find_prize(ports.table(table).state, prize_id)
    if found is not None:
        return found
    told = await entries_about(ports.table(table).journal, subjects.of_prize(prize_id))
    granted = [stored for stored in told if stored.entry.kind == "draw.prize"]
    facts = _drawn(granted[-1], told) if granted else await _awarded(ports, table, prize_id)
    if facts is None:
        return None
    return _with_cash(ports, table, {"id": prize_id, **facts}, await story_of(ports, table, {"id": prize_id, **facts}))


def _drawn(granted: StoredEntry, told: Sequence[StoredEntry]) -> Prize:
    body = granted.entry.body
    void = any(each.entry.kind == "draw.prize_void" and each.seq > granted.seq for each in told)
    return {
        "source": "draw",
        "hand": body["hand"],
        "seat": body["seat"],
        "category": body["kind"],
        "amount_minor": body["amount_minor"],
        "pool_micros": body["pool_micros"],
        "article": body["article"],
        "paid_by": "pool" if body["pool_micros"] else PaidBy.HOUSE.value,
        "status": "void" if void else "paid",
    }


async def _awarded(ports: ApiPorts, table: str, prize_id: str) -> Prize | None:
    key, _, seat = prize_id.rpartition("/")
    if not key.startswith(f"{table}/"):
        return None
    ledger = await ledger_with(ports, ports.config.table(table).carousel_id, key)
    answered = None if ledger is None else ledger.awards.get(key)
    row = award_row(answered, seat)
    if answered is None or row is None:
        return None
    return {
        "source": "carousel",
        "hand": answered.granted.name.hand,
        "seat": row.seat,
        "category": row.category,
        "amount_minor": row.amount_minor,
        "article": row.article,
        "paid_by": row.paid_by,
        "status": "paid",
    }


async def story_of(ports: ApiPorts, table: str, prize: Prize) -> list[StoredEntry]:
    """The entries about a prize, oldest first; of the carousel's also what was advanced before it was awarded, and
    what two people said of it after a restore."""
    journal = ports.table(table).journal
    found = {stored.seq: stored for stored in await entries_about(journal, subjects.of_prize(prize["id"]))}
    item = f"{'draw' if prize['source'] == 'draw' else 'award'}/{prize['id']}"
    for stored in await entries_about(journal, subjects.of_hand(prize["hand"])):
        body, kind = stored.entry.body, stored.entry.kind
        advanced = kind == "prize.advanced" and body["seat"] == prize["seat"] and prize["source"] != "draw"
        if advanced or (kind == "restored.settled" and body["item"] == item):
            found[stored.seq] = stored
    return [found[seq] for seq in sorted(found)]


def _with_cash(ports: ApiPorts, table: str, prize: Prize, story: Sequence[StoredEntry]) -> Prize:
    """What was paid of it, by the payments; money that a restore left open waits for people still."""
    paid = [stored.entry.body for stored in story if stored.entry.kind in (*PAYMENTS, "prize.advanced")]
    cash = sum(body["amount_minor"] for body in paid)
    beside = sum(body["amount_minor"] - body.get("computed_minor", body["amount_minor"]) for body in paid)
    excess = max(cash - beside - prize["amount_minor"], 0)
    difference = beside + excess if beside else 0
    source = "draw" if prize["source"] == "draw" else "award"
    open_money = ports.table(table).state.restored.get(f"{source}/{prize['id']}")
    payable = 0 if open_money is None else ports.minor(open_money.micros)
    slips = [stored for stored in story if stored.entry.kind == "slip.issued"]
    content = slips[-1].entry.body["content"] if slips else None
    return {
        **prize,
        "status": "pending" if payable else prize["status"],
        "paid_minor": cash,
        "payable_minor": payable,
        "computed_minor": payable,
        "difference_minor": difference,
        "due_minor": prize["amount_minor"] + difference,
        "override": None,
        "slip": None if content is None else {name: content[name] for name in ("net_minor", "withheld_minor")},
    }
