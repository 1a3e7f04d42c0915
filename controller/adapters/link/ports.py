"""What the two ends of a carousel ask of whatever carries their messages, in one process or over a broker."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from controller.adapters.link.wire import Arrived, Rejected
from controller.engine.ledger_records import Record
from controller.engine.messages import Message

Deliver = Callable[[Arrived, bool], Awaitable[None]]
"""What an end does with a message; the flag says that the broker had kept it (it proves nothing about now)."""


class Link(Protocol):
    """Carries one end's messages. Any of them may be lost, doubled, delayed or reordered.

    leaves_node: whether it may reach other nodes.
    """

    leaves_node: bool

    def listen(
        self,
        deliver: Deliver,
        will: Callable[[], Message | None],
        record_at: Callable[[int], Record | None] | None = None,
    ) -> None:
        """Set who takes what arrives; once, before `run`.

        will: what is to be said when this end is gone. record_at: a host's own record under a sequence number, by which
        what another host left retained is cleared.
        """

    def offer(self, messages: Sequence[Message]) -> None:
        """Everything this end wants said now: what changed since the last offer is sent, what is gone is not."""

    def repeat(self, messages: Sequence[Message]) -> None:
        """Send these again, changed or not."""

    def refuse(self, rejected: Rejected) -> None:
        """Tell that something which arrived in its form is not taken after all."""

    async def reached(self) -> None:
        """Wait until there is a way to the others at all."""

    async def run(self) -> None:
        """Carry messages until cancelled."""
