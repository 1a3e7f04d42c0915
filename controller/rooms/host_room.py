"""A carousel host's room: its machine on its journal, its end of the link, and its signage."""

import asyncio
import logging
import secrets
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.clock import wall_ms
from controller.adapters.events.alarms import HOST_CODES, Condition, MachineWatch, host_conditions
from controller.adapters.events.floor_events import Place
from controller.adapters.events.members_watch import MEMBER_CODES, member_conditions
from controller.adapters.events.peers import PEER_CODES, HostPeers, OldClaims
from controller.adapters.hardware.carousel_devices import CarouselDevices
from controller.adapters.journal import checkpoint_moments
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.snapshots import Snapshots
from controller.adapters.link.archive import JournalArchive
from controller.adapters.link.cosigning import HostCosigning, host_journal
from controller.adapters.link.host_end import HostEnd
from controller.adapters.link.ports import Link
from controller.adapters.link.wire import key_name
from controller.adapters.link.witness import Witness
from controller.adapters.runner import Runner
from controller.adapters.screens.signage_board import SignageBoard, SignageFace
from controller.adapters.screens.signs import Signs, carousel_sign_view
from controller.config.model import Config
from controller.config.site import Carousel
from controller.core.events import Envelope
from controller.engine.host import HostMachine, HostSettings, HostState
from controller.engine.host_events import CarouselFounded, HostStarted, MemberAccepted
from controller.engine.host_state import Phase
from controller.engine.ledger_check import check_host
from controller.engine.ledger_records import Profile
from controller.rooms.posts import Posts, new_id
from controller.rooms.site import (
    PROGRAM,
    check_currency,
    check_decimals,
    journal_place,
    screen_currency,
    sign_writing,
    table_labels,
    table_places,
)
from display.feed import Feed

INSTALLATION = ("configuration", "installation")
"""Who enrols the tables of the host's own file: it is installed by one person and approved by another (docs)."""
LISTEN_S = 3.0
"""How long a host without a ledger listens for tables that know one, before it founds a carousel."""

log = logging.getLogger("carrusel")


class HostRoom:
    """A carousel's host: journal, runner, its end of the link, and its signage."""

    def __init__(self, config: Config, carousel: str, key: Ed25519PrivateKey) -> None:
        self.carousel = carousel
        self._config = config
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
        self._mirrored = False
        self.alarms: MachineWatch[HostState] = MachineWatch(
            HOST_CODES | PEER_CODES | MEMBER_CODES, self._conditions, self.posts.tell
        )
        devices, signs = ((), ()) if found is None else (found.devices, found.signs)
        self.devices = CarouselDevices(devices, self.posts.tell)
        self.signs = Signs(signs, devices, sign_writing(config), self.devices.buses.command)
        self._place = table_places(config)

    def start(self, link: Link) -> None:
        """Replay the ledger and take the host's end of the link; ConfigError when its money is not the file's."""
        self.runner.start()
        check_decimals(self._config, self.journal.name, self.runner.state.begun_minor)
        check_currency(self._config, self.journal.name, self.runner.state.ledger.tables.values())
        self.devices.build()
        self._link = link
        cosigning = HostCosigning(self._witness, self.posts.tell) if link.leaves_node else None
        archive, too_old = JournalArchive(self.journal), OldClaims(self.posts.tell)
        self.end = HostEnd(link, self.runner, archive, self.peers.hear, cosigning, too_old.refused, self._look)
        self.runner.observe(self._note_awards)
        self.runner.observe(self.alarms.show)
        self.runner.observe(lambda state: self.signs.show(carousel_sign_view(self._place, state)))

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

    async def run(self, feed: Feed, enrol: Callable[[], list[Profile]], mirrored: bool = False) -> None:
        """Serve until cancelled. Tables of the same file that the ledger has never seen are enrolled at once.

        mirrored: some table of the same file holds a ledger of before, so that no carousel begins here.
        """
        assert self.end is not None, "start comes first"
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.runner.run(), name=f"{self.carousel}-runner")
            in_database = self.journal.dialect == "postgresql"
            await self.runner.submit(Envelope(new_id(), HostStarted(secrets.token_hex(16), in_database=in_database)))
            if not self._has_others:
                await self._found(enrol, mirrored)
            tasks.create_task(self.posts.run(self.runner))
            for part in (self.devices, self.signs, self.alarms, self.end):
                tasks.create_task(part.run(), name=f"{self.carousel}-{type(part).__name__}")
            if self._has_others:
                await self._found(enrol, mirrored)
            tasks.create_task(self._confirm(feed))

    async def _found(self, enrol: Callable[[], list[Profile]], mirrored: bool) -> None:
        """Found a carousel that nobody has a ledger of, and enrol the tables of the same file.

        A lost disk looks like a first start: tables of other nodes are listened to first, and where one of them knows a
        ledger, only a promotion by two people can follow.
        """
        actor, second = INSTALLATION
        if self.runner.state.phase is Phase.BLANK:
            if mirrored:
                self._mirrored = True
                self._look()
                return self._tell_mirrored()
            if self._has_others and self._link is not None:
                await self._link.reached()
                await asyncio.sleep(LISTEN_S)
            founded = Envelope(new_id(), CarouselFounded("first start"), actor, second)
            if (await self.runner.submit(founded)).refused is not None:
                self._tell_mirrored()
        for profile in enrol():
            if profile.table not in self.runner.state.ledger.tables:
                accepted = MemberAccepted(profile, "table of the host's file")
                await self.runner.submit(Envelope(new_id(), accepted, actor, second))

    def _tell_mirrored(self) -> None:
        why = "its tables know a ledger that is not here; promote this host, or put their former carousel into the file"
        log.error("carousel %s: %s", self.carousel, why)

    def close(self) -> None:
        self.runner.leave_snapshot()
        self.journal.close()

    def _conditions(self, state: HostState) -> tuple[Condition, ...]:
        missed = member_conditions(state, self.alive(), self._mirrored)
        return (*host_conditions(state), *self.peers.conditions(state), *missed)

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
