"""A host absorbs counters and answers claims: marks and forks, quarantine, awards, corrections (rules 1, 4, 5, 9)."""

from controller.core.records import to_record
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import host_payments
from controller.engine.host_fold import Pen
from controller.engine.host_members import finish_joins
from controller.engine.host_state import HostState, WaitingClaim
from controller.engine.ledger_awards import correct, grant
from controller.engine.ledger_ceiling import rescue_for, returned
from controller.engine.ledger_profiles import unfit_terms
from controller.engine.ledger_records import (
    Awarded,
    ClaimName,
    ClaimRefused,
    Counters,
    CountersAbsorbed,
    Granted,
    Left,
    Mark,
    OverflowReversed,
    PrizeRow,
    Terms,
    TermsChanged,
    Voided,
    VoidedHeld,
)
from controller.engine.ledger_state import Account, Answered, Standing
from controller.engine.member_claims import check_two_people
from controller.engine.messages import Claim, Claimed, Counter, Received


def check_sender(state: HostState, table: str, incarnation: str) -> Account | Refused:
    """The account of a table in force, or why this sender's word changes nothing."""
    account = state.ledger.account(table, incarnation)
    if account is None:
        known = state.ledger.tables.get(table)
        return refuse(Refusal.UNKNOWN_TABLE if known is None else Refusal.INCARNATION_SEALED, table=table)
    if account.joining:
        return refuse(Refusal.JOIN_PENDING, table=table)
    if account.standing is Standing.LEFT:
        return refuse(Refusal.TABLE_HAS_LEFT, table=table)
    if account.standing is Standing.SEALED:
        return refuse(Refusal.INCARNATION_SEALED, table=table)
    known_mark = state.known.get(table)
    if known_mark is not None and known_mark.forked:
        return refuse(Refusal.TABLE_FORKED, table=table)
    return account


def check_fork(pen: Pen, table: str, incarnation: str, mark: Mark) -> Refused | None:
    """Two journals of one incarnation: the same place with another head, or a later start at an earlier place."""
    known = pen.state.known.get(table)
    if known is None or known.incarnation != incarnation:
        return None
    same_place = mark.seq == known.mark.seq and mark.head != known.mark.head
    went_back = mark.boot > known.mark.boot and mark.seq <= known.mark.seq
    if not (same_place or went_back):
        return None
    body = {"table": table, "incarnation": incarnation, "mark": list(mark)}
    pen.note("host.forked", f"forked:{table}:{incarnation}", body)
    return refuse(Refusal.TABLE_FORKED, table=table)


def is_reasonable(account: Account, counters: Counters) -> bool:
    """Rule 9: no more than the bound for each hand played since, and nothing reversed that was not contributed."""
    was, bound = account.absorbed, account.profile.bound_micros
    if counters.net_main_micros < 0 or counters.net_reserve_micros < 0:
        return False
    step = counters.main_micros - was.main_micros + counters.reserve_micros - was.reserve_micros
    return bound is None or step <= bound * (counters.hands - was.hands)


def absorb(pen: Pen, account: Account, counters: Counters, mark: Mark) -> Refused | None:
    """Fold counters that bring something new; an unreasonable step is set aside instead and refused."""
    table, incarnation = account.profile.table, account.profile.incarnation
    merged = account.absorbed.merged(counters)
    later_boot = mark.boot > account.mark.boot
    if merged == account.absorbed and not later_boot:
        return None
    waiting = pen.state.quarantined.get(table)
    if waiting is not None or not is_reasonable(account, merged):
        if waiting is None or waiting.counters.merged(merged) != waiting.counters:
            body = {"table": table, "incarnation": incarnation, "counters": to_record(merged), "mark": list(mark)}
            pen.note("host.quarantined", f"quarantined:{table}:{incarnation}:{mark.seq}", body)
        return refuse(Refusal.COUNTERS_QUARANTINED, table=table)
    if mark.seq < account.mark.seq:
        mark = account.mark
    overflow = returned(account, merged)
    rescue = rescue_for(account, merged, overflow=overflow)
    if overflow:
        pen.record(OverflowReversed(table, incarnation, merged, mark, rescue, overflow))
    else:
        pen.record(CountersAbsorbed(table, incarnation, merged, mark, rescue))
    return None


def counter(pen: Pen, message: Counter) -> Refused | None:
    """COUNTER: absorb; a table that leaves goes with its balance when nothing of it is open (rule 8)."""
    account = check_sender(pen.state, message.table, message.incarnation)
    if isinstance(account, Refused):
        return account
    known = pen.state.known.get(message.table)
    refused = check_fork(pen, message.table, message.incarnation, message.mark)
    if refused is not None:
        return refused
    if known is not None and message.mark.boot == known.mark.boot and message.mark.seq < known.mark.seq:
        return None
    refused = absorb(pen, account, message.counters, message.mark)
    if refused is None and message.terms is not None:
        refused = take_terms(pen, account, message.terms)
    if refused is not None or message.leaving is None:
        return refused
    return _leave(pen, message)


def take_terms(pen: Pen, account: Account, terms: Terms) -> Refused | None:
    """A table's new terms, as two people at it have approved them; what it bet by the old ones is absorbed before."""
    known = account.terms
    if known == terms or (known is not None and terms.first_hand < known.first_hand):
        return None
    refused = check_two_people(terms.signed)
    if refused is not None:
        return refused
    refused = unfit_terms(account.profile.table, terms.prizes, terms.bound_micros, terms.ceiling_micros)
    if refused is not None:
        return refused
    pen.record(TermsChanged(account.profile.table, account.profile.incarnation, terms))
    return None


def _leave(pen: Pen, message: Counter) -> Refused | None:
    assert message.leaving is not None
    refused = check_two_people(message.leaving)
    if refused is not None:
        return refused
    prefix = f"{message.table}/{message.incarnation}/"
    if any(key.startswith(prefix) for key in pen.state.open_awards):
        return refuse(Refusal.PRIZE_OPEN, table=message.table)
    account = pen.state.ledger.tables[message.table]
    pen.record(
        Left(
            message.table,
            message.incarnation,
            account.absorbed,
            account.main_micros,
            account.reserve_micros,
            account.overflow_micros,
            message.leaving,
        )
    )
    finish_joins(pen)
    return None


def claimed(pen: Pen, message: Claimed) -> Refused | None:
    """CLAIM: one answer for ever; the same id with another body is a conflict, a lower revision is ignored."""
    claim = message.claim
    account = check_sender(pen.state, claim.name.table, claim.name.incarnation)
    if isinstance(account, Refused):
        return account
    answered = pen.state.ledger.awards.get(claim.name.key)
    if answered is None and account.is_closed(claim.name.hand):
        return refuse(Refusal.CLAIM_TOO_OLD, hand=claim.name.hand)
    if answered is not None and claim.revision <= answered.revision:
        if claim.revision < answered.revision:
            return refuse(Refusal.STALE_REVISION, revision=claim.revision, known=answered.revision)
        return None if claim.digest == answered.digest else refuse(Refusal.CONFLICT, claim=claim.id)
    refused = check_two_people(claim.signed) if claim.revision > 1 else None
    refused = refused or check_fork(pen, claim.name.table, claim.name.incarnation, claim.mark)
    if refused is not None:
        return refused
    if answered is None or answered.refused is not None:
        refused = absorb(pen, account, claim.counters, claim.mark)
        if refused is not None:
            _wait(pen, claim)
            return refused
        return _award(pen, claim)
    _correct(pen, claim)
    return absorb(pen, pen.state.ledger.tables[claim.name.table], claim.counters, claim.mark)


def _wait(pen: Pen, claim: Claim) -> None:
    """The claim is told as PENDING until people have accepted the counters (rule 9)."""
    known = pen.state.waiting.get(claim.name.key)
    if known is not None and known.revision >= claim.revision:
        return
    winners = tuple((winner.seat, winner.category.value) for winner in claim.winners)
    pen.note("host.waiting", f"waiting:{claim.id}", to_record(WaitingClaim(claim.name, claim.revision, winners)))


def _award(pen: Pen, claim: Claim) -> Refused | None:
    ledger = pen.state.ledger
    prizes = ledger.prizes_of(claim.name)
    granted, notes = grant(ledger, claim.name, prizes, claim.winners, ledger.balances())
    host_payments.begin(pen)
    if not granted.rows:
        reason = "no_prize" if claim.winners else "no_winners"
        pen.record(ClaimRefused(claim.name, claim.revision, claim.digest, reason))
        return None
    pen.record(
        Awarded(
            granted,
            claim.revision,
            claim.digest,
            claim.winners,
            held=_waits_for_people(pen.state, granted),
            arrival=pen.state.arrivals + 1,
            notes=notes,
        )
    )
    return None


def _waits_for_people(state: HostState, granted: Granted, was: Answered | None = None) -> bool:
    """Rule 4: an award that takes from the meter is held while another before it is unpaid, or where a row is large.

    was: the answer that a correction takes the place of. What it gives nobody more of stays as people let it be paid;
    what it gives somebody more of, or of the meter for the first time, nobody has let be paid, whoever signed the card.
    """
    rows = [row for row in granted.rows if row.debit_micros]
    if was is not None:
        rows = [row for row in rows if _gives_more(state, granted.name, was, row)]
    earlier = (key for key in state.open_awards if key != granted.name.key)
    others = any(was is None or _is_before(state, key, was) for key in earlier)
    limit = state.settings.held_from_minor
    return any(others or (limit is not None and row.amount_minor >= limit) for row in rows)


def _gives_more(state: HostState, name: ClaimName, was: Answered, row: PrizeRow) -> bool:
    """Whether a corrected row has something to be paid that its former answer did not have."""
    former = next((each for each in was.granted.rows if each.seat == row.seat), None)
    if row.amount_minor <= state.paid.get(name.row(row.seat), 0):
        return False
    return former is None or not former.debit_micros or former.amount_minor < row.amount_minor


def _is_before(state: HostState, key: str, was: Answered) -> bool:
    """Whether an open award was given before another, so that its void would have changed what the other has."""
    other = state.ledger.awards.get(key)
    return other is None or other.seq < was.seq


def _correct(pen: Pen, claim: Claim) -> None:
    assert claim.signed is not None
    ledger = pen.state.ledger
    was = ledger.awards[claim.name.key]
    granted, rescue = correct(ledger, claim.name, ledger.prizes_of(claim.name), claim.winners)
    paid = {claim.name.row(seat): minor for seat, minor in claim.paid}
    host_payments.claimed(pen, claim.name.table, claim.name.incarnation, claim.mark, paid)
    record = Voided if was.waits or not _waits_for_people(pen.state, granted[0], was) else VoidedHeld
    pen.record(
        record(claim.name, claim.revision, claim.digest, claim.winners, claim.paid, claim.signed, granted, rescue)
    )


def acknowledged(pen: Pen, message: Received) -> Refused | None:
    """RECEIVED: what was paid closes awards; how far the ledger came lets joins take effect; a table that has settled
    after the jackpot's end lets its money be moved.
    """
    account = check_sender(pen.state, message.table, message.incarnation)
    if isinstance(account, Refused):
        return account
    known_hash = pen.state.ledger.hash_at(message.seq)
    if known_hash is not None and known_hash != message.hash:
        return refuse(Refusal.LEDGER_DIFFERS, table=message.table, seq=message.seq)
    refused = _take_paid(pen, message) or _settles(pen, message)
    if refused is not None:
        return refused
    joins = pen.state.join_seqs
    if joins and pen.state.received.get(message.table, 0) < message.seq:
        waits = any(pen.state.received.get(message.table, 0) < joins[table] <= message.seq for table in joins)
        if waits:
            name = f"received:{message.table}:{message.incarnation}:{message.seq}"
            pen.note("host.received", name, {"table": message.table, "seq": message.seq})
            finish_joins(pen)
    return None


def _take_paid(pen: Pen, message: Received) -> Refused | None:
    news = host_payments.news(pen, message)
    if not news:
        return None
    refused = check_fork(pen, message.table, message.incarnation, message.mark)
    if refused is None:
        host_payments.tell(pen, message.table, message.incarnation, message.mark, news)
    return refused


def _settles(pen: Pen, message: Received) -> Refused | None:
    """A table says that nothing of before the jackpot's end is open there; kept once."""
    closing, name = pen.state.ledger.closing, f"{message.table}/{message.incarnation}"
    if not message.settled or closing is None or not closing.closed or name in pen.state.settled:
        return None
    refused = check_fork(pen, message.table, message.incarnation, message.mark)
    if refused is not None:
        return refused
    body = {
        "table": message.table,
        "incarnation": message.incarnation,
        "mark": list(message.mark),
        "seq": message.seq,
    }
    pen.note("host.table_settled", f"table_settled:{name}", body)
    return None
