"""Broken carousels: one answer to one claim, for ever."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.engine import host_claims, member_ledger
from controller.engine.host_events import PrizeReleased
from controller.engine.host_fold import Pen
from controller.engine.ledger_records import ClaimName, Signed
from controller.engine.messages import Claimed
from tests.engine.carousel_house import House, straight_flush
from tests.engine.mutants.mutant import Mutant
from tests.engine.sim_nodes import Violation

_claimed = host_claims.claimed
_waits = host_claims._waits_for_people


def claim_again(pen: Pen, message: Any) -> Any:
    """Every copy of a claim is answered anew."""
    ledger = pen.state.ledger
    if message.claim.name.key in ledger.awards:
        awards = ledger.awards.without(message.claim.name.key)
        order = tuple(key for key in ledger.award_order if key != message.claim.name.key)
        pen.state = replace(pen.state, ledger=replace(ledger, awards=awards, award_order=order))
    return _claimed(pen, message)


def lower_revision(pen: Pen, message: Any) -> Any:
    """Revision 1 that comes after revision 2 is taken as news."""
    ledger, claim = pen.state.ledger, message.claim
    answered = ledger.awards.get(claim.name.key)
    if answered is not None and claim.revision < answered.revision:
        changed = replace(answered, revision=0, digest="")
        awards = ledger.awards.set(claim.name.key, changed)
        pen.state = replace(pen.state, ledger=replace(ledger, awards=awards))
        message = replace(message, claim=replace(claim, signed=Signed("late", "ana", "bea")))
    return _claimed(pen, message)


def late_first_revision() -> None:
    """The correction is answered before the claim it corrects arrives."""
    house = House.of("t1")
    table = house.tables[0]
    table.bet(0)
    table.win(straight_flush(1))
    late = [message for message in table.outbox() if isinstance(message, Claimed)]
    table.win(straight_flush(2), straight_flush(3), revision=2)
    house.settle()
    for message in late:
        house.host.receive(message)
    house.settle()
    if sorted(row.seat for row in table.state.rows.values() if row.amount_minor) != [2, 3]:
        raise Violation("the first revision was answered after the second")


def any_claim(state: Any, name: Any, revision: int, digest: str) -> None:
    return None


def corrections_never_wait(state: Any, granted: Any, was: Any = None) -> bool:
    """Only a hand's first answer is held, and what was released of it once is good for any amount."""
    return was is None and _waits(state, granted)


def released_and_corrected() -> None:
    """The second of two open awards is released by people; then a card gives its hand another winner."""
    house = House.of("t1", "t2")
    for table in house.tables:
        table.bet(0)
        table.win(straight_flush(1))
        house.settle()
    two = house.tables[1]
    house.host.decide(PrizeReleased(ClaimName("t2", "t2-i1", 1), "seen"))
    two.win(straight_flush(1), straight_flush(3), revision=2)
    house.settle()
    if two.pay_all():
        raise Violation("a corrected prize was paid by what people had released before")


MUTANTS: tuple[Mutant, ...] = (
    Mutant("no claim dedupe", ((host_claims, "claimed", claim_again),)),
    Mutant(
        "revision 1 after revision 2",
        ((host_claims, "claimed", lower_revision), (member_ledger, "_check_claim", any_claim)),
        story=late_first_revision,
    ),
    Mutant(
        "a correction is never held",
        ((host_claims, "_waits_for_people", corrections_never_wait),),
        story=released_and_corrected,
    ),
)
