"""One ledger record folded into the state, with the postings it makes; raises LedgerBroken when it cannot be true."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from controller.core.evolve import evolve
from controller.core.ledger import LedgerBroken, Posting
from controller.core.prizes import Balance
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.closing_records import ClosingAnnounced, Disposed, JackpotClosed, OrphansMoved
from controller.engine.ledger_book import Book, lacking
from controller.engine.ledger_ceiling import passing
from controller.engine.ledger_records import (
    NO_MARK,
    ZERO,
    Adjusted,
    Awarded,
    Change,
    ClaimRefused,
    CountersAbsorbed,
    CountersAccepted,
    EpochBegan,
    Granted,
    JoinAsked,
    Joined,
    Left,
    Profile,
    Record,
    Rekeyed,
    Released,
    Sealed,
    TermsChanged,
    Voided,
)
from controller.engine.ledger_state import KEPT_LISTS, ORPHANS, Account, Answered, Closing, LedgerState, Standing
from controller.engine.payment_records import PaidTold, Settled

WHOLE = 100
"""Percent of a row that takes the whole meter, so that the jackpot begins anew."""
_OF_ROSTER = frozenset({JoinAsked, Joined, Left, Sealed, Adjusted, Rekeyed})
"""Records that change the roster."""


def fold(state: LedgerState, record: Record) -> tuple[LedgerState, tuple[Posting, ...]]:
    """The state after the next record, and the record's postings over the host's accounts (they sum to zero)."""
    book = Book(state)
    enter(book, record)
    return book.closed(), book.posted()


def enter(book: Book, record: Record) -> None:
    """The next record goes into an open book, whose `postings` are this record's from here on."""
    if record.seq != book.seq + 1 or record.prev != book.hash:
        raise LedgerBroken(f"record {record.seq} does not follow record {book.seq} of carousel {book.before.carousel}")
    if record.epoch < book.epoch:
        raise LedgerBroken(f"record {record.seq} is of an epoch before that of record {book.seq}")
    book.postings = {}
    _enter(book, record)
    if sum(book.postings.values()) != 0:
        raise LedgerBroken(f"ledger record {record.seq} ({record.kind}) is out of balance")
    book.turn(record)
    if type(record.body) in _OF_ROSTER:
        book.roster_seq = record.seq


def _enter(book: Book, record: Record) -> None:
    body = record.body
    match body:
        case CountersAbsorbed():
            absorb(book, body)
            book.rescue(body.table, body.rescue_micros)
        case EpochBegan():
            pass
        case CountersAccepted():
            absorb(book, body)
            book.move("house.adjustments", body.table, main=body.adjust_main_micros, reserve=body.adjust_reserve_micros)
            book.rescue(body.table, body.rescue_micros)
        case Awarded():
            _award(book, body, record.seq)
        case ClaimRefused():
            nothing = Granted(body.name, (), ())
            answered = Answered(body.revision, body.digest, record.seq, (), nothing, refused=body.reason)
            book.answer(body.name, answered)
        case Released():
            _release(book, body)
        case Voided():
            _void(book, body)
        case Adjusted():
            _adjustment(book, body)
        case JoinAsked():
            _join(book, body)
        case Joined():
            account = book.account(body.table)
            if account.standing is Standing.JOINING:
                book.set(body.table, since=record.seq, came=(*account.came, record.seq))
            book.set(body.table, standing=Standing.ACTIVE, joining=False)
            book.move("house.funding", body.table, main=body.funding_micros)
        case Left():
            _leave(book, body)
        case Sealed():
            account = book.account(body.table)
            standing = Standing.LEFT if account.standing is Standing.JOINING else Standing.SEALED
            book.set(body.table, standing=standing, joining=False)
        case Rekeyed():
            account = book.account(body.table)
            if account.profile.incarnation != body.incarnation:
                raise LedgerBroken(f"another key for {body.table}/{body.incarnation}, which is not in force")
            book.set(body.table, profile=replace(account.profile, key=body.key))
        case TermsChanged():
            _terms(book, body)
        case PaidTold():
            book.pay(body)
        case Settled():
            book.settle(body.key)
        case ClosingAnnounced() | JackpotClosed() | Disposed() | OrphansMoved():
            _closing(book, body, record.seq)


def absorb(book: Book, body: CountersAbsorbed | CountersAccepted) -> None:
    """The step from the absorbed counters to these goes into the pools; what passes the ceiling into the overflow, less
    what the record says comes back out of there.
    """
    table, counters = body.table, body.counters
    account = book.account(table)
    main = counters.net_main_micros - account.absorbed.net_main_micros
    over = passing(account, counters) - body.overflow_micros
    reserve = counters.net_reserve_micros - account.absorbed.net_reserve_micros
    book.shift(table, main - over, reserve, over)
    own = book.own(table)
    own["absorbed"], own["mark"] = counters, body.mark
    book.post("contributions", -(main + reserve))


def change(book: Book, each: Change, sign: int, place: int) -> None:
    """An award's effect on one table's pools, or (sign -1) its undoing.

    place: the award's own record. A table that has left since has taken its balance along: what an undone award gives
    back to it, or takes back, is a transfer (rule 8).
    """
    account = book.account(each.table)
    if not account.in_carousel or place < account.since:
        book.post("house.funding", -sign * each.funding)
        book.post("awards", sign * each.debit)
        book.post("transfers", sign * (each.funding - each.debit))
        return
    book.shift(each.table, sign * each.main, sign * each.reserve, sign * each.overflow)
    book.post("house.funding", -sign * each.funding)
    book.post("awards", sign * each.debit)


def _award(book: Book, body: Awarded, seq: int) -> None:
    before = book.balances()
    for each in body.granted.changes:
        change(book, each, 1, seq)
    answered = Answered(
        revision=body.revision,
        digest=body.digest,
        seq=seq,
        winners=body.winners,
        granted=body.granted,
        held=body.held,
        before=before,
    )
    book.answer(body.granted.name, answered)
    name = body.granted.name
    whole = {
        row.category.value
        for row in book.account(name.table).prizes_of(name.incarnation, name.hand).rows
        if row.percent == WHOLE
    }
    book.resets += any(row.category in whole and row.debit_micros for row in body.granted.rows)


def _terms(book: Book, body: TermsChanged) -> None:
    """The profile takes the new terms; the list of before stays for the hands that were played by it."""
    account = book.account(body.table)
    terms, profile = body.terms, account.profile
    if profile.incarnation != body.incarnation or (account.terms and terms.first_hand < account.terms.first_hand):
        raise LedgerBroken(f"terms of table {body.table} for another incarnation, or for hands before the last change")
    former = account.former
    if not former or former[-1][0] < terms.first_hand:  # else no hand was played by the list that goes
        former = (*former, (terms.first_hand, profile.prizes))[-KEPT_LISTS:]
    profile = replace(
        profile, prizes=terms.prizes, bound_micros=terms.bound_micros, ceiling_micros=terms.ceiling_micros
    )
    book.set(body.table, profile=profile, terms=terms, former=former)


def _release(book: Book, body: Released) -> None:
    answered = book.awards.get(body.name.key)
    if answered is None:
        raise LedgerBroken(f"release of an unknown award {body.name.key}")
    book.awards = book.awards.set(body.name.key, replace(answered, released=True))


Shifts = dict[str, tuple[int, int]]
"""By table, how much main and stored (reserve and overflow) money a correction adds at a place of the ledger."""


def add_shifts(shifts: Shifts, old: Granted, new: Granted) -> None:
    """Add the difference that a corrected award makes to everything after it."""
    for sign, granted in ((-1, old), (1, new)):
        for each in granted.changes:
            main, stored = shifts.get(each.table, (0, 0))
            shifts[each.table] = (main + sign * each.main, stored + sign * (each.reserve + each.overflow))


def shifted(
    before: tuple[Balance, ...], shifts: Shifts, came: Callable[[str], Sequence[int]], first: int, last: int
) -> tuple[Balance, ...]:
    """Balances at a place of the ledger as they would have been with the corrections made before it.

    came: the records that brought a table's balances in. Where there is one after the place that was looked at before
    (first) and up to this one (last), the shift went away with the balance of before, and ends here.
    """
    for table in [table for table in shifts if any(first < seq <= last for seq in came(table))]:
        del shifts[table]
    return tuple(
        replace(
            balance,
            micros=balance.micros + shifts.get(balance.table, (0, 0))[0],
            reserve_micros=balance.reserve_micros + shifts.get(balance.table, (0, 0))[1],
        )
        for balance in before
    )


def _void(book: Book, body: Voided) -> None:
    corrected = {granted.name.key: granted for granted in body.granted}
    missing = [key for key in (body.name.key, *corrected) if key not in book.awards]
    if missing:
        raise LedgerBroken(f"correction of unknown awards: {', '.join(missing)}")
    own = book.awards[body.name.key]
    later = [key for key in book.award_order if book.awards[key].seq >= own.seq]
    shifts: Shifts = {}
    touched = {table for table, _ in body.rescue}
    place = own.seq
    for key in sorted(later, key=lambda name: book.awards[name].seq):
        was = book.awards[key]
        before = shifted(was.before, shifts, lambda table: book.account(table).came, place, was.seq)
        now = replace(was, before=before, granted=corrected.get(key, was.granted))
        place = was.seq
        if key in corrected:
            add_shifts(shifts, was.granted, now.granted)
            for sign, granted in ((-1, was.granted), (1, now.granted)):
                for each in granted.changes:
                    change(book, each, sign, was.seq)
                    touched.add(each.table)
        book.awards = book.awards.set(key, now)
    now = book.awards[body.name.key]
    now = replace(now, revision=body.revision, digest=body.digest, winners=body.winners)
    if body.holds:
        now = replace(now, held=True, released=False)
    book.awards = book.awards.set(body.name.key, now)
    for table, micros in body.rescue:
        book.rescue(table, micros)
    short = sorted(table for table in touched if lacking(book.account(table)))
    if short:
        raise LedgerBroken(f"a correction leaves {', '.join(short)} below zero")


def _adjustment(book: Book, body: Adjusted) -> None:
    source = "transfers" if body.transfer else "house.adjustments"
    book.move(source, body.table, main=body.main_micros, reserve=body.reserve_micros)
    if body.start_micros is not None:
        book.set(body.table, start_micros=body.start_micros)


def _closing(book: Book, body: ClosingAnnounced | JackpotClosed | Disposed | OrphansMoved, seq: int) -> None:
    """The end of a jackpot: what was announced, the day that came, and where its money went."""
    match body:
        case ClosingAnnounced():
            book.closing = Closing(body.day, body.target, body.keep_start, seq) if body.day else None
        case JackpotClosed():
            if book.closing is None or book.closing.day != body.day:
                raise LedgerBroken(f"record {seq} closes a jackpot for {body.day}, which nobody announced")
            book.closing = replace(book.closing, closed=True)
        case Disposed():
            if book.closing is None or not book.closing.closed:
                raise LedgerBroken(f"record {seq} disposes of a jackpot that is open")
            if body.house_micros:
                book.closing = replace(book.closing, recovered=(*book.closing.recovered, body.table))
            book.move("house.adjustments", body.table, main=-body.house_micros)
            out = {"main": -body.main_micros, "reserve": -body.reserve_micros, "overflow": -body.overflow_micros}
            book.move(ORPHANS if body.target == ORPHANS else "transfers", body.table, **out)
            if lacking(book.account(body.table)):
                raise LedgerBroken(f"record {seq} takes more from {body.table} than it holds")
        case OrphansMoved():
            book.post(ORPHANS, -body.micros)
            book.post("transfers", body.micros)


def check_incarnation(was: Account | None, profile: Profile) -> Refused | None:
    """An incarnation that has ended never comes back: its counters and hands would begin again."""
    if was is None or profile.incarnation not in (was.profile.incarnation, *was.past):
        return None
    return refuse(Refusal.INCARNATION_KNOWN, table=profile.table)


def _join(book: Book, body: JoinAsked) -> None:
    was = book.find(body.profile.table)
    if was is not None and (was.joining or was.standing not in (Standing.SEALED, Standing.LEFT)):
        raise LedgerBroken(f"table {body.profile.table} joins twice")
    past = () if was is None else (*was.past, was.profile.incarnation)
    ended = () if was is None else (*was.ended, (was.profile.incarnation, was.former, was.profile.prizes))
    ended = ended[-KEPT_LISTS:]
    if check_incarnation(was, body.profile) is not None:
        raise LedgerBroken(f"table {body.profile.table} joins with an incarnation that has ended")
    if was is None or was.standing is Standing.LEFT:
        account = Account(body.profile, Standing.JOINING, start_micros=body.profile.start_micros, joining=True)
        book.open(evolve(account, past=past, ended=ended, came=() if was is None else was.came))
        return
    fresh = replace(was, profile=body.profile, start_micros=body.profile.start_micros, joining=True, past=past)
    fresh = replace(fresh, terms=None, former=(), ended=ended)
    book.open(replace(fresh, absorbed=ZERO, mark=NO_MARK, closed_hand=0, closed_hands=()))


def _leave(book: Book, body: Left) -> None:
    out = {"main": -body.main_micros, "reserve": -body.reserve_micros, "overflow": -body.overflow_micros}
    book.move("transfers", body.table, **out)
    account = book.account(body.table)
    if account.total_micros != 0:
        raise LedgerBroken(f"table {body.table} leaves {account.total_micros} micros behind")
    book.set(body.table, standing=Standing.LEFT)
