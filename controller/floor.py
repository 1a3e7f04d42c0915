"""What a node does beside its games: events told, figures, a look at clock and disk, a daily look at journals."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.clock import monotonic_ms, wall_ms
from controller.adapters.clock_sync import clock_synchronised
from controller.adapters.daily import DailyVerify
from controller.adapters.events.alarms import Condition, NodeWatch
from controller.adapters.events.clock_watch import ClockWatch
from controller.adapters.events.closing_watch import ClosingWatch
from controller.adapters.events.floor_events import EventWriter
from controller.adapters.events.journal_watch import JournalWatch
from controller.adapters.events.replica_watch import ReplicaWatch
from controller.adapters.events.settings_watch import SettingsWatch
from controller.adapters.events.sinks import EventTopic, Webhook, read_secret
from controller.adapters.events.tail import Cursor, EventTail
from controller.adapters.hardware.desks import JournalPages
from controller.adapters.link.broker_probe import BrokerProbe
from controller.adapters.link.mqtt import Broker
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import key_name
from controller.adapters.metrics import Measured, MeasuredHost, MeasuredTable, NodeMetrics
from controller.adapters.people import PeopleRoom
from controller.adapters.runner import Runner
from controller.config.model import Config
from controller.core.events import AlarmCleared, AlarmRaised
from controller.rooms import HostRoom, TableRoom
from display.feed import Feed

TERMS_NOT_APPROVED = "terms_not_approved"


def _writing_ms(runner: Runner[Any]) -> int:
    return runner.writing_ms


class Floor:
    """Built once every room has started. `broker`: how a client of that name connects, None without one."""

    def __init__(
        self,
        config: Config,
        key: Ed25519PrivateKey,
        tables: dict[str, TableRoom],
        hosts: dict[str, HostRoom],
        feed: Feed,
        broker: Callable[[str], Broker] | None,
        people: PeopleRoom,
    ) -> None:
        self._config = config
        self._key = key
        self._rooms: list[TableRoom | HostRoom] = [*tables.values(), *hosts.values()]
        self._journals = tuple(each.journal for each in (people, *self._rooms))
        writing = {each.journal.name: partial(_writing_ms, each.runner) for each in (people, *self._rooms)}
        self._commits = JournalWatch(writing, self._tell, self._show_slow)
        named = {carousel.id for carousel in config.carousels}
        self._with_people: list[TableRoom | HostRoom] = [
            *tables.values(),
            *(host for name, host in hosts.items() if name in named),
        ]
        """A carousel of one has no people of its own: its table tells its alarms."""
        last_ms = min((room.journal.last_wall_ms for room in self._rooms), default=0)
        self._clock = ClockWatch(self._tell, wall_ms, monotonic_ms, last_ms)
        self._settings = {name: self._build_settings(room) for name, room in tables.items()}
        self._closings = {name: self._build_closing(host) for name, host in hosts.items()}
        self._probe = self._build_probe(broker)
        self._sinks = self._build_sinks(broker)
        self._tails = self._build_tails()
        minor = config.site.money.minor_micros
        self.metrics = NodeMetrics(
            Measured(
                {
                    name: MeasuredTable(room.runner, room.machine.settings_of, room.devices.link_states)
                    for name, room in tables.items()
                },
                {
                    name: MeasuredHost(room.runner, minor, room.devices.buses.link_states)
                    for name, room in hosts.items()
                },
                lambda: feed.subscribers,
                self._tails,
            )
        )

    async def run(self) -> None:
        """Until cancelled; raises LedgerBroken when a journal does not hold."""
        watch = NodeWatch(self._config.state.directory, clock_synchronised, self._database_watch())
        for room in self._with_people:
            watch.attach(room.alarms.look)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(watch.run(), name="node-watch")
            tasks.create_task(self._clock.run(), name="clock-watch")
            tasks.create_task(self._commits.run(), name="journal-watch")
            looks = [partial(self._look_at_terms, room) for room in self._rooms if isinstance(room, TableRoom)]
            tasks.create_task(DailyVerify(self._journals, then=looks).run(), name="daily-verify")
            for table, settings in self._settings.items():
                tasks.create_task(settings.run(), name=f"settings-{table}")
            for carousel, closing in self._closings.items():
                tasks.create_task(closing.run(), name=f"closing-{carousel}")
            if self._probe is not None:
                tasks.create_task(self._probe.run(), name="broker-probe")
            for name, sink in self._sinks.items():
                tasks.create_task(sink.run(), name=f"events-{name}")
            for (journal, name), tail in self._tails.items():
                tasks.create_task(tail.run(), name=f"events-{name}-{journal}")

    def _database_watch(self) -> Callable[[], tuple[Condition, ...]]:
        """The look at the database's replica, where the file says that it has one."""
        state = self._config.state
        if state.database is None or state.replica == "none":
            return tuple
        from controller.adapters.journal.replica import missing  # an extra: psycopg

        return ReplicaWatch(partial(missing, state.database)).held

    def _look_at_terms(self, room: TableRoom) -> None:
        """An alarm where a table plays by other jackpot terms than the site's file approves."""
        approved, source = self._config.site.approved_terms, room.table.id
        if approved and room.settings.terms not in approved:
            room.posts.tell(AlarmRaised(TERMS_NOT_APPROVED, source, room.settings.terms))
        else:
            room.posts.tell(AlarmCleared(TERMS_NOT_APPROVED, source))

    def _build_settings(self, room: TableRoom) -> SettingsWatch:
        """The calendar of a table's settings."""
        return SettingsWatch(lambda: room.runner.state, room.posts.tell, wall_ms, self._config.site.zone)

    def _build_closing(self, host: HostRoom) -> ClosingWatch:
        """The calendar of a carousel whose ledger this node keeps; its own tables tell people what is due."""
        tables = [room for room in self._with_people if isinstance(room, TableRoom)]
        told = [room for room in tables if room.table.carousel_id == host.carousel] or self._with_people

        def to_people(event: object) -> None:
            for room in told:
                room.posts.tell(event)

        return ClosingWatch(
            lambda: host.runner.state,
            host.posts.tell,
            to_people,
            wall_ms,
            self._config.site.zone,
            self._config.closing.move_days,
        )

    def _build_probe(self, broker: Callable[[str], Broker] | None) -> BrokerProbe | None:
        """Tries what a broker of the pit must refuse; the demo's own has no rules."""
        mqtt, site = self._config.mqtt, self._config.site.id
        if broker is None or mqtt is None or mqtt.embedded or not self._config.carousels:
            return None
        carousels = [(Topics(site, each.id), each.is_host) for each in self._config.carousels]
        return BrokerProbe(broker, f"{site}-{key_name(self._key)[:8]}-probe", carousels, self._tell)

    def _build_sinks(self, broker: Callable[[str], Broker] | None) -> dict[str, EventTopic | Webhook]:
        """The systems that the file names."""
        events = self._config.events
        sinks: dict[str, EventTopic | Webhook] = {}
        if events.mqtt and broker is not None:
            client_id = f"{self._config.site.id}-{key_name(self._key)[:8]}-events"
            sinks["mqtt"] = EventTopic(broker(client_id), self._tell)
        if events.webhook is not None and events.secret_file is not None:
            sinks["webhook"] = Webhook(events.webhook, read_secret(events.secret_file), self._tell)
        return sinks

    def _build_tails(self) -> dict[tuple[str, str], EventTail]:
        """Each journal of tables and carousels, told to each system."""
        tails = {}
        for room in self._rooms:
            writer = EventWriter(room.place(self._config.site.id), room.journal.incarnation, self._key)
            for name, sink in self._sinks.items():
                cursor = Cursor(self._config.state.directory / f"{room.journal.name}.events-{name}")
                tail = EventTail(JournalPages(room.journal), writer, sink, cursor)
                room.runner.observe(tail.ring)
                tails[room.journal.name, name] = tail
        return tails

    def _show_slow(self, journal: str, slow: bool) -> None:
        """A table whose journal does not answer shows that it takes no bets."""
        for room in self._rooms:
            if isinstance(room, TableRoom) and room.journal.name == journal and room.screens is not None:
                room.screens.unanswered(slow)

    def _tell(self, event: object) -> None:
        """An event of the node, to every machine whose alarms people see."""
        for room in self._with_people:
            room.posts.tell(event)
