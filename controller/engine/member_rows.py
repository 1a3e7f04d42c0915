"""Payable rows: how the ledger's answers set them, how people verify, advance and pay them, and their postings."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from controller.core.ledger import Entry, Posting
from controller.core.prizes import PaidBy
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.frozen_map import FrozenMap
from controller.engine.ledger_records import (
    Awarded,
    ClaimName,
    ClaimRefused,
    PrizeRow,
    Record,
    Released,
    Signed,
    Voided,
)
from controller.engine.ledger_state import Standing
from controller.engine.member_claims import check_two_people, own_entry
from controller.engine.member_state import KEPT_ROWS, MemberState, PayableRow, RowStatus
from controller.engine.payment_records import PaidTold

Rows = FrozenMap[PayableRow]
CLOSED = (RowStatus.PAID, RowStatus.VOID)


def answered(state: MemberState, record: Record) -> MemberState:
    """Rows and open claims after a ledger record; records of other tables change none of them."""
    body = record.body
    match body:
        case Awarded() if _own(state, body.granted.name):
            return _settled(state, body.granted.name, body.revision, body.granted.rows, body.held, record.seq)
        case ClaimRefused() if _own(state, body.name):
            return _settled(state, body.name, body.revision, (), False, record.seq)
        case Released() if _own(state, body.name):
            held = (row for row in _of_hand(state, body.name.hand) if row.status is RowStatus.HELD)
            return _with_rows(state, (replace(row, status=RowStatus.PENDING) for row in held))
        case PaidTold() if body.table == state.settings.table:
            return _with_rows(state, ())
        case Voided():
            for granted in body.granted:
                if not _own(state, granted.name):
                    continue
                if granted.name == body.name:
                    award = state.ledger.awards[body.name.key]
                    waits = award.held and not award.released
                    state = _settled(state, body.name, body.revision, granted.rows, waits, record.seq)
                else:
                    state = _recomputed(state, granted.name, granted.rows, record.seq)
    return state


def _own(state: MemberState, name: ClaimName) -> bool:
    return name.table == state.settings.table and name.incarnation == state.settings.incarnation


def _of_hand(state: MemberState, hand: int) -> tuple[PayableRow, ...]:
    return tuple(row for row in (state.rows[row_id] for row_id in state.rows) if row.hand == hand)


def _settled(
    state: MemberState, name: ClaimName, revision: int, granted: tuple[PrizeRow, ...], held: bool, seq: int
) -> MemberState:
    """The hand's rows as the ledger answers them; an answer to a lower revision than the journaled one is ignored."""
    waiting = state.open_claims.get(name.key)
    if waiting is not None and waiting.claim.revision > revision:
        return state
    state = replace(state, open_claims=state.open_claims.without(name.key))
    seats = {row.seat for row in granted}
    dropped = (
        replace(row, amount_minor=0, status=RowStatus.VOID, seq=seq)
        for row in _of_hand(state, name.hand)
        if row.seat not in seats
    )
    return _with_rows(state, (*dropped, *(_row(state, name, each, held, seq) for each in granted)))


def _row(state: MemberState, name: ClaimName, prize: PrizeRow, held: bool, seq: int) -> PayableRow:
    was = state.rows.get(name.row(prize.seat))
    paid = was.paid_minor if was is not None else 0
    waits = RowStatus.HELD if held else RowStatus.PENDING
    status = RowStatus.PAID if paid >= prize.amount_minor else waits
    return PayableRow(
        name.row(prize.seat),
        name.hand,
        prize.seat,
        prize.category,
        prize.amount_minor,
        prize.paid_by,
        prize.article,
        status,
        paid,
        seq,
        was.beside_minor if was is not None else 0,
    )


def _recomputed(state: MemberState, name: ClaimName, granted: tuple[PrizeRow, ...], seq: int) -> MemberState:
    """A held award has other amounts now; a hand whose own correction is still open stays stopped."""
    if name.key in state.open_claims:
        return state
    return _settled(state, name, 0, granted, state.ledger.awards[name.key].waits, seq)


def _with_rows(state: MemberState, rows: Iterable[PayableRow]) -> MemberState:
    """These rows, and fewer closed ones of before; what an entry itself closes stays, as its postings tell of it."""
    kept, closed, now = state.rows, state.closed_rows, set()
    for row in rows:
        now.add(row.id)
        kept = kept.set(row.id, row)
        closed = tuple(row_id for row_id in closed if row_id != row.id)
        if row.status in CLOSED:
            closed = (*closed, row.id)
    former = (kept[each] for each in closed if each not in now)
    over = (row.id for row in former if row.status in CLOSED and is_told(state, row) and not _may_change(state, row))
    gone = tuple(islice(over, max(len(closed) - KEPT_ROWS, 0)))  # not one that a correction has stopped
    for row_id in gone:
        kept = kept.without(row_id)
    closed = tuple(row_id for row_id in closed if row_id not in gone) if gone else closed
    return replace(state, rows=kept, closed_rows=closed)


def _may_change(state: MemberState, row: PayableRow) -> bool:
    """Whether a row's award is still held: a correction before it may change the amount, though an advance paid it. Or
    the record at hand has changed it, another part of which comes after.
    """
    answered = state.ledger.awards.get(row.id.rpartition("/")[0])
    return row.seq == state.ledger.seq or (answered is not None and answered.waits)


def is_told(state: MemberState, row: PayableRow) -> bool:
    """Whether the ledger tells all that was paid of a row, or has nothing more to learn of it."""
    answered = state.ledger.awards.get(row.id.rpartition("/")[0])
    return answered is None or answered.settled or answered.told(row.seat) == (row.paid_minor, row.beside_minor)


def postings(before: Rows, after: Rows, minor_micros: int) -> tuple[Posting, ...]:
    """What changed rows move between awards, payable, paid and the house (which bears what was paid in excess)."""
    sums: dict[str, int] = {}
    for sign, rows, others in ((-1, before, after), (1, after, before)):
        for row_id in rows:
            row = rows[row_id]
            if others.get(row_id) == row or (row_id not in after and row.status in CLOSED):
                continue
            for account, micros in _positions(row, minor_micros):
                sums[account] = sums.get(account, 0) + sign * micros
    return tuple(Posting(account, micros) for account, micros in sorted(sums.items()) if micros)


def _positions(row: PayableRow, minor_micros: int) -> tuple[tuple[str, int], ...]:
    excess = max(row.paid_minor - row.amount_minor, 0)
    source = "carousel.awards" if row.paid_by == PaidBy.METER.value else "house.prizes"
    return (
        (source, -row.amount_minor * minor_micros),
        ("house.prizes", -excess * minor_micros),
        ("prizes.payable", row.payable_minor * minor_micros),
        ("prizes.paid", row.paid_minor * minor_micros),
    )


def row_of(state: MemberState, hand: int, seat: int) -> str:
    """The name of the payable row of a hand of this incarnation."""
    return ClaimName(state.settings.table, state.settings.incarnation, hand).row(seat)


def check_payable(state: MemberState, row_id: str) -> Refused | None:
    """Why no cash may leave for a row now (rule 2)."""
    row = state.rows.get(row_id)
    if row is None:
        return refuse(Refusal.UNKNOWN_PRIZE, row=row_id)
    if state.stopped is not None:
        return refuse(Refusal.LEDGER_DIFFERS, why=state.stopped)
    if state.standing not in (Standing.ACTIVE, Standing.LEFT):
        return refuse(Refusal.INCARNATION_SEALED, table=state.settings.table)
    if not state.confirmed:
        return refuse(Refusal.HEAD_NOT_CONFIRMED, table=state.settings.table)
    if row.status is RowStatus.HELD:
        return refuse(Refusal.PRIZE_HELD, row=row_id)
    if row.status is RowStatus.STOPPED:
        return refuse(Refusal.PRIZE_STOPPED, row=row_id)
    return None


def verify_row(
    state: MemberState, row_id: str, *, actor: str, second: str | None = None
) -> tuple[Entry, ...] | Refused:
    """A person confirms winner and cards."""
    refused = check_payable(state, row_id)
    if refused is not None and refused.reason is not Refusal.HEAD_NOT_CONFIRMED:
        return refused
    if state.rows[row_id].status is not RowStatus.PENDING:
        return refuse(Refusal.PRIZE_NOT_PENDING, row=row_id)
    if second is not None and second == actor:
        return refuse(Refusal.SAME_PERSON_TWICE, person=actor)
    return (own_entry(state, "link.verified", {"row": row_id, "actor": actor, "second": second}, actor=actor),)


def pay(state: MemberState, row_id: str, *, actor: str, second: str | None = None) -> tuple[Entry, ...] | Refused:
    """Cash for a verified row: all that is payable of it."""
    refused = check_payable(state, row_id)
    if refused is not None:
        return refused
    row = state.rows[row_id]
    if row.status is not RowStatus.VERIFIED:
        done = row.status in CLOSED
        return refuse(Refusal.PRIZE_NOT_PENDING if done else Refusal.PRIZE_NOT_VERIFIED, row=row_id)
    if second is not None and second == actor:
        return refuse(Refusal.SAME_PERSON_TWICE, person=actor)
    body = {"row": row_id, "amount_minor": row.payable_minor, "actor": actor, "second": second}
    after = state.rows.set(row_id, _paid(row, row.payable_minor))
    moved = postings(state.rows, after, state.settings.minor_micros)
    return (own_entry(state, "link.paid", body, moved, actor),)


def most_advance(state: MemberState, hand: int, seat: int) -> int | Refused:
    """What may still be advanced of a claim, minor units: what the ledger gave at lock without what was paid since."""
    name = ClaimName(state.settings.table, state.settings.incarnation, hand)
    waiting = state.open_claims.get(name.key)
    if waiting is None or waiting.claim.revision > 1:
        return refuse(Refusal.UNKNOWN_PRIZE, row=name.row(seat))
    if state.link_up:
        return refuse(Refusal.LINK_IS_UP, hand=hand)
    if state.stopped is not None or state.standing is not Standing.ACTIVE:
        return refuse(Refusal.LEDGER_DIFFERS, why=state.stopped or "not_a_member")
    was = state.rows.get(name.row(seat))
    return dict(waiting.estimate).get(seat, 0) - (was.paid_minor if was else 0)


def advance(
    state: MemberState, *, hand: int, seat: int, amount_minor: int, signed: Signed
) -> tuple[Entry, ...] | Refused:
    """Cash on an open claim while the link is lost (rule 7): never above what the ledger journaled at lock gives."""
    refused = check_two_people(signed)
    if refused is not None:
        return refused
    limit = most_advance(state, hand, seat)
    if isinstance(limit, Refused):
        return limit
    if not 0 < amount_minor <= limit:
        return refuse(Refusal.ADVANCE_ABOVE_LEDGER, seat=seat, most=limit)
    body = {
        "hand": hand,
        "seat": seat,
        "amount_minor": amount_minor,
        "reason": signed.reason,
        "actor": signed.actor,
        "second": signed.second,
    }
    after = apply_advanced(state, body)
    moved = postings(state.rows, after.rows, state.settings.minor_micros)
    return (own_entry(state, "link.advanced", body, moved, signed.actor),)


def apply_verified(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    row = state.rows[body["row"]]
    return _with_rows(state, (replace(row, status=RowStatus.VERIFIED),))


def apply_paid(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    return _with_rows(state, (_paid(state.rows[body["row"]], body["amount_minor"]),))


def apply_beside(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    """The table's own entry of a payment: by an override, cash and computed amount are two."""
    row = state.rows.get(body["prize"])
    if row is None or "override" not in body:
        return state
    beside = row.beside_minor + body["amount_minor"] - body["computed_minor"]
    return replace(state, rows=state.rows.set(row.id, replace(row, beside_minor=beside)))


def _paid(row: PayableRow, amount_minor: int) -> PayableRow:
    return replace(row, paid_minor=row.paid_minor + amount_minor, status=RowStatus.PAID)


def apply_advanced(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    name = ClaimName(state.settings.table, state.settings.incarnation, body["hand"])
    row_id = name.row(body["seat"])
    winners = {winner.seat: winner for winner in state.open_claims[name.key].claim.winners}
    fresh = PayableRow(
        row_id,
        name.hand,
        body["seat"],
        winners[body["seat"]].category.value,
        0,
        PaidBy.METER.value,
        "",
        RowStatus.CLAIMED,
    )
    row = state.rows.get(row_id, fresh)
    return _with_rows(state, (replace(row, paid_minor=row.paid_minor + body["amount_minor"]),))
