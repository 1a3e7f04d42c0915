"""`carrusel carousel acl`: the broker's list of who may say what, written from the host's file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from controller.adapters.broker_rules import Pit
    from controller.config.model import Config
    from controller.config.site import Carousel

ConfigFile = Annotated[Path, typer.Option("--config", help="The TOML file of a node that hosts a carousel.")]
Nodes = Annotated[
    list[str] | None,
    typer.Option("--node", help="USER=TABLE,TABLE: tables of another node that share its user on the broker."),
]
LookersOn = Annotated[
    list[str] | None, typer.Option("--looker-on", help="A user that only hears the meter and the ledger, as signs do.")
]
USER = "host"
"""The host's user where the file names none (its certificate's common name, with certificates)."""


def acl(
    config: ConfigFile,
    node: Nodes = None,
    looker_on: LookersOn = None,
    user: Annotated[
        str | None, typer.Option("--user", help="The host's user; absent: mqtt.username, or `host`.")
    ] = None,
) -> None:
    """Print an acl_file for Mosquitto. A table of another node is the user of its own id, unless --node says more."""
    from controller.adapters.broker_rules import rules
    from controller.commands.carousel import load_config

    loaded = load_config(config)
    hosted = [carousel for carousel in loaded.carousels if carousel.is_host]
    if not hosted:
        typer.echo(f"{config} hosts no carousel", err=True)
        raise typer.Exit(2)
    shared = dict(_node(text) for text in node or ())
    accepted = {table for carousel in hosted for table in carousel.accept}
    placed = [table for tables in shared.values() for table in tables]
    unknown = sorted(set(placed) - accepted)
    if unknown:
        typer.echo(f"{config}: no carousel accepts {', '.join(unknown)}", err=True)
        raise typer.Exit(2)
    name = user or (loaded.mqtt.username if loaded.mqtt is not None else None) or USER
    names = [name, *shared, *(looker_on or ()), *sorted(accepted.difference(placed))]
    if len(set(names)) < len(names) or len(set(placed)) < len(placed):
        typer.echo(f"one user or table twice among {', '.join([*names, *placed])}", err=True)
        raise typer.Exit(2)
    typer.echo(rules(_pit(loaded, carousel, name, shared, looker_on or []) for carousel in hosted), nl=False)


def _node(text: str) -> tuple[str, list[str]]:
    user, found, tables = text.partition("=")
    if not (user and found and tables):
        typer.echo(f"--node {text}: USER=TABLE,TABLE is wanted", err=True)
        raise typer.Exit(2)
    return user, tables.split(",")


def _pit(
    config: "Config", carousel: "Carousel", host: str, shared: dict[str, list[str]], lookers_on: list[str]
) -> "Pit":
    from controller.adapters.broker_rules import Pit
    from controller.adapters.link_topics import Topics

    placed = {table: user for user, tables in shared.items() for table in tables}
    nodes: dict[str, list[str]] = {}
    for own in config.members(carousel.id):
        nodes.setdefault(host, []).append(own.id)
    for table in carousel.accept:
        nodes.setdefault(placed.get(table, table), []).append(table)
    return Pit(Topics(config.site.id, carousel.id), host, nodes, lookers_on)
