"""Conditions that hold or do not, asserted as alarms: of a table's link, of a host's tables, of the node's clock."""

import asyncio
import logging
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from controller.adapters.link.wire import Rejected, WireFault
from controller.core.events import AlarmCleared, AlarmRaised
from controller.engine.alarms import Alarms, alarm_key
from controller.engine.host_state import HostState, Phase
from controller.engine.table_state import TableState

log = logging.getLogger("carrusel")

LINK_LOST = "link_lost"
LEDGER_DIFFERS = "ledger_differs"
COUNTERS_QUARANTINED = "counters_quarantined"
TABLE_FORKED = "table_forked"
HOST_FENCED = "host_fenced"
CLOCK_UNSYNCHRONISED = "clock_unsynchronised"
DISK_LOW = "disk_low"
REPLICA_MISSING = "replica_missing"
TABLE_CODES = frozenset({LINK_LOST, LEDGER_DIFFERS})
HOST_CODES = frozenset({COUNTERS_QUARANTINED, TABLE_FORKED, HOST_FENCED})
NODE_CODES = frozenset({CLOCK_UNSYNCHRONISED, DISK_LOW, REPLICA_MISSING})
LINK_GRACE_S = 5.0
"""A start takes the link up within this; a loss is shown on screens at once, whatever the alarm."""
BEAT_S = 1.0
NODE_LOOK_S = 10.0
REJECTION_EVERY_S = 10.0
REJECTION_LOGGED_EVERY_S = 3600.0
"""The same refusal of the same sender stands in the log once in so long; its alarm stays open meanwhile."""
DISK_FREE_PERCENT = 5
_EXPECTED = frozenset({WireFault.OLD})
"""A broker delivers again what it is not sure of: that is no attack."""


@dataclass(frozen=True, slots=True)
class Condition:
    """An alarm that holds now; it is raised when it has held for `grace_s`."""

    alarm: AlarmRaised
    grace_s: float = 0.0

    @property
    def key(self) -> str:
        return alarm_key(self.alarm.code, self.alarm.source)


class AlarmWatch:
    """Raises what begins and clears what ends; an acknowledged condition is raised again when it begins again.

    codes: the alarms this watch owns, so that what an earlier run of the daemon left open is cleared too.
    post: hands an event to the machine. clock: monotonic seconds.
    """

    def __init__(
        self,
        codes: frozenset[str],
        post: Callable[[object], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._codes = codes
        self._post = post
        self._clock = clock
        self._since: dict[str, float] = {}
        self._told: set[str] = set()
        self._clearing: set[str] = set()
        self._held: tuple[Condition, ...] = ()
        self._open: Alarms = {}

    def show(self, held: Iterable[Condition], open: Alarms) -> None:
        """What holds now, and the alarms that are open in the committed state."""
        self._held, self._open = tuple(held), open
        self.beat()

    def beat(self) -> None:
        """Look again, since graces run out."""
        now_s = self._clock()
        keys = {condition.key for condition in self._held}
        self._since = {key: self._since.get(key, now_s) for key in keys}
        self._told &= keys
        for condition in self._held:
            if condition.key not in self._told and now_s - self._since[condition.key] >= condition.grace_s:
                self._told.add(condition.key)
                self._post(condition.alarm)
        over = {key for key, alarm in self._open.items() if alarm.code in self._codes} - keys
        self._clearing &= over
        for key in over - self._clearing:
            self._clearing.add(key)
            self._post(AlarmCleared(self._open[key].code, self._open[key].source))

    async def run(self) -> None:
        """Look once a beat until cancelled."""
        while True:
            await asyncio.sleep(BEAT_S)
            self.beat()


class HasAlarms(Protocol):
    """The state of a machine that keeps alarms."""

    @property
    def alarms(self) -> Alarms: ...


S = TypeVar("S", bound=HasAlarms)


class MachineWatch(Generic[S]):
    """What holds of one machine, and of the node under it, asserted in that machine's journal."""

    def __init__(
        self, codes: frozenset[str], conditions: Callable[[S], tuple[Condition, ...]], post: Callable[[object], None]
    ) -> None:
        self._conditions = conditions
        self._own = AlarmWatch(codes, post)
        self._node = AlarmWatch(NODE_CODES, post)
        self._open: Alarms = {}

    def show(self, state: S) -> None:
        """Observer of the machine."""
        self._open = state.alarms
        self._own.show(self._conditions(state), state.alarms)

    def look(self, held: tuple[Condition, ...]) -> None:
        """What holds of the node."""
        self._node.show(held, self._open)

    async def run(self) -> None:
        """Let graces run out, until cancelled."""
        await self._own.run()


def table_conditions(state: TableState, carousel: str) -> tuple[Condition, ...]:
    """The link to the host, and a mirrored ledger that does not fit the host's."""
    held = []
    if not state.link.link_up:
        held.append(Condition(AlarmRaised(LINK_LOST, carousel), LINK_GRACE_S))
    if state.link.stopped is not None:
        held.append(Condition(AlarmRaised(LEDGER_DIFFERS, carousel, state.link.stopped)))
    return tuple(held)


def host_conditions(state: HostState) -> tuple[Condition, ...]:
    """Counter steps that wait for two people, copied journals, and a host that may not write."""
    held = [Condition(AlarmRaised(COUNTERS_QUARANTINED, table)) for table in state.quarantined]
    held += [Condition(AlarmRaised(TABLE_FORKED, table)) for table in state.known if state.known[table].forked]
    if state.phase is Phase.FENCED:
        held.append(Condition(AlarmRaised(HOST_FENCED, state.settings.carousel, state.why_fenced)))
    return tuple(held)


def rejection_alarm(rejected: Rejected) -> AlarmRaised | None:
    """A message that the link refused (P13). Its source is the link: senders' names are a stranger's to choose."""
    if rejected.fault in _EXPECTED:
        return None
    return AlarmRaised(f"link_{rejected.fault.value}", "link", f"{rejected.sender} {rejected.detail}".strip())


def _said(rejected: Rejected) -> str:
    return f"{rejected.fault.value} ({rejected.detail})" if rejected.detail else rejected.fault.value


class LinkRejections:
    """Tells refused messages as alarms, each kind at most once in a while: a flood must not fill a queue."""

    def __init__(self, post: Callable[[object], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._post = post
        self._clock = clock
        self._told_s: dict[WireFault, float] = {}
        self._logged: dict[WireFault, tuple[str, float]] = {}

    def rejected(self, what: Rejected) -> None:
        """A message that the wire did not let through."""
        alarm = rejection_alarm(what)
        now_s = self._clock()
        if now_s - self._told_s.get(what.fault, -REJECTION_EVERY_S) < REJECTION_EVERY_S:
            return
        self._told_s[what.fault] = now_s
        sender, logged_s = self._logged.get(what.fault, (None, now_s))
        if sender != what.sender or now_s - logged_s >= REJECTION_LOGGED_EVERY_S:
            self._logged[what.fault] = (what.sender, now_s)
            level = logging.INFO if alarm is None else logging.WARNING
            log.log(level, "link: a message of %s is refused: %s", what.sender, _said(what))
        if alarm is not None:
            self._post(alarm)


class NodeWatch:
    """Conditions of the machine the daemon runs on, told to every machine of the node.

    database: what holds of the database under it, empty without one.
    """

    def __init__(
        self,
        directory: Path,
        synchronised: Callable[[], bool],
        database: Callable[[], tuple[Condition, ...]] = tuple,
    ) -> None:
        self._directory = directory
        self._synchronised = synchronised
        self._database = database
        self._tell: list[Callable[[tuple[Condition, ...]], None]] = []

    def attach(self, tell: Callable[[tuple[Condition, ...]], None]) -> None:
        """`tell` is called with what holds, at every look."""
        self._tell.append(tell)

    def held(self) -> tuple[Condition, ...]:
        """What holds now."""
        held = []
        if not self._synchronised():
            held.append(Condition(AlarmRaised(CLOCK_UNSYNCHRONISED, "clock")))
        usage = shutil.disk_usage(self._directory)
        if usage.free * 100 < usage.total * DISK_FREE_PERCENT:
            detail = f"{usage.free // 1_000_000} MB free"
            held.append(Condition(AlarmRaised(DISK_LOW, "state", detail)))
        return (*held, *self._database())

    async def run(self) -> None:
        """Look now and then until cancelled."""
        while True:
            held = await asyncio.to_thread(self.held)
            for tell in self._tell:
                tell(held)
            await asyncio.sleep(NODE_LOOK_S)
