"""The API's ports over runners and journals: one desk for each machine of the node."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

from controller.adapters.clock import wall_ms
from controller.adapters.devices import TableDevices
from controller.adapters.journal import Journal
from controller.adapters.journal_chain import Stored
from controller.adapters.runner import Answer, Runner
from controller.config.devices import Device
from controller.config.table import Table
from controller.core.events import Envelope
from controller.engine.host_state import HostState
from controller.engine.ports import DeviceView
from controller.engine.table_state import TableSettings, TableState
from drivers.events import Event

S = TypeVar("S")


class JournalPages:
    """A journal read in pages, in threads: the writer goes on meanwhile."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    @property
    def name(self) -> str:
        return self._journal.name

    @property
    def incarnation(self) -> str:
        return self._journal.incarnation

    def head(self) -> tuple[int, bytes]:
        return self._journal.head.seq, self._journal.head.chain

    async def page(self, after_seq: int, limit: int) -> Sequence[Stored]:
        return await asyncio.to_thread(lambda: list(islice(self._journal.entries(after_seq), limit)))

    async def find(self, ids: Iterable[str]) -> Mapping[str, Stored]:
        return await self._journal.find(ids)


class RunnerDesk(Generic[S]):
    """A machine's runner as the API sees it."""

    def __init__(self, runner: Runner[S], journal: Journal) -> None:
        self._runner = runner
        self._pages = JournalPages(journal)
        self._bell = asyncio.Event()
        runner.observe(self._ring)

    @property
    def state(self) -> S:
        return self._runner.state

    @property
    def journal(self) -> JournalPages:
        return self._pages

    async def submit(self, envelope: Envelope) -> Answer:
        return await self._runner.submit(envelope)

    async def changed(self, after_seq: int) -> int:
        while self._runner.head.seq <= after_seq:
            await self._bell.wait()
        return self._runner.head.seq

    def _ring(self, _state: S) -> None:
        self._bell.set()
        self._bell = asyncio.Event()


class TableRunnerDesk(RunnerDesk[TableState]):
    """A table with its devices."""

    def __init__(
        self,
        runner: Runner[TableState],
        journal: Journal,
        settings: TableSettings,
        table: Table,
        devices: TableDevices,
    ) -> None:
        super().__init__(runner, journal)
        self.settings = settings
        self._table = table
        self._devices = devices
        self._last: dict[str, tuple[int, str]] = {}
        devices.observers.append(self._note)

    def devices(self) -> tuple[DeviceView, ...]:
        links = self._devices.link_states()
        return tuple(self._view(config, links[config.name].value) for config in self._table.devices)

    def _view(self, config: Device, link: str) -> DeviceView:
        last_ms, last_text = self._last.get(config.name, (None, ""))
        seats = {each.seat for each in self._table.inputs if each.device == config.name and each.means == "credit"}
        numbers = tuple(sorted(seat for seat in seats if seat is not None))
        return DeviceView(config.name, config.driver, config.port, link, numbers, last_ms, last_text)

    def _note(self, event: Event) -> None:
        self._last[event.device] = (wall_ms(), _told(event))


def _told(event: Any) -> str:
    """What an event says, in one line: its name and the fields that tell it from others; never a key of a keypad."""
    known = ("input", "coin", "count", "kind", "state", "detail", "why")
    said = [f"{name} {getattr(event, name)}" for name in known if getattr(event, name, None) not in (None, "")]
    return " ".join([type(event).__name__, *said])[:120]


class HostRunnerDesk(RunnerDesk[HostState]):
    """A carousel's host with what it hears of its members."""

    def __init__(
        self, runner: Runner[HostState], journal: Journal, carousel: str, alive: Callable[[], Mapping[str, bool]]
    ) -> None:
        super().__init__(runner, journal)
        self.carousel = carousel
        self._alive = alive

    def alive(self) -> Mapping[str, bool]:
        return self._alive()
