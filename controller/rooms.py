"""The rooms of a running node: one for each table and each carousel host, opened from its journal and wired."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.clock import wall_ms
from controller.adapters.entropy import DrawSource
from controller.adapters.events.alarms import HOST_CODES, TABLE_CODES, MachineWatch, host_conditions, table_conditions
from controller.adapters.events.floor_events import Place
from controller.adapters.events.peers import PEER_CODES, HostPeers, OldClaims, TablePeer
from controller.adapters.game_clock import GameClock
from controller.adapters.hardware.carousel_devices import CarouselDevices
from controller.adapters.hardware.devices import TableDevices
from controller.adapters.journal import checkpoint_moments
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.snapshots import Snapshots
from controller.adapters.link.archive import JournalArchive
from controller.adapters.link.cosigning import HostCosigning, TableCosigning, host_journal, table_journal
from controller.adapters.link.ends import HostEnd, TableEnd
from controller.adapters.link.ports import Link
from controller.adapters.link.wire import key_name
from controller.adapters.link.witness import Witness
from controller.adapters.runner import Runner
from controller.adapters.screens.draw_records import TableDrawLog
from controller.adapters.screens.scene_table import TableFace
from controller.adapters.screens.screens import TableScreens
from controller.adapters.screens.signage_board import SignageBoard, SignageFace
from controller.adapters.screens.signs import Signs, SignWriting, carousel_sign_view, table_sign_view
from controller.config.faults import ConfigError
from controller.config.house_rules import SettingsReader, checked, settings_of
from controller.config.model import Config
from controller.config.plain import table_settings
from controller.config.site import Carousel
from controller.config.table import Table
from controller.core.events import Envelope, LinkSilent, LinkStateChanged, TableStarted
from controller.core.games.game import Game
from controller.core.settings_events import SettingsRead
from controller.engine.host import HostMachine, HostSettings, HostState
from controller.engine.host_events import CarouselFounded, HostStarted, MemberAccepted
from controller.engine.host_state import Phase
from controller.engine.ledger_check import check_host, check_table
from controller.engine.ledger_records import Profile
from controller.engine.messages import Meter
from controller.engine.settings_values import canonical, values_of, with_file
from controller.engine.table import TableMachine
from controller.engine.table_settings import told_terms
from controller.engine.table_state import TableSettings, TableState
from display import scene as show
from display.feed import Feed

INSTALLATION = ("configuration", "installation")
"""Who enrols the tables of the host's own file: it is installed by one person and approved by another (docs)."""
PROGRAM = version("carrusel")
"""What this machine says of itself to the others of its carousels."""
LISTEN_S = 3.0
"""How long a host without a ledger listens for tables that know one, before it founds a carousel."""

log = logging.getLogger("carrusel")


def new_id() -> str:
    """A fresh id for what this process itself tells its machines."""
    return f"node/{secrets.token_hex(12)}"


def journal_place(config: Config, name: str) -> str | Path:
    """Where a journal of this node lives: a file of the state directory, or a schema of the database."""
    return config.state.database or config.state.directory / f"{name}.db"


def screen_currency(config: Config) -> show.Currency:
    """The site's money as screens write it."""
    return show.Currency(config.site.currency, config.site.symbol, config.site.decimals)


def table_labels(config: Config) -> dict[str, str]:
    """The number of each table as screens show it, by id."""
    return {table.id: table.name.split()[-1] for table in config.tables}


def sign_writing(config: Config) -> SignWriting:
    """How the site writes on LED signs."""
    return SignWriting(screen_currency(config), config.site.language)


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


class TableRoom:
    """A table: journal, runner, devices, screens, draws and its end of the carousel link."""

    def __init__(self, config: Config, table: Table, key: Ed25519PrivateKey, host_keys: tuple[str, ...]) -> None:
        self.table = table
        name = table_journal(table.id)
        self.journal = Journal.open(
            journal_place(config, name), name=name, key=key, wall_ms=wall_ms(), replicated=config.state.replicated
        )
        self._witness = Witness(self.journal, key, config.state.directory)
        incarnation = self.journal.incarnation
        self.reader = SettingsReader(config, table, incarnation, host_keys)
        settings = table_settings(config, table, incarnation, host_keys)
        said = replace(settings.member, program=PROGRAM, terms=told_terms(settings))
        self.machine = TableMachine(replace(settings, member=said), self.reader)
        self._file = settings_of(config, table)
        self._confirm = config.site.confirm_changed_terms
        decides = (self.journal.incarnation, *host_keys, config.site.model_dump_json(), table.model_dump_json())
        self.runner: Runner[TableState] = Runner(
            self.machine,
            self.journal,
            wall_ms,
            checkpoint_after=checkpoint_moments.of_table,
            check=check_table,
            snapshots=Snapshots(settings="\n".join(decides), secret=key.private_bytes_raw()),
        )
        self.archive = JournalArchive(self.journal)
        self.draw_log = TableDrawLog(self.journal, config.site.id, table.id)
        self.posts = Posts()
        self.devices = TableDevices(table, self.runner.submit, secrets.token_hex(6), 10**config.site.decimals)
        self.signs = Signs(table.signs, table.devices, sign_writing(config), self.devices.buses.command)
        self.peer = TablePeer(self._look)
        self.alarms: MachineWatch[TableState] = MachineWatch(
            TABLE_CODES | PEER_CODES,
            lambda state: (
                *table_conditions(state, table.carousel_id),
                *self.peer.conditions(state, table.carousel_id),
            ),
            self.posts.tell,
        )
        self.end: TableEnd[TableState] | None = None
        self.screens: TableScreens | None = None
        self.clock = GameClock(self._game, self.posts.queue.put_nowait, new_id)
        self._draws = DrawSource(config.state.directory / f"table-{table.id}.draws", self.posts.queue.put_nowait)

    @property
    def settings(self) -> TableSettings:
        """The settings in force; as the file has them before the start."""
        return self.machine.settings_of(self.runner.state) if self.runner.running else self.machine.settings

    @property
    def table_in_force(self) -> Table:
        """The table as its settings in force would stand in the file."""
        return self.reader.table(self.runner.state.hand.settings) if self.runner.running else self.table

    def _game(self, state: TableState) -> Game:
        return self.machine.settings_of(state).game

    def _check_file(self, config: Config, state: TableState) -> None:
        """What people changed at the table goes with what the file says now; ConfigError with the faults otherwise."""
        if not state.book.file or state.book.file == canonical(self._file):
            return
        held = state.hand.settings if state.book.pending is None else state.book.pending.settings
        _, faults, _ = checked(config, self.table, with_file(values_of(state.book.file), values_of(held), self._file))
        if faults:
            raise ConfigError(replace(fault, file=self.journal.name) for fault in faults)

    def start(self, config: Config, feed: Feed, link: Link) -> None:
        """Replay, then tell every observer the state that was found: lamps, screens and messages come back by it.

        ConfigError when the settings that people changed no longer go with the file.
        """
        self.runner.start()
        self._check_file(config, self.runner.state)
        self.devices.build(self.runner.state.devices)
        self.end = TableEnd(
            link,
            self.runner,
            self.archive,
            member_of=lambda state: state.link,
            playing=lambda state: bool(state.hand.credits),
            presence=LinkStateChanged,
            silence=LinkSilent,
            clock=time.monotonic,
            new_id=new_id,
            on_meter=self._hear,
            on_host=self.peer.hear,
            cosigning=TableCosigning(self._witness, self.posts.tell) if link.leaves_node else None,
        )
        carousel = next((each.name for each in config.carousels if each.id == self.table.carousel), None)
        labels = table_labels(config)
        face = TableFace(
            self.table,
            self.settings,
            screen_currency(config),
            carousel,
            labels[self.table.id],
            labels,
            config.screens.public_url,
        )
        self.screens = TableScreens(face, feed, wall_ms, lambda: self.runner.head.seq, in_force=self._in_force)
        in_force = self.machine.settings_of
        self.runner.observe(lambda state: self.devices.show(in_force(state), state))
        self.runner.observe(lambda state: self.signs.show(table_sign_view(in_force(state), self.table.name, state)))
        self.runner.observe(self.alarms.show)
        self.runner.observe(self.screens.show)
        self.runner.observe(lambda state: self._draws.show(in_force(state), state))
        self.runner.observe(self.clock.show)

    def _in_force(self, state: TableState) -> tuple[Table, TableSettings, TableSettings | None]:
        last = None if state.last is None else self.machine.read(state.last.settings)
        return self.reader.table(state.hand.settings), self.machine.settings_of(state), last

    async def run(self) -> None:
        """Serve until cancelled; the journal is closed by `close`."""
        assert self.end is not None and self.screens is not None, "start comes first"
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.runner.run(), name=f"{self.table.id}-runner")
            await self.runner.submit(Envelope(new_id(), TableStarted(secrets.token_hex(16))))
            await self.runner.submit(Envelope(new_id(), SettingsRead(self._file, self._confirm), "configuration"))
            tasks.create_task(self.posts.run(self.runner))
            for part in (self.devices, self.signs, self.alarms, self.screens, self.clock, self.end):
                tasks.create_task(part.run(), name=f"{self.table.id}-{type(part).__name__}")

    def close(self) -> None:
        self.runner.leave_snapshot()
        self.journal.close()

    def place(self, site: str) -> Place:
        """Whose events its journal holds."""
        return Place(site, table=self.table.id)

    def _look(self) -> None:
        self.alarms.show(self.runner.state)

    def _hear(self, meter: Meter) -> None:
        if self.screens is not None:
            self.screens.hear(meter)

    def profile(self, config: Config, key: Ed25519PrivateKey) -> Profile:
        """The table's line of its carousel's roster, by the settings in force."""
        settings, table = self.settings, self.table_in_force
        return Profile(
            table=table.id,
            incarnation=self.journal.incarnation,
            key=key_name(key),
            currency=config.site.currency,
            start_micros=table.jackpot.start * settings.minor_micros,
            prizes=settings.jackpot.prizes,
            bound_micros=settings.bound_micros,
            ceiling_micros=settings.ceiling_micros,
        )


class HostRoom:
    """A carousel's host: journal, runner, its end of the link, and its signage."""

    def __init__(self, config: Config, carousel: str, key: Ed25519PrivateKey) -> None:
        self.carousel = carousel
        name = host_journal(carousel)
        self.journal = Journal.open(
            journal_place(config, name), name=name, key=key, wall_ms=wall_ms(), replicated=config.state.replicated
        )
        self._witness = Witness(self.journal, key, config.state.directory)
        money = config.site.money
        found = next((each for each in config.carousels if each.id == carousel), None)
        settings = HostSettings(
            carousel,
            config.site.currency,
            money.minor_micros,
            key_name(key),
            self.journal.incarnation,
            None if found is None else found.held_prize_from,
            PROGRAM,
        )
        self.runner: Runner[HostState] = Runner(
            HostMachine(settings),
            self.journal,
            wall_ms,
            checkpoint_after=checkpoint_moments.of_host,
            check=check_host,
            snapshots=Snapshots(settings=repr(settings), secret=key.private_bytes_raw()),
        )
        self.end: HostEnd | None = None
        self._board: SignageBoard | None = None
        self.seen_ms: dict[str, int] = {}
        self._link: Link | None = None
        self._has_others = found is not None and bool(found.accept)
        self.posts = Posts()
        self.peers = HostPeers(self._look)
        self.alarms: MachineWatch[HostState] = MachineWatch(
            HOST_CODES | PEER_CODES,
            lambda state: (*host_conditions(state), *self.peers.conditions(state)),
            self.posts.tell,
        )
        devices, signs = ((), ()) if found is None else (found.devices, found.signs)
        self.devices = CarouselDevices(devices, self.posts.tell)
        self.signs = Signs(signs, devices, sign_writing(config), self.devices.buses.command)
        self._names = {table.id: table.name for table in config.tables}

    def start(self, link: Link) -> None:
        """Replay the ledger and take the host's end of the link."""
        self.runner.start()
        self.devices.build()
        self._link = link
        cosigning = HostCosigning(self._witness, self.posts.tell) if link.leaves_node else None
        archive, too_old = JournalArchive(self.journal), OldClaims(self.posts.tell)
        self.end = HostEnd(link, self.runner, archive, self.peers.hear, cosigning, too_old.refused)
        self.runner.observe(self._note_awards)
        self.runner.observe(self.alarms.show)
        self.runner.observe(lambda state: self.signs.show(carousel_sign_view(self._names, state)))

    def place(self, site: str) -> Place:
        """Whose events its journal holds."""
        return Place(site, carousel=self.carousel)

    def alive(self) -> dict[str, bool]:
        """Whether each table of the carousel is heard."""
        return dict(self.end.alive) if self.end is not None else {}

    def verified(self) -> frozenset[str]:
        """The prizes that their tables have verified and not paid yet, by row."""
        return self.end.verified() if self.end is not None else frozenset()

    def show_on(self, feed: Feed, config: Config, carousel: Carousel) -> None:
        """Keep the carousel's signage at the newest commit."""
        games = {table.id: table.game.replace("-", "_") for table in config.tables}
        face = SignageFace(carousel.id, carousel.name, screen_currency(config), table_labels(config), games)
        self._board = SignageBoard(face, feed, wall_ms, self.alive, lambda: self.seen_ms, self.verified)
        self.runner.observe(self._board.show)

    async def run(self, feed: Feed, enrol: Callable[[], list[Profile]]) -> None:
        """Serve until cancelled. Tables of the same file that the ledger has never seen are enrolled at once."""
        assert self.end is not None, "start comes first"
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.runner.run(), name=f"{self.carousel}-runner")
            in_database = self.journal.dialect == "postgresql"
            await self.runner.submit(Envelope(new_id(), HostStarted(secrets.token_hex(16), in_database=in_database)))
            if not self._has_others:
                await self._found(enrol)
            tasks.create_task(self.posts.run(self.runner))
            for part in (self.devices, self.signs, self.alarms, self.end):
                tasks.create_task(part.run(), name=f"{self.carousel}-{type(part).__name__}")
            if self._has_others:
                await self._found(enrol)
            tasks.create_task(self._confirm(feed))

    async def _found(self, enrol: Callable[[], list[Profile]]) -> None:
        """Found a carousel that nobody has a ledger of, and enrol the tables of the same file.

        A lost disk looks like a first start: tables of other nodes are listened to first, and where one of them knows a
        ledger, only a promotion by two people can follow.
        """
        actor, second = INSTALLATION
        if self.runner.state.phase is Phase.BLANK:
            if self._has_others and self._link is not None:
                await self._link.reached()
                await asyncio.sleep(LISTEN_S)
            founded = Envelope(new_id(), CarouselFounded("first start"), actor, second)
            if (await self.runner.submit(founded)).refused is not None:
                log.error("carousel %s: its tables know a ledger that is not here; promote this host", self.carousel)
        for profile in enrol():
            if profile.table not in self.runner.state.ledger.tables:
                accepted = MemberAccepted(profile, "table of the host's file")
                await self.runner.submit(Envelope(new_id(), accepted, actor, second))

    def close(self) -> None:
        self.runner.leave_snapshot()
        self.journal.close()

    def _look(self) -> None:
        self.alarms.show(self.runner.state)

    def _note_awards(self, state: HostState) -> None:
        rows = (
            answered.granted.name.row(row.seat)
            for answered in state.ledger.awards.values()
            for row in answered.granted.rows
        )
        self.seen_ms = {row: self.seen_ms.get(row, wall_ms()) for row in rows}

    async def _confirm(self, feed: Feed) -> None:
        while True:
            await asyncio.sleep(1)
            if self.runner.state.phase is Phase.SERVING and self._board is not None:
                feed.confirm(self._board.screen, wall_ms())
                self._board.look()
