"""Timers of a game's deadlines: one for each, gone with it, and told to the table once."""

import asyncio

from controller.adapters.game_clock import GameClock
from controller.core.events import ClockRan, Envelope
from tests.engine.circle_pit import CirclePit

DEAL = "As 9d Qh 2c Ac 9h Qd 7d"


async def test_a_deadline_is_told_when_its_time_has_come() -> None:
    pit = CirclePit(action_seconds=0, countdown_seconds=0)
    told: asyncio.Queue[Envelope] = asyncio.Queue()
    clock = GameClock(lambda state: pit.settings.game, told.put_nowait, lambda: "id")
    pit.close()
    pit.read(DEAL)
    for _ in range(2):
        clock.show(pit.state)
        async with asyncio.timeout(60):
            envelope = await told.get()
        assert isinstance(envelope.event, ClockRan)
        pit.told(envelope.event, actor=envelope.actor)
    assert pit.state.hand.game.bets.folded == {3}
    await _ended(clock)


async def test_an_action_in_time_stops_its_clock() -> None:
    pit = CirclePit()
    clock = GameClock(lambda state: pit.settings.game, lambda envelope: None, lambda: "id")
    clock.show(pit.state)
    assert clock.running == ()
    pit.close()
    pit.read(DEAL)
    clock.show(pit.state)
    first = clock.running
    pit.keys("call")
    clock.show(pit.state)
    assert len(first) == len(clock.running) == 2
    assert set(first) & set(clock.running) == {"1/minute/1"}
    await _ended(clock)
    assert all(timer.cancelled() for timer in clock._timers.values())


async def _ended(clock: GameClock) -> None:
    """The clock's task is cancelled, as at the end of a room."""
    task = asyncio.create_task(clock.run())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
