"""Broken carousels: who was paid what, and who knows of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

from controller.core.refusal import Refused
from controller.engine import host_claims, host_members, host_payments, member, member_rows
from controller.engine.host_events import AwardSettled, HostPromoted, MemberSealed, PrizeReleased
from controller.engine.host_fold import Pen
from controller.engine.ledger_book import Book
from controller.engine.messages import Counter, Received
from tests.engine.carousel_house import Host, House, straight_flush, talk
from tests.engine.mutants.mutant import MANY_HOSTS, Mutant
from tests.engine.sim_nodes import Violation

computed_alone = {**member._STEPS, "prize.paid": lambda state, body: state}
"""The fold of a table that forgets what two people had paid beside a row's computed amount."""

take_paid = host_claims._take_paid


def with_more_paid_alone(pen: Pen, message: Received) -> Refused | None:
    """A host that learned of the computed payment first, by a table's report, takes what was beside it for told."""
    known = tuple((row, minor) for row, minor in message.paid if minor > pen.state.paid.get(row, 0))
    return take_paid(pen, replace(message, paid=known))


def house_of_winner() -> House:
    """The first table has won a prize, which nobody has paid."""
    house = House.of("t1", "t2")
    house.tables[0].bet(10_000)
    house.tables[0].win(straight_flush(1))
    house.settle()
    return house


def paid_before_it_was_sealed() -> None:
    """A later host must know what a table paid that is no more, or people pay it again."""
    house = house_of_winner()
    house.tables[0].pay_all()
    house.settle()
    house.host.decide(MemberSealed("t1", "burnt", True))
    house.settle()
    other = Host.new("B")
    for table in house.tables:
        other.receive(next(message for message in table.outbox() if isinstance(message, Counter)))
    other.decide(HostPromoted("the host is lost"))
    talk(other, *house.tables)
    if other.state.open_awards:
        raise Violation("a prize that was paid is pending again")


def sealed_while_it_runs() -> None:
    """A table is cut off; people seal it and settle its award without looking whether it is off."""
    house = house_of_winner()
    table, host = house.tables[0], house.host
    (key,) = host.state.open_awards
    host.decide(MemberSealed("t1", "silent"))
    host.decide(AwardSettled(host.state.ledger.awards[key].granted.name, "at the cage"))
    if not host.state.open_awards and table.pay_all():
        raise Violation("people and the table have both paid")


def more_paid_than_it_names() -> None:
    """A table pays more prizes while the host is away than it holds of what is closed."""
    house = House.of("t1")
    table = house.tables[0]
    for _ in range(3):
        table.bet(10_000)
        table.win(straight_flush(1), straight_flush(2))
        house.settle()
        for key in house.host.state.open_awards:
            house.host.decide(PrizeReleased(house.host.state.ledger.awards[key].granted.name, "checked"))
        house.settle()
    with patch.object(member_rows, "KEPT_ROWS", 2):
        table.pay_all()
        house.settle()
    if house.host.state.open_awards:
        raise Violation("the host never hears of a payment")


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
        faults=MANY_HOSTS,
    ),
    Mutant("an open award is let go", ((Book, "is_open", lambda self, answered: False),)),
    Mutant(
        "payments are the host's own notes",
        ((host_payments, "tell", as_a_note), (host_payments, "tell_known", lambda pen: None)),
        story=paid_before_it_was_sealed,
    ),
    Mutant(
        "a row is let go before its payment is told",
        ((member_rows, "is_told", lambda state, row: True),),
        story=more_paid_than_it_names,
    ),
    Mutant(
        "sealed and settled without a look",
        ((host_members, "seal_member", seal_unseen), (host_members, "settle_award", settle_unseen)),
        story=sealed_while_it_runs,
    ),
)
