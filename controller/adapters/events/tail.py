"""A journal followed from a cursor: each event of note is handed over until it is taken, at least once, in order."""

import asyncio
import json
from pathlib import Path
from typing import Protocol

import msgspec

from controller.adapters.events.floor_events import EventWriter, FloorEvent
from controller.adapters.journal.state_files import write_whole
from controller.engine.ports import JournalReader

PAGE = 200
REST_S = 0.2
"""At most so often a journal is read for events: bets of a busy table must not be read one by one."""


class Sink(Protocol):
    """Somebody who is told."""

    async def deliver(self, event: FloorEvent) -> None:
        """Returns once the event is taken, however long that needs; raises nothing that the world can cause."""


class Cursor:
    """The last entry that was dealt with, in a file of the state directory, renamed into place."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self, incarnation: str, head_seq: int) -> int:
        """The stored place, the end of the journal when there is none yet, its beginning for another incarnation."""
        try:
            found = msgspec.json.decode(self._path.read_bytes())
        except FileNotFoundError:
            self.save(incarnation, head_seq)
            return head_seq
        except msgspec.DecodeError:
            return 0
        if not isinstance(found, dict) or found.get("incarnation") != incarnation:
            return 0
        seq = found.get("seq")
        return min(seq, head_seq) if isinstance(seq, int) and seq >= 0 else 0

    def save(self, incarnation: str, seq: int) -> None:
        """A kill before the rename tells the last events again; never does it lose one."""
        write_whole(self._path, json.dumps({"incarnation": incarnation, "seq": seq}))


class EventTail:
    """One journal told to one sink; made before the machine goes on, so that all of a first start is told."""

    def __init__(self, reader: JournalReader, writer: EventWriter, sink: Sink, cursor: Cursor) -> None:
        self.name = reader.name
        self._reader = reader
        self._writer = writer
        self._sink = sink
        self._cursor = cursor
        self._bell = asyncio.Event()
        self.seq = cursor.load(reader.incarnation, reader.head()[0])

    @property
    def behind(self) -> int:
        """Entries that were not looked at yet."""
        return self._reader.head()[0] - self.seq

    def ring(self, state: object) -> None:
        """Observer of the machine: there is something new to read."""
        self._bell.set()

    async def run(self) -> None:
        """Follow until cancelled."""
        incarnation = self._reader.incarnation
        while True:
            self._bell.clear()
            while page := await self._reader.page(self.seq, PAGE):
                for stored in page:
                    event = self._writer.event(stored)
                    self.seq = stored.seq
                    if event is not None:
                        await self._sink.deliver(event)
                        await asyncio.to_thread(self._cursor.save, incarnation, self.seq)
                if len(page) == PAGE:
                    await asyncio.to_thread(self._cursor.save, incarnation, self.seq)
            await asyncio.sleep(REST_S)
            await self._bell.wait()
