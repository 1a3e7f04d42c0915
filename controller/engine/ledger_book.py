"""A ledger while records are entered into it: balances that change in place, and what the record at hand posts."""

from collections import deque
from dataclasses import replace
from itertools import islice
from typing import Any

from controller.core.evolve import evolve
from controller.core.ledger import LedgerBroken, Posting
from controller.core.prizes import Balance, PaidBy
from controller.engine.ledger_records import ClaimName, Record
from controller.engine.ledger_state import (
    KEPT_AWARDS,
    KEPT_CLOSED,
    KEPT_HASHES,
    ORPHANS,
    Account,
    Answered,
    LedgerState,
    Standing,
)
from controller.engine.payment_records import PaidTold


class Book:
    """Opened on a state, which stays as it is; every movement is posted and changes a balance at once.

    One record or many are entered; `closed` is the state after them. After a LedgerBroken it is of no more use.
    postings: micros by account that the record at hand moved.
    """

    def __init__(self, state: LedgerState) -> None:
        self.before = state
        self.seq, self.hash, self.epoch = state.seq, state.hash, state.epoch
        self.roster_seq, self.resets = state.roster_seq, state.resets
        self.closing = state.closing
        self.tells_payments = state.tells_payments
        self.changed: dict[str, Account] = {}
        self._own: dict[str, dict[str, Any]] = {}
        self.awards = state.awards
        self.award_order = state.award_order
        self.postings: dict[str, int] = {}
        self._hashes: deque[str] = deque(maxlen=KEPT_HASHES)
        self._outside = {
            "contributions": -state.contributions_micros,
            "house.funding": -state.funding_micros,
            "house.adjustments": -state.adjustments_micros,
            "awards": state.awards_micros,
            "transfers": state.transfers_micros,
            ORPHANS: state.orphans_micros,
        }

    def find(self, table: str) -> Account | None:
        return self.changed.get(table) or self.before.tables.get(table)

    def account(self, table: str) -> Account:
        found = self.changed.get(table) or self.before.tables.get(table)
        if found is None:
            raise LedgerBroken(f"the ledger names table {table}, which never joined")
        return found

    def balances(self) -> tuple[Balance, ...]:
        """The parts of the meter, by table id."""
        accounts = map(self.account, sorted({*self.before.tables, *self.changed}))
        return tuple(account.balance for account in accounts if account.in_carousel)

    def open(self, account: Account) -> None:
        """A table comes in, or begins anew."""
        self._own.pop(account.profile.table, None)
        self.changed[account.profile.table] = account

    def set(self, table: str, **fields: object) -> None:
        """Fields of a table's account."""
        self._own.pop(table, None)
        self.changed[table] = evolve(self.account(table), **fields)

    def own(self, table: str) -> dict[str, Any]:
        """The fields of this book's own copy of an account, to be changed in place: until the book is closed, nobody
        holds it, and each bet's counters would otherwise copy it anew."""
        fields = self._own.get(table)
        if fields is None:
            copy = self.changed[table] = evolve(self.account(table))
            fields = self._own[table] = copy.__dict__
        return fields

    def post(self, account: str, micros: int) -> None:
        if micros:
            self.postings[account] = self.postings.get(account, 0) + micros
            if account in self._outside:
                self._outside[account] += micros

    def shift(self, table: str, main: int, reserve: int, overflow: int) -> None:
        """A table's pools change; what they come from is posted apart."""
        account = self.own(table)
        if main:
            account["main_micros"] += main
            self.post(f"pool.main:{table}", main)
        if reserve:
            account["reserve_micros"] += reserve
            self.post(f"pool.reserve:{table}", reserve)
        if overflow:
            account["overflow_micros"] += overflow
            self.post(f"pool.overflow:{table}", overflow)

    def move(self, source: str, table: str, *, main: int = 0, reserve: int = 0, overflow: int = 0) -> None:
        """From an account outside the pools into those of a table (or back, when negative)."""
        self.shift(table, main, reserve, overflow)
        self.post(source, -(main + reserve + overflow))

    def rescue(self, table: str, micros: int) -> None:
        """The house brings pools below zero back to zero; the record must have said how much that takes."""
        account = self.account(table)
        lacks = lacking(account)
        if lacks != micros:
            raise LedgerBroken(f"table {table} lacks {lacks} micros, the record says {micros}")
        if micros:
            main, reserve, overflow = (-min(pool, 0) for pool in account.pools)
            self.move("house.funding", table, main=main, reserve=reserve, overflow=overflow)

    def answer(self, name: ClaimName, answered: Answered) -> None:
        """Keep a hand's answer; when too many are kept, the oldest that is not open is let go, but no table's last: a
        card of that hand may have been corrected while the table was cut off."""
        was = self.awards.get(name.key)
        if was is not None:
            self.award_order = tuple(key for key in self.award_order if key != name.key)
            answered = replace(answered, paid=was.paid)
        self.awards = self.awards.set(name.key, answered)
        self.award_order = (*self.award_order, name.key)
        too_many = len(self.award_order) - KEPT_AWARDS
        if too_many > 0:
            last = self._last_answers()
            closed = (key for key in self.award_order if key not in last and not self.is_open(self.awards[key]))
            gone = tuple(islice(closed, too_many))
            for key in gone:
                self._close(self.awards[key].granted.name)
                self.awards = self.awards.without(key)
            self.award_order = tuple(key for key in self.award_order if key not in gone)

    def _last_answers(self) -> frozenset[str]:
        """Of each incarnation in force the answered hand that it played last; none in a ledger without payments."""
        last: dict[str, ClaimName] = {}
        for key in self.award_order if self.tells_payments else ():
            name = self.awards[key].granted.name
            account, known = self.find(name.table), last.get(name.table)
            if account is not None and account.profile.incarnation == name.incarnation:
                last[name.table] = name if known is None or known.hand < name.hand else known
        return frozenset(name.key for name in last.values())

    def is_open(self, answered: Answered) -> bool:
        """Whether something of an award is still to be paid, or to be released: from the meter by whom it may concern,
        or a fixed prize by the incarnation that won it. A ledger that never told of a payment does not know."""
        if not self.tells_payments:
            return False
        name = answered.granted.name
        account = self.find(name.table)
        in_force = (
            account is not None
            and account.profile.incarnation == name.incarnation
            and account.standing is Standing.ACTIVE
        )
        return any(in_force or row.paid_by == PaidBy.METER.value for row in answered.unpaid)

    def pay(self, body: PaidTold) -> None:
        """What a table told of its rows; an award that was let go has nothing more to tell."""
        self.tells_payments = True
        for row_id, minor, beside in body.rows:
            key, _, seat = row_id.rpartition("/")
            answered = self.awards.get(key)
            if answered is not None:
                others = tuple(each for each in answered.paid if each[0] != int(seat))
                paid = tuple(sorted((*others, (int(seat), minor, beside))))
                self.awards = self.awards.set(key, replace(answered, paid=paid))

    def settle(self, key: str) -> None:
        """People have seen to an award."""
        self.tells_payments = True
        answered = self.awards.get(key)
        if answered is not None:
            self.awards = self.awards.set(key, replace(answered, settled=True))

    def _close(self, name: ClaimName) -> None:
        account = self.find(name.table)
        if account is not None and account.profile.incarnation == name.incarnation:
            hands = sorted({*account.closed_hands, name.hand})
            old, newest = hands[:-KEPT_CLOSED], hands[-KEPT_CLOSED:]
            floor = max(account.closed_hand, *old) if old else account.closed_hand
            self.set(name.table, closed_hand=floor, closed_hands=tuple(newest))

    def turn(self, record: Record) -> None:
        """A record is entered: the next follows it."""
        self.seq, self.hash, self.epoch = record.seq, record.hash, record.epoch
        self._hashes.append(record.hash)

    def posted(self) -> tuple[Posting, ...]:
        """The postings of the record at hand; they sum to zero."""
        return tuple(Posting(account, micros) for account, micros in self.postings.items() if micros)

    def closed(self) -> LedgerState:
        """The state after what was entered, which has the accounts from here on."""
        self._own = {}
        state, outside = self.before, self._outside
        tables, amount = state.tables, state.amount_micros
        for table, account in self.changed.items():
            was = tables.get(table)
            amount += (account.main_micros if account.in_carousel else 0) - (
                was.main_micros if was is not None and was.in_carousel else 0
            )
            tables = tables.set(table, account)
        return evolve(
            state,
            seq=self.seq,
            hash=self.hash,
            epoch=self.epoch,
            hashes=(state.hashes + tuple(self._hashes))[-KEPT_HASHES:],
            tables=tables,
            awards=self.awards,
            award_order=self.award_order,
            amount_micros=amount,
            contributions_micros=-outside["contributions"],
            funding_micros=-outside["house.funding"],
            adjustments_micros=-outside["house.adjustments"],
            awards_micros=outside["awards"],
            transfers_micros=outside["transfers"],
            roster_seq=self.roster_seq,
            resets=self.resets,
            closing=self.closing,
            orphans_micros=outside[ORPHANS],
            tells_payments=self.tells_payments,
        )


def is_full(state: LedgerState) -> bool:
    """Whether the next award lets an old one go."""
    return len(state.award_order) >= KEPT_AWARDS


def lacking(account: Account) -> int:
    """Micros by which the pools of an account are below zero."""
    main, reserve, overflow = account.main_micros, account.reserve_micros, account.overflow_micros
    if main >= 0 and reserve >= 0 and overflow >= 0:
        return 0
    return -(min(main, 0) + min(reserve, 0) + min(overflow, 0))
