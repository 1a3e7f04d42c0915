"""The calendar beside a table's settings: a change that two people named a day for hears that it has come."""

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime, tzinfo

from controller.core.settings_events import SettingsDayCame
from controller.engine.table_state import TableState

LOOK_S = 20.0


class SettingsWatch:
    """One table's calendar. zone: the site's. tell: hands an event to the table; the same change is told once."""

    def __init__(
        self,
        state: Callable[[], TableState],
        tell: Callable[[object], None],
        wall_ms: Callable[[], int],
        zone: tzinfo,
    ) -> None:
        self._state = state
        self._tell = tell
        self._wall_ms = wall_ms
        self._zone = zone
        self._told = ""

    def look(self) -> None:
        """Tell the table that the day of what waits has come."""
        pending = self._state().book.pending
        if pending is None or not pending.day or pending.entry == self._told:
            return
        today = datetime.fromtimestamp(self._wall_ms() // 1000, UTC).astimezone(self._zone).date()
        if today >= date.fromisoformat(pending.day):
            self._told = pending.entry
            self._tell(SettingsDayCame(pending.day))

    async def run(self) -> None:
        """Look now and then until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_S)
