"""What a claim is awarded at a place of the ledger, and what a correction changes: one computation, checked by all."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from controller.core.ledger import LedgerBroken
from controller.core.prizes import Balance, PrizeList, Settlement, Winner, may_take_from_meter, settle_prizes
from controller.engine.ledger_book import Book, lacking
from controller.engine.ledger_fold import Shifts, add_shifts, change, shifted
from controller.engine.ledger_records import Change, ClaimName, Granted, PrizeRow
from controller.engine.ledger_state import Account, Answered, LedgerState


def grant(
    state: LedgerState,
    name: ClaimName,
    prizes: PrizeList,
    winners: Sequence[Winner],
    before: Sequence[Balance],
    account: Callable[[str], Account] | None = None,
) -> tuple[Granted, tuple[str, ...]]:
    """The rows of a hand's winners out of given balances, their effect by table, and notes.

    account: the accounts whose overflow is used first at a restart, those of the state unless given.
    """
    settled = settle_prizes(prizes, before, winners, state.minor_micros)
    rows = tuple(
        PrizeRow(
            award.seat,
            award.category.value,
            award.amount_minor,
            award.paid_by.value,
            award.article,
            sum(micros for _, micros in award.debits),
        )
        for award in settled.awards
    )
    return Granted(name, rows, _changes(account or state.tables.__getitem__, before, settled)), settled.notes


def _changes(account: Callable[[str], Account], before: Sequence[Balance], settled: Settlement) -> tuple[Change, ...]:
    """Per table what moves in main, reserve and overflow; raises LedgerBroken when settlement loses a micro."""
    funding = dict(settled.funding)
    changes = []
    debited = 0
    for was, now in zip(before, settled.balances, strict=True):
        stored = now.reserve_micros - was.reserve_micros
        from_overflow = max(stored, -account(was.table).overflow_micros) if stored < 0 else 0
        each = Change(
            was.table, now.micros - was.micros, stored - from_overflow, from_overflow, funding.get(was.table, 0)
        )
        debited += each.debit
        if each[1:] != (0, 0, 0, 0):
            changes.append(each)
    if debited != sum(micros for award in settled.awards for _, micros in award.debits):
        raise LedgerBroken("a settlement's debits are not what the balances lost")
    return tuple(changes)


def correct(
    state: LedgerState, name: ClaimName, prizes: PrizeList, winners: Sequence[Winner]
) -> tuple[tuple[Granted, ...], tuple[tuple[str, int], ...]]:
    """A hand's award computed again at its own place, and the held, unreleased awards after it at theirs (rule 5).

    Returns the new grants in ledger order, the corrected hand's first, and what the house puts in by table where a
    balance no longer holds what the correction takes.
    """
    own = state.awards[name.key]
    later = sorted((answered for answered in state.awards.values() if answered.seq > own.seq), key=_place)
    affected = [own, *(each for each in later if each.waits and _may_take(state, each))]
    book = Book(state)
    for answered in reversed(affected):
        for each in answered.granted.changes:
            change(book, each, -1, answered.seq)
    made: list[Granted] = []
    shifts: Shifts = {}
    place = own.seq
    for answered in affected:
        line = answered.granted.name
        came = shifted(answered.before, shifts, lambda table: book.account(table).came, place, answered.seq)
        before, place = _at_least_nothing(came), answered.seq
        prizes_of = prizes if answered is own else state.prizes_of(line)
        who = winners if answered is own else answered.winners
        granted, _ = grant(state, line, prizes_of, who, before, book.account)
        for each in granted.changes:
            change(book, each, 1, answered.seq)
        add_shifts(shifts, answered.granted, granted)
        made.append(granted)
    rescue = tuple((table, lacking(book.changed[table])) for table in sorted(book.changed))
    return tuple(made), tuple((table, micros) for table, micros in rescue if micros)


def _may_take(state: LedgerState, answered: Answered) -> bool:
    """Whether an award's amounts depend on the meter, also where an earlier correction had left nothing for it."""
    prizes = state.prizes_of(answered.granted.name)
    return any(may_take_from_meter(prizes, winner.category) for winner in answered.winners)


def _place(answered: Answered) -> int:
    return answered.seq


def _at_least_nothing(before: Sequence[Balance]) -> tuple[Balance, ...]:
    """Balances to compute with: what earlier corrections took below zero the house has put in since."""
    return tuple(
        replace(balance, micros=max(balance.micros, 0), reserve_micros=max(balance.reserve_micros, 0))
        for balance in before
    )
