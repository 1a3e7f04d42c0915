"""`carrusel run --config FILE`: the daemon."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.commands.console_words import FINDING, complain, fail, speak_as, warn, words
from controller.config.recognized import own_words
from controller.config.texts import said

if TYPE_CHECKING:
    from controller.config.faults import Fault
    from controller.main import Node


def run(
    config: Annotated[Path, typer.Option("--config", help="The site's TOML file.")],
) -> None:
    """Run the tables and carousel hosts that a configuration names, until SIGTERM or Ctrl-C."""
    _check_program()
    from controller.adapters.events.sinks import SecretUnusable
    from controller.adapters.hardware.devices import known_hardware
    from controller.adapters.journal.errors import JournalError
    from controller.adapters.logs import set_up_logs
    from controller.adapters.runner import RunnerStopped
    from controller.adapters.web import ListenerTaken
    from controller.config import load_checked
    from controller.config.faults import ConfigError
    from controller.core.ledger import LedgerBroken
    from controller.main import check_files
    from controller.main import run as run_node

    checked = load_checked(config, known_hardware())
    speak_as(None if checked.config is None else checked.config.site.language)
    warn(*checked.warnings)
    complain(*checked.faults)
    if checked.config is None:
        fail(said("{config} cannot run; `carrusel check-config {config}` says more", config=config))
    try:
        check_files(checked.config)
    except ConfigError as unusable:
        fail(*unusable.faults)
    set_up_logs()
    problems: dict[str, None] = {}
    unanswered: dict[str, None] = {}
    faults: list[Fault] = []
    try:
        asyncio.run(run_node(checked.config, _announce))
    except* ConfigError as unusable:
        faults += _faults(unusable)
    except* (ListenerTaken, JournalError, LedgerBroken, PermissionError, SecretUnusable) as world:
        problems |= dict.fromkeys(_leaves(world))
    except* RunnerStopped as stopped:
        unanswered |= dict.fromkeys(_leaves(stopped))
    if faults:
        fail(*faults)
    told = problems or unanswered  # a part that was not answered only echoes what ended another
    if told:
        fail(*told, code=FINDING)  # the world may be better in a second: the service manager tries again


def _check_program() -> None:
    """What is not as it was installed is named, and nothing of it runs."""
    from controller.adapters.self_check import altered_files

    altered = altered_files()
    if altered:  # a start does not mend it: install the release again
        fail(*(said("{path} is not as it was installed", path=path) for path in altered))


def _faults(group: BaseExceptionGroup[BaseException]) -> "Iterator[Fault]":
    """What a start found wrong with the file beside what the journals hold."""
    for each in group.exceptions:
        if isinstance(each, BaseExceptionGroup):
            yield from _faults(each)
        else:
            yield from getattr(each, "faults", ())


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[str]:
    """What each part of a node says of its end."""
    for each in group.exceptions:
        if isinstance(each, BaseExceptionGroup):
            yield from _leaves(each)
        else:
            yield own_words(each)


def _announce(node: "Node") -> None:
    print(words("screens at {address}", address=node.screens_address))
    print(words("panel at {address}", address=node.api_address), flush=True)
