"""`carrusel carousel acl`: the broker's list of who may say what, from the host's file and its ledger's roster."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.commands.console_words import fail
from controller.config.texts import said

if TYPE_CHECKING:
    from controller.adapters.link.broker_rules import Pit
    from controller.config.model import Config
    from controller.config.site import Carousel

ConfigFile = Annotated[Path, typer.Option("--config", help="The TOML file of a node that hosts a carousel.")]
Nodes = Annotated[
    list[str] | None,
    typer.Option("--node", help="USER=TABLE,TABLE: tables of another node that share its user on the broker."),
]
LookersOn = Annotated[
    list[str] | None,
    typer.Option("--looker-on", help="A user that only hears host, meter and ledger, as boards do."),
]
Roster = Annotated[
    bool,
    typer.Option(
        "--roster", help="Also the tables enrolled in the host's ledger, and none that left; it must have run."
    ),
]
USER = "host"
"""The host's user where the file names none (its certificate's common name, with certificates)."""


def acl(
    config: ConfigFile,
    node: Nodes = None,
    looker_on: LookersOn = None,
    roster: Roster = False,
    user: Annotated[
        str | None, typer.Option("--user", help="The host's user; absent: mqtt.username, or `host`.")
    ] = None,
) -> None:
    """Print an acl_file for Mosquitto. A table of another node is the user of its own id, unless --node says more."""
    from controller.adapters.link.broker_rules import rules
    from controller.commands.carousel import load_config

    loaded = load_config(config)
    hosted = [carousel for carousel in loaded.carousels if carousel.is_host]
    if not hosted:
        fail(said("{config} hosts no carousel", config=config))
    shared = dict(_node(text) for text in node or ())
    others = {carousel.id: _tables_of_others(loaded, carousel, roster) for carousel in hosted}
    accepted = {table for tables in others.values() for table in tables}
    placed = [table for tables in shared.values() for table in tables]
    unknown = sorted(set(placed) - accepted)
    if unknown:
        fail(said("{config}: no carousel accepts {tables}", config=config, tables=", ".join(unknown)))
    name = user or (loaded.mqtt.username if loaded.mqtt is not None else None) or USER
    names = [name, *shared, *(looker_on or ()), *sorted(accepted.difference(placed))]
    for each in names:
        if not each.isprintable() or each != each.strip() or not each:  # another line would be another user's rule
            fail(said("{name} cannot be the name of a user in the broker's list", name=repr(each)))
    if len(set(names)) < len(names) or len(set(placed)) < len(placed):
        fail(said("one user or table twice among {names}", names=", ".join([*names, *placed])))
    pits = [_pit(loaded, carousel, name, others[carousel.id], shared, looker_on or []) for carousel in hosted]
    typer.echo(rules(pits), nl=False)


def _tables_of_others(config: "Config", carousel: "Carousel", roster: bool) -> list[str]:
    """Tables of other nodes: those that the file accepts, and with `roster` as the ledger has them by now."""
    from controller.commands.carousel import ledger_state
    from controller.engine.ledger_state import Standing

    if not roster:
        return list(carousel.accept)
    own = {table.id for table in config.members(carousel.id)}
    accounts = ledger_state(config, carousel.id).ledger.tables
    left = {table for table in accounts if accounts[table].standing is Standing.LEFT}
    return [table for table in dict.fromkeys([*carousel.accept, *accounts]) if table not in own | left]


def _node(text: str) -> tuple[str, list[str]]:
    user, found, tables = text.partition("=")
    if not (user and found and tables):
        fail(said("--node {text}: USER=TABLE,TABLE is wanted", text=text))
    return user, tables.split(",")


def _pit(
    config: "Config",
    carousel: "Carousel",
    host: str,
    others: list[str],
    shared: dict[str, list[str]],
    lookers_on: list[str],
) -> "Pit":
    from controller.adapters.link.broker_rules import Pit
    from controller.adapters.link.topics import Topics

    placed = {table: user for user, tables in shared.items() for table in tables}
    nodes: dict[str, list[str]] = {}
    for own in config.members(carousel.id):
        nodes.setdefault(host, []).append(own.id)
    for table in others:
        nodes.setdefault(placed.get(table, table), []).append(table)
    return Pit(Topics(config.site.id, carousel.id), host, nodes, lookers_on)
