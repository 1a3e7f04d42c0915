"""How checkpoints travel between a table and its host, and the signatures below them back; nothing is decided by it."""

import asyncio
import logging
from collections.abc import Callable

from controller.adapters.journal.checkpoints import Checkpoint
from controller.adapters.journal.errors import JournalFailed
from controller.adapters.link.wire import Arrived
from controller.adapters.link.witness import OtherHistory, Witness
from controller.core.events import AlarmRaised, HistoryContradicted
from controller.engine.host_state import HostState
from controller.engine.member_state import MemberState
from controller.engine.messages import Checkpointed, Cosigned, HostCheckpointed, SignedHead

HISTORY_DIFFERS = "history_differs"
HISTORY_CUT = "history_cut"
"""Of another node's journal: what it says it is contradicts what it said, at the same place or by being shorter."""
Tell = Callable[[object], None]

log = logging.getLogger("carrusel")


def table_journal(table: str) -> str:
    """Name of a table's journal."""
    return f"table-{table}"


def host_journal(carousel: str) -> str:
    """Name of the journal of a carousel's host."""
    return f"carousel-{carousel}"


async def _signed(witness: Witness, name: str, said: SignedHead, arrived: Arrived, tell: Tell) -> SignedHead | None:
    """Our signature below another node's checkpoint; a history that was cut or changed is told as an alarm."""
    try:
        return await asyncio.to_thread(witness.sign_below, name, said, arrived.key, arrived.place)
    except OtherHistory as changed:
        log.error("link: %s", changed)
        code = HISTORY_CUT if changed.seq < changed.kept else HISTORY_DIFFERS
        tell(AlarmRaised(code, changed.name, f"seq {changed.seq}"))
    except JournalFailed as full:
        log.warning("link: a checkpoint of %s is not kept: %s", name, full)
    return None


class TableCosigning:
    """A table's part: says its newest checkpoint, keeps the host's and signs below it. tell: takes an alarm."""

    def __init__(self, witness: Witness, tell: Tell) -> None:
        self._witness = witness
        self._tell = tell
        self._below: SignedHead | None = None
        self._said: Checkpointed | None = None

    def says(self, state: MemberState, signed: Checkpoint | None) -> tuple[Checkpointed, ...]:
        """CHECKPOINT, which stays the same while its points do. signed: the last one of this run."""
        own = self._witness.own(signed)
        points = tuple(point for point in (own, self._below) if point is not None)
        if not points:
            return ()
        said = self._said
        if said is None or (said.points, said.mark.boot) != (points, state.mark.boot):
            settings = state.settings
            self._said = said = Checkpointed(settings.table, settings.incarnation, state.epoch, state.mark, points)
        return (said,)

    async def hear(self, state: MemberState, message: HostCheckpointed | Cosigned, arrived: Arrived) -> None:
        """The host's checkpoint, its signature below ours, or one of ours that it has kept.

        What our journal lacks of it shows that this is not the journal that was signed: the table does not go on.
        """
        if message.epoch < state.epoch:
            return
        if isinstance(message, HostCheckpointed):
            name = host_journal(state.settings.carousel)
            self._below = await _signed(self._witness, name, message.point, arrived, self._tell) or self._below
        elif message.table != state.settings.table:
            return
        elif await asyncio.to_thread(self._witness.contradicted, message.point):
            log.error("link: the host keeps seq %d of this journal, which is not in it", message.point.seq)
            self._tell(HistoryContradicted(message.point.seq, message.point.chain))
        else:
            name = host_journal(state.settings.carousel)
            await asyncio.to_thread(self._witness.take, name, message.point, arrived.key)


class HostCosigning:
    """A host's part: says its newest checkpoint, keeps those of its tables and signs below them."""

    def __init__(self, witness: Witness, tell: Tell) -> None:
        self._witness = witness
        self._tell = tell

    def says(self, state: HostState, signed: Checkpoint | None) -> tuple[HostCheckpointed, ...]:
        """HOST_CHECKPOINT. signed: the last one of this run."""
        own = self._witness.own(signed)
        return () if own is None else (HostCheckpointed(state.epoch, own),)

    async def hear(self, state: HostState, message: Checkpointed, arrived: Arrived) -> tuple[Cosigned, ...]:
        """A table's checkpoint and its signature below ours; what is to be said to it.

        A boot that begins to speak is told first what the ones before it had signed, so that it sees whether it has it.
        """
        if state.ledger.account(message.table, message.incarnation) is None:
            return ()
        name = table_journal(message.table)
        witness, incarnation = self._witness, message.incarnation
        answers = [*await asyncio.to_thread(witness.said_before, name, incarnation, arrived.place)]
        for point in message.points:
            if point.name == witness.name:
                await asyncio.to_thread(witness.take, name, point, arrived.key)
            elif point.incarnation == incarnation:
                below = await _signed(witness, name, point, arrived, self._tell)
                answers += [] if below is None else [below]
        return tuple(Cosigned(state.epoch, message.table, point) for point in answers)
