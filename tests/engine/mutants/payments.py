"""Broken carousels: who was paid what, and who knows of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.core.refusal import Refused
from controller.engine import host_claims, host_members, host_payments, member, member_rows
from controller.engine.host_fold import Pen
from controller.engine.ledger_book import Book
from controller.engine.messages import Received
from tests.engine.carousel_house import House, straight_flush
from tests.engine.mutants.mutant import Mutant
from tests.engine.sim_nodes import Violation
from tests.engine.simulator import Faults

CUT_OFF = Faults(loss=30, doubling=0, partition=20, kill=0, promote=0, kill_after=0)
"""Tables that are cut off again and again: one pays several prizes before anybody hears of the first."""

computed_alone = {**member._STEPS, "prize.paid": lambda state, body: state}
"""The fold of a table that forgets what two people had paid beside a row's computed amount."""

take_paid = host_claims._take_paid


def with_more_paid_alone(pen: Pen, message: Received) -> Refused | None:
    """A host that learned of the computed payment first, by a table's report, takes what was beside it for told."""
    known = tuple((row, minor) for row, minor in message.paid if minor > pen.state.paid.get(row, 0))
    return take_paid(pen, replace(message, paid=known))


def difference_comes_later() -> None:
    """A table of an earlier release said the computed payment alone; its next message tells what was beside it."""
    house = House.of("t1")
    table = house.tables[0]
    table.bet(10_000)
    table.win(straight_flush(1))
    house.settle()
    table.pay_otherwise(next(iter(table.state.rows)), 11)
    (said,) = (message for message in table.outbox() if isinstance(message, Received))
    house.host.receive(replace(said, beside=()))
    house.settle()
    if not house.host.state.beside:
        raise Violation("what was paid beside the computed amount is never told")


_seal, _settle = host_members.seal_member, host_members.settle_award


def as_a_note(pen: Pen, table: str, incarnation: str, mark: Any, rows: Any) -> None:
    """The host keeps payments to itself."""
    body = {
        "table": table,
        "incarnation": incarnation,
        "mark": list(mark),
        "rows": [[row.row, row.minor] for row in rows],
        "beside": [[row.row, row.beside] for row in rows if row.beside or row.row in pen.state.beside],
    }
    pen.note("host.paid", f"paid:{rows[0].row}:{rows[0].minor}", body)


def seal_unseen(pen: Pen, event: Any, signed: Any) -> Any:
    return _seal(pen, replace(event, seen_switched_off=True), signed)


def settle_unseen(pen: Pen, event: Any, signed: Any) -> Any:
    return _settle(pen, replace(event, seen_switched_off=True), signed)


MUTANTS: tuple[Mutant, ...] = (
    Mutant("another amount is told as the computed one", ((member, "_STEPS", computed_alone),)),
    Mutant(
        "what was paid beside is told once or never",
        ((host_claims, "_take_paid", with_more_paid_alone),),
        story=difference_comes_later,
    ),
    Mutant("an open award is let go", ((Book, "is_open", lambda self, answered: False),)),
    Mutant(
        "payments are the host's own notes",
        ((host_payments, "tell", as_a_note), (host_payments, "tell_known", lambda pen: None)),
    ),
    Mutant(
        "a row is let go before its payment is told",
        ((member_rows, "is_told", lambda state, row: True),),
        faults=CUT_OFF,
    ),
    Mutant(
        "sealed and settled without a look",
        ((host_members, "seal_member", seal_unseen), (host_members, "settle_award", settle_unseen)),
        faults=CUT_OFF,
    ),
)
