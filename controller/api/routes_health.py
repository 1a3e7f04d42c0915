"""For machines: whether the node lives, whether it is ready, and its figures."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from controller.api.context import ApiPorts, ports_of
from controller.api.prize_views import pending_prizes
from controller.api.problems import Problem
from controller.api.views import alarms_of
from controller.core.refusal import Refusal, refuse
from controller.engine.host_state import Phase
from controller.engine.ports import SLOW_MS

router = APIRouter(tags=["health"])


@router.get("/healthz", summary="The process answers")
async def healthz() -> dict[str, str]:
    return {"status": "ok"}


@router.get("/readyz", summary="Every machine has its state, every journal answers, and every host serves")
async def readyz(request: Request) -> dict[str, str]:
    ports = ports_of(request)
    for desk in (ports.accounts, *ports.tables.values(), *ports.hosts.values()):
        if desk.writing_ms >= SLOW_MS:
            raise Problem(refuse(Refusal.JOURNAL_SLOW, journal=desk.journal.name))
    for carousel, host in ports.hosts.items():
        if host.state.phase is not Phase.SERVING:
            raise Problem(refuse(Refusal.NOT_READY, carousel=carousel, phase=host.state.phase.value))
    return {"status": "ready"}


@router.get("/metrics", summary="Figures for Prometheus", response_class=PlainTextResponse)
async def metrics(request: Request) -> Response:
    ports = ports_of(request)
    return Response(generate_latest(_figures(ports)) + ports.more_metrics(), media_type=CONTENT_TYPE_LATEST)


def _figures(ports: ApiPorts) -> CollectorRegistry:
    """Gauges of the present state; amounts in whole minor units."""
    registry = CollectorRegistry()
    hand = Gauge("carrusel_table_hand", "Number of the hand in course", ["table"], registry=registry)
    wagered = Gauge("carrusel_table_wagered_minor", "Jackpot bets over the life", ["table"], registry=registry)
    linked = Gauge("carrusel_table_link_up", "1 while the carousel's host is heard", ["table"], registry=registry)
    alarms = Gauge("carrusel_table_alarms", "Alarms that stand", ["table"], registry=registry)
    device = Gauge("carrusel_device_up", "1 while the device answers", ["table", "device"], registry=registry)
    for table, desk in ports.tables.items():
        state = desk.state
        hand.labels(table).set(state.hand.number)
        wagered.labels(table).set(ports.minor(state.wagered_micros))
        linked.labels(table).set(state.link.link_up)
        alarms.labels(table).set(len(alarms_of(desk)))
        for each in desk.devices():
            device.labels(table, each.name).set(each.link == "up")
    meter = Gauge("carrusel_meter_minor", "The carousel's amount", ["carousel"], registry=registry)
    serving = Gauge("carrusel_host_serving", "1 while the host writes its ledger", ["carousel"], registry=registry)
    for carousel, host in ports.hosts.items():
        meter.labels(carousel).set(ports.minor(max(host.state.ledger.amount_micros, 0)))
        serving.labels(carousel).set(host.state.phase is Phase.SERVING)
    seq = Gauge("carrusel_journal_seq", "Entries of a journal", ["journal"], registry=registry)
    for name, journal in ports.journals().items():
        seq.labels(name).set(journal.head()[0])
    waiting = pending_prizes(ports)
    Gauge("carrusel_prizes_pending", "Prizes that wait for people", registry=registry).set(len(waiting))
    Gauge("carrusel_clock_synchronised", "1 while the clock is synchronised", registry=registry).set(
        ports.clock_synchronised()
    )
    return registry
