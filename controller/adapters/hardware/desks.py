"""The API's ports over runners and journals: one desk for each machine of the node."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

from controller.adapters.clock import wall_ms
from controller.adapters.hardware.devices import TableDevices
from controller.adapters.hardware.frames import TableFrames
from controller.adapters.journal.chain import Stored
from controller.adapters.journal.export import VERIFIER, export_parts
from controller.adapters.journal.journal import Journal
from controller.adapters.runner import Answer, Runner
from controller.config.devices import Device
from controller.config.table import Table
from controller.core.events import Envelope
from controller.core.refusal import Refused
from controller.engine.host_state import HostState
from controller.engine.ports import DeviceView, FrameView
from controller.engine.table import TableMachine
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

    async def moments(self, after_seq: int, limit: int) -> Sequence[tuple[int, int]]:
        return await self._journal.moments(after_seq, limit)

    async def find(self, ids: Iterable[str]) -> Mapping[str, Stored]:
        return await self._journal.find(ids)

    async def about(self, subject: str, before: int, limit: int) -> Sequence[Stored]:
        return await self._journal.about(subject, before, limit)

    def export(self) -> Iterator[bytes]:
        return export_parts(self._journal, self._journal.head)

    def verifier(self) -> bytes:
        return VERIFIER.read_bytes()


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

    @property
    def writing_ms(self) -> int:
        return self._runner.writing_ms

    async def submit(self, envelope: Envelope) -> Answer:
        return await self._runner.submit(envelope)

    def would_refuse(self, envelope: Envelope) -> Refused | None:
        return self._runner.would_refuse(envelope)

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
        machine: TableMachine,
        table: Table,
        devices: TableDevices,
    ) -> None:
        super().__init__(runner, journal)
        self._machine = machine
        self._table = table
        self._devices = devices
        self._last: dict[str, tuple[int, dict[str, Any]]] = {}
        devices.observers.append(self._note)
        self._frames = TableFrames(table, devices, runner.state)
        runner.observe(self._frames.follow)

    @property
    def settings(self) -> TableSettings:
        return self._machine.settings_of(self.state)

    def read(self, text: str) -> TableSettings:
        return self._machine.read(text)

    def devices(self) -> tuple[DeviceView, ...]:
        links = self._devices.link_states()
        return tuple(self._view(config, links[config.name].value) for config in self._table.devices)

    def frames(self, device: str) -> tuple[FrameView, ...] | None:
        return self._frames.of(device)

    def _view(self, config: Device, link: str) -> DeviceView:
        last_ms, last = self._last.get(config.name, (None, {}))
        seats = {each.seat for each in self._table.inputs if each.device == config.name and each.means == "credit"}
        numbers = tuple(sorted(seat for seat in seats if seat is not None))
        return DeviceView(config.name, config.driver, config.port, link, numbers, last_ms, last)

    def _note(self, event: Event) -> None:
        self._last[event.device] = (wall_ms(), told(event))


def told(event: Any) -> dict[str, Any]:
    """What an event says: its name and the fields that tell it from others; never a key of a keypad."""
    known = ("input", "coin", "kind", "state", "code", "cleared")
    values = {name: getattr(event, name, None) for name in known}
    said = {name: getattr(value, "value", value) for name, value in values.items() if value not in (None, "", False)}
    return {"event": type(event).__name__, **said}


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
