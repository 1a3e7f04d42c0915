"""A table's and a host's end of the carousel link: state goes out after every commit, messages come in as events."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from controller.adapters.link import Link
from controller.adapters.link_wire import Arrived
from controller.adapters.runner import Runner
from controller.core.events import Envelope
from controller.engine import member
from controller.engine.host_outbox import collects, lacking, meter, outbox, roster, status
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_records import Record
from controller.engine.member_outbox import Archive
from controller.engine.member_state import MemberState
from controller.engine.messages import (
    Claimed,
    Counter,
    HostStatus,
    Ledger,
    LinkReceived,
    Message,
    Meter,
    Received,
    Report,
    Roster,
    Status,
)

S = TypeVar("S")
BEAT_S = 1.0
"""How often a host says that it serves, and both ends repeat what is unanswered."""
SILENCE_S = 5.0
"""After this long without a word of the serving host, a table takes the link for lost (rule 7)."""
METER_S = 0.1
"""METER is said at most so often."""
MOST_BEATS = 30
"""The longest a host waits before it repeats records to a table that does not move."""


class TableEnd(Generic[S]):
    """Between a table's runner and its link.

    member_of: the member inside the runner's state. presence: the event that tells the table the link's state.
    clock: monotonic seconds. on_meter: who shows what METER says; nothing is decided by it.
    """

    def __init__(
        self,
        link: Link,
        runner: Runner[S],
        archive: Archive,
        *,
        member_of: Callable[[S], MemberState],
        presence: Callable[[bool], Any],
        clock: Callable[[], float],
        new_id: Callable[[], str],
        on_meter: Callable[[Meter], None] = lambda meter: None,
    ) -> None:
        self._link = link
        self._runner = runner
        self._archive = archive
        self._member_of = member_of
        self._on_meter = on_meter
        self._presence = presence
        self._clock = clock
        self._new_id = new_id
        self._heard_at: float | None = None
        link.listen(self._arrived, self.will)
        runner.observe(self._committed)

    def will(self) -> Status:
        """DEATH of this boot, for the broker to say."""
        state = self._member_of(self._runner.state)
        return Status(state.settings.table, state.settings.incarnation, state.epoch, state.mark, alive=False)

    def _committed(self, state: S) -> None:
        messages = member.outbox(self._member_of(state))
        self._link.offer([message for message in messages if not isinstance(message, Report)])

    async def _arrived(self, arrived: Arrived, kept: bool) -> None:
        message = arrived.message
        state = self._member_of(self._runner.state)
        if isinstance(message, HostStatus):
            if message.epoch >= state.epoch and not kept:
                self._heard_at = self._clock() if message.alive else None
            if message.epoch == state.epoch:
                return
        if isinstance(message, Meter):
            self._on_meter(message)
        await self._runner.submit(Envelope(arrived.id, LinkReceived(message)))

    async def run(self) -> None:
        """Carry, and look once a beat whether the host is heard and what is unanswered."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._link.run())
            tasks.create_task(self._beat())

    async def _beat(self) -> None:
        while True:
            await self._look()
            await asyncio.sleep(BEAT_S)

    async def _look(self) -> None:
        state = self._member_of(self._runner.state)
        up = self._heard_at is not None and self._clock() - self._heard_at < SILENCE_S
        if up != state.link_up:
            await self._runner.submit(Envelope(self._new_id(), self._presence(up)))
        self._link.repeat(await asyncio.to_thread(unanswered, state, self._archive))


def unanswered(state: MemberState, archive: Archive) -> tuple[Message, ...]:
    """What a table says again until the ledger shows that it was heard."""
    account = state.account
    absorbed = account is not None and account.absorbed == state.counters and state.confirmed
    repeated = (Claimed, Report) if absorbed else (Claimed, Report, Counter)
    return tuple(message for message in member.outbox(state, archive) if isinstance(message, repeated))


class HostEnd:
    """Between a host's runner and its link; remembers how far each table's ledger came, which is no part of truth."""

    def __init__(self, link: Link, runner: Runner[HostState], archive: Archive) -> None:
        self._link = link
        self._runner = runner
        self._archive = archive
        self.heard: dict[str, int] = {}
        self.alive: dict[str, bool] = {}
        self._resent = (-1, 0, 0)
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
        self._link.offer((status(state), self._roster, *records, *shown))
        self._moved.set()

    async def _show(self) -> None:
        """METER after commits, some at a time: it is for screens, and holds every table of the carousel."""
        while True:
            await self._moved.wait()
            self._moved.clear()
            state = self._runner.state
            if state.phase is Phase.SERVING:
                self._meter = meter(state)
                self._link.repeat((self._meter,))
            await asyncio.sleep(METER_S)

    async def _arrived(self, arrived: Arrived, kept: bool) -> None:
        message = arrived.message
        if isinstance(message, Received | Report) and self._is_listed(message):
            self.heard[message.table] = message.seq
        if isinstance(message, Status):
            self.alive[message.table] = message.alive
        await self._runner.submit(Envelope(arrived.id, LinkReceived(message)))

    def _is_listed(self, message: Received | Report) -> bool:
        """Whether a table's progress matters: a member or a table to be; any table while this host has no ledger."""
        state = self._runner.state
        return state.phase is not Phase.SERVING or (
            state.ledger.account(message.table, message.incarnation) is not None
        )

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
                self._link.repeat((status(state),))
                await self._send_lacking(state)
            await asyncio.sleep(BEAT_S)

    async def _send_lacking(self, state: HostState) -> None:
        """Records for the farthest behind of the tables that are alive; ever less often while it does not move."""
        waits_for = {name.partition("/")[0] for name in state.ledger.rostered()}
        present = [seq for table, seq in self.heard.items() if table in waits_for and self.alive.get(table, True)]
        behind = min(present, default=state.ledger.seq)
        before, waits, pause = self._resent
        if behind != before:
            waits, pause = 0, 1
        if behind >= state.ledger.seq or waits > 0:
            self._resent = (behind, max(waits - 1, 0), pause)
            return
        self._resent = (behind, pause, min(pause * 2, MOST_BEATS))
        records = await asyncio.to_thread(lacking, state, behind, self._archive)
        self._link.repeat([Ledger(state.epoch, record) for record in records])
