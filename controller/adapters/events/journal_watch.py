"""The alarm of a journal whose database answers nothing: neither that a commit is made nor that it failed."""

import asyncio
import logging
from collections.abc import Callable, Mapping

from controller.core.events import AlarmCleared, AlarmRaised
from controller.engine.ports import JOURNAL_SLOW, SLOW_MS

LOOK_S = 1.0

log = logging.getLogger("carrusel")


class JournalWatch:
    """Looks once a second at the commit in course of each journal. An alarm is an entry, so the machine whose journal
    hangs stores it only afterwards: until then the log, `readyz`, the panel and the screens tell it.

    writing: by journal, for how long its commit has not been answered. post: hands an event to the machines.
    show: told of each journal when it begins to hang, and when it is over.
    """

    def __init__(
        self,
        writing: Mapping[str, Callable[[], int]],
        post: Callable[[object], None],
        show: Callable[[str, bool], None] = lambda journal, slow: None,
    ) -> None:
        self._writing = writing
        self._post = post
        self._show = show
        self._slow: dict[str, int] = {}

    def look(self) -> None:
        """Tell what has begun to hang, and what is over."""
        for journal, writing in self._writing.items():
            for_ms = writing()
            if for_ms >= SLOW_MS:
                if journal not in self._slow:
                    log.error(
                        "%s: a commit is not answered since %d s; nothing of it is taken until the database answers"
                        " (is it locked, frozen, or waiting for its replica?)",
                        journal,
                        for_ms // 1000,
                    )
                    self._post(AlarmRaised(JOURNAL_SLOW, journal))
                    self._show(journal, True)
                self._slow[journal] = for_ms
            elif journal in self._slow:
                lasted_s = self._slow.pop(journal) // 1000
                log.warning("%s: the commit that was not answered for %d s is over", journal, lasted_s)
                self._post(AlarmCleared(JOURNAL_SLOW, journal, f"{lasted_s} s"))
                self._show(journal, False)

    async def run(self) -> None:
        """Until cancelled; what an earlier run left open is over, since this one began with a commit."""
        for journal in self._writing:
            self._post(AlarmCleared(JOURNAL_SLOW, journal))
        while True:
            self.look()
            await asyncio.sleep(LOOK_S)
