"""A table mirrors the host's ledger: fencing by the sender's epoch, order, arithmetic, and its own journal's marks."""

from dataclasses import replace

from controller.core.ledger import Entry, LedgerBroken
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.epoch import Epoch, dotted
from controller.engine.ledger_awards import correct, grant
from controller.engine.ledger_ceiling import rescue_for, returned
from controller.engine.ledger_fold import fold
from controller.engine.ledger_records import (
    Awarded,
    ClaimName,
    CountersAbsorbed,
    CountersAccepted,
    Mark,
    Record,
    Voided,
)
from controller.engine.ledger_state import Standing
from controller.engine.member_rows import answered, postings
from controller.engine.member_state import MemberState
from controller.engine.messages import Collect, HostStatus, Ledger, LinkReceived, Message, Meter, Roster
from controller.engine.payment_records import PaidRow, PaidTold


def receive(state: MemberState, message: Message | LinkReceived, now_ms: int = 0) -> tuple[Entry, ...] | Refused:
    """Entries for a host's message, none when it brings nothing new, or why it is refused. now_ms changes nothing."""
    if isinstance(message, LinkReceived):
        message = message.message
    if not isinstance(message, HostStatus | Ledger | Collect | Meter | Roster):
        return refuse(Refusal.NOT_FOR_TABLE, table=state.settings.table)
    if isinstance(message, Meter):
        return ()
    refused = check_author(state, message.epoch)
    if refused is not None:
        return refused
    entries = (_epoch_entry(message.epoch),) if message.epoch > state.epoch else ()
    match message:
        case Ledger(record=record):
            return (*entries, *_record_entries(state, record, message.epoch))
        case Collect(table=table, first=first) if table == state.settings.table:
            if state.report == message.epoch and state.report_first == first:
                return entries
            body = {"epoch": list(message.epoch), "first": first}
            return (*entries, Entry(f"link:collect:{state.collects + 1}", "link.collect", body))
    return entries


def check_author(state: MemberState, epoch: Epoch) -> Refused | None:
    """Why the sender of a host's message has no authority over this table (rule 6)."""
    if state.standing is Standing.LEFT:
        return refuse(Refusal.TABLE_HAS_LEFT, table=state.settings.table)
    if state.settings.host_keys and epoch.host not in state.settings.host_keys:
        return refuse(Refusal.UNKNOWN_HOST, host=epoch.host)
    if epoch < state.epoch:
        return refuse(Refusal.STALE_EPOCH, term=epoch.term, seen=state.epoch.term)
    return None


def _epoch_entry(epoch: Epoch) -> Entry:
    return Entry(f"link:epoch:{dotted(epoch)}", "link.epoch", {"epoch": list(epoch)})


def _record_entries(state: MemberState, record: Record, sender: Epoch) -> tuple[Entry, ...]:
    if state.stopped is not None:
        return ()
    ledger = state.ledger
    if record.seq <= ledger.seq:
        known = ledger.hash_at(record.seq)
        return () if known in (None, record.hash) else (_stop(state, "different_record", record),)
    if record.seq > ledger.seq + 1:
        return ()
    if record.prev != ledger.hash:
        return (_stop(state, "different_record", record),)
    wrong = check_record(state, record)
    if wrong is not None:
        return (_stop(state, wrong, record),)
    mirrored, _ = fold(ledger, record)
    after = answered(replace(state, ledger=mirrored), record)
    moved = postings(state.rows, after.rows, state.settings.minor_micros)
    body = {"record": record.to_plain(), "sender": list(sender)}
    return (Entry(f"link:record:{record.seq}:{record.hash[:16]}", "link.record", body, moved, "host"),)


def _stop(state: MemberState, why: str, record: Record) -> Entry:
    body = {"why": why, "seq": record.seq, "hash": record.hash}
    return Entry(f"link:stopped:{state.settings.incarnation}:{why}:{record.hash[:16]}", "link.stopped", body)


def check_record(state: MemberState, record: Record) -> str | None:
    """What is wrong with the next record, in one word: its arithmetic, or that it tells of another journal."""
    ledger, body = state.ledger, record.body
    if record.epoch < ledger.epoch:
        return "epoch_falls"
    try:
        match body:
            case Awarded(granted=granted):
                prizes = ledger.prizes_of(granted.name)
                expected = grant(ledger, granted.name, prizes, body.winners, ledger.balances())
                if expected != (granted, body.notes):
                    return "arithmetic"
                return _check_claim(state, granted.name, body.revision, body.digest)
            case Voided(name=name):
                if correct(ledger, name, ledger.prizes_of(name), body.winners) != (body.granted, body.rescue):
                    return "arithmetic"
                return _check_claim(state, name, body.revision, body.digest)
            case CountersAbsorbed() | CountersAccepted():
                return _check_counters(state, body)
            case PaidTold() if any(_is_strange(state, row) for row in body.rows):
                return "fork"
        fold(ledger, record)
    except (LedgerBroken, KeyError):
        return "arithmetic"
    return None


def _check_claim(state: MemberState, name: ClaimName, revision: int, digest: str) -> str | None:
    """An answer to a claim of this incarnation that this journal never made shows that the journal is another one."""
    if (name.table, name.incarnation) != (state.settings.table, state.settings.incarnation):
        return None
    waiting = state.open_claims.get(name.key)
    if waiting is None:
        return "claim_unknown"
    if waiting.claim.revision < revision or (waiting.claim.revision == revision and waiting.claim.digest != digest):
        return "claim_unknown"
    return None


def _is_strange(state: MemberState, paid: PaidRow) -> bool:
    """A row of this journal of which another one has paid more."""
    row = state.rows.get(paid.row)
    return row is not None and row.paid_minor < paid.minor


def _check_counters(state: MemberState, body: CountersAbsorbed | CountersAccepted) -> str | None:
    account = state.ledger.account(body.table, body.incarnation)
    if account is None:
        return "arithmetic"
    adjust = (body.adjust_main_micros, body.adjust_reserve_micros) if isinstance(body, CountersAccepted) else (0, 0)
    overflow = body.overflow_micros
    if rescue_for(account, body.counters, *adjust, overflow) != body.rescue_micros:
        return "arithmetic"
    if overflow and overflow != returned(account, body.counters, -adjust[0]):  # a host of before took none out
        return "arithmetic"
    if account.absorbed.merged(body.counters) != body.counters:
        return "counters_fall"
    if body.table != state.settings.table or body.incarnation != state.settings.incarnation:
        return None
    is_ours = knows_mark(state, body.mark) and state.counters.merged(body.counters) == state.counters
    return None if is_ours else "fork"


def knows_mark(state: MemberState, mark: Mark) -> bool:
    """Whether a mark that the ledger names is in this journal's own chain (older than the last confirmed: taken so)."""
    if mark.seq > state.mark.seq:
        return False
    oldest = state.unconfirmed[0].seq if state.unconfirmed else state.mark.seq + 1
    return mark.seq < oldest or mark in state.unconfirmed
