"""A table's end of the carousel link: state goes out after every commit, messages come in as events."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from controller.adapters.link.cosigning import TableCosigning
from controller.adapters.link.hearing import Hearing
from controller.adapters.link.pace import BEAT_S
from controller.adapters.link.ports import Link
from controller.adapters.link.wire import Arrived, Rejected, WireFault
from controller.adapters.runner import Runner
from controller.core.events import Envelope
from controller.engine import member
from controller.engine.ledger_records import NO_MARK
from controller.engine.member_outbox import Archive
from controller.engine.member_state import MemberState
from controller.engine.messages import (
    Claimed,
    Cosigned,
    Counter,
    HostCheckpointed,
    HostStatus,
    LinkReceived,
    Message,
    Meter,
    Received,
    Report,
    Status,
)

S = TypeVar("S")
SILENT_MINUTES = 10
"""How often the time without the host is journaled; as much of it is lost at a restart."""


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
        self._hearing = Hearing(clock)
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
        self._silent_since = clock()
        self._told: dict[type[Message], Received | Status] = {}
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
            self._paced(self._with_nonce(message))
            for message in member.outbox(link, playing=self._playing(state))
            if not isinstance(message, Report)
        ]
        self._link.offer([*messages, *said])

    def _paced(self, message: Message) -> Message:
        """BIRTH and RECEIVED that say only how far the journals are by now wait for the next beat.

        All tables journal every record: if each told the host of each at once, a host of two hundred tables would hear
        two hundred messages for one chip.
        """
        if not isinstance(message, Received | Status):
            return message
        said = self._told.get(type(message), message)
        if _without_progress(said) != _without_progress(message):
            said = message
        self._told[type(message)] = said
        return said

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
            self._hearing.gone()
        elif (table, self._nonce) in beat.echoes:
            self._hearing.answered()
        elif state.account is not None and beat.seq and self._hearing.unanswered():
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
            self._told.clear()
            self._committed(self._runner.state)
            await asyncio.sleep(BEAT_S)

    async def _look(self) -> None:
        state = self._member_of(self._runner.state)
        up = self._hearing.up
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


def _without_progress(message: Received | Status) -> Received | Status:
    if isinstance(message, Received):
        return replace(message, mark=NO_MARK, seq=0, hash="")
    return replace(message, mark=NO_MARK)


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
