"""What the API is built on: the ports of the house and the site's configuration, carried by the application."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from fastapi import Request

from controller.api.kept import Kept
from controller.api.problems import Problem
from controller.api.trail import Trails
from controller.config.model import Config
from controller.core.money import floor_minor
from controller.core.refusal import Refusal, refuse
from controller.engine.accounts_state import DEFAULT_POLICY, LoginPolicy
from controller.engine.ports import AccountsDesk, HostDesk, JournalReader, Passwords, TableDesk


def new_key() -> str:
    """A random key for a request that brought none."""
    return secrets.token_hex(12)


@dataclass(frozen=True, slots=True)
class ApiPorts:
    """Everything `build_app` needs. clock: wall milliseconds; screens: address of the screens' listener, if any."""

    config: Config
    tables: Mapping[str, TableDesk]
    hosts: Mapping[str, HostDesk]
    accounts: AccountsDesk
    passwords: Passwords
    clock: Callable[[], int]
    screens: str = ""
    new_key: Callable[[], str] = new_key
    policy: LoginPolicy = DEFAULT_POLICY
    clock_synchronised: Callable[[], bool] = lambda: True
    more_metrics: Callable[[], bytes] = bytes
    """Figures of what the API does not see (commits, queues, devices, receivers of events) as Prometheus reads them."""
    kept: Kept = field(default_factory=Kept)
    seen_ms: dict[str, int] = field(default_factory=dict)
    """When each session was last used, for the idle bound; after a restart the last use in the journal counts."""
    trails: Trails = field(default_factory=Trails)

    def table(self, table_id: str) -> TableDesk:
        """The table of that id; refused by name otherwise."""
        found = self.tables.get(table_id)
        if found is None:
            raise Problem(refuse(Refusal.UNKNOWN_TABLE, table=table_id[:64]))
        return found

    def host(self, carousel_id: str) -> HostDesk:
        """The carousel host of that id; refused by name otherwise."""
        found = self.hosts.get(carousel_id)
        if found is None:
            raise Problem(refuse(Refusal.UNKNOWN_CAROUSEL, carousel=carousel_id[:64]))
        return found

    def journals(self) -> dict[str, JournalReader]:
        """All journals of the node, by name."""
        desks = [*self.tables.values(), *self.hosts.values(), self.accounts]
        return {desk.journal.name: desk.journal for desk in desks}

    def journal(self, name: str) -> JournalReader:
        found = self.journals().get(name)
        if found is None:
            raise Problem(refuse(Refusal.UNKNOWN_JOURNAL, journal=name[:64]))
        return found

    def in_order(self, tables: Iterable[str]) -> list[str]:
        """Tables as the site's file names them; those of other nodes behind, by their ids."""
        places = {table.id: place for place, table in enumerate(self.config.tables)}
        return sorted(tables, key=lambda table: (places.get(table, len(places)), len(table), table))

    def minor(self, micros: int) -> int:
        """Whole minor units of an amount, floored."""
        return floor_minor(micros, self.config.site.money.minor_micros)

    @property
    def minor_micros(self) -> int:
        return self.config.site.money.minor_micros


def ports_of(request: Request) -> ApiPorts:
    """The ports that the application was built on."""
    return cast(ApiPorts, request.app.state.ports)
