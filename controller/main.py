"""The composition root: builds a node from its configuration, starts its parts, and stops them in reverse."""

import asyncio
import logging
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from errno import ENOTDIR
from os import strerror
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.clock import wall_ms
from controller.adapters.clock_sync import clock_synchronised
from controller.adapters.control import Control
from controller.adapters.hardware.desks import HostRunnerDesk, TableRunnerDesk
from controller.adapters.journal.checkpoints import node_key
from controller.adapters.journal.errors import JournalUnfit
from controller.adapters.journal.journal import Journal
from controller.adapters.link.broker import run_broker
from controller.adapters.link.broker_login import broker_of
from controller.adapters.link.wire import key_name
from controller.adapters.people import PeopleRoom
from controller.adapters.runner import RunnerStopped
from controller.adapters.screens.draw_records import NodeDraws
from controller.adapters.service import keep_watchdog, notify, settle_memory
from controller.adapters.shift_close import ShiftClose
from controller.adapters.web import address_of, listen_on, serve
from controller.api.app import ApiPorts, resume
from controller.api.app import build_app as build_api
from controller.config.credentials import read_file, unusable
from controller.config.model import Config
from controller.engine.ledger_records import Profile
from controller.floor import Floor
from controller.links import Links
from controller.rooms import HostRoom, TableRoom, screen_currency
from display.feed import Feed
from display.pages import ScreenSettings
from display.pages import build_app as build_screens

log = logging.getLogger("carrusel")


@dataclass
class Node:
    """Everything one configuration file starts. Build with `opened`, which closes the journals again."""

    config: Config
    key: Ed25519PrivateKey
    feed: Feed
    tables: dict[str, TableRoom]
    hosts: dict[str, HostRoom]
    people: PeopleRoom
    screens_at: socket.socket
    api_at: socket.socket

    @property
    def screens_address(self) -> str:
        return address_of(self.screens_at)

    @property
    def api_address(self) -> str:
        return address_of(self.api_at)

    async def run(self, ready: Callable[["Node"], None] = lambda node: None) -> None:
        """Serve until cancelled. A part that dies takes the others with it (the service manager starts us again)."""
        self._wire()
        async with self._broker(), asyncio.TaskGroup() as tasks:
            for host in self.hosts.values():
                run = host.run(self.feed, self._enrolment(host.carousel), self._mirrored(host.carousel))
                tasks.create_task(run, name=f"host-{host.carousel}")
            for table in self.tables.values():
                tasks.create_task(table.run(), name=f"table-{table.table.id}")
            screens = build_screens(self.feed, self._screen_settings(), self._draws())
            most_of_one = self.config.screens.connections_per_address
            tasks.create_task(serve(screens, self.screens_at, most_of_one=most_of_one), name="screens")
            tasks.create_task(self.people.run(), name="people")
            rooms: tuple[TableRoom | HostRoom, ...] = (*self.tables.values(), *self.hosts.values())
            closes = ShiftClose(self.people.runner, {room.journal.name: room.runner for room in rooms})
            tasks.create_task(closes.run(), name="shift-close")
            floor = self._floor()
            ports = self.api_ports(floor.metrics.render)
            tasks.create_task(serve(build_api(ports), self.api_at), name="api")
            tasks.create_task(resume(ports), name="approved-acts")
            tasks.create_task(floor.run(), name="floor")
            tasks.create_task(keep_watchdog(), name="watchdog")
            tasks.create_task(Control(self.config.state.directory, self.journals()).run(), name="control")
            notify("READY=1")
            ready(self)

    def _screen_settings(self) -> ScreenSettings:
        site = self.config.site
        names = {f"table-{table.id}": table.name for table in self.config.tables}
        names |= {f"signage-{carousel.id}": carousel.name for carousel in self.config.carousels}
        return ScreenSettings(
            language=site.language, time_zone=site.time_zone, currency=screen_currency(self.config), names=names
        )

    def _draws(self) -> NodeDraws:
        """The draws that players can check on the screens' listener."""
        logs = {name: room.draw_log for name, room in self.tables.items()}
        return NodeDraws(logs, lambda name: bool(self.tables[name].settings.draws))

    @asynccontextmanager
    async def _broker(self) -> AsyncIterator[None]:
        """The demo's own broker, where the file asks for it; it outlives the links that use it."""
        mqtt = self.config.mqtt
        if mqtt is None or not mqtt.embedded:
            yield
            return
        async with asyncio.TaskGroup() as outer:
            serving = asyncio.Event()
            broker = outer.create_task(run_broker(mqtt.host, mqtt.port, serving), name="broker")
            await serving.wait()
            yield
            broker.cancel()

    def _wire(self) -> None:
        links = Links(self.config, self.key, self.tables, self.host_keys)
        for host in self.hosts.values():
            host.start(links.host(host))
            for carousel in self.config.carousels:
                if carousel.id == host.carousel:
                    host.show_on(self.feed, self.config, carousel)
        for table in self.tables.values():
            table.start(self.config, self.feed, links.table(table))
            host_here = self.hosts.get(table.table.carousel_id)
            if host_here is not None:
                table.check_carousel(host_here.runner.state)

    def _floor(self) -> Floor:
        mqtt = self.config.mqtt
        broker = None if mqtt is None else lambda client_id: broker_of(mqtt, client_id)
        return Floor(self.config, self.key, self.tables, self.hosts, self.feed, broker, self.people)

    def api_ports(self, metrics: Callable[[], bytes] = bytes) -> ApiPorts:
        """The house as the API sees it; every room has started."""
        return ApiPorts(
            config=self.config,
            tables={
                name: TableRunnerDesk(room.runner, room.journal, room.machine, room.table, room.devices)
                for name, room in self.tables.items()
            },
            hosts={
                name: HostRunnerDesk(room.runner, room.journal, name, room.alive) for name, room in self.hosts.items()
            },
            accounts=self.people.desk,
            passwords=self.people.passwords,
            policy=self.people.policy,
            clock=wall_ms,
            screens=self.screens_address,
            clock_synchronised=clock_synchronised,
            more_metrics=metrics,
        )

    def journals(self) -> dict[str, Journal]:
        """Every journal this node holds, by name."""
        held = [self.people.journal]
        held += [room.journal for room in self.tables.values()] + [room.journal for room in self.hosts.values()]
        return {journal.name: journal for journal in held}

    def host_keys(self, carousel: str) -> tuple[str, ...]:
        """Keys that may speak as the host of a carousel: this node's own, or those that the file names."""
        if carousel in self.hosts:
            return (key_name(self.key),)
        named = next((each for each in self.config.carousels if each.id == carousel), None)
        return () if named is None else named.host_keys

    def _mirrored(self, carousel: str) -> bool:
        """Whether a table of this node holds a ledger of before."""
        members = [room for room in self.tables.values() if room.table.carousel_id == carousel]
        return any(room.runner.state.link.ledger.seq > 0 for room in members)

    def _enrolment(self, carousel: str) -> Callable[[], list[Profile]]:
        members = [room for room in self.tables.values() if room.table.carousel_id == carousel]
        return lambda: [room.profile(self.config, self.key) for room in members]


def check_files(config: Config) -> None:
    """Passwords, secrets and certificates that the file names; ConfigError for one that does not serve."""
    if config.mqtt is not None:
        broker_of(config.mqtt, "")
    if config.events.secret_file is not None:
        read_file(config.events.secret_file, "events.secret_file")


@contextmanager
def opened(config: Config) -> Iterator[Node]:
    """A node with its journals and listeners open, closed again at the end whatever happens."""
    key = _key_in(config.state.directory)
    if config.state.database is not None and config.state.replicated:
        from controller.adapters.journal.replica import check_replica  # an extra: psycopg

        check_replica(config.state.database)
    with ExitStack() as stack:
        screens_at = listen_on(config.screens.listen)
        stack.callback(screens_at.close)
        api_at = listen_on(config.api.listen)
        stack.callback(api_at.close)
        people = PeopleRoom(config, key)
        stack.callback(people.close)
        hosts = {}
        for carousel in _hosted(config):
            hosts[carousel] = HostRoom(config, carousel, key)
            stack.callback(hosts[carousel].close)
        node = Node(config, key, Feed(), {}, hosts, people, screens_at, api_at)
        for table in config.tables:
            node.tables[table.id] = TableRoom(config, table, key, node.host_keys(table.carousel_id))
            stack.callback(node.tables[table.id].close)
        yield node


def _key_in(directory: Path) -> Ed25519PrivateKey:
    """The node's key in its folder of state, made where there is none; ConfigError where no folder can be."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        return node_key(directory)
    except (FileExistsError, NotADirectoryError, FileNotFoundError) as problem:
        why = strerror(ENOTDIR if isinstance(problem, FileExistsError) else problem.errno or 0)
        raise unusable(directory, "state.directory", why) from problem
    except OSError as problem:
        if problem.strerror is None:  # what the key itself was refused for
            raise
        raise JournalUnfit(f"the state directory {directory} cannot be used: {problem.strerror}") from problem


def _hosted(config: Config) -> list[str]:
    """Carousels whose ledger this node keeps: those it is host of, and one for each table of its own."""
    own = [table.carousel_id for table in config.tables if not table.linked]
    return [carousel.id for carousel in config.carousels if carousel.is_host] + own


async def run(config: Config, ready: Callable[[Node], None] = lambda node: None) -> None:
    """Run a node until SIGTERM or SIGINT; what a part raises ends it."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)

    def started(node: Node) -> None:
        settle_memory()
        ready(node)

    with opened(config) as node:
        serving = asyncio.create_task(node.run(started), name="node")
        stopping = asyncio.create_task(stop.wait(), name="stop")
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        notify("STOPPING=1")
        stopping.cancel()
        serving.cancel()
        await ended(serving, asked=stop.is_set())


async def ended(serving: "asyncio.Task[None]", asked: bool) -> None:
    """Wait for the end; when it was asked for, a part may still have wanted something of a runner that had stopped."""
    try:
        await serving
    except* asyncio.CancelledError:
        pass
    except* RunnerStopped:
        if not asked:
            raise
