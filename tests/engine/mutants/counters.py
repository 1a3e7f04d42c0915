"""Broken carousels: how a table's cumulative counters become money in the ledger."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

from controller.engine import host_claims, host_members
from controller.engine.host_fold import Pen
from controller.engine.host_outbox import meter
from controller.engine.ledger_records import Counters
from tests.engine.carousel_house import CENTAVO, House, Table, straight_flush
from tests.engine.mutants.mutant import Mutant
from tests.engine.sim_nodes import Violation


def added(self: Counters, other: Counters) -> Counters:
    pairs = zip(_values(self), _values(other), strict=True)
    return Counters(*(mine + theirs for mine, theirs in pairs))


def _values(counters: Counters) -> tuple[int, ...]:
    return (
        counters.main_micros,
        counters.reserve_micros,
        counters.reversed_main_micros,
        counters.reversed_reserve_micros,
        counters.hands,
    )


_counter = host_claims.counter


def counter_as_delta(pen: Pen, message: Any) -> Any:
    """What a table sends is added to what is there, as if it were what came in since."""
    account = pen.state.ledger.account(message.table, message.incarnation)
    if account is not None and message.counters != account.absorbed and message.counters.hands:
        message = replace(message, counters=added(account.absorbed, message.counters))
    return _counter(pen, message)


def last_wins(self: Counters, other: Counters) -> Counters:
    return other


def any_order_counter(pen: Pen, message: Any) -> Any:
    """No look at the place in the table's order: whatever came last is right."""
    with patch.object(Counters, "merged", last_wins), patch.object(host_claims, "is_reasonable", lambda *_: True):
        pen.state = replace(pen.state, known=pen.state.known.without(message.table))
        return _counter(pen, message)


def no_acceptance(pen: Pen, event: Any, signed: Any) -> None:
    """Quarantine for ever: people accept, and nothing comes of it."""
    return None


def claim_in_quarantine() -> None:
    """A prize is won while the table's counters wait for people: screens must tell it as pending."""
    house = House.of("t1")
    table = house.add(Table.new("t2"), bound_micros=10 * CENTAVO)
    table.bet(1_000)
    table.win(straight_flush(1))
    house.settle()
    if not any(prize.waiting and prize.table == "t2" for prize in meter(house.host.state).pending):
        raise Violation("a claim that waits for people is not told")


MUTANTS: tuple[Mutant, ...] = (
    Mutant("deltas instead of counters", ((host_claims, "counter", counter_as_delta),)),
    Mutant("last value wins instead of max", ((host_claims, "counter", any_order_counter),)),
    Mutant("void without reversed", behaviour={"void_without_reversed": lambda: True}),
    Mutant(
        "a claim in quarantine is not told",
        ((host_claims, "_wait", lambda pen, claim: None),),
        story=claim_in_quarantine,
    ),
    Mutant("quarantine for ever", ((host_members, "accept_step", no_acceptance),)),
)
