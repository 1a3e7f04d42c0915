"""Each journal read and checked from its beginning, once a day, beside the running table."""

import asyncio
import logging
from collections.abc import Iterable

from controller.adapters.journal import Journal
from controller.adapters.journal_equations import equations
from controller.adapters.journal_verify import verify
from controller.core.ledger import LedgerBroken

log = logging.getLogger("carrusel")

FIRST_AFTER_S = 600.0
EVERY_S = 86_400.0


class DailyVerify:
    """Verifies journals one after the other, in a thread; a journal that does not hold ends the daemon."""

    def __init__(
        self, journals: Iterable[Journal], *, first_after_s: float = FIRST_AFTER_S, every_s: float = EVERY_S
    ) -> None:
        self._journals = tuple(journals)
        self._first_after_s = first_after_s
        self._every_s = every_s
        self.done = 0

    async def run(self) -> None:
        """Until cancelled; raises LedgerBroken naming the journal and its first bad seq."""
        await asyncio.sleep(self._first_after_s)
        while True:
            for journal in self._journals:
                await asyncio.to_thread(check_journal, journal)
            self.done += 1
            await asyncio.sleep(self._every_s)


def check_journal(journal: Journal) -> None:
    """The whole journal as it is now; LedgerBroken when it does not hold."""
    report = verify(journal, equations=equations(), pages=False)
    if report.ok:
        log.info("journal %s holds: %d entries", journal.name, report.entries)
        return
    first = report.findings[0]
    detail = f" ({first.detail})" if first.detail else ""
    raise LedgerBroken(f"journal {journal.name}: {first.fault.value} at seq {first.seq}{detail}")
