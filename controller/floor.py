"""What a node does beside its games: events told, figures, a look at clock and disk, a daily look at journals."""

import asyncio
from collections.abc import Callable, Iterable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.alarms import NodeWatch
from controller.adapters.broker_probe import BrokerProbe
from controller.adapters.clock_sync import clock_synchronised
from controller.adapters.daily import DailyVerify
from controller.adapters.desks import JournalPages
from controller.adapters.event_sinks import EventTopic, Webhook, read_secret
from controller.adapters.event_tail import Cursor, EventTail
from controller.adapters.floor_events import EventWriter
from controller.adapters.journal import Journal
from controller.adapters.link_mqtt import Broker
from controller.adapters.link_topics import Topics
from controller.adapters.link_wire import key_name
from controller.adapters.metrics import Measured, MeasuredHost, MeasuredTable, NodeMetrics
from controller.config.model import Config
from controller.rooms import HostRoom, TableRoom
from display.feed import Feed


class Floor:
    """Built once every room has started. `broker`: how a client of that name connects, None without one.

    journals: all of the node, for the daily look.
    """

    def __init__(
        self,
        config: Config,
        key: Ed25519PrivateKey,
        tables: dict[str, TableRoom],
        hosts: dict[str, HostRoom],
        feed: Feed,
        broker: Callable[[str], Broker] | None,
        journals: Iterable[Journal],
    ) -> None:
        self._config = config
        self._key = key
        self._journals = tuple(journals)
        self._rooms: list[TableRoom | HostRoom] = [*tables.values(), *hosts.values()]
        named = {carousel.id for carousel in config.carousels}
        self._with_people: list[TableRoom | HostRoom] = [
            *tables.values(),
            *(host for name, host in hosts.items() if name in named),
        ]
        """A carousel of one has no people of its own: its table tells its alarms."""
        self._probe = self._build_probe(broker)
        self._sinks = self._build_sinks(broker)
        self._tails = self._build_tails()
        minor = config.site.money.minor_micros
        self.metrics = NodeMetrics(
            Measured(
                {
                    name: MeasuredTable(room.runner, room.settings, room.devices.link_states)
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
        watch = NodeWatch(self._config.state.directory, clock_synchronised)
        for room in self._with_people:
            watch.attach(room.alarms.look)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(watch.run(), name="node-watch")
            tasks.create_task(DailyVerify(self._journals).run(), name="daily-verify")
            if self._probe is not None:
                tasks.create_task(self._probe.run(), name="broker-probe")
            for name, sink in self._sinks.items():
                tasks.create_task(sink.run(), name=f"events-{name}")
            for (journal, name), tail in self._tails.items():
                tasks.create_task(tail.run(), name=f"events-{name}-{journal}")

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

    def _tell(self, event: object) -> None:
        """An event of the node, to every machine whose alarms people see."""
        for room in self._with_people:
            room.posts.tell(event)
