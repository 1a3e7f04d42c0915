"""One ledger record folded into the state, with the postings it makes; raises LedgerBroken when it cannot be true."""

from dataclasses import replace

from controller.core.ledger import LedgerBroken, Posting
from controller.core.prizes import Balance
from controller.core.refusal import Refusal, Refused, refuse
from controller.engine.ledger_records import (
    NO_MARK,
    ZERO,
    Adjusted,
    Awarded,
    Change,
    ClaimName,
    ClaimRefused,
    Counters,
    CountersAbsorbed,
    CountersAccepted,
    EpochBegan,
    Granted,
    JoinAsked,
    Joined,
    Left,
    Mark,
    Profile,
    Record,
    Released,
    Sealed,
    Voided,
)
from controller.engine.ledger_state import KEPT_AWARDS, KEPT_HASHES, Account, Answered, LedgerState, Standing

_OF_ROSTER = (JoinAsked, Joined, Left, Sealed, Adjusted)


class Book:
    """A ledger state while one record is folded into it: every movement is posted and changes a balance at once."""

    def __init__(self, state: LedgerState) -> None:
        self.before = state
        self.changed: dict[str, Account] = {}
        self.postings: dict[str, int] = {}
        self.awards = state.awards
        self.award_order = state.award_order

    def account(self, table: str) -> Account:
        found = self.changed.get(table) or self.before.tables.get(table)
        if found is None:
            raise LedgerBroken(f"the ledger names table {table}, which never joined")
        return found

    def set(self, account: Account) -> None:
        self.changed[account.profile.table] = account

    def post(self, account: str, micros: int) -> None:
        if micros:
            self.postings[account] = self.postings.get(account, 0) + micros

    def move(self, source: str, table: str, *, main: int = 0, reserve: int = 0, overflow: int = 0) -> None:
        """From an account outside the pools into those of a table (or back, when negative)."""
        account = self.account(table)
        self.set(
            replace(
                account,
                main_micros=account.main_micros + main,
                reserve_micros=account.reserve_micros + reserve,
                overflow_micros=account.overflow_micros + overflow,
            )
        )
        self.post(f"pool.main:{table}", main)
        self.post(f"pool.reserve:{table}", reserve)
        self.post(f"pool.overflow:{table}", overflow)
        self.post(source, -(main + reserve + overflow))

    def rescue(self, table: str, micros: int) -> None:
        """The house brings pools below zero back to zero; the record must have said how much that takes."""
        account = self.account(table)
        main, reserve, overflow = (
            max(-account.main_micros, 0),
            max(-account.reserve_micros, 0),
            max(-account.overflow_micros, 0),
        )
        if main + reserve + overflow != micros:
            raise LedgerBroken(f"table {table} lacks {main + reserve + overflow} micros, the record says {micros}")
        self.move("house.funding", table, main=main, reserve=reserve, overflow=overflow)

    def answer(self, name: ClaimName, answered: Answered) -> None:
        """Keep a hand's answer; the oldest award is let go when too many are kept."""
        if name.key in self.awards:
            self.award_order = tuple(key for key in self.award_order if key != name.key)
        self.awards = self.awards.set(name.key, answered)
        self.award_order = (*self.award_order, name.key)
        while len(self.award_order) > KEPT_AWARDS:
            oldest, self.award_order = self.award_order[0], self.award_order[1:]
            self._close(self.awards[oldest].granted.name)
            self.awards = self.awards.without(oldest)

    def _close(self, name: ClaimName) -> None:
        account = self.before.tables.get(name.table)
        if account is not None and account.profile.incarnation == name.incarnation:
            account = self.account(name.table)
            self.set(replace(account, closed_hand=max(account.closed_hand, name.hand)))

    def closed(self, record: Record) -> LedgerState:
        """The state after the record."""
        state = self.before
        tables, amount = state.tables, state.amount_micros
        for table, account in self.changed.items():
            was = tables.get(table)
            amount += (account.main_micros if account.in_carousel else 0) - (
                was.main_micros if was is not None and was.in_carousel else 0
            )
            tables = tables.set(table, account)
        posted = self.postings
        return replace(
            state,
            seq=record.seq,
            hash=record.hash,
            epoch=record.epoch,
            hashes=(*state.hashes, record.hash)[-KEPT_HASHES:],
            tables=tables,
            awards=self.awards,
            award_order=self.award_order,
            amount_micros=amount,
            contributions_micros=state.contributions_micros - posted.get("contributions", 0),
            funding_micros=state.funding_micros - posted.get("house.funding", 0),
            adjustments_micros=state.adjustments_micros - posted.get("house.adjustments", 0),
            awards_micros=state.awards_micros + posted.get("awards", 0),
            transfers_micros=state.transfers_micros + posted.get("transfers", 0),
            roster_seq=record.seq if isinstance(record.body, _OF_ROSTER) else state.roster_seq,
        )


def fold(state: LedgerState, record: Record) -> tuple[LedgerState, tuple[Posting, ...]]:
    """The state after the next record, and the record's postings over the host's accounts (they sum to zero)."""
    if record.seq != state.seq + 1 or record.prev != state.hash:
        raise LedgerBroken(f"record {record.seq} does not follow record {state.seq} of carousel {state.carousel}")
    if record.epoch < state.epoch:
        raise LedgerBroken(f"record {record.seq} is of an epoch before that of record {state.seq}")
    book = Book(state)
    _enter(book, record)
    if sum(book.postings.values()) != 0:
        raise LedgerBroken(f"ledger record {record.seq} ({record.kind}) is out of balance")
    return book.closed(record), tuple(Posting(name, micros) for name, micros in book.postings.items() if micros)


def _enter(book: Book, record: Record) -> None:
    body = record.body
    match body:
        case EpochBegan():
            pass
        case CountersAbsorbed():
            absorb(book, body.table, body.counters, body.mark)
            book.rescue(body.table, body.rescue_micros)
        case CountersAccepted():
            absorb(book, body.table, body.counters, body.mark)
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
            since = record.seq if account.standing is Standing.JOINING else account.since
            book.set(replace(account, standing=Standing.ACTIVE, joining=False, since=since))
            book.move("house.funding", body.table, main=body.funding_micros)
        case Left():
            _leave(book, body)
        case Sealed():
            account = book.account(body.table)
            standing = Standing.LEFT if account.standing is Standing.JOINING else Standing.SEALED
            book.set(replace(account, standing=standing, joining=False))


def absorb(book: Book, table: str, counters: Counters, mark: Mark) -> None:
    """The step from the absorbed counters to these goes into the pools; what passes the ceiling into the overflow."""
    account = book.account(table)
    main = counters.net_main_micros - account.absorbed.net_main_micros
    ceiling = account.profile.ceiling_micros
    over = 0 if ceiling is None else min(max(account.main_micros + main - ceiling, 0), max(main, 0))
    reserve = counters.net_reserve_micros - account.absorbed.net_reserve_micros
    book.set(replace(account, absorbed=counters, mark=mark))
    book.move("contributions", table, main=main - over, reserve=reserve, overflow=over)


def lacking(account: Account) -> int:
    """Micros by which the pools of an account are below zero."""
    pools = (account.main_micros, account.reserve_micros, account.overflow_micros)
    return sum(max(-pool, 0) for pool in pools)


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
    book.set(
        replace(
            account,
            main_micros=account.main_micros + sign * each.main,
            reserve_micros=account.reserve_micros + sign * each.reserve,
            overflow_micros=account.overflow_micros + sign * each.overflow,
        )
    )
    book.post(f"pool.main:{each.table}", sign * each.main)
    book.post(f"pool.reserve:{each.table}", sign * each.reserve)
    book.post(f"pool.overflow:{each.table}", sign * each.overflow)
    book.post("house.funding", -sign * each.funding)
    book.post("awards", sign * each.debit)


def _award(book: Book, body: Awarded, seq: int) -> None:
    before = book.before.balances()
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


def shifted(before: tuple[Balance, ...], shifts: Shifts) -> tuple[Balance, ...]:
    """Balances at a place of the ledger as they would have been with the corrections made before it."""
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
    for key in sorted(later, key=lambda name: book.awards[name].seq):
        was = book.awards[key]
        now = replace(was, before=shifted(was.before, shifts), granted=corrected.get(key, was.granted))
        if key in corrected:
            add_shifts(shifts, was.granted, now.granted)
            for sign, granted in ((-1, was.granted), (1, now.granted)):
                for each in granted.changes:
                    change(book, each, sign, was.seq)
        book.awards = book.awards.set(key, now)
    now = book.awards[body.name.key]
    now = replace(now, revision=body.revision, digest=body.digest, winners=body.winners)
    book.awards = book.awards.set(body.name.key, now)
    for table, micros in body.rescue:
        book.rescue(table, micros)
    short = [table for table, account in book.changed.items() if lacking(account)]
    if short:
        raise LedgerBroken(f"a correction leaves {', '.join(sorted(short))} below zero")


def _adjustment(book: Book, body: Adjusted) -> None:
    source = "transfers" if body.transfer else "house.adjustments"
    book.move(source, body.table, main=body.main_micros, reserve=body.reserve_micros)
    if body.start_micros is not None:
        book.set(replace(book.account(body.table), start_micros=body.start_micros))


def check_incarnation(was: Account | None, profile: Profile) -> Refused | None:
    """An incarnation that has ended never comes back: its counters and hands would begin again."""
    if was is None or profile.incarnation not in (was.profile.incarnation, *was.past):
        return None
    return refuse(Refusal.INCARNATION_KNOWN, table=profile.table)


def _join(book: Book, body: JoinAsked) -> None:
    was = book.before.tables.get(body.profile.table)
    if was is not None and (was.joining or was.standing not in (Standing.SEALED, Standing.LEFT)):
        raise LedgerBroken(f"table {body.profile.table} joins twice")
    past = () if was is None else (*was.past, was.profile.incarnation)
    if check_incarnation(was, body.profile) is not None:
        raise LedgerBroken(f"table {body.profile.table} joins with an incarnation that has ended")
    if was is None or was.standing is Standing.LEFT:
        account = Account(body.profile, Standing.JOINING, start_micros=body.profile.start_micros, joining=True)
        book.set(replace(account, past=past))
        return
    fresh = replace(was, profile=body.profile, start_micros=body.profile.start_micros, joining=True, past=past)
    book.set(replace(fresh, absorbed=ZERO, mark=NO_MARK, closed_hand=0))


def _leave(book: Book, body: Left) -> None:
    out = {"main": -body.main_micros, "reserve": -body.reserve_micros, "overflow": -body.overflow_micros}
    book.move("transfers", body.table, **out)
    account = book.account(body.table)
    if account.total_micros != 0:
        raise LedgerBroken(f"table {body.table} leaves {account.total_micros} micros behind")
    book.set(replace(account, standing=Standing.LEFT))
