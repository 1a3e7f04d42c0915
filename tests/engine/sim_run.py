"""One seed from start to rest, and what must be true then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from controller.engine import ledger_book, member, member_rows
from controller.engine.host_events import HostPromoted, PrizeReleased
from controller.engine.host_state import Phase
from controller.engine.ledger_check import check_ledger
from controller.engine.ledger_state import Standing
from controller.engine.member_state import RowStatus
from tests.engine.sim_actions import ACTIONS
from tests.engine.sim_ends import MOVE, check_ends, first_moved, held_still, maybe_end
from tests.engine.sim_network import kill, part
from tests.engine.sim_nodes import HostNode, Killed, TableNode, Violation
from tests.engine.sim_office import accept_step, dead_table, enrol_new, exclude, lose_host, settle_sealed
from tests.engine.sim_tables import finish_hand, pay_row
from tests.engine.simulator import Faults, World
from tests.invariants.check import check_carousel, check_rest
from tests.invariants.oracle import Wrong

_DECK: tuple[Callable[[World], None], ...] = tuple(action for weight, action in ACTIONS for _ in range(weight))
STEPS = 160
KEPT_AWARDS, KEPT_ROWS = 4, 1
"""What a simulated carousel keeps, so that lives of this length come to let go of awards and rows."""
LONGER = 2
"""So many times as long is a life whose jackpot comes to an end: its tables settle when all is paid."""
FOUR_MINOR = 50_000
"""What four of a kind pays for each credit where a table's terms never changed (article 56)."""


def run_seed(
    seed: int,
    steps: int = STEPS,
    behaviour: dict[str, Callable[..., Any]] | None = None,
    tables: int = 3,
    faults: Faults | None = None,
    ends: bool | None = None,
) -> World:
    """A whole life; raises Violation, whose text holds the seed that replays it. `faults`, `ends` force rare states."""
    world = World(seed, faults=faults, ends=ends, behaviour=behaviour or {})
    try:
        with keeping_little():
            world.prepare(tables)
            for _ in range(steps if world.end_dice is None else LONGER * steps):
                step(world)
            heal(world)
            check(world)
    except (Violation, Wrong) as broken:
        raise Violation(f"seed {seed}, step {world.step_count}: {broken}") from broken
    return world


@contextmanager
def keeping_little() -> Iterator[None]:
    """Awards and rows are let go after a few."""
    with patch.object(ledger_book, "KEPT_AWARDS", KEPT_AWARDS), patch.object(member_rows, "KEPT_ROWS", KEPT_ROWS):
        yield


def step(world: World) -> None:
    faults = world.faults
    assert faults is not None
    world.step_count += 1
    if faults.kill_after and world.step_count % 4 == 0:
        world.effects_left = faults.kill_after
    elif world.dice.chance(faults.kill):
        world.effects_left = world.dice.below(6)
    action = world.dice.one_of(_DECK)
    if world.dice.chance(faults.partition):
        action = part
    elif world.dice.chance(faults.kill):
        action = kill
    elif world.dice.chance(faults.promote):
        action = lose_host
    world.log(action.__name__)
    try:
        action(world)
        maybe_end(world)
    finally:
        world.effects_left = None
    for host in world.hosts:
        check_ledger(host.state.ledger)


def heal(world: World) -> None:
    """All faults end, everything runs again (hosts of the past too), people do what they have to."""
    world.blocked.clear()
    for host in world.hosts:
        if not host.alive:
            host.alive = True  # stopped processes go on where they were
    for table in list(world.tables.values()):
        if not table.alive and not table.off_for_good:
            table.start("heal")
    for round_number in range(40):
        world.step_count += 1
        size = sum(len(node.journal) for node in world.nodes())
        people(world, round_number)
        world.rest()
        if size == sum(len(node.journal) for node in world.nodes()) and world.serving() is not None and is_done(world):
            return
    raise Violation("faults are over, but not everything is decided: " + undecided(world))


def people(world: World, round_number: int) -> None:
    """What people do once they see the alarms."""
    if world.serving() is None and not any(host.state.promoting for host in world.hosts):
        assert world.chosen is not None
        if world.chosen.state.phase in (Phase.BLANK, Phase.FENCED):
            world.chosen.people(HostPromoted("heal"))
    if any(host.state.promoting for host in world.hosts) and round_number > 2:
        exclude(world)
        if round_number > 9 and round_number % 10 == 0:  # the tables that had the ledger are gone: a host of the past
            world.chosen = max(world.hosts, key=lambda host: (host.state.served, host.state.ledger.seq))
            members = (Standing.ACTIVE, Standing.JOINING)
            lost = not any(table.state.standing in members for table in world.tables.values())
            world.chosen.people(HostPromoted("heal", no_other_ledger=lost))
    enrol_new(world)
    accept_step(world)
    settle_sealed(world)
    host = world.serving()
    if host is None:
        return
    awards = host.state.ledger.awards
    for key in awards:
        if awards[key].held and not awards[key].released:
            host.people(PrizeReleased(awards[key].granted.name, "heal"))
    for table in world.tables.values():
        if not table.state.link_up:
            entry = member.link_changed(table.state, True, f"presence {len(table.journal)}")
            table.do(entry or ())
        table.open_hand = None
        for row_id in table.state.rows:
            row = table.state.rows.get(row_id)
            if row is not None and row.status in (RowStatus.PENDING, RowStatus.VERIFIED):
                pay_row(world, table, row_id)

    if host.state.ledger.closing is not None:
        world.run(host, lambda: host.people(MOVE))


def is_done(world: World) -> bool:
    return not undecided(world)


def undecided(world: World) -> str:
    """What still waits, in words."""
    host = world.serving()
    if host is None:
        return "no host serves: " + ", ".join(f"{each.name} {each.state.phase.value}" for each in world.hosts)
    for table in world.tables.values():
        state = table.state
        if state.standing is not Standing.ACTIVE:
            return f"{table.name} is {state.standing}"
        if state.terms_waiting:
            return f"{table.name} plays by terms that the ledger does not have"
        if state.open_claims:
            return f"{table.name} has open claims {list(state.open_claims)}"
        if state.unpaid:
            return f"{table.name} has unpaid rows {[row for row in state.rows.values() if row.status.value != 'paid']}"
        if state.ledger.hash != host.state.ledger.hash:
            return f"{table.name} has another ledger than {host.name}"
    return f"open awards {list(host.state.open_awards)}" if host.state.open_awards else held_still(host)


def check(world: World) -> None:
    """What must be true at rest, with the checker's own figures."""
    host = world.serving()
    assert host is not None
    oracle = host.book.oracle
    serving = [each for each in world.hosts if each.state.phase is Phase.SERVING]
    if len(serving) > 1:
        raise Violation(f"{len(serving)} hosts serve")
    members = [table.book for table in world.tables.values()]
    ever = [*(table.book for table in world.old_tables), *members]
    check_carousel(ever, [each.book for each in world.hosts], host.book, world.excluded, world.settled)
    check_rest(members, host.book)
    for table in world.tables.values():
        main = sum(hand.main for hand in table.hands if not hand.void)
        reserve = sum(hand.reserve for hand in table.hands if not hand.void)
        if table.book.net != (main, reserve):
            raise Violation(f"{table.name} took in {(main, reserve)} and counted {table.book.net}")
        if table.state.meter_micros != oracle.amount:
            raise Violation(f"{table.name} shows {table.state.meter_micros}, the checker finds {oracle.amount}")
        check_cash_told(table, host)
        check_payments_told(table, host)
        check_hands(table, oracle, first_moved(host))
    check_ends(world, host)
    check_screen(world, host)


def check_cash_told(table: TableNode, host: HostNode) -> None:
    """The carousel tells of every payment by another amount what left the table, and of no other."""
    beside: dict[str, int] = {}
    for entry in table.journal:
        if entry.kind == "prize.paid":
            row, difference = entry.body["prize"], entry.body["amount_minor"] - entry.body["computed_minor"]
            beside[row] = beside.get(row, 0) + difference
    own = f"{table.name}/{table.settings.incarnation}/"
    told = {row: minor for row, minor in host.state.beside.items() if row.startswith(own) and minor}
    kept = host.state.ledger.awards
    if told != {row: minor for row, minor in beside.items() if minor and row.rpartition("/")[0] in kept}:
        raise Violation(f"{table.name} paid beside the computed amounts {beside}, the carousel tells {told}")


def check_payments_told(table: TableNode, host: HostNode) -> None:
    """The ledger tells of every payment, whoever else may know of it: it is all that a later host has."""
    own = f"{table.name}/{table.settings.incarnation}/"
    for key, answered in host.state.ledger.awards.items():
        for row in answered.granted.rows if key.startswith(own) and not answered.settled else ():
            name = answered.granted.name.row(row.seat)
            told, paid = answered.told(row.seat)[0], table.book.sum_paid(name)
            if told != paid:
                raise Violation(f"{table.name} has paid {paid} of {name}, the ledger tells {told}")


def check_hands(table: Any, oracle: Any, moved: int) -> None:
    """Every hand that won has its one award, with the winners that people saw last; but for a hand whose card was
    corrected when the money of the closed jackpot had been moved (moved: the record, 0 = never).
    """
    for hand in table.hands:
        prize = oracle.prizes.get(f"{table.name}/{table.settings.incarnation}/{hand.number}")
        if prize is None and hand.late and moved:
            continue
        if hand.winners and (prize is None or tuple(prize.winners) != tuple(hand.winners)):
            raise Violation(f"{table.name} hand {hand.number} won and has no such award")
        if not hand.winners and prize is not None and prize.amounts:
            raise Violation(f"{table.name} hand {hand.number} was corrected to nothing and has an award")
        four = next((minor for first, minor in reversed(table.fours) if first <= hand.number), FOUR_MINOR)
        for winner in hand.winners:
            if winner.category.value == "four_of_a_kind" and prize.amounts[winner.seat] != four * winner.credits:
                raise Violation(f"{table.name} hand {hand.number} is paid by other terms than it was played by")


def check_screen(world: World, host: HostNode) -> None:
    """The screen never showed an amount that no ledger held, never went back, and is right at the end."""
    shown = [(meter.epoch, meter.seq) for meter in world.screen.history]
    if shown != sorted(shown):
        raise Violation("the screen went back to a lower as-of")
    for meter in world.screen.history:
        held = world.amounts.get((meter.epoch, meter.seq, meter.hash))
        copied = host.book.oracle.amounts_at.get(meter.seq)
        if meter.amount_micros not in (held, copied):
            raise Violation(f"the screen showed {meter.amount_micros} as of {meter.seq}, the ledger held {held}")
    world.run(host, lambda: host.say([m for m in host.outbox() if type(m).__name__ == "Meter"], again=True))
    while world.flights:
        world.deliver(world.flights.pop())
    if world.screen.shown is None or world.screen.shown.amount_micros != host.book.oracle.amount:
        raise Violation("the screen's last amount is not the ledger's")


__all__ = ["STEPS", "Killed", "dead_table", "finish_hand", "run_seed"]
