"""What a room tells its own machine: events of this process, with fresh ids."""

import asyncio
import secrets
from dataclasses import dataclass, field
from typing import Any

from controller.adapters.runner import Runner
from controller.core.events import Envelope


def new_id() -> str:
    """A fresh id for what this process itself tells its machines."""
    return f"node/{secrets.token_hex(12)}"


@dataclass
class Posts:
    """Envelopes of observers, which cannot wait: handed to the runner one after the other."""

    queue: asyncio.Queue[Envelope] = field(default_factory=asyncio.Queue)

    def tell(self, event: object) -> None:
        """An event that this process itself reports."""
        self.queue.put_nowait(Envelope(new_id(), event, "node"))

    async def run(self, runner: Runner[Any]) -> None:
        while True:
            await runner.submit(await self.queue.get())
