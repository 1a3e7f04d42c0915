"""Checks of files that hold secrets: nobody but the daemon's user, and a group that it is in, may read them."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from controller.config.faults import Key
from controller.config.findings import Findings
from controller.config.model import Config
from controller.config.texts import said

OTHERS = 0o027
"""What nobody else may: read it, and the group's members change it. The daemon's own `node.key` is its user's alone."""


def check_secrets(config: Config, findings: Findings) -> None:
    """A file that is not there, or that we may not look at, is no fault here: the start says so of its own machine."""
    for key, path in _secrets(config):
        if _is_open(path):
            findings.refuse(key, said("{path} can be read or changed by others: chmod 640 it", path=path))
    database = config.state.database
    if database is not None and urlsplit(database).password:
        file = Path(findings.places.fault(("state", "database"), "").file)
        if file.is_file() and _is_open(file):
            text = said("its password stands in a file that others can read or change: chmod 640 {path}", path=file)
            findings.warn(("state", "database"), text)


def _secrets(config: Config) -> Iterator[tuple[Key, Path]]:
    mqtt, events = config.mqtt, config.events
    if mqtt is not None and mqtt.password_file is not None:
        yield ("mqtt", "password_file"), mqtt.password_file
    if mqtt is not None and mqtt.tls is not None and mqtt.tls.key is not None:
        yield ("mqtt", "tls", "key"), mqtt.tls.key
    if events.secret_file is not None:
        yield ("events", "secret_file"), events.secret_file


def _is_open(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & OTHERS)
    except OSError:
        return False
