"""The node's figures for Prometheus, read from the committed states when somebody asks; only commits are counted."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from controller.adapters.events.tail import EventTail
from controller.adapters.runner import Runner
from controller.core.games.game import Stage
from controller.core.money import floor_minor
from controller.engine.alarms import Alarms
from controller.engine.host_state import HostState, Phase
from controller.engine.table_state import TableSettings, TableState
from controller.engine.table_view import UNPAID

COMMIT_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """A table of the node; `links`: state of the link to each of its devices."""

    runner: Runner[TableState]
    settings: Callable[[TableState], TableSettings]
    links: Callable[[], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class MeasuredHost:
    """A carousel hosted here."""

    runner: Runner[HostState]
    minor_micros: int
    links: Callable[[], Mapping[str, Any]]


@dataclass
class Measured:
    """What is measured, by its name; `tails`: events still to be told, by journal and receiver."""

    tables: Mapping[str, MeasuredTable]
    hosts: Mapping[str, MeasuredHost]
    subscribers: Callable[[], int]
    tails: Mapping[tuple[str, str], EventTail] = field(default_factory=dict)


class NodeMetrics:
    """Amounts in whole minor units. `render` is asked for each scrape; a runner that ended is left out."""

    def __init__(self, measured: Measured) -> None:
        self._measured = measured
        self._registry = CollectorRegistry()
        seconds = Histogram(
            "carrusel_commit_seconds",
            "Time to make a batch of entries durable",
            ["journal"],
            buckets=COMMIT_SECONDS,
            registry=self._registry,
        )
        stored = Counter("carrusel_entries", "Entries stored since the start", ["journal"], registry=self._registry)
        for name, runner in self._runners():
            runner.commits.append(_told(seconds.labels(name), stored.labels(name)))
        self._registry.register(self)

    def render(self) -> bytes:
        """Prometheus' text form."""
        return generate_latest(self._registry)

    def describe(self) -> Iterable[Metric]:
        """Nothing is known before the first scrape (asked by prometheus-client at registration)."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """All gauges, from the states as committed."""
        measured = self._measured
        tables = {name: table for name, table in measured.tables.items() if table.runner.running}
        hosts = {name: host for name, host in measured.hosts.items() if host.runner.running}
        yield from _of_tables(tables)
        yield from _of_hosts(hosts)
        places: dict[str, MeasuredTable | MeasuredHost] = {f"table-{name}": each for name, each in tables.items()}
        places |= {f"carousel-{name}": each for name, each in hosts.items()}
        yield _alarms({place: each.runner.state.alarms for place, each in places.items()})
        yield _devices(places)
        queue = _gauge("carrusel_runner_queue", "Events that wait to be decided", "journal")
        for name, runner in self._runners():
            queue.add_metric([name], runner.waiting)
        yield queue
        unanswered = _gauge("carrusel_commit_unanswered_seconds", "Age of the commit in course", "journal")
        for name, runner in self._runners():
            unanswered.add_metric([name], runner.writing_ms / 1000)
        yield unanswered
        yield GaugeMetricFamily("carrusel_screen_subscribers", "Open feeds of screens", value=measured.subscribers())
        behind = _gauge("carrusel_events_behind", "Entries not yet looked at for a receiver", "journal", "receiver")
        for (journal, receiver), tail in measured.tails.items():
            behind.add_metric([journal, receiver], tail.behind)
        yield behind

    def _runners(self) -> Iterator[tuple[str, Runner[Any]]]:
        for name, table in self._measured.tables.items():
            yield f"table-{name}", table.runner
        for name, host in self._measured.hosts.items():
            yield f"carousel-{name}", host.runner


def _told(seconds: Histogram, stored: Counter) -> Callable[[float, int], None]:
    def committed(took_s: float, entries: int) -> None:
        seconds.observe(took_s)
        stored.inc(entries)

    return committed


def _gauge(name: str, text: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, labels=labels)


def _of_tables(tables: Mapping[str, MeasuredTable]) -> Iterator[Metric]:
    phase = _gauge("carrusel_table_phase", "1 for the phase of the hand in course", "table", "phase")
    playing = _gauge("carrusel_table_playing", "1 while a hand is played", "table")
    credits = _gauge("carrusel_table_credits", "Jackpot credits of the hand in course", "table")
    meter = _gauge("carrusel_table_meter_minor", "The progressive as this table has it", "table")
    prizes = _gauge("carrusel_table_prizes_pending", "Prizes that wait for people", "table")
    claims = _gauge("carrusel_table_claims_open", "Claims without an answer of the host", "table")
    unread = _gauge("carrusel_table_credits_unread", "Losses of counts that wait for people", "table")
    for name, table in tables.items():
        state = table.runner.state
        settings = table.settings(state)
        phase.add_metric([name, settings.game.phase(state.hand.game)], 1)
        playing.add_metric([name], settings.game.stage(state.hand.game) is Stage.PLAY)
        credits.add_metric([name], sum(state.hand.credits.values()))
        meter.add_metric([name], floor_minor(state.link.meter_micros, settings.minor_micros))
        statuses = [row.status.value for row in state.link.rows.values()]
        statuses += [prize.status.value for prize in state.draw_prizes.values()]
        prizes.add_metric([name], sum(status in UNPAID for status in statuses))
        claims.add_metric([name], len(state.link.open_claims))
        unread.add_metric([name], len(state.unread))
    yield from (phase, playing, credits, meter, prizes, claims, unread)


def _of_hosts(hosts: Mapping[str, MeasuredHost]) -> Iterator[Metric]:
    phase = _gauge("carrusel_host_phase", "1 for the phase of a carousel's host", "carousel", "phase")
    ledger = _gauge("carrusel_ledger_seq", "Records of a carousel's ledger", "carousel")
    tables = _gauge("carrusel_carousel_tables", "Tables in force", "carousel")
    waiting = _gauge("carrusel_awards_open", "Awards not known to be paid", "carousel")
    for name, host in hosts.items():
        state = host.runner.state
        for each in Phase:
            phase.add_metric([name, each.value], state.phase is each)
        ledger.add_metric([name], state.ledger.seq)
        tables.add_metric([name], len(state.ledger.active()))
        waiting.add_metric([name], len(state.open_awards))
    yield from (phase, ledger, tables, waiting)


def _alarms(places: Mapping[str, Alarms]) -> Metric:
    open_alarms = _gauge("carrusel_alarms_open", "Open alarms by code", "place", "code", "attention")
    for place, alarms in places.items():
        counts: dict[tuple[str, str], int] = {}
        for alarm in alarms.values():
            key = (alarm.code, "yes" if alarm.attention else "no")
            counts[key] = counts.get(key, 0) + 1
        for (code, attention), count in counts.items():
            open_alarms.add_metric([place, code, attention], count)
    return open_alarms


def _devices(places: Mapping[str, MeasuredTable | MeasuredHost]) -> Metric:
    links = _gauge("carrusel_device_link", "1 for the state of the link to a device", "place", "device", "state")
    for place, measured in places.items():
        for device, state in measured.links().items():
            links.add_metric([place, device, state.value], 1)
    return links
