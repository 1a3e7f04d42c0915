"""The calendar beside a jackpot that ends: the announced day has come, or its money waits too long to be moved."""

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo

from controller.core.events import AlarmCleared, AlarmRaised
from controller.engine.host_events import ClosingDayCame
from controller.engine.host_state import HostState, Phase

CLOSING_DUE = "closing_due"
LOOK_S = 20.0
WARNED_DAYS = 7
"""So long before its bound the money that was not moved yet is told."""


class ClosingWatch:
    """One host's calendar. zone: the site's. to_host: hands an event to the host; to_people: to every machine whose
    alarms people see. What was told is told once, until it is over."""

    def __init__(
        self,
        state: Callable[[], HostState],
        to_host: Callable[[object], None],
        to_people: Callable[[object], None],
        wall_ms: Callable[[], int],
        zone: tzinfo,
        move_days: int,
    ) -> None:
        self._state = state
        self._to_host = to_host
        self._to_people = to_people
        self._wall_ms = wall_ms
        self._zone = zone
        self._move_days = move_days
        self._told = 0
        self._due = False

    def today(self) -> date:
        """The calendar day at the site."""
        return datetime.fromtimestamp(self._wall_ms() // 1000, UTC).astimezone(self._zone).date()

    def look(self) -> None:
        """Tell the host that the day has come, and people that money is due, when it is so."""
        state, today = self._state(), self.today()
        if state.phase is not Phase.SERVING:
            return
        closing = state.ledger.closing
        waits = closing is not None and not closing.closed and closing.seq != self._told
        if closing is not None and waits and today >= date.fromisoformat(closing.day):
            self._told = closing.seq
            self._to_host(ClosingDayCame(closing.day))
        due = money_is_due(state, today, self._move_days)
        if due is not None and not self._due:
            self._to_people(due)
        elif due is None and self._due:
            self._to_people(AlarmCleared(CLOSING_DUE, state.ledger.carousel))
        self._due = due is not None

    async def run(self) -> None:
        """Look now and then until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_S)


def money_is_due(state: HostState, today: date, move_days: int) -> AlarmRaised | None:
    """A jackpot that is closed and whose pools nobody has moved, from a week before the bound on."""
    ledger = state.ledger
    if ledger.closing is None or not ledger.closing.closed:
        return None
    until = date.fromisoformat(ledger.closing.day) + timedelta(days=move_days)
    left = any(account.in_carousel and account.total_micros for account in ledger.tables.values())
    if not left or today < until - timedelta(days=WARNED_DAYS):
        return None
    return AlarmRaised(CLOSING_DUE, ledger.carousel, until.isoformat())
