"""The alarm of a database without the synchronous replica that it is said to have."""

import logging
from collections.abc import Callable

from controller.adapters.events.alarms import REPLICA_MISSING, Condition
from controller.core.events import AlarmRaised

log = logging.getLogger("carrusel")


class ReplicaWatch:
    """Asked now and then, off the event loop. The log tells a change at once: an alarm is an entry, and while a server
    waits for its standby no entry is written.

    missing: what the server lacks, empty when it lacks nothing.
    """

    def __init__(self, missing: Callable[[], str]) -> None:
        self._missing = missing
        self._lacks = ""

    def held(self) -> tuple[Condition, ...]:
        """What holds now."""
        lacks = self._missing()
        if lacks and lacks != self._lacks:
            log.error("the database has no synchronous replica: %s", lacks)
        elif self._lacks and not lacks:
            log.info("the database has a synchronous replica again")
        self._lacks = lacks
        return (Condition(AlarmRaised(REPLICA_MISSING, "database", lacks)),) if lacks else ()
