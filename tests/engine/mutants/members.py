"""Broken carousels: incarnations, keys and terms of the tables, and bets without the host."""

from __future__ import annotations

from typing import Any

from controller.core.prizes import PrizeList
from controller.core.refusal import Refused
from controller.engine import host_members, ledger_fold, member, member_claims, member_ledger, member_rows
from controller.engine.host_events import HostPromoted, MemberRekeyed
from controller.engine.ledger_records import JoinAsked
from controller.engine.ledger_state import Account
from controller.engine.member_state import MemberState
from controller.engine.messages import Counter
from tests.engine.carousel_house import Host, House, Table, talk
from tests.engine.mutants.claims import any_claim
from tests.engine.mutants.mutant import Mutant
from tests.engine.sim_nodes import Violation
from tests.engine.simulator import World


def own_by_table(state: Any, name: Any) -> bool:
    """A replacement takes over the rows of the incarnation before it."""
    return bool(name.table == state.settings.table)


def any_incarnation(was: Any, profile: Any) -> None:
    return None


def reused(world: World, name: str) -> str:
    return f"{name}-i1"


def a_day_without_the_host() -> None:
    """`continue` ends after a day; hearing the host is not enough, the bets of the outage must be in the ledger."""
    house = House.of()
    table = house.add(Table.new("t1", lost_limit_minutes=24 * 60))
    table.bet(5)
    table.store(member.link_silent(table.state, 24 * 60, "silent"))
    if member.check_bet(table.state) is None:
        raise Violation("bets go on after a day without the host")
    table.store(member.link_changed(table.state, True, "heard"))
    if member.check_bet(table.state) is None:
        raise Violation("bets go on while the ledger lacks those of the outage")
    house.settle()
    if member.check_bet(table.state) is not None:
        raise Violation("bets never go on")


def another_key() -> None:
    """A table's key is changed; every later host must know it from the ledger."""
    house = House.of("t1", "t2")
    house.host.decide(MemberRekeyed("t1", "another", "stolen"))
    house.settle()
    other = Host.new("B")
    for table in house.tables:
        other.receive(next(message for message in table.outbox() if isinstance(message, Counter)))
    other.decide(HostPromoted("the host is lost"))
    talk(other, *house.tables)
    if other.state.ledger.tables["t1"].profile.key != "another":
        raise Violation("a later host takes what the old key signs")


def newest_list(self: Account, incarnation: str, hand: int) -> PrizeList:
    return self.profile.prizes


def bet_by_unknown_terms(state: Any) -> Refused | None:
    refused = member_claims.check_bet(state)
    return None if refused is not None and refused.facts.get("why") == "terms_on_their_way" else refused


MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "reused incarnation",
        ((host_members, "check_incarnation", any_incarnation), (ledger_fold, "check_incarnation", any_incarnation)),
        {"incarnation": reused},
    ),
    Mutant("replacement pays again", ((member_rows, "_own", own_by_table), (member_ledger, "_check_claim", any_claim))),
    Mutant(
        "no end to bets without the host",
        ((MemberState, "is_overdue", property(lambda self: False)),),
        story=a_day_without_the_host,
    ),
    Mutant(
        "heard again is enough", ((MemberState, "agrees", property(lambda self: True)),), story=a_day_without_the_host
    ),
    Mutant("the key stays what it was", ((ledger_fold, "Rekeyed", JoinAsked),), story=another_key),
    Mutant("late hands are judged by the newest terms", ((Account, "prizes_of", newest_list),)),
    Mutant("bets by terms that the ledger does not have", ((member, "check_bet", bet_by_unknown_terms),)),
)
