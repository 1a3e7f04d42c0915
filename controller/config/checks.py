"""Cross checks over a whole configuration: what no single key can show."""

import hashlib
import json
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from controller.config.checks_hardware import Hardware, check_hardware
from controller.config.checks_jackpot import check_jackpot
from controller.config.checks_links import check_links
from controller.config.checks_secrets import check_secrets
from controller.config.checks_table import check_table
from controller.config.faults import Fault, Places
from controller.config.findings import Findings
from controller.config.model import Config
from controller.config.site import Mqtt
from controller.config.table import Table
from controller.config.texts import said

_OWN = ("127.0.0.1", "localhost", "::1")
_LOOPBACK = ("127.", "localhost", "[::1]", "unix:")


def check(config: Config, places: Places, hardware: Hardware) -> tuple[list[Fault], list[Fault]]:
    """Faults and warnings."""
    findings = Findings(places, frozenset(config.site.refuse))
    _check_site(config, findings)
    _check_ids(config, findings)
    for index, table in enumerate(config.tables):
        check_table(table, index, config.site.money, findings)
        check_jackpot(table, index, config.site.money, findings)
        _check_terms(config, table, index, findings)
    check_hardware(config, hardware, findings)
    check_links(config, findings)
    check_secrets(config, findings)
    return findings.faults, findings.warnings


def terms_hash(table: Table) -> str:
    """SHA-256 over the terms a regulator approves: game, seats, jackpot and draws, as canonical JSON."""
    terms = table.model_dump(mode="json", include={"game", "seats", "jackpot", "draws"})
    return hashlib.sha256(json.dumps(terms, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _check_site(config: Config, findings: Findings) -> None:
    try:
        ZoneInfo(config.site.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        findings.refuse(("site", "time_zone"), said("unknown time zone '{time_zone}'", time_zone=config.site.time_zone))
    if not config.tables and not any(carousel.is_host for carousel in config.carousels):
        findings.refuse(("tables",), said("no table and no carousel to host: nothing to run"))
    if not config.api.listen.startswith(_LOOPBACK):
        findings.warn(
            ("api", "listen"), said("{listen} is reachable from outside this machine", listen=config.api.listen)
        )
    if config.api.listen == config.screens.listen:
        findings.refuse(("screens", "listen"), said("the api already listens on {listen}", listen=config.api.listen))
    for section, listen in (("api", config.api.listen), ("screens", config.screens.listen)):
        _, _, port = listen.rpartition(":")
        if not listen.startswith("unix:") and int(port) > 65_535:
            findings.refuse((section, "listen"), said("port {port} is above 65535", port=port))
    if config.state.database is None and config.state.replica != "none":
        findings.refuse(("state", "replica"), said("there is no database that could have a replica"))
    if config.mqtt is not None:
        _check_broker(config.mqtt, findings)
    elif config.events.mqtt:
        findings.refuse(("events", "mqtt"), said("there is no [mqtt] section"))
    webhook = config.events.webhook
    if webhook is not None and not webhook.startswith("https://") and urlsplit(webhook).hostname not in _OWN:
        findings.warn(("events", "webhook"), said("the posts to {webhook} are not encrypted", webhook=webhook))


def _check_broker(mqtt: Mqtt, findings: Findings) -> None:
    local = mqtt.host in ("127.0.0.1", "localhost", "::1")
    if mqtt.embedded and not local:
        findings.refuse(("mqtt", "embedded"), said("the embedded broker is for the demo, on loopback only"))
    if not local and mqtt.tls is None:
        findings.warn(("mqtt", "tls"), said("the link to {host} is not encrypted", host=mqtt.host))


def _check_ids(config: Config, findings: Findings) -> None:
    owners: dict[str, str] = {}
    for index, table in enumerate(config.tables):
        _claim_id(owners, table.id, "table", ("tables", index, "id"), findings)
    for index, carousel in enumerate(config.carousels):
        _claim_id(owners, carousel.id, "carousel", ("carousels", index, "id"), findings)


def _claim_id(owners: dict[str, str], name: str, what: str, key: tuple[str | int, ...], findings: Findings) -> None:
    """Tables and carousels share one space: an unlinked table is a carousel of one under its own id."""
    if name in owners:
        findings.refuse(key, said("'{name}' is already the id of a {owner}", name=name, owner=said(owners[name])))
    owners.setdefault(name, what)


def _check_terms(config: Config, table: Table, index: int, findings: Findings) -> None:
    approved = config.site.approved_terms
    if approved and terms_hash(table) not in approved:
        text = said("terms {terms} are not among approved_terms", terms=terms_hash(table))
        findings.refuse(("tables", index, "jackpot"), text)
