"""Broken carousels: shares, restarts and voids of the money core."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.core import prizes
from controller.engine import host_claims, host_members, ledger_awards, ledger_fold, member_ledger
from controller.engine.host_fold import Pen
from controller.engine.ledger_records import Adjusted, Change, Signed
from tests.engine.mutants.mutant import Mutant

_change = ledger_fold.change


def keep_restart(book: Any, each: Change, sign: int, place: int) -> None:
    """Undoing an award gives back its debits and leaves the restart where it is."""
    if sign > 0 or each.funding == 0:
        _change(book, each, sign, place)
        return
    _change(book, each._replace(main=each.main - each.funding, funding=0), sign, place)


def floored(amount: int, weights: Any) -> tuple[tuple[str, int], ...]:
    """Each share floored; what is left over belongs to nobody."""
    total = sum(weight for _, weight in weights)
    return tuple((name, amount * weight // total if total else 0) for name, weight in weights)


_grant = ledger_awards.grant


def grant_without_restart(state: Any, name: Any, list_: Any, winners: Any, before: Any, account: Any = None) -> Any:
    granted, notes = _grant(state, name, list_, winners, before, account)
    changes = tuple(each._replace(main=each.main - each.funding, funding=0) for each in granted.changes)
    return replace(granted, changes=tuple(each for each in changes if any(each[1:]))), notes


_award = host_claims._award


def restart_as_second_record(pen: Pen, claim: Any) -> Any:
    """The award, and the restart it causes as a record of its own with the next message (if there is one)."""
    ledger = pen.state.ledger
    listed = ledger.tables[claim.name.table].profile.prizes
    full, _ = _grant(ledger, claim.name, listed, claim.winners, ledger.balances())
    answer = _award(pen, claim)
    WAITING.extend((each.table, each.funding) for each in full.changes if each.funding)
    return answer


WAITING: list[tuple[str, int]] = []

_acknowledged = host_claims.acknowledged


def restart_with_next(pen: Pen, message: Any) -> Any:
    while WAITING:
        table, micros = WAITING.pop()
        pen.record(Adjusted(table, micros, 0, Signed("restart", "host", "host 2")))
    return _acknowledged(pen, message)


_changes = ledger_awards._changes


def overflow_untouched(account: Any, before: Any, settled: Any) -> tuple[Change, ...]:
    """A restart takes from the reserve alone."""
    changes = _changes(account, before, settled)
    return tuple(each._replace(reserve=each.reserve + each.overflow, overflow=0) for each in changes)


MUTANTS: tuple[Mutant, ...] = (
    Mutant("floor instead of largest remainder", ((prizes, "split_proportionally", floored),)),
    Mutant("void keeps the restart", ((ledger_fold, "change", keep_restart), (ledger_awards, "change", keep_restart))),
    Mutant(
        "restart as a second record",
        (
            (host_claims, "grant", grant_without_restart),
            (member_ledger, "grant", grant_without_restart),
            (ledger_awards, "grant", grant_without_restart),
            (host_claims, "_award", restart_as_second_record),
            (host_claims, "acknowledged", restart_with_next),
        ),
    ),
    Mutant("a ceiling holds nothing back", ((ledger_fold, "passing", lambda account, counters: 0),)),
    Mutant("a hand void above the ceiling leaves the meter", ((host_claims, "returned", lambda account, counters: 0),)),
    Mutant("what was wrong above the ceiling leaves the meter", ((host_members, "returned", lambda *step: 0),)),
    Mutant("a restart leaves the overflow where it is", ((ledger_awards, "_changes", overflow_untouched),)),
)
