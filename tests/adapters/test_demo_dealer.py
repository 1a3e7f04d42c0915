"""The demo's dealer, on a table that people stop: what they did to it is waited for, and no hand is void for it."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from controller.core.events import JackpotBetsResumed, JackpotBetsStopped
from controller.demo import dealer as dealers
from controller.demo.dealer import Dealer, DealerStuck
from tests.engine.pit import Pit


class Table:
    """Hands and room of a table whose credits are entered, as its sensors would, the moment a chip is put down."""

    def __init__(self, pit: Pit) -> None:
        self.pit = pit
        self.runner = self
        self.settings = pit.settings
        self.table: Any = SimpleNamespace(id="t1", inputs=())
        self.tell: Any = None
        self.takes = True
        self.asked = asyncio.Event()

    @property
    def state(self) -> Any:
        return self.pit.state

    def observe(self, tell: Any) -> None:
        self.tell = tell

    async def put_credit(self, seat: int) -> None:
        self.asked.set()
        if self.takes and not self.pit.state.stops:
            self.do(lambda: self.pit.bet(seat))

    def do(self, act: Any) -> None:
        act()
        self.tell(self.pit.state)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(dealers, "PLAYER_S", 0.0)
    monkeypatch.setattr(dealers.secrets, "randbelow", lambda below: below - 1)
    return Table(Pit())


def dealer_of(table: Table) -> Dealer:
    async def decided() -> None:
        return

    dealer = Dealer(table, table, decided, wait_s=0.05)  # type: ignore[arg-type]  # both are the stand-in
    dealer.watch()
    return dealer


async def test_a_stop_by_people_is_waited_for_and_the_hand_goes_on(table: Table) -> None:
    dealer = dealer_of(table)
    table.do(lambda: table.pit.bet(2))
    table.do(lambda: table.pit.do(JackpotBetsStopped("people", "limpieza"), actor="ana", second="beto"))
    betting = asyncio.create_task(dealer.bet([2, 5]))
    await asyncio.sleep(0.3)  # longer than a dealer waits for anything else
    assert not betting.done() and not table.asked.is_set()
    table.do(lambda: table.pit.do(JackpotBetsResumed("people", "listo"), actor="ana", second="beto"))
    await betting
    assert table.state.hand.number == 1 and dict(table.state.hand.credits) == {2: 3, 5: 3}


async def test_a_chip_that_was_refused_by_a_stop_is_put_down_again(table: Table) -> None:
    dealer = dealer_of(table)
    table.takes = False
    betting = asyncio.create_task(dealer.bet([2]))
    await table.asked.wait()
    table.do(lambda: table.pit.do(JackpotBetsStopped("people", "limpieza"), actor="ana", second="beto"))
    await asyncio.sleep(0.3)
    assert not betting.done()
    table.takes = True
    table.do(lambda: table.pit.do(JackpotBetsResumed("people", "listo"), actor="ana", second="beto"))
    await betting
    assert dict(table.state.hand.credits) == {2: 3}


async def test_a_chip_that_the_table_does_not_take_is_for_the_pit_bosses(table: Table) -> None:
    table.takes = False
    with pytest.raises(DealerStuck, match="t1, hand 1, phase bets: no credit"):
        await dealer_of(table).bet([2])
