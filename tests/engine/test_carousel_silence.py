"""A carousel whose link is silent: what each policy stops, what a table may advance."""

import pytest

from controller.core.refusal import Refusal, Refused
from controller.engine import member
from controller.engine.host_events import CarouselFounded
from controller.engine.member_state import OnLinkLoss
from tests.engine.carousel_house import CENTAVO, TWO, Host, House, Table, straight_flush


def account(table: Table, name: str) -> int:
    return sum(post.micros for entry in table.journal for post in entry.postings if post.account == name)


@pytest.mark.requirement("R50", "R58")
@pytest.mark.parametrize(("policy", "stopped"), [(OnLinkLoss.STOP_BETS, True), (OnLinkLoss.CONTINUE, False)])
def test_on_link_loss(policy: OnLinkLoss, stopped: bool) -> None:
    house = House(Host.new(), [])
    house.host.decide(CarouselFounded("new"))
    table = house.add(Table.new("t1", on_link_loss=policy))
    table.store(member.link_changed(table.state, True, "p1"))
    assert member.check_bet(table.state) is None
    table.store(member.link_changed(table.state, False, "p2"))
    refused = member.check_bet(table.state)
    assert (refused is not None and refused.reason is Refusal.JACKPOT_BETS_STOPPED) == stopped


@pytest.mark.parametrize(
    ("advanced", "awarded", "status", "still", "house_bears"),
    [(30_000, "same", "pending", 20_000, 0), (50_000, "same", "paid", 0, 0), (50_000, "smaller", "paid", 0, 5_000)],
)
def test_offline_advance(advanced: int, awarded: str, status: str, still: int, house_bears: int) -> None:
    """Never above what the journaled ledger gives at lock; the seat is paid the rest, the house bears an excess."""
    house = House.of("t1", "t2", start_minor=250_000)
    one, two = house.tables
    one.bet(0)
    one.win(straight_flush(1))
    above = member.advance(one.state, hand=1, seat=1, amount_minor=50_001, signed=TWO)
    assert isinstance(above, Refused)
    assert above.facts == {"seat": 1, "most": 50_000}
    assert one.store(member.advance(one.state, hand=1, seat=1, amount_minor=advanced, signed=TWO)) is None
    if awarded == "smaller":
        two.bet(0)
        two.win(straight_flush(1))
        for message in two.outbox():
            house.host.receive(message)
    house.settle()
    (row,) = one.state.rows.values()
    assert (row.status.value, row.payable_minor) == (status, still)
    assert account(one, "house.prizes") == -house_bears * CENTAVO


def silent(table: Table, minutes: int) -> None:
    table.store(member.link_silent(table.state, minutes, f"silent {len(table.journal)}"))


def heard(table: Table, up: bool) -> None:
    table.store(member.link_changed(table.state, up, f"heard {len(table.journal)}"))


@pytest.mark.requirement("R57")
def test_after_a_day_without_the_host_bets_stop_until_both_agree() -> None:
    """`continue` has an end; what was bet meanwhile is absorbed and every claim answered before bets go on."""
    house = House.of()
    table = house.add(Table.new("t1", lost_limit_minutes=24 * 60))
    heard(table, True)
    heard(table, False)
    silent(table, 24 * 60 - 10)
    assert member.check_bet(table.state) is None
    table.bet(10)
    table.win(straight_flush(1))
    table.start("a restart forgets none of it")
    silent(table, 10)
    refused = member.check_bet(table.state)
    assert refused is not None
    assert refused.facts["why"] == "link_lost_too_long"
    silent(table, 10)
    assert table.state.lost_minutes == 24 * 60
    heard(table, True)
    assert member.check_bet(table.state) is not None, "heard again, but the bets of the outage are not in the ledger"
    house.settle()
    assert table.state.agrees
    assert member.check_bet(table.state) is None
    assert table.state.lost_minutes == 0


def test_a_shorter_silence_is_forgotten_and_without_a_bound_nothing_is_counted() -> None:
    house = House.of()
    table, free = house.add(Table.new("t1", lost_limit_minutes=60)), house.add(Table.new("t2"))
    for each in (table, free):
        heard(each, True)
        heard(each, False)
        silent(each, 50)
    assert (table.state.lost_minutes, free.state.lost_minutes) == (50, 0)
    heard(table, True)
    assert table.state.lost_minutes == 0
    silent(table, 50)
    assert table.state.lost_minutes == 0
