"""A table's room: its machine on its journal, with devices, screens, draws and its end of the carousel link."""

import asyncio
import secrets
import time
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.clock import wall_ms
from controller.adapters.entropy import DrawSource
from controller.adapters.events.alarms import TABLE_CODES, MachineWatch, table_conditions
from controller.adapters.events.floor_events import Place
from controller.adapters.events.peers import PEER_CODES, TablePeer
from controller.adapters.game_clock import GameClock
from controller.adapters.hardware.devices import TableDevices
from controller.adapters.hardware.lamp_clock import LampClock
from controller.adapters.journal import checkpoint_moments
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.snapshots import Snapshots
from controller.adapters.link.archive import JournalArchive
from controller.adapters.link.cosigning import TableCosigning, table_journal
from controller.adapters.link.ports import Link
from controller.adapters.link.table_end import TableEnd
from controller.adapters.link.wire import key_name
from controller.adapters.link.witness import Witness
from controller.adapters.runner import Runner
from controller.adapters.screens.draw_records import TableDrawLog
from controller.adapters.screens.scene_table import TableFace
from controller.adapters.screens.screens import TableScreens
from controller.adapters.screens.signs import Signs, table_sign_view
from controller.config.faults import ConfigError, Fault
from controller.config.house_rules import SettingsReader, checked, settings_of
from controller.config.model import Config
from controller.config.plain import table_settings
from controller.config.table import Table
from controller.config.texts import said
from controller.core.events import Envelope, LinkSilent, LinkStateChanged, TableStarted
from controller.core.games.game import Game
from controller.core.settings_events import SettingsRead
from controller.engine.host_state import HostState, Phase
from controller.engine.ledger_check import check_table
from controller.engine.ledger_records import Profile
from controller.engine.messages import Meter
from controller.engine.settings_values import canonical, values_of, with_file
from controller.engine.table import TableMachine
from controller.engine.table_settings import told_terms
from controller.engine.table_state import TableSettings, TableState
from controller.rooms.posts import Posts, new_id
from controller.rooms.site import (
    PROGRAM,
    check_currency,
    check_decimals,
    journal_place,
    screen_currency,
    sign_writing,
    table_labels,
)
from display.feed import Feed


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
        self._lamp_clock = LampClock(self.posts.queue.put_nowait, new_id)
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

    def check_carousel(self, host: HostState) -> None:
        """ConfigError where this table's journal has it in another ledger than its host's, which is on this node.

        Hearing the one, a table that mirrors the other would stop for good, whatever the file says afterwards.
        """
        mirror = self.runner.state.link.ledger
        if mirror.account(self.table.id, self.journal.incarnation) is None:
            return
        if host.phase is Phase.SERVING and self.table.id not in host.ledger.tables:
            carousel = self.table.carousel_id
            reason = said(
                "'{carousel}', but this journal is of another carousel: put that one back, or begin a new journal for"
                " the table",
                carousel=carousel,
            )
            raise ConfigError([Fault(self.journal.name, 0, f"tables.{self.table.id}.carousel", reason)])

    def start(self, config: Config, feed: Feed, link: Link) -> None:
        """Replay, then tell every observer the state that was found: lamps, screens and messages come back by it.

        ConfigError when the settings that people changed, or the journal's money, no longer go with the file.
        """
        self.runner.start()
        check_decimals(config, self.journal.name, self.runner.state.begun_minor)
        account = self.runner.state.link.ledger.account(self.table.id, self.journal.incarnation)
        check_currency(config, self.journal.name, () if account is None else (account,))
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
        self.runner.observe(self._lamp_clock.show)

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
            for part in (self.devices, self.signs, self.alarms, self.screens, self.clock, self._lamp_clock, self.end):
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
