"""The carousel link inside one process: a carousel of one, a small pit, tests."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import count

from controller.adapters.link.ports import Deliver
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import Arrived, Rejected
from controller.engine.ledger_records import Record
from controller.engine.messages import Checkpointed, Claimed, Collect, Counter, Message, Received, Report, Status


class LocalHub:
    """Routes between one host and its tables as a broker would, without keeping anything."""

    def __init__(self, carousel: str, site: str = "local") -> None:
        self.topics = Topics(site, carousel)
        self._host: LocalLink | None = None
        self._tables: dict[str, LocalLink] = {}
        self._count = count(1)

    def host(self) -> "LocalLink":
        """The host's end."""
        self._host = LocalLink(self, "host")
        return self._host

    def table(self, table: str) -> "LocalLink":
        """A table's end."""
        self._tables[table] = LocalLink(self, table)
        return self._tables[table]

    def route(self, message: Message) -> None:
        """Put a message into the boxes of those who listen to its topic."""
        topic = self.topics.of(message)
        arrived = Arrived(f"local:{next(self._count)}", message, "")
        match message:
            case Counter() | Status() | Claimed() | Received() | Report() | Checkpointed():
                ends = [self._host]
            case Collect(table=table):
                ends = [self._tables.get(table)]
            case _:
                ends = list(self._tables.values())
        for end in ends:
            if end is not None:
                end.arrive(topic, arrived)


class LocalLink:
    """One end. Its box holds the newest message of each topic, so that it cannot grow without bound."""

    leaves_node = False

    def __init__(self, hub: LocalHub, name: str) -> None:
        self.name = name
        self._hub = hub
        self._offered: dict[str, Message] = {}
        self._box: dict[str, Arrived] = {}
        self._filled = asyncio.Event()
        self._deliver: Deliver | None = None

    def listen(
        self,
        deliver: Deliver,
        will: Callable[[], Message | None],
        record_at: Callable[[int], Record | None] | None = None,
    ) -> None:
        """See `Link.listen`; in one process nothing outlives its ends, so there is no will and nothing to clear."""
        self._deliver = deliver

    def offer(self, messages: Sequence[Message]) -> None:
        """See `Link.offer`."""
        offered = {self._hub.topics.of(message): message for message in messages}
        for topic, message in offered.items():
            if self._offered.get(topic) != message:
                self._hub.route(message)
        self._offered = offered

    def repeat(self, messages: Sequence[Message]) -> None:
        """See `Link.repeat`."""
        for message in messages:
            self._hub.route(message)

    def arrive(self, topic: str, arrived: Arrived) -> None:
        """A message for this end."""
        self._box[topic] = arrived
        self._filled.set()

    def refuse(self, rejected: Rejected) -> None:
        """See `Link.refuse`: in one process nobody else speaks."""

    async def reached(self) -> None:
        """See `Link.reached`: in one process there always is."""

    async def run(self) -> None:
        """Hand over what arrives, in the order in which each topic first came."""
        assert self._deliver is not None, "nobody listens to this link"
        while True:
            await self._filled.wait()
            self._filled.clear()
            while self._box:
                arrived = self._box.pop(next(iter(self._box)))
                await self._deliver(arrived, False)
