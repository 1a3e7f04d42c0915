"""Broken carousels: the end of a jackpot."""

from __future__ import annotations

from controller.engine import host_closing, member_outbox
from controller.engine.host_events import ClosingDayCame
from controller.engine.member_state import MemberState
from tests.engine.carousel_house import House, straight_flush
from tests.engine.mutants.mutant import Mutant
from tests.engine.sim_ends import END, MOVE
from tests.engine.sim_nodes import Violation


def won_in_the_last_hand() -> None:
    """The day comes while a hand is played; its winner gets a share of what the jackpot held then."""
    house = House.of("t1", "t2")
    table = house.tables[0]
    table.bet(0)
    table.playing = True
    for event in (END, ClosingDayCame(END.day), MOVE):
        house.settle()
        house.host.decide(event)
        house.settle()
    table.win(straight_flush(1))
    table.playing = False
    house.settle()
    if [row.amount_minor for row in table.state.rows.values()] != [100_000]:
        raise Violation("the money was moved before the last hand was over")


def told_while_playing(state: MemberState, playing: bool) -> bool:
    return _is_settled(state, False)


_is_settled = member_outbox.is_settled


MUTANTS: tuple[Mutant, ...] = (
    Mutant("money moved before all have settled", ((host_closing, "unsettled", lambda state: ()),), ends=True),
    Mutant(
        "settled while a hand is open", ((member_outbox, "is_settled", told_while_playing),), story=won_in_the_last_hand
    ),
)
