"""The end of a jackpot: announced by two people, begun by the calendar, and its money moved by two people.

The machine knows no calendar: notice and dates are checked where people ask (`api/closing.py`), and the day is told.
"""

from controller.core.refusal import Refusal, Refused, refuse
from controller.core.typed_text import says_something
from controller.engine.closing_records import ClosingAnnounced, Disposed, JackpotClosed, OrphansMoved
from controller.engine.host_events import ClosedDisposed, ClosingAsked, ClosingDayCame, OrphansAssigned
from controller.engine.host_fold import Pen
from controller.engine.host_state import HostState
from controller.engine.ledger_records import Signed
from controller.engine.ledger_state import Account


def announce(pen: Pen, event: ClosingAsked, signed: Signed) -> Refused | None:
    """Another day may be announced until the day has come; then nothing is taken back."""
    closing = pen.state.ledger.closing
    if closing is not None and closing.closed:
        return refuse(Refusal.JACKPOT_CLOSED, day=closing.day)
    if not event.day and closing is None:
        return refuse(Refusal.NO_CLOSING)
    if event.day and not says_something(event.target):
        return refuse(Refusal.REASON_MISSING, field="target")
    pen.record(ClosingAnnounced(event.day, event.target, event.keep_start, signed))
    return None


def day_came(pen: Pen, event: ClosingDayCame) -> Refused | None:
    """The announced day: no table takes a jackpot bet once it has the record."""
    closing = pen.state.ledger.closing
    if closing is None or closing.day != event.day:
        return refuse(Refusal.NO_CLOSING)
    if closing.closed:
        return refuse(Refusal.JACKPOT_CLOSED, day=closing.day)
    pen.record(JackpotClosed(event.day))
    return None


def dispose(pen: Pen, event: ClosedDisposed, signed: Signed) -> Refused | None:
    """What every table of the carousel holds."""
    refused = check_disposal(pen.state)
    if refused is not None:
        return refused
    state, closing = pen.state, pen.state.ledger.closing
    assert closing is not None
    accounts = [account for account in state.ledger.tables.values() if account.in_carousel and account.total_micros]
    if not accounts:
        return refuse(Refusal.NOTHING_CHANGES)
    takes = closing.keep_start and not closing.recovered  # once: what comes in after it is all players' money
    for account in accounts:
        house = _start_of(account) if takes else 0
        pen.record(
            Disposed(
                account.profile.table,
                account.main_micros - house,
                account.reserve_micros,
                account.overflow_micros,
                house,
                closing.target,
                signed,
            )
        )
    return None


def check_disposal(state: HostState) -> Refused | None:
    """Why the money stays: a prize, a claim or a counter waits for people, or a table in force has not said that
    nothing of before the end can come from it any more. One that never says so is sealed, leaves or is replaced first,
    by two people: nothing is heard of its hands after that.
    """
    if state.ledger.closing is None or not state.ledger.closing.closed:
        return refuse(Refusal.JACKPOT_NOT_CLOSED)
    if state.open_awards or state.waiting or state.quarantined:
        return refuse(Refusal.PRIZE_OPEN)
    waiting = unsettled(state)
    return refuse(Refusal.TABLE_NOT_SETTLED, table=waiting[0]) if waiting else None


def unsettled(state: HostState) -> tuple[str, ...]:
    """Tables in force that have not told this host that they settled after the end, or whose journal is there twice."""
    return tuple(table for table in state.ledger.active() if not _has_settled(state, state.ledger.tables[table]))


def _has_settled(state: HostState, account: Account) -> bool:
    table, incarnation = account.profile.table, account.profile.incarnation
    known = state.known.get(table)
    forked = known is not None and known.incarnation == incarnation and known.forked
    return f"{table}/{incarnation}" in state.settled and not forked


def _start_of(account: Account) -> int:
    """What the house takes back of a table's main pool, in micros: its start value, as far as it is there."""
    return min(account.main_micros, account.start_micros)


def assign(pen: Pen, event: OrphansAssigned, signed: Signed) -> Refused | None:
    """Orphaned money goes to a jackpot that people name, whose own ledger takes it in by an adjustment."""
    held = pen.state.ledger.orphans_micros
    if not 0 < event.micros <= held:
        return refuse(Refusal.BALANCE_TOO_LOW, most=held // pen.state.settings.minor_micros)
    if not says_something(event.target):
        return refuse(Refusal.REASON_MISSING, field="target")
    pen.record(OrphansMoved(event.micros, event.target, signed))
    return None
