"""Broken carousels: who may write the ledger, and what a host that takes over goes on with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.core.refusal import Refusal, Refused, refuse
from controller.engine import host_promotion, member_ledger
from controller.engine.host_events import CarouselFounded
from controller.engine.host_fold import Pen
from controller.engine.host_state import Phase
from controller.engine.ledger_records import EpochBegan
from controller.engine.messages import Collect, Ledger, Report
from tests.engine.carousel_house import Host, House, straight_flush
from tests.engine.mutants.mutant import MANY_HOSTS, Mutant
from tests.engine.sim_nodes import TableNode, Violation
from tests.engine.simulator import World

_check_author = member_ledger.check_author


def any_author(state: Any, epoch: Any) -> Refused | None:
    return None


def only_later_authors(state: Any, epoch: Any) -> Refused | None:
    return _check_author(state, epoch) or (refuse(Refusal.STALE_EPOCH) if epoch == state.epoch else None)


def equal_terms(state: Any, epoch: Any) -> Refused | None:
    return refuse(Refusal.STALE_EPOCH) if epoch.term < state.epoch.term else None


def fence_by_record(world: World, node: Any, message: Any) -> None:
    """The epoch inside a record decides instead of the sender's."""
    if isinstance(message, Ledger) and isinstance(node, TableNode):
        message = replace(message, epoch=message.record.epoch)
    node.receive(message)


def report_first(world: World, node: Any, message: Any) -> None:
    """COLLECT is answered at once; the epoch is journaled some time later, or never."""
    if isinstance(message, Collect) and isinstance(node, TableNode) and message.epoch > node.state.epoch:
        ahead = replace(node.state, epoch=message.epoch, report=message.epoch, report_first=message.first)
        before, node.state = node.state, ahead
        reports = [each for each in node.outbox() if isinstance(each, Report)]
        node.state = before
        node.say(reports, again=True)
        return
    node.receive(message)


_start = host_promotion.start


def start_raises_term(pen: Pen, event: Any) -> None:
    state = pen.state
    if state.phase is not Phase.SERVING:
        _start(pen, event)
        return
    epoch = state.epoch._replace(term=state.epoch.term + 1, start=state.epoch.start + 1)
    pen.note("host.began", "began", {"epoch": list(epoch), "incarnation": ""})
    pen.record(EpochBegan(f"start {event.nonce}"))


_proceed = host_promotion.proceed

_serve = host_promotion._serve


def own_ledger_wins(pen: Pen) -> None:
    """The promoted host goes on with its own ledger once all tables have answered, whatever they say."""
    state = pen.state
    complete = [table for table in state.reports if state.reports[table].complete]
    if state.phase is Phase.COLLECTING and state.ledger.seq and complete:
        present = host_promotion.answered(state)
        if all(name in present or name in state.excluded for name in state.ledger.rostered()):
            _serve(pen)
        return
    _proceed(pen)


def begins_anew(pen: Pen) -> None:
    """The promoted host begins a ledger of its own instead of copying the winner's."""
    before = pen.state.phase
    _proceed(pen)
    if before is Phase.COLLECTING and pen.state.phase is Phase.ADOPTING:
        report = pen.state.reports[pen.state.source]
        if pen.state.ledger.seq < report.seq:
            _serve(pen)


def exclude_running(world: World) -> TableNode | None:
    """People exclude a table that does not answer without looking whether it is off."""
    running = [table for table in world.tables.values() if table.state.standing is not None]
    return world.dice.one_of(running) if running else None


def two_hosts_of_one_term() -> None:
    """Two hosts were founded; the one with the lower key has answered a claim when the table hears of the other."""
    house = House.of("t1")
    table, other = house.tables[0], Host.new("B")
    other.decide(CarouselFounded("by mistake"))
    table.bet(0)
    table.win(straight_flush(1))
    for message in table.outbox():
        house.host.receive(message)
    said = house.host.outbox()
    for message in other.outbox():
        table.receive(message)
    for message in said:
        table.receive(message)
    if table.state.rows:
        raise Violation("a table under one host took an award of another with the same term")


MUTANTS: tuple[Mutant, ...] = (
    Mutant("no epoch check", ((member_ledger, "check_author", any_author),)),
    Mutant("> for >=", ((member_ledger, "check_author", only_later_authors),)),
    Mutant("fence by the record's epoch", behaviour={"receive": fence_by_record}),
    Mutant("answer COLLECT before journaling the epoch", behaviour={"receive": report_first}),
    Mutant("a restart raises the term", ((host_promotion, "start", start_raises_term),)),
    Mutant(
        "equal terms accepted",
        ((member_ledger, "check_author", equal_terms),),
        story=two_hosts_of_one_term,
    ),
    Mutant("own ledger always wins", ((host_promotion, "proceed", own_ledger_wins),)),
    Mutant("exclusion without switch-off", behaviour={"exclude": exclude_running}, faults=MANY_HOSTS),
    Mutant("new host ignores old records", ((host_promotion, "proceed", begins_anew),)),
)
