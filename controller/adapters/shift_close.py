"""A shift's close signs every journal of the node: what two people saw then is what others sign below."""

import asyncio
from collections.abc import Mapping
from typing import Any

from controller.adapters.runner import Runner
from controller.engine.accounts_state import AccountsState


class ShiftClose:
    """Observer of the people: signs a checkpoint of each table's and host's journal when a shift was closed.

    The people's own journal is signed in the commit of the close, but nobody else ever hears of it; those of tables and
    hosts are said over the link, where other nodes keep them and sign below. runners: by the name of their journal.
    """

    def __init__(self, people: Runner[AccountsState], runners: Mapping[str, Runner[Any]]) -> None:
        self._runners = runners
        self._closed = asyncio.Event()
        self._number = 0
        self._people = people

    def show(self, state: AccountsState) -> None:
        """A shift that is new, or that was there at the start: a kill may have come before its signatures."""
        if state.shifts and state.shifts[-1].number != self._number:
            self._number = state.shifts[-1].number
            self._closed.set()

    async def run(self) -> None:
        """Until cancelled; raises JournalFailed when a journal cannot be written."""
        self._people.observe(self.show)
        while True:
            await self._closed.wait()
            self._closed.clear()
            heads = self._people.state.shifts[-1].heads
            for name, runner in self._runners.items():
                seq, _ = heads.get(name, (0, ""))
                await runner.sign(seq)
