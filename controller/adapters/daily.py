"""Each journal read and checked from its beginning, and the terms in force compared, once a day beside the tables."""

import asyncio
import logging
from collections.abc import Callable, Iterable

from controller.adapters.journal.equations import equations
from controller.adapters.journal.errors import Fault
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.store import Store
from controller.adapters.journal.verify import verify
from controller.core.ledger import LedgerBroken

log = logging.getLogger("carrusel")

FIRST_AFTER_S = 600.0
EVERY_S = 86_400.0


class DailyVerify:
    """Verifies journals one after the other, in a thread; a journal that does not hold ends the daemon.

    then: what else is looked at once a day, on the loop.
    """

    def __init__(
        self,
        journals: Iterable[Journal],
        *,
        then: Iterable[Callable[[], None]] = (),
        first_after_s: float = FIRST_AFTER_S,
        every_s: float = EVERY_S,
    ) -> None:
        self._journals = tuple(journals)
        self._then = tuple(then)
        self._first_after_s = first_after_s
        self._every_s = every_s
        self.done = 0

    async def run(self) -> None:
        """Until cancelled; raises LedgerBroken naming the journal and its first bad seq."""
        await asyncio.sleep(self._first_after_s)
        while True:
            for journal in self._journals:
                await asyncio.to_thread(check_journal, journal)
            for look in self._then:
                look()
            self.done += 1
            await asyncio.sleep(self._every_s)


def check_journal(journal: Journal) -> None:
    """The whole journal as it is now; LedgerBroken when it does not hold.

    Its index of mentions says nothing that the entries do not, so one that is wrong is made anew.
    """
    report = verify(journal, equations=equations(), pages=False)
    if report.ok:
        log.info("journal %s holds: %d entries", journal.name, report.entries)
        return
    if {each.fault for each in report.findings} == {Fault.BAD_INDEX}:
        log.warning(
            "journal %s holds; its index did not (%s) and is made anew", journal.name, report.findings[0].detail
        )
        journal.ask_now(Store.remake_mentions)
        return
    first = report.findings[0]
    detail = f" ({first.detail})" if first.detail else ""
    raise LedgerBroken(f"journal {journal.name}: {first.fault.value} at seq {first.seq}{detail}")
