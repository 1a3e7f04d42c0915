"""What a table decides itself: starts, counters, claims, corrections, leaving; each an entry of its own chain."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from controller.core.ledger import Entry, Posting, move
from controller.core.prizes import Winner
from controller.core.records import from_record, to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.typed_text import says_something
from controller.engine.ledger_awards import grant
from controller.engine.ledger_records import ClaimName, Counters, Mark, Signed, Terms
from controller.engine.ledger_state import Standing
from controller.engine.member_state import MemberState, OnLinkLoss, OpenClaim, RowStatus
from controller.engine.messages import Claim

CHAIN_DOMAIN = b"carrusel/member/1\x00"
OWN_KINDS = frozenset(
    {
        "link.started",
        "link.counted",
        "link.claimed",
        "link.advanced",
        "link.verified",
        "link.paid",
        "link.leaving",
        "link.terms",
    }
)


def own_entry(
    state: MemberState, kind: str, body: Mapping[str, Any], postings: tuple[Posting, ...] = (), actor: str = "table"
) -> Entry:
    """An entry of the table's own chain; its id is its place, so that a second writer of one place is a conflict."""
    return Entry(f"{state.settings.incarnation}:{state.mark.seq + 1}", kind, body, postings, actor)


def chained(state: MemberState, entry: Entry) -> MemberState:
    """The state with its own chain moved on by an entry."""
    content = msgspec.json.encode((entry.kind, entry.body), order="sorted")
    head = hashlib.sha256(CHAIN_DOMAIN + state.mark.head.encode() + content).hexdigest()
    mark = Mark(state.mark.boot + (entry.kind == "link.started"), state.mark.seq + 1, head)
    return replace(state, mark=mark, unconfirmed=(*state.unconfirmed, mark))


def started(state: MemberState, nonce: str) -> Entry:
    """The daemon started. nonce: fresh randomness, by which two copies of one journal can be told apart."""
    return own_entry(state, "link.started", {"boot": state.mark.boot + 1, "nonce": nonce})


def counted(
    state: MemberState,
    *,
    main_micros: int,
    reserve_micros: int,
    reversed_main_micros: int,
    reversed_reserve_micros: int,
    hands: int | None = None,
) -> Entry:
    """New absolute counters of this incarnation (at "no va más", at a void); the postings are the step they make."""
    was = state.counters
    hands = was.hands + 1 if hands is None else hands
    now = Counters(main_micros, reserve_micros, reversed_main_micros, reversed_reserve_micros, hands)
    if now.merged(was) != now:
        raise ValueError(f"counters of table {state.settings.table} may not fall: {was} to {now}")
    postings = (
        *move("bets", "carousel.main", now.net_main_micros - was.net_main_micros),
        *move("bets", "carousel.reserve", now.net_reserve_micros - was.net_reserve_micros),
    )
    return own_entry(state, "link.counted", to_record(now), postings)


def check_bet(state: MemberState) -> Refused | None:
    """Why a jackpot bet of this table is not taken now (rules 7 and 8)."""
    if state.stopped is not None:
        return refuse(Refusal.JACKPOT_BETS_STOPPED, why=state.stopped)
    if state.leaving is not None:
        return refuse(Refusal.JACKPOT_BETS_STOPPED, why="leaving")
    if state.standing is not Standing.ACTIVE:
        return refuse(Refusal.JACKPOT_BETS_STOPPED, why="not_a_member")
    if state.ledger.closing is not None and state.ledger.closing.closed:
        return refuse(Refusal.JACKPOT_BETS_STOPPED, why="jackpot_closed")
    if state.terms_waiting:
        return refuse(Refusal.JACKPOT_BETS_STOPPED, why="terms_on_their_way")
    if not state.link_up and state.settings.on_link_loss is OnLinkLoss.STOP_BETS:
        return refuse(Refusal.JACKPOT_BETS_STOPPED, why="link_lost")
    if state.is_overdue:
        return refuse(Refusal.JACKPOT_BETS_STOPPED, why="link_lost_too_long")
    return None


def known_revision(state: MemberState, name: ClaimName) -> int:
    """The highest revision of a hand's claim that this table has journaled, 0 = none."""
    waiting = state.open_claims.get(name.key)
    answered = state.ledger.awards.get(name.key)
    return max(waiting.claim.revision if waiting else 0, answered.revision if answered else 0)


def claim(
    state: MemberState,
    *,
    hand: int,
    winners: Sequence[Winner],
    revision: int = 1,
    signed: Signed | None = None,
) -> Entry | Refused:
    """A hand's winners with the counters at lock; a revision above 1 corrects (no winners = void) and takes two people.

    The same claim again is the same entry's content; the caller journals `counted` first.
    """
    name = ClaimName(state.settings.table, state.settings.incarnation, hand)
    known = known_revision(state, name)
    if state.leaving is not None or state.standing in (Standing.SEALED, Standing.LEFT, None):
        return refuse(Refusal.NOT_MEMBER, table=state.settings.table)
    if revision != known + 1:
        return refuse(Refusal.STALE_REVISION, hand=hand, revision=revision, known=known)
    if _is_too_old(state, name, revision):
        return refuse(Refusal.CLAIM_TOO_OLD, hand=hand)
    if revision > 1:
        refused = check_two_people(signed)
        if refused is not None:
            return refused
    elif not winners:
        return refuse(Refusal.UNKNOWN_PRIZE, hand=hand)
    rows = (state.rows[row] for row in state.rows if state.rows[row].hand == hand and state.rows[row].paid_minor)
    paid = tuple((row.seat, row.paid_minor) for row in rows)
    made = Claim(name, revision, tuple(winners), state.counters, state.mark, paid, signed)
    return own_entry(state, "link.claimed", to_record(made), actor=signed.actor if signed else "table")


def _is_too_old(state: MemberState, name: ClaimName, revision: int) -> bool:
    """The ledger has closed the hand, or this table no longer holds what was paid of it."""
    answered, account = state.ledger.awards.get(name.key), state.account
    if name.key in state.open_claims:
        return False
    if answered is None:
        return account is not None and account.is_closed(name.hand)
    seats = {*(row.seat for row in answered.granted.rows), *(seat for seat, _, _ in answered.paid)}
    return revision > 1 and any(name.row(seat) not in state.rows for seat in seats)


def check_two_people(signed: Signed | None) -> Refused | None:
    """Why an act of two people is not one."""
    if signed is None or not says_something(signed.reason):
        return refuse(Refusal.REASON_MISSING)
    if not signed.actor or not signed.second:
        return refuse(Refusal.SECOND_PERSON_MISSING)
    if signed.actor == signed.second:
        return refuse(Refusal.SAME_PERSON_TWICE, person=signed.actor)
    return None


def leave(state: MemberState, signed: Signed) -> Entry | Refused:
    """The table asks to leave (rule 8): it takes no jackpot bet from here on, and its counters are final."""
    refused = check_two_people(signed)
    if refused is not None:
        return refused
    if state.standing is not Standing.ACTIVE or state.leaving is not None:
        return refuse(Refusal.NOT_MEMBER, table=state.settings.table)
    if state.open_claims:
        return refuse(Refusal.CLAIM_OPEN, claims=len(state.open_claims))
    if state.unpaid:
        return refuse(Refusal.PRIZE_OPEN)
    return own_entry(state, "link.leaving", to_record(signed), actor=signed.actor)


def new_terms(state: MemberState, terms: Terms) -> Entry:
    """The terms this table plays by from a hand on; the host hears of them until the ledger has them."""
    return own_entry(state, "link.terms", to_record(terms), actor=terms.signed.actor)


def apply_claimed(state: MemberState, body: Mapping[str, Any]) -> MemberState:
    """The claim waits for its answer; every row of a corrected hand stops in the same commit (rule 5)."""
    made = from_record(Claim, body)
    rows = state.rows
    for row_id in rows:
        row = rows[row_id]
        if row.hand == made.name.hand and made.revision > 1 and row.status is not RowStatus.VOID:
            rows = rows.set(row_id, replace(row, status=RowStatus.STOPPED))
    open_claim = OpenClaim(made, _estimate(state, made))
    return replace(state, rows=rows, open_claims=state.open_claims.set(made.name.key, open_claim))


def _estimate(state: MemberState, made: Claim) -> tuple[tuple[int, int], ...]:
    granted, _ = grant(state.ledger, made.name, state.prizes_of(made.name), made.winners, state.ledger.balances())
    return tuple((row.seat, row.amount_minor) for row in granted.rows)
