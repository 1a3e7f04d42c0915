"""The calendar of a jackpot that ends: the host hears of its day once, people of money that waits too long."""

from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from controller.adapters.events.closing_watch import ClosingWatch
from controller.core.causes import PoolCause
from controller.core.events import AlarmCleared, AlarmRaised
from controller.engine.host_events import ClosedDisposed, ClosingAsked, ClosingDayCame
from controller.engine.host_state import HostState
from controller.engine.ledger_state import ORPHANS
from tests.engine.carousel_house import House

ZONE = ZoneInfo("America/Argentina/Buenos_Aires")
CLOSE = PoolCause.APPROVED_CLOSING


@dataclass
class Calendar:
    """A watch over a house's host, with a wall clock that the test sets by the site's calendar."""

    house: House
    wall_ms: int = 0
    people: list[object] = field(default_factory=list)
    told: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.watch = ClosingWatch(self.state, self.hear, self.people.append, lambda: self.wall_ms, ZONE, 30)

    def state(self) -> HostState:
        return self.house.host.state

    def hear(self, event: object) -> None:
        self.told.append(event)
        self.house.host.decide(event)

    def at(self, moment: str) -> None:
        self.wall_ms = int(datetime.fromisoformat(moment).replace(tzinfo=ZONE).timestamp()) * 1000
        self.watch.look()


@pytest.mark.requirement("R75")
def test_the_day_begins_at_the_sites_midnight_and_is_told_once() -> None:
    calendar = Calendar(House.of("t1"))
    calendar.house.host.decide(ClosingAsked("2026-12-31", ORPHANS, "over", cause=CLOSE))
    calendar.at("2026-12-30T23:59:59")
    assert calendar.told == []
    for moment in ("2026-12-31T00:00:00", "2026-12-31T00:00:20"):
        calendar.at(moment)
    assert calendar.told == [ClosingDayCame("2026-12-31")]
    closing = calendar.state().ledger.closing
    assert closing is not None and closing.closed


@pytest.mark.requirement("R74")
def test_money_that_waits_is_an_alarm_a_week_before_its_bound_until_it_is_moved() -> None:
    calendar = Calendar(House.of("t1"))
    calendar.house.host.decide(ClosingAsked("2026-12-31", ORPHANS, "over", cause=CLOSE))
    calendar.at("2026-12-31T08:00:00")
    calendar.at("2027-01-22T23:00:00")
    assert calendar.people == []
    for moment in ("2027-01-23T00:00:00", "2027-01-24T00:00:00"):
        calendar.at(moment)
    assert calendar.people == [AlarmRaised("closing_due", "c1", "2027-01-30")]
    calendar.house.settle()
    assert calendar.house.host.decide(ClosedDisposed("at last", CLOSE)) is None
    calendar.at("2027-01-24T00:00:20")
    assert calendar.people[1:] == [AlarmCleared("closing_due", "c1")]
