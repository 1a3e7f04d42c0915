"""What may happen in a simulated pit in one step: hands, prizes, corrections, kills, partitions, people, promotions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from controller.core.causes import PoolCause
from controller.core.hands import Category
from controller.core.prizes import Prize, PrizeList
from controller.core.refusal import Refused
from controller.engine import member
from controller.engine.host_events import (
    AwardSettled,
    BalanceTransferred,
    HostPromoted,
    MemberRekeyed,
    MemberSealed,
    MeterAdjusted,
    PrizeReleased,
    StartValueReset,
    StepAccepted,
    TableExcluded,
)
from controller.engine.host_state import Phase
from controller.engine.ledger_records import ClaimName, Terms
from controller.engine.ledger_state import Standing
from controller.engine.member_state import RowStatus
from tests.engine.carousel_house import CENTAVO, PRIZES, overridden
from tests.engine.sim_nodes import Hand, HostNode, TableNode, Violation
from tests.engine.simulator import BOUND, TWO, Flight, World

FAULT = PoolCause.FAULT_CORRECTION
OVERRIDDEN = 2
"""Of every so many hands two people have the prizes paid by another amount."""


def live_tables(world: World) -> list[TableNode]:
    return [table for table in world.tables.values() if table.alive]


def a_table(world: World) -> TableNode | None:
    tables = live_tables(world)
    return world.dice.one_of(tables) if tables else None


# at the tables


def lock_hand(world: World) -> None:
    """No va más: a hand's share joins the counters."""
    table = a_table(world)
    if table is None or table.open_hand is not None or member.check_bet(table.state) is not None:
        return
    wild = world.dice.chance(3)
    main = 3 * BOUND if wild else world.dice.below(30 * CENTAVO)
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
    terms = Terms(first, prizes, BOUND, None, f"four {minor}", TWO)
    at_table(world, table, member.new_terms(table.state, terms), lambda: table.fours.append((first, minor)))


# the network and the processes


def deliver_some(world: World) -> None:
    """Some messages arrive, in any order; some never, some twice."""
    assert world.faults is not None
    for _ in range(1 + world.dice.below(8)):
        if not world.flights:
            return
        flight = world.flights.pop(world.dice.below(len(world.flights)))
        if world.dice.chance(world.faults.loss):
            continue
        if world.dice.chance(world.faults.doubling):
            world.flights.append(flight)
        world.deliver(flight)


def repeat_some(world: World) -> None:
    node = world.dice.one_of(world.nodes())
    if node.alive:
        world.run(node, node.repeat)


def reconnect(world: World) -> None:
    """A node hears what the broker kept."""
    node = world.dice.one_of(world.nodes())
    for source, message in list(world.retained.values())[-40:]:
        wanted = isinstance(node, HostNode) == hasattr(message, "incarnation")
        if wanted and source != node.name:
            world.flights.append(Flight(source, node.name, message))


def wipe_broker(world: World) -> None:
    world.retained.clear()
    world.flights.clear()


def part(world: World) -> None:
    """A link breaks, in one direction or in both; or all heal."""
    if world.blocked and world.dice.chance(50):
        world.blocked.clear()
        return
    table, host = world.dice.one_of(list(world.tables)), world.dice.one_of(world.hosts).name
    ways = ((table, host), (host, table))
    world.blocked |= {world.dice.one_of(ways)} if world.dice.chance(50) else set(ways)


def kill(world: World) -> None:
    node = world.dice.one_of(world.nodes())
    world.log(f"{node.name} killed")
    node.die()


def revive(world: World) -> None:
    """A dead process starts again; a host may also just go on where it was stopped."""
    dead = [node for node in world.nodes() if not node.alive and not getattr(node, "off_for_good", False)]
    if not dead:
        return
    node = world.dice.one_of(dead)
    if isinstance(node, HostNode) and world.dice.chance(40):
        node.alive = True
        return
    world.run(node, lambda: node.start(f"n{world.step_count}"))


# people at the host


def release(world: World) -> None:
    host = world.serving()
    if host is None:
        return
    awards = host.state.ledger.awards
    held = [awards[key] for key in awards if awards[key].held and not awards[key].released]
    if held:
        name = world.dice.one_of(held).granted.name
        world.run(host, lambda: host.people(PrizeReleased(name, "checked")))


def accept_step(world: World) -> None:
    host = world.serving()
    if host is not None and host.state.quarantined:
        table = world.dice.one_of(list(host.state.quarantined))
        world.run(host, lambda: host.people(StepAccepted(table, "counted by hand")))


def settle_sealed(world: World) -> None:
    """Two people settle an open award whose incarnation is gone."""
    host = world.serving()
    if host is None:
        return
    for key in host.state.open_awards:
        table, incarnation, hand = key.split("/")
        account = host.state.ledger.tables[table]
        if account.profile.incarnation != incarnation or account.standing is Standing.SEALED:
            name = ClaimName(table, incarnation, int(hand))
            rows = host.state.open_awards[key]
            world.run(host, partial(host.people, AwardSettled(name, "by hand", True)))
            if key not in host.state.open_awards:
                pay_elsewhere(world, rows)
            return


def pay_elsewhere(world: World, rows: Any) -> None:
    """People pay at the cage what the journal of the machine that is off does not have as paid."""
    off = [table for table in [*world.old_tables, *world.tables.values()] if not table.alive]
    for row_id, minor in rows:
        paid = max((table.book.sum_paid(row_id) for table in off), default=0)
        world.settled[row_id] = world.settled.get(row_id, 0) + max(minor - paid, 0)


def seal_running(world: World) -> None:
    """A table does not answer: people ask to seal it without looking whether it is off."""
    host, table = world.serving(), a_table(world)
    if host is not None and table is not None and table.state.standing is Standing.ACTIVE:
        world.run(host, lambda: host.people(MemberSealed(table.name, "silent", seen_switched_off=False)))


def adjust(world: World) -> None:
    host = world.serving()
    if host is None or not host.state.ledger.tables:
        return
    table = world.dice.one_of(list(host.state.ledger.tables))
    events = (
        MeterAdjusted(table, world.dice.below(100 * CENTAVO) - 50 * CENTAVO, "recount", cause=FAULT),
        StartValueReset(
            table,
            (900 + world.dice.below(200)) * CENTAVO,
            "new season",
            world.dice.chance(50),
            cause=FAULT,
        ),
        BalanceTransferred(table, 1 + world.dice.below(50 * CENTAVO), "moved", None, cause=FAULT),
        MemberRekeyed(table, f"key {world.step_count}", "a key was lost"),
    )
    event = world.dice.one_of(events)
    world.run(host, lambda: host.people(event))


def retire(world: World, table: TableNode) -> None:
    """The machine is switched off for good; a new one takes the table's name."""
    table.die()
    table.off_for_good = True
    world.old_tables.append(table)
    world.new_table(table.name)


def replace_table(world: World) -> None:
    """A table's machine is lost: people seal its incarnation; the next one will be enrolled."""
    host, table = world.serving(), a_table(world)
    if host is None or table is None or table.state.standing is not Standing.ACTIVE:
        return
    world.log(f"{table.name} is lost")
    retire(world, table)
    world.run(host, lambda: host.people(MemberSealed(table.name, "lost", True)))


def enrol_new(world: World) -> None:
    """People enrol a machine that is not a member yet, sealing the incarnation before it where that was not done."""
    host = world.serving()
    if host is None:
        return
    for table in list(world.tables.values()):
        if table.state.standing in (Standing.SEALED, Standing.LEFT) or table.state.stopped is not None:
            retire(world, table)  # its incarnation is over: the machine is set up anew
            continue
        if table.state.standing is not None:
            continue
        account = host.state.ledger.tables.get(table.name)
        is_mine = account is not None and account.profile.incarnation == table.settings.incarnation
        if account is not None and not is_mine and (account.standing is Standing.ACTIVE or account.joining):
            world.run(host, partial(host.people, MemberSealed(table.name, "lost", True)))
        elif not is_mine and host.alive:
            if not table.alive:
                world.run(table, partial(table.start, "new"))
            entry = member.enrolled(table.state, host.state.epoch)
            if table.alive and entry.id not in table.ids:
                world.run(table, partial(table.do, entry))
            world.enrol(host, table)


def lose_host(world: World) -> None:
    """The serving host's machine stops; another is promoted: blank, or from a backup, under a key of its own."""
    host = world.serving()
    if host is None or len(world.hosts) > 3 or any(each.state.promoting and each.alive for each in world.hosts):
        return
    host.die()
    if world.dice.chance(30):
        # two people here and two there promote two hosts from one backup, with one term
        other = world.new_host("ABCDEFG"[len(world.hosts)])
        restore(other, host, len(host.journal))
        world.run(other, lambda: other.start("restored", restored=True))
        world.run(other, lambda: other.people(HostPromoted("host lost")))
    new = world.new_host("ABCDEFG"[len(world.hosts)])
    world.log(f"{host.name} is gone, {new.name} is to take over")
    if world.dice.chance(50):
        kept = len(host.journal) - world.dice.below(min(len(host.journal), 12))
        restore(new, host, kept)
        world.run(new, lambda: new.start("restored", restored=True))
    for source, message in list(world.retained.values()):
        if hasattr(message, "incarnation") and world.dice.chance(80):
            world.flights.append(Flight(source, new.name, message))


def restore(new: HostNode, old: HostNode, kept: int) -> None:
    """A backup of another host's journal, under the new host's key."""
    for entry in old.journal[:kept]:
        new.store((entry,))


def promote(world: World) -> None:
    """People promote the host they have chosen when it does not serve; it may take more than one try."""
    if world.serving() is not None or any(host.state.promoting and host.alive for host in world.hosts):
        return
    chosen = world.chosen
    if chosen is not None and chosen.alive and chosen.state.phase in (Phase.BLANK, Phase.FENCED):
        world.run(chosen, lambda: chosen.people(HostPromoted("host lost")))


def exclude(world: World) -> None:
    """Two people have seen a table switched off, and leave it off."""
    hosts = [host for host in world.hosts if host.alive and host.state.phase is Phase.COLLECTING]
    if not hosts:
        return
    host = hosts[-1]
    choose: Callable[..., Any] = world.behaviour.get("exclude", dead_table)
    table = choose(world)
    if table is None:
        return
    world.excluded.add(f"{table.name}/{table.settings.incarnation}")
    world.run(host, lambda: host.people(TableExcluded(table.name, "burnt", True, table.settings.incarnation)))


def dead_table(world: World) -> TableNode | None:
    """A table that is off, which stays off; or one that was switched off for good before."""
    off = [table for table in world.tables.values() if not table.alive and table.state.standing is Standing.ACTIVE]
    gone = [table for table in world.old_tables if world.tables[table.name].state.standing is not Standing.ACTIVE]
    if off:
        table = world.dice.one_of(off)
        retire(world, table)
        return table
    return world.dice.one_of(gone) if gone else None


ACTIONS: tuple[tuple[int, Callable[[World], None]], ...] = (
    (24, lock_hand),
    (22, finish_hand),
    (3, press_twice),
    (4, void_hand),
    (4, correct_card),
    (14, pay_prize),
    (2, advance_prize),
    (3, hear_or_not),
    (60, deliver_some),
    (16, repeat_some),
    (5, reconnect),
    (1, wipe_broker),
    (8, revive),
    (5, release),
    (3, accept_step),
    (2, settle_sealed),
    (2, adjust),
    (1, replace_table),
    (1, seal_running),
    (4, leave_carousel),
    (2, change_terms),
    (3, enrol_new),
    (5, promote),
    (3, exclude),
)
