"""A host's end of the carousel link: beats, records and the meter go out, what tables say comes in as events."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.adapters.link.cosigning import HostCosigning
from controller.adapters.link.pace import BEAT_S
from controller.adapters.link.ports import Link
from controller.adapters.link.wire import Arrived
from controller.adapters.runner import Runner
from controller.core.events import Envelope
from controller.core.refusal import Refused
from controller.engine.host_outbox import collects, lacking, meter, outbox, roster, status
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_records import Record
from controller.engine.member_outbox import Archive
from controller.engine.messages import (
    Checkpointed,
    Claim,
    Claimed,
    HostStatus,
    Ledger,
    LinkReceived,
    Meter,
    Received,
    Report,
    Roster,
    Status,
)

METER_S = 0.1
"""METER of a few tables is said at most so often."""
METER_TABLES = 20
"""With more tables METER is said as much more rarely: it holds them all, and all of them hear it."""
NONCE_LENGTH = 64
"""A longer nonce is not repeated: every table's stands in every beat."""
MOST_BEATS = 30
"""The longest a host waits before it repeats records to a table that does not move."""


def meter_pause_s(tables: int) -> float:
    """Between two METERs of a carousel of so many tables."""
    return METER_S * max(1.0, tables / METER_TABLES)


@dataclass(frozen=True, slots=True)
class Resent:
    """Of the table that is the farthest behind: what it has, up to where it was sent, and the beats until it is sent
    again, `pause` of them after the last time."""

    behind: int = -1
    upto: int = -1
    waits: int = 0
    pause: int = 0


class HostEnd:
    """Between a host's runner and its link; remembers how far each table's ledger came, and which of its rows a table
    calls verified, which is no part of truth."""

    def __init__(
        self,
        link: Link,
        runner: Runner[HostState],
        archive: Archive,
        on_birth: Callable[[Status], None] = lambda status: None,
        cosigning: HostCosigning | None = None,
        on_refused: Callable[[Claim, Refused], None] = lambda claim, refused: None,
        on_presence: Callable[[], None] = lambda: None,
    ) -> None:
        self._on_presence = on_presence
        self._cosigning = cosigning
        self._on_refused = on_refused
        self._on_birth = on_birth
        self._link = link
        self._runner = runner
        self._archive = archive
        self.heard: dict[str, int] = {}
        self._verified: dict[str, frozenset[str]] = {}
        self.alive: dict[str, bool] = {}
        self._boots: dict[str, tuple[str, int]] = {}
        self._nonces: dict[str, str] = {}
        self._resent = Resent()
        self._stood = 0
        self._roster: Roster | None = None
        self._meter: Meter | None = None
        self._moved = asyncio.Event()
        link.listen(self._arrived, self.will, self.record_at)
        runner.observe(self._committed)

    def will(self) -> HostStatus | None:
        """HOST saying that this host is gone, for the broker to say; None while it has never served."""
        state = self._runner.state
        return replace(status(state), alive=False) if state.phase is Phase.SERVING else None

    def record_at(self, seq: int) -> Record | None:
        """One of the newest records."""
        return next((record for record in self._runner.state.recent if record.seq == seq), None)

    def _committed(self, state: HostState) -> None:
        if state.phase is not Phase.SERVING:
            self._link.offer(outbox(state, self.heard))
            return
        known = (state.epoch, state.ledger.roster_seq)
        if self._roster is None or known != (self._roster.epoch, self._roster.seq):
            self._roster = roster(state)
        records = [Ledger(state.epoch, record) for record in state.recent]
        shown = () if self._meter is None or self._meter.epoch != state.epoch else (self._meter,)
        said = () if self._cosigning is None else self._cosigning.says(state, self._runner.checkpoint)
        self._link.offer((self._status(state), self._roster, *records, *shown, *said))
        self._moved.set()

    async def _show(self) -> None:
        """METER after commits, some at a time: it is for screens, and holds every table of the carousel."""
        while True:
            await self._moved.wait()
            self._moved.clear()
            state = self._runner.state
            if state.phase is Phase.SERVING:
                self._meter = meter(state, self.verified())
                self._link.repeat((self._meter,))
            await asyncio.sleep(meter_pause_s(len(state.ledger.tables)))

    async def _arrived(self, arrived: Arrived, kept: bool) -> None:
        message = arrived.message
        if isinstance(message, Received | Report) and self._is_listed(message):
            self.heard[message.table] = message.seq
        if isinstance(message, Received) and self._is_member(message):
            self._hear_verified(message)
        if isinstance(message, Checkpointed):
            if self._cosigning is not None:
                self._link.repeat(await self._cosigning.hear(self._runner.state, message, arrived))
            return
        if isinstance(message, Status):
            self._hear_presence(message)
        answer = await self._runner.submit(Envelope(arrived.id, LinkReceived(message)))
        if isinstance(message, Claimed) and answer.refused is not None:
            self._on_refused(message.claim, answer.refused)

    def verified(self) -> frozenset[str]:
        """The rows that their tables call verified and to be paid."""
        return frozenset().union(*self._verified.values())

    def _hear_verified(self, message: Received) -> None:
        """A table speaks of its own rows alone; what changes goes out with the next METER."""
        own = f"{message.table}/{message.incarnation}/"
        rows = frozenset(row for row in message.verified if row.startswith(own))
        if rows != self._verified.get(message.table, frozenset()):
            self._verified[message.table] = rows
            self._moved.set()

    def _hear_presence(self, message: Status) -> None:
        """BIRTH of a boot, or DEATH: one that names another boot than was last born says nothing of the one alive."""
        boot = (message.incarnation, message.mark.boot)
        if message.alive:
            self._boots[message.table] = boot
        if self._boots.get(message.table, boot) == boot and self.alive.get(message.table) != message.alive:
            self.alive[message.table] = message.alive
            self._on_presence()
        if message.alive and self._is_member(message):
            self._on_birth(message)
        if message.alive:
            self._echo(message)

    def _echo(self, birth: Status) -> None:
        """Say at once that this start of the table is heard: it takes no beat before for one."""
        if not birth.nonce or self._nonces.get(birth.table) == birth.nonce or len(birth.nonce) > NONCE_LENGTH:
            return
        self._nonces[birth.table] = birth.nonce
        state = self._runner.state
        if state.phase is Phase.SERVING:
            self._link.repeat((self._status(state),))

    def _status(self, state: HostState) -> HostStatus:
        """HOST as it stands, to the starts of the tables that are heard."""
        known = state.ledger.tables
        return replace(status(state), echoes=tuple(sorted(each for each in self._nonces.items() if each[0] in known)))

    def _is_listed(self, message: Received | Report) -> bool:
        """Whether a table's progress matters: a member or a table to be; any table while this host has no ledger."""
        state = self._runner.state
        return state.phase is not Phase.SERVING or self._is_member(message)

    def _is_member(self, message: Received | Report | Status) -> bool:
        return self._runner.state.ledger.account(message.table, message.incarnation) is not None

    async def run(self) -> None:
        """Carry, and once a beat say that this host serves and what some table lacks."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._link.run())
            tasks.create_task(self._beat())
            tasks.create_task(self._show())

    async def _beat(self) -> None:
        while True:
            state = self._runner.state
            if state.promoting:
                self._link.repeat(collects(state, self.heard))
            elif state.phase is Phase.SERVING:
                self._link.repeat((self._status(state),))
                await self._send_lacking(state)
            await asyncio.sleep(BEAT_S)

    async def _send_lacking(self, state: HostState) -> None:
        """Records for the farthest behind of the tables that are alive, when it lacks what was there a beat ago and
        stands still, or has all that was sent again; ever less often while it does not move.
        """
        waits_for = {name.partition("/")[0] for name in state.ledger.rostered()}
        present = [seq for table, seq in self.heard.items() if table in waits_for and self.alive.get(table, True)]
        behind, last = min(present, default=state.ledger.seq), self._resent
        stood, self._stood = self._stood, state.ledger.seq
        if behind >= stood:  # a table says once a beat how far it is
            self._resent = Resent(behind)
        elif behind not in (last.behind, last.upto):  # it hears them as they are written
            self._resent = Resent(behind, last.upto)
        elif behind == last.behind and last.waits > 0:
            self._resent = replace(last, waits=last.waits - 1)
        else:
            records = await asyncio.to_thread(lacking, state, behind, self._archive)
            pause = min(max(last.pause * 2, 1), MOST_BEATS) if behind == last.behind else 1
            self._resent = Resent(behind, records[-1].seq if records else behind, pause, pause)
            self._link.repeat([Ledger(state.epoch, record) for record in records])
