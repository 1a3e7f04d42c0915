"""`carrusel run --config FILE`: the daemon."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from controller.main import Node


def run(
    config: Annotated[Path, typer.Option("--config", help="The site's TOML file.")],
) -> None:
    """Run the tables and carousel hosts that a configuration names, until SIGTERM or Ctrl-C."""
    from controller.adapters.devices import known_hardware
    from controller.adapters.journal_errors import JournalError
    from controller.adapters.logs import set_up_logs
    from controller.adapters.web import ListenerTaken
    from controller.config import load_checked
    from controller.main import run as run_node

    checked = load_checked(config, known_hardware())
    language = "es" if checked.config is None else checked.config.site.language
    for fault in (*checked.warnings, *checked.faults):
        print(f"carrusel: {fault.text(language)}", file=sys.stderr)
    if checked.config is None:
        print(f"carrusel: {config} cannot run; `carrusel check-config {config}` says more", file=sys.stderr)
        raise typer.Exit(2)
    set_up_logs()
    try:
        asyncio.run(run_node(checked.config, _announce))
    except (ListenerTaken, JournalError, PermissionError) as problem:
        print(f"carrusel: {problem}", file=sys.stderr)
        raise typer.Exit(1) from problem  # the world may be better in a second: the service manager tries again


def _announce(node: "Node") -> None:
    print(f"screens at {node.screens_address}\npanel at {node.api_address}", flush=True)
