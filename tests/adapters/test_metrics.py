"""The node's figures for Prometheus: read from committed states of real runners, parsed as Prometheus does."""

from __future__ import annotations

import asyncio
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from controller.adapters.journal.journal import Journal
from controller.adapters.metrics import Measured, MeasuredHost, MeasuredTable, NodeMetrics
from controller.adapters.runner import Runner
from controller.core.events import AlarmRaised, Envelope, LinkStateChanged, TableStarted
from controller.engine.host import HostMachine, HostSettings
from controller.engine.host_events import CarouselFounded, HostStarted
from controller.engine.host_state import HostState
from controller.engine.table import TableMachine
from controller.engine.table_state import TableState
from drivers.events import LinkState
from tests.engine.pit import CENTAVO, oasis_settings

Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def figures(metrics: NodeMetrics) -> Figures:
    families = text_string_to_metric_families(metrics.render().decode())
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def figure(found: Figures, name: str, **labels: str) -> float:
    return found[name, tuple(sorted(labels.items()))]


async def test_a_node_in_figures(tmp_path: Path) -> None:
    settings = oasis_settings()
    with Journal.open(tmp_path / "t.db", name="table-t1") as table, Journal.open(tmp_path / "h.db", name="h") as host:
        seat: Runner[TableState] = Runner(TableMachine(settings), table, lambda: 0)
        ledger: Runner[HostState] = Runner(HostMachine(HostSettings("c1", "ARS", CENTAVO, "k")), host, lambda: 0)
        measured = Measured(
            {"t1": MeasuredTable(seat, lambda state: settings, lambda: {"io": LinkState.UP, "slot": LinkState.DOWN})},
            {"c1": MeasuredHost(ledger, CENTAVO, dict)},
            lambda: 3,
        )
        metrics = NodeMetrics(measured)
        assert figure(figures(metrics), "carrusel_screen_subscribers") == 3
        assert not [name for name, _ in figures(metrics) if name.startswith("carrusel_table_")]
        for runner in (seat, ledger):
            runner.start()
        tasks = [asyncio.create_task(seat.run()), asyncio.create_task(ledger.run())]
        await seat.submit(Envelope("e1", TableStarted("n")))
        await seat.submit(Envelope("e2", LinkStateChanged(True)))
        await seat.submit(Envelope("e3", AlarmRaised("stuck", "io/in3")))
        await seat.submit(Envelope("e4", AlarmRaised("stuck", "io/in4")))
        await ledger.submit(Envelope("h1", HostStarted("n")))
        await ledger.submit(Envelope("h2", CarouselFounded("first"), "ana", "bea"))
        found = figures(metrics)
        assert figure(found, "carrusel_table_phase", table="t1", phase="bets") == 1
        assert figure(found, "carrusel_table_playing", table="t1") == 0
        assert figure(found, "carrusel_table_meter_minor", table="t1") == 0
        assert figure(found, "carrusel_table_prizes_pending", table="t1") == 0
        assert figure(found, "carrusel_alarms_open", place="table-t1", code="stuck", attention="yes") == 2
        assert figure(found, "carrusel_device_link", place="table-t1", device="slot", state="down") == 1
        assert figure(found, "carrusel_host_phase", carousel="c1", phase="serving") == 1
        assert figure(found, "carrusel_host_phase", carousel="c1", phase="blank") == 0
        assert figure(found, "carrusel_commit_seconds_count", journal="table-t1") == 4
        assert figure(found, "carrusel_entries_total", journal="table-t1") >= 4
        assert figure(found, "carrusel_runner_queue", journal="table-t1") == 0
        held = [seat.post(Envelope(f"q{number}", LinkStateChanged(number % 2 == 0))) for number in range(5)]
        assert figure(figures(metrics), "carrusel_runner_queue", journal="table-t1") == 5
        await asyncio.gather(*held)
        for runner in (seat, ledger):
            await runner.stop()
        await asyncio.gather(*tasks)
