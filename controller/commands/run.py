"""`carrusel run --config FILE`: the daemon."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from controller.main import Node


def run(
    config: Annotated[Path, typer.Option("--config", help="The site's TOML file.")],
) -> None:
    """Run the tables and carousel hosts that a configuration names, until SIGTERM or Ctrl-C."""
    _check_program()
    from controller.adapters.devices import known_hardware
    from controller.adapters.event_sinks import SecretUnusable
    from controller.adapters.journal_errors import JournalError
    from controller.adapters.logs import set_up_logs
    from controller.adapters.runner import RunnerStopped
    from controller.adapters.web import ListenerTaken
    from controller.config import load_checked
    from controller.config.faults import ConfigError
    from controller.core.ledger import LedgerBroken
    from controller.main import check_files
    from controller.main import run as run_node

    checked = load_checked(config, known_hardware())
    language = "es" if checked.config is None else checked.config.site.language
    for fault in (*checked.warnings, *checked.faults):
        print(f"carrusel: {fault.text(language)}", file=sys.stderr)
    if checked.config is None:
        print(f"carrusel: {config} cannot run; `carrusel check-config {config}` says more", file=sys.stderr)
        raise typer.Exit(2)
    try:
        check_files(checked.config)
    except ConfigError as unusable:
        for fault in unusable.faults:
            print(f"carrusel: {fault.text(language)}", file=sys.stderr)
        raise typer.Exit(2) from unusable
    set_up_logs()
    problems: dict[str, None] = {}
    try:
        asyncio.run(run_node(checked.config, _announce))
    except* (ListenerTaken, JournalError, LedgerBroken, PermissionError, RunnerStopped, SecretUnusable) as world:
        problems |= dict.fromkeys(_leaves(world))
    for problem in problems:
        print(f"carrusel: {problem}", file=sys.stderr)
    if problems:
        raise typer.Exit(1)  # the world may be better in a second: the service manager tries again


def _check_program() -> None:
    """What is not as it was installed is named, and nothing of it runs."""
    from controller.adapters.self_check import altered_files

    altered = altered_files()
    for path in altered or ():
        print(f"carrusel: {path} is not as it was installed", file=sys.stderr)
    if altered:
        raise typer.Exit(2)  # a start does not mend it: install the release again


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[str]:
    """What each part of a node says of its end."""
    for each in group.exceptions:
        if isinstance(each, BaseExceptionGroup):
            yield from _leaves(each)
        else:
            yield str(each)


def _announce(node: "Node") -> None:
    print(f"screens at {node.screens_address}\npanel at {node.api_address}", flush=True)
