"""A table's and a host's end of the carousel link: state goes out after every commit, messages come in as events."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from controller.adapters.link.cosigning import HostCosigning, TableCosigning
from controller.adapters.link.ports import Link
from controller.adapters.link.wire import Arrived, Rejected, WireFault
from controller.adapters.runner import Runner
from controller.core.events import Envelope
from controller.core.refusal import Refused
from controller.engine import member
from controller.engine.host_outbox import collects, lacking, meter, outbox, roster, status
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_records import Record
from controller.engine.member_outbox import Archive
from controller.engine.member_state import MemberState
from controller.engine.messages import (
    Checkpointed,
    Claim,
    Claimed,
    Cosigned,
    Counter,
    HostCheckpointed,
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
SILENT_MINUTES = 10
"""How often the time without the host is journaled; as much of it is lost at a restart."""
METER_S = 0.1
"""METER is said at most so often."""
NONCE_LENGTH = 64
"""A longer nonce is not repeated: every table's stands in every beat."""
UNPROVEN_BEATS = 3
"""So many beats in a row that do not answer this start are refused by name: before, its birth may be on its way."""
MOST_BEATS = 30
"""The longest a host waits before it repeats records to a table that does not move."""


class TableEnd(Generic[S]):
    """Between a table's runner and its link.

    member_of: the member inside the runner's state; playing: whether its hand in course has jackpot bets. presence,
    silence: events that tell the table the link's state, and for how many minutes more the host was not heard. clock:
    monotonic seconds. on_meter, on_host: who shows what METER and HOST say; nothing is decided by it.
    """

    def __init__(
        self,
        link: Link,
        runner: Runner[S],
        archive: Archive,
        *,
        member_of: Callable[[S], MemberState],
        playing: Callable[[S], bool],
        presence: Callable[[bool], Any],
        silence: Callable[[int], Any],
        clock: Callable[[], float],
        new_id: Callable[[], str],
        on_meter: Callable[[Meter], None] = lambda meter: None,
        on_host: Callable[[HostStatus], None] = lambda status: None,
        cosigning: TableCosigning | None = None,
    ) -> None:
        self._cosigning = cosigning
        self._nonce = new_id()
        self._unproven = 0
        self._link = link
        self._runner = runner
        self._archive = archive
        self._member_of = member_of
        self._playing = playing
        self._on_meter = on_meter
        self._presence = presence
        self._clock = clock
        self._new_id = new_id
        self._silence = silence
        self._on_host = on_host
        self._heard_at: float | None = None
        self._silent_since = clock()
        link.listen(self._arrived, self.will)
        runner.observe(self._committed)

    def will(self) -> Status:
        """DEATH of this boot, for the broker to say."""
        state = self._member_of(self._runner.state)
        return Status(state.settings.table, state.settings.incarnation, state.epoch, state.mark, alive=False)

    def _committed(self, state: S) -> None:
        link = self._member_of(state)
        said = () if self._cosigning is None else self._cosigning.says(link, self._runner.checkpoint)
        messages = [
            message for message in member.outbox(link, playing=self._playing(state)) if not isinstance(message, Report)
        ]
        self._link.offer([*map(self._with_nonce, messages), *said])

    def _with_nonce(self, message: Message) -> Message:
        return replace(message, nonce=self._nonce) if isinstance(message, Status) else message

    async def _arrived(self, arrived: Arrived, kept: bool) -> None:
        message = arrived.message
        state = self._member_of(self._runner.state)
        if isinstance(message, HostStatus):
            if message.epoch >= state.epoch and not kept:
                self._hear_beat(message, state)
                self._on_host(message)
            if message.epoch == state.epoch:
                return
        if isinstance(message, HostCheckpointed | Cosigned):
            if self._cosigning is not None:
                await self._cosigning.hear(state, message, arrived)
                self._committed(self._runner.state)
            return
        if isinstance(message, Meter):
            self._on_meter(message)
        await self._runner.submit(Envelope(arrived.id, LinkReceived(message)))

    def _hear_beat(self, beat: HostStatus, state: MemberState) -> None:
        """A beat counts that repeats this start's nonce: nobody could have recorded it before.

        A host answers only tables of its ledger: until this one is in it (not yet enrolled; or a blank host that still
        collects, at seq 0), other beats say nothing against their host.
        """
        table = state.settings.table
        if not beat.alive:
            self._heard_at = None
        elif (table, self._nonce) in beat.echoes:
            self._heard_at, self._unproven = self._clock(), 0
        elif state.account is not None and beat.seq:
            self._unproven += 1
            if self._unproven >= UNPROVEN_BEATS:
                detail = f"beat {beat.seq} of {beat.epoch.host[:16]} answers no start of {table} that runs"
                self._link.refuse(Rejected(WireFault.NOT_FRESH, "host", detail))

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
        await self._count_silence(up)
        self._link.repeat(await asyncio.to_thread(unanswered, state, self._archive))
        if not up:  # the host that is to answer this start may not have heard of it
            said = member.outbox(self._member_of(self._runner.state), playing=True)
            self._link.repeat([self._with_nonce(message) for message in said if isinstance(message, Status)])

    async def _count_silence(self, up: bool) -> None:
        """Tell the table that the host is silent, every ten minutes, by a clock that nobody can set."""
        if up:
            self._silent_since = self._clock()
        minutes = int(self._clock() - self._silent_since) // 60
        if minutes >= SILENT_MINUTES:
            self._silent_since += 60 * minutes
            await self._runner.submit(Envelope(self._new_id(), self._silence(minutes)))


def unanswered(state: MemberState, archive: Archive) -> tuple[Message, ...]:
    """What a table says again until the ledger shows that it was heard."""
    account = state.account
    absorbed = account is not None and account.absorbed == state.counters and state.confirmed
    absorbed = absorbed and not state.terms_waiting
    repeated: tuple[type[Message], ...] = (Claimed, Report) if absorbed else (Claimed, Report, Counter)
    if account is None:  # a host takes no note of RECEIVED before the table is in its ledger
        repeated = (*repeated, Received)
    said = member.outbox(state, archive, playing=True)  # of RECEIVED, nothing of a jackpot's end is in such a ledger
    return tuple(message for message in said if isinstance(message, repeated))


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
    ) -> None:
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
            await asyncio.sleep(METER_S)

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
        if self._boots.get(message.table, boot) == boot:
            self.alive[message.table] = message.alive
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
