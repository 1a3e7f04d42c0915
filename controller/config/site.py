"""Sections of the whole node: site, state, listeners, broker, carousels."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, model_validator

from controller.config.base import Amount, Fingerprint, Identifier, Model, Positive, Switch, Text
from controller.config.devices import Device, Sign
from controller.config.findings import Refusable
from controller.config.texts import said
from controller.core.money import Currency

LISTEN_FORM = r"^(unix:/.+|\[[0-9a-fA-F:]+\]:\d{1,5}|[^\s:/]+:\d{1,5})$"
Listen = Annotated[str, Field(pattern=LISTEN_FORM)]
"""`address:port`, `[ipv6]:port` or `unix:/path`."""


class Site(Model):
    """Who we are, and in what money and language."""

    id: Identifier
    name: Text
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "ARS"
    decimals: Annotated[int, Field(strict=True, ge=0, le=2)] = 2
    symbol: Annotated[str, Field(min_length=1, max_length=4)] = "$"
    """What stands before amounts on screens."""
    language: Literal["es", "en"] = "es"
    time_zone: str = "America/Argentina/Buenos_Aires"
    second_person_from: Amount = 0
    """Payments of at least this many minor units take two people; 0: every one."""
    approved_terms: tuple[Fingerprint, ...] = ()
    """SHA-256 of the jackpot terms that may run (`check-config` prints them); empty: any."""
    draw_source_fault: Literal["disable", "hold"] = "disable"
    """When the draws' source of randomness fails: the draws alone are off and the jackpot goes on, or hands wait."""
    draw_outside_input: Switch = False
    """Two people may set an outside input of the draws, a number published elsewhere."""
    refuse: tuple[Refusable, ...] = ()
    """Warnings that are refusals here."""
    confirm_changed_terms: Switch = True
    """When this file changed a table's jackpot terms, it takes no jackpot bets until two people confirm them."""

    @property
    def money(self) -> Currency:
        return Currency(self.currency, self.decimals)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


class State(Model):
    """Where journals are kept: a directory for SQLite, or a PostgreSQL URL under which each journal has its schema."""

    directory: Path = Path("/var/lib/carrusel")
    database: Annotated[str, Field(pattern=r"^postgresql(\+psycopg)?://")] | None = None
    replica: Literal["none", "warn", "require"] = "none"
    """Of a synchronous replica of the database: not looked at, an alarm where it is missing, nothing served without."""

    @property
    def replicated(self) -> bool:
        """Whether nothing may be acknowledged that is on one machine alone."""
        return self.replica == "require"


class Api(Model):
    """The admin listener; on loopback or a Unix socket unless the site says otherwise."""

    listen: Listen = "127.0.0.1:8070"
    allowed_hosts: tuple[str, ...] = ("127.0.0.1", "localhost")
    origins: tuple[str, ...] = ()
    pin_days: Annotated[int, Field(strict=True, ge=0, le=365)] = 30
    """Days that a PIN or password lasts before its owner has to change it; 0: for ever."""


class Screens(Model):
    """The read-only listener of the screens."""

    listen: Listen = "127.0.0.1:8071"
    allowed_hosts: tuple[str, ...] = ()
    connections_per_address: Annotated[int, Field(strict=True, ge=8, le=4096)] = 1024
    """Connections that one address may hold at once; hundreds of screens may stand behind one."""
    public_url: Annotated[str, Field(pattern=r"^https?://[^\s/?#]+(/[^\s?#]*[^\s?#/])?$", max_length=120)] | None = None
    """Where players' phones reach this listener; with it the tables show the code by which a draw is checked."""


class Tls(Model):
    """Files of the broker connection; certificate and key come together."""

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    @model_validator(mode="after")
    def _pair(self) -> "Tls":
        if (self.certificate is None) != (self.key is None):
            raise ValueError(said("certificate and key come together"))
        return self


class Mqtt(Model):
    """The broker of the carousel link. `embedded` starts one on loopback, for the demo only."""

    host: str = "127.0.0.1"
    port: Annotated[int, Field(strict=True, ge=1, le=65_535)] = 1883
    tls: Tls | None = None
    username: str | None = None
    password_file: Path | None = None
    embedded: Switch = False
    keepalive_s: Positive = 15

    @model_validator(mode="after")
    def _login(self) -> "Mqtt":
        if self.password_file is not None and self.username is None:
            raise ValueError(said("password_file needs a username"))
        return self


class Events(Model):
    """Where the floor's other systems are told of prizes, voids, adjustments, alarms and faults (docs/events.md)."""

    mqtt: Switch = False
    """Publish on the broker, under `carrusel/v1/{site}/events/`."""
    webhook: Annotated[str, Field(pattern=r"^https?://[^\s/]+(/\S*)?$")] | None = None
    """Address that each event is posted to."""
    secret_file: Path | None = None
    """File with the secret that signs the posts."""

    @model_validator(mode="after")
    def _secret(self) -> "Events":
        if (self.webhook is None) != (self.secret_file is None):
            raise ValueError(said("webhook and secret_file come together"))
        return self


class Carousel(Model):
    """A set of linked tables (art. 12, 65): this node keeps its ledger (host), or only has tables in it (member)."""

    id: Identifier
    name: Text
    role: Literal["host", "member"] = "host"
    accept: tuple[Identifier, ...] = ()
    """Tables of other nodes that the host lets in."""
    accept_keys: Mapping[Identifier, Fingerprint] = {}
    """Public keys (hex) of those tables' nodes: what a host that takes over without a ledger goes by."""
    host_keys: tuple[Fingerprint, ...] = ()
    """Public keys (hex) that may speak as the host, for members; empty trusts whoever the broker lets publish."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None = None
    decimals: Annotated[int, Field(strict=True, ge=0, le=2)] | None = None
    ceiling: Amount | None = None
    """Highest displayed sum in minor units; what exceeds it goes to overflow."""
    held_prize_from: Amount | None = None
    """Awards of at least this many minor units wait for the pit boss's release."""
    devices: tuple[Device, ...] = ()
    signs: tuple[Sign, ...] = ()

    @property
    def is_host(self) -> bool:
        return self.role == "host"
