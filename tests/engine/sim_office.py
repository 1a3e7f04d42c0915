"""What people do at the host of a simulated pit: held prizes, steps, seals, money, machines and hosts replaced."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from controller.core.causes import PoolCause
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
from controller.engine.ledger_records import ClaimName
from controller.engine.ledger_state import Standing
from tests.engine.carousel_house import CENTAVO
from tests.engine.sim_nodes import HostNode, TableNode
from tests.engine.sim_tables import a_table
from tests.engine.simulator import Flight, World

FAULT = PoolCause.FAULT_CORRECTION


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
        wrong = wrong_part(world, host, table)
        cause = FAULT if any(wrong) else None
        world.run(host, lambda: host.people(StepAccepted(table, "counted by hand", *wrong, cause=cause)))


def wrong_part(world: World, host: HostNode, table: str) -> tuple[int, int]:
    """Now and then a part of the step, or all of it, is not true."""
    waiting, account = host.state.quarantined[table], host.state.ledger.tables[table]
    counters = account.absorbed.merged(waiting.counters)
    main = max(counters.net_main_micros - account.absorbed.net_main_micros, 0)
    likely = 40 if account.profile.ceiling_micros is None else 90
    return (world.dice.one_of((main, world.dice.below(main + 1))) if world.dice.chance(likely) else 0, 0)


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
