"""Mosquitto's list of who may say what, from the tables of each node: nobody may speak for another."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from controller.adapters.link.topics import Topics

TABLE_SAYS = ("counter", "status", "received", "checkpoint")
HOST_SAYS = ("host/status", "host/checkpoint", "ledger/+", "meter", "roster", "table/+/collect", "table/+/cosigned")
TABLE_HEARS = ("collect", "cosigned")
TABLES_HEAR = ("host/#", "ledger/+", "meter", "roster")
HOST_HEARS = ("host/#", "ledger/+", "meter", "roster", "table/+/+")
LOOKERS_ON_HEAR = ("host/status", "meter", "ledger/+")


@dataclass(frozen=True, slots=True)
class Pit:
    """A carousel as its broker knows it.

    host: the user of the host's node. nodes: tables by the user of their node; the host's own tables are the host's.
    lookers_on: users that only hear the host, the meter and the ledger, as boards do.
    """

    topics: Topics
    host: str
    nodes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lookers_on: Sequence[str] = ()


def rules(pits: Iterable[Pit]) -> str:
    """The text of an `acl_file` for Mosquitto 2: what is not listed is refused."""
    lines: dict[str, dict[str, None]] = {}
    for pit in pits:
        for user, line in _grants(pit):
            lines.setdefault(user, {})[line] = None
    parts = [f"user {user}\n" + "".join(f"topic {line}\n" for line in granted) for user, granted in lines.items()]
    return "# Written by `carrusel carousel acl`: who may say what, by the user names of the broker.\n\n" + "\n".join(
        parts
    )


def _grants(pit: Pit) -> Iterable[tuple[str, str]]:
    """User and grant, one by one."""
    prefix, events = pit.topics.prefix, f"carrusel/v1/{pit.topics.site}/events"
    yield from ((pit.host, f"read {prefix}/{place}") for place in HOST_HEARS)
    yield from ((pit.host, f"write {prefix}/{place}") for place in HOST_SAYS)
    yield pit.host, f"write {events}/carousel/{pit.topics.carousel}"
    for user, tables in pit.nodes.items():
        yield from ((user, f"read {prefix}/{place}") for place in TABLES_HEAR)
        yield user, f"write {prefix}/host/claim/+"
        for table in tables:
            yield from ((user, f"read {prefix}/table/{table}/{place}") for place in TABLE_HEARS)
            yield from ((user, f"write {prefix}/table/{table}/{place}") for place in TABLE_SAYS)
            yield user, f"write {prefix}/host/report/{table}"
            yield user, f"write {events}/{table}"
    for user in pit.lookers_on:
        yield from ((user, f"read {prefix}/{place}") for place in LOOKERS_ON_HEAR)
