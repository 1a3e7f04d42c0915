"""What the carousel's stories say again and again: claims, counters, a second host, its promotion."""

from dataclasses import replace

from controller.core.refusal import Refusal, Refused
from controller.engine.host_events import HostPromoted
from controller.engine.host_state import Phase
from controller.engine.messages import Claimed, Counter
from tests.engine.carousel_house import Host, House, Table, talk


def amounts(table: Table) -> list[int]:
    return [table.state.rows[row].amount_minor for row in table.state.rows]


def claims(table: Table) -> list[Claimed]:
    return [message for message in table.outbox() if isinstance(message, Claimed)]


def counter(table: Table) -> Counter:
    return next(message for message in table.outbox() if isinstance(message, Counter))


def phase(host: Host) -> Phase:
    return host.state.phase


def held_from(host: Host, minor: int | None) -> None:
    """From which amount on a prize waits there, as the site's file says it at a start."""
    settings = replace(host.state.settings, held_from_minor=minor)
    host.state = replace(host.state, settings=settings)


def reason(answer: Refused | None) -> Refusal | None:
    return None if answer is None else answer.reason


def second_host(house: House, key: str, kept: int | None = None) -> Host:
    """Another machine for the host: blank, or with a backup of the first `kept` entries of its journal."""
    host = Host.new(key)
    for entry in house.host.journal[: 0 if kept is None else kept]:
        host.journal.append(entry)
    if kept is not None:
        host.start("restored", restored=True)
    return host


def promote(host: Host, *tables: Table) -> None:
    """Two people promote; the tables are asked until the host serves."""
    for table in tables:
        host.receive(counter(table))
    host.decide(HostPromoted("the host is lost"))
    talk(host, *tables)
