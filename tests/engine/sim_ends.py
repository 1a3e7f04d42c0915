"""The end of a jackpot in simulated lives: announced, put off, begun, its money moved as soon as anybody may."""

from __future__ import annotations

from collections.abc import Callable

from controller.core.causes import PoolCause
from controller.core.refusal import Refused
from controller.engine.closing_records import Disposed
from controller.engine.host_events import ClosedDisposed, ClosingAsked, ClosingDayCame, OrphansAssigned
from controller.engine.ledger_records import Awarded, ClaimName, ClaimRefused
from controller.engine.ledger_state import ORPHANS
from tests.engine.carousel_house import CENTAVO
from tests.engine.sim_network import deliver_some, revive
from tests.engine.sim_nodes import HostNode, TableNode, Violation
from tests.engine.sim_office import accept_step, enrol_new, promote, release, settle_sealed
from tests.engine.sim_tables import finish_hand, pay_prize
from tests.engine.simulator import Dice, World

CLOSE = PoolCause.APPROVED_CLOSING
END = ClosingAsked("2026-12-31", ORPHANS, "the season ends", cause=CLOSE)
MOVE = ClosedDisposed("as announced", CLOSE)
EVENTFUL = 40
"""So many steps a life is played before the day may come: no bets follow it."""


def announce(world: World, dice: Dice) -> None:
    """An end, another one in its place, or none after all."""
    host = world.serving()
    if host is None or (host.state.ledger.closing is not None and not dice.chance(20)):
        return
    day = "" if host.state.ledger.closing is not None and dice.chance(30) else f"2027-01-{10 + dice.below(20)}"
    event = ClosingAsked(day, dice.one_of((ORPHANS, "norte")), "the season ends", dice.chance(50), CLOSE)
    world.run(host, lambda: host.people(event))


def day_comes(world: World, dice: Dice) -> None:
    host = world.serving()
    if host is None or world.step_count < EVENTFUL or host.state.ledger.closing is None:
        return
    day = host.state.ledger.closing.day
    world.run(host, lambda: host.people(ClosingDayCame(day)))


def see_to_it(world: World, dice: Dice) -> None:
    """After the day people see to what is open: machines go on, prizes are paid, what waits is said again."""
    chosen = world.chosen
    if chosen is None or chosen.state.ledger.closing is None or not chosen.state.ledger.closing.closed:
        return
    if dice.chance(60):
        world.blocked.clear()
    for action in (revive, promote, release, settle_sealed, accept_step, enrol_new, finish_hand, pay_prize, pay_prize):
        action(world)
    for _ in range(1 + dice.below(3)):
        for node in world.nodes():
            if node.alive:
                world.run(node, node.repeat)
        for _ in range(1 + dice.below(12)):
            deliver_some(world)


def dispose(world: World, dice: Dice) -> None:
    """People try to move the money whenever they look, whatever is open anywhere."""
    host = world.serving()
    if host is not None:
        answer = world.run(host, lambda: host.people(MOVE))
        world.log(f"money: {answer.reason.value if isinstance(answer, Refused) else 'moved, or the host died'}")


def assign(world: World, dice: Dice) -> None:
    host = world.serving()
    if host is None or not host.state.ledger.orphans_micros:
        return
    part = 1 + dice.below(min(host.state.ledger.orphans_micros, 900 * CENTAVO))
    event = OrphansAssigned(part, "norte", "approved", PoolCause.APPROVED_MOVE)
    world.run(host, lambda: host.people(event))


ENDS: tuple[tuple[int, Callable[[World, Dice], None]], ...] = (
    (4, announce),
    (5, day_comes),
    (12, see_to_it),
    (9, dispose),
    (6, assign),
)
_DECK = tuple(action for weight, action in ENDS for _ in range(weight))


def maybe_end(world: World) -> None:
    """In a life with an end people come to it now and then, by dice of their own: other lives stay what they were."""
    if world.end_dice is not None and world.end_dice.chance(40):
        action = world.end_dice.one_of(_DECK)
        world.log(action.__name__)
        action(world, world.end_dice)


def held_still(host: HostNode) -> str:
    """What of a closed jackpot still waits to be moved, in words."""
    ledger = host.state.ledger
    if ledger.closing is None or not ledger.closing.closed:
        return ""
    held = [table for table in ledger.tables if ledger.tables[table].in_carousel and ledger.tables[table].total_micros]
    return f"money of a closed jackpot waits at {held}" if held else ""


def first_moved(host: HostNode) -> int:
    """The record with which money of a closed jackpot went away, 0 while it is all there."""
    return next((record.seq for record in host.book.records if isinstance(record.body, Disposed)), 0)


def check_ends(world: World, host: HostNode) -> None:
    """No hand of before the end was answered when the money had been moved: its prize was a share of nothing.

    But for a misread card that people corrected afterwards.
    """
    moved = first_moved(host)
    for record in host.book.records[moved:] if moved else ():
        match record.body:
            case Awarded(revision=1, granted=granted):
                _hold_late(world, granted.name, moved)
            case ClaimRefused(revision=1, name=name):
                _hold_late(world, name, moved)


def _hold_late(world: World, name: ClaimName, moved: int) -> None:
    node = next(each for each in tables_ever(world) if each.settings.incarnation == name.incarnation)
    hand = node.hands[name.hand - 1]
    if not hand.late:
        raise Violation(f"{name.key} was answered after record {moved} had moved the money")


def tables_ever(world: World) -> list[TableNode]:
    return [*world.tables.values(), *world.old_tables]
