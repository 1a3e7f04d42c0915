"""What people do at the tables of a simulated pit: hands, prizes, corrections, voids, payments, other terms."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from controller.core.hands import Category
from controller.core.prizes import Prize, PrizeList
from controller.core.refusal import Refused
from controller.engine import member
from controller.engine.ledger_records import Terms
from controller.engine.ledger_state import Standing
from controller.engine.member_state import RowStatus
from tests.engine.carousel_house import CENTAVO, PRIZES, overridden
from tests.engine.sim_nodes import Hand, TableNode, Violation
from tests.engine.simulator import BOUND, TWO, World

OVERRIDDEN = 2
"""Of every so many hands two people have the prizes paid by another amount."""


def live_tables(world: World) -> list[TableNode]:
    return [table for table in world.tables.values() if table.alive]


def a_table(world: World) -> TableNode | None:
    tables = live_tables(world)
    return world.dice.one_of(tables) if tables else None


def lock_hand(world: World) -> None:
    """No va más: a hand's share joins the counters."""
    table = a_table(world)
    if table is None or table.open_hand is not None or member.check_bet(table.state) is not None:
        return
    wild = world.dice.chance(14)
    main = 8 * BOUND if wild else world.dice.below(30 * CENTAVO)
    reserve = world.dice.below(10 * CENTAVO) if world.dice.chance(40) else 0
    hand = Hand(len(table.hands) + 1, main, reserve)
    was = table.state.counters
    entry = member.counted(
        table.state,
        main_micros=was.main_micros + main,
        reserve_micros=was.reserve_micros + reserve,
        reversed_main_micros=was.reversed_main_micros,
        reversed_reserve_micros=was.reversed_reserve_micros,
    )
    at_table(world, table, entry, lambda: begin(table, hand))


def begin(table: TableNode, hand: Hand) -> None:
    table.hands.append(hand)
    table.open_hand = hand


def at_table(world: World, table: TableNode, answer: Any, done: Callable[[], None]) -> None:
    """People at the table see an act happen when, and only when, it is in the table's journal."""
    size = len(table.journal)
    world.run(table, lambda: table.do(answer))
    if len(table.journal) > size:
        done()


def finish_hand(world: World) -> None:
    """A hand ends: now and then somebody has won."""
    table = a_table(world)
    if table is None or table.open_hand is None:
        return
    hand = table.open_hand
    if not world.dice.chance(40):
        table.open_hand = None
        return
    winners = world.winners()
    claim = member.claim(table.state, hand=hand.number, winners=winners)
    send_claim: Callable[..., Any] = world.behaviour.get("claim", at_table)
    send_claim(world, table, claim, lambda: won(table, hand, winners))


def won(table: TableNode, hand: Hand, winners: Any) -> None:
    hand.winners, hand.revision = winners, hand.revision + 1
    table.open_hand = None


def press_twice(world: World) -> None:
    """The dealer presses win again: the same revision is refused by name, whatever became of the first."""
    table = a_table(world)
    if table is None or not table.hands or not table.hands[-1].revision:
        return
    hand = table.hands[-1]
    if not isinstance(member.claim(table.state, hand=hand.number, winners=hand.winners), Refused):
        raise Violation(f"{table.name} takes the claim of hand {hand.number} twice")


def void_hand(world: World) -> None:
    """A hand is void: its share is reversed, its claim corrected to nothing, in one commit."""
    table = a_table(world)
    if table is None or not table.hands or table.state.leaving is not None:
        return
    hand = table.hands[-1 - world.dice.below(min(3, len(table.hands)))]
    if hand.void or (hand.winners and table.state.standing is not Standing.ACTIVE):
        return
    was = table.state.counters
    reversal = member.counted(
        table.state,
        main_micros=was.main_micros,
        reserve_micros=was.reserve_micros,
        reversed_main_micros=was.reversed_main_micros + hand.main,
        reversed_reserve_micros=was.reversed_reserve_micros + hand.reserve,
        hands=was.hands,
    )
    entries = [] if world.behaviour.get("void_without_reversed") else [reversal]
    state = member.apply(table.state, entries[0]) if entries else table.state
    if hand.winners:
        claim = member.claim(state, hand=hand.number, winners=(), revision=hand.revision + 1, signed=TWO)
        if isinstance(claim, Refused):
            return
        entries.append(claim)
    at_table(world, table, tuple(entries), lambda: voided(table, hand))


def voided(table: TableNode, hand: Hand) -> None:
    hand.void = True
    hand.revision += bool(hand.winners)
    hand.winners = ()
    if table.open_hand is hand:
        table.open_hand = None


def correct_card(world: World) -> None:
    """A misread card of the last hand: other winners, or none, or winners where there were none."""
    table = a_table(world)
    if table is None or not table.hands or table.open_hand is not None:
        return
    hand = table.hands[-1]
    winners = world.winners() if world.dice.chance(70) or not hand.revision else ()
    if hand.void or table.state.standing is not Standing.ACTIVE:
        return
    revision = hand.revision + 1
    signed = TWO if revision > 1 else None
    claim = member.claim(table.state, hand=hand.number, winners=winners, revision=revision, signed=signed)
    at_table(world, table, claim, lambda: won_again(hand, winners))


def won_again(hand: Hand, winners: Any) -> None:
    hand.late = hand.late or not hand.revision
    hand.winners, hand.revision = winners, hand.revision + 1


def pay_prize(world: World, patient: bool = False) -> None:
    """The pit boss verifies a row, or pays it."""
    table = a_table(world)
    if table is None:
        return
    rows = [row for row in table.state.rows.values() if row.status in (RowStatus.PENDING, RowStatus.VERIFIED)]
    if rows:
        pay_row(world, table, world.dice.one_of(rows).id)


def pay_row(world: World, table: TableNode, row_id: str) -> None:
    row = table.state.rows[row_id]
    if row.status is RowStatus.PENDING:
        world.run(table, lambda: table.do(member.verify_row(table.state, row_id, actor="ana")))
    elif row.hand % OVERRIDDEN:
        world.run(table, lambda: table.do(member.pay(table.state, row_id, actor="ana", second="bea")))
    else:
        minor = row.payable_minor + 7 if row.seat > 1 else 0
        world.run(table, lambda: table.do(overridden(table.state, row_id, minor)))


def advance_prize(world: World) -> None:
    """Two people pay on an open claim while the host cannot be heard."""
    table = a_table(world)
    if table is None or not table.state.open_claims:
        return
    waiting = next(iter(table.state.open_claims.values()))
    for seat, minor in waiting.estimate[:1]:
        part = max(1, minor * (1 + world.dice.below(4)) // 4)
        answer = member.advance(table.state, hand=waiting.claim.name.hand, seat=seat, amount_minor=part, signed=TWO)
        world.run(table, partial(table.do, answer))


def hear_or_not(world: World) -> None:
    """A table notices that the host is heard, or is not."""
    table = a_table(world)
    if table is not None:
        entry = member.link_changed(table.state, not table.state.link_up, f"presence {len(table.journal)}")
        world.run(table, lambda: table.do(entry) if entry is not None else None)


def leave_carousel(world: World) -> None:
    """A table asks to leave; it may where nothing of it is open. Its machine comes back as a new incarnation."""
    table = a_table(world)
    if table is not None and table.open_hand is None:
        world.run(table, lambda: table.do(member.leave(table.state, TWO)))


def change_terms(world: World) -> None:
    """Two people change what four of a kind pays, from the next hand on."""
    table = a_table(world)
    if table is None or table.open_hand is not None or table.state.leaving is not None:
        return
    if table.state.standing is not Standing.ACTIVE:
        return
    minor, first = 50_000 + 1_000 * world.dice.below(20), len(table.hands) + 1
    rows = [row for row in PRIZES.rows if row.category is not Category.FOUR_OF_A_KIND]
    prizes = PrizeList((*rows, Prize(Category.FOUR_OF_A_KIND, fixed_minor=minor)))
    terms = Terms(first, prizes, BOUND, world.ceiling(), f"four {minor}", TWO)
    at_table(world, table, member.new_terms(table.state, terms), lambda: table.fours.append((first, minor)))
