"""Settings of a table as the journal and the states hold them: canonical JSON, its digests, and what differs."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from controller.core.settings_events import SettingChange
from controller.engine.table_state import TableSettings, TableState

Read = Callable[[str], TableSettings]
"""Settings as canonical JSON to the table's settings; ValueError when they are none."""


def canonical(settings: Mapping[str, Any]) -> str:
    """Settings as the journal and the states hold them: one text for the same values."""
    return msgspec.json.encode(settings, order="sorted").decode()


def values_of(text: str) -> dict[str, Any]:
    """The settings of a canonical text, by name."""
    values: dict[str, Any] = msgspec.json.decode(text)
    return values


def base_digest(in_force: str, waiting: str = "") -> str:
    """SHA-256 that names what people see before they change settings: those in force, and those that wait."""
    return hashlib.sha256(f"{in_force}\n{waiting}".encode()).hexdigest()


def base_of(state: TableState) -> str:
    """The same of a table as it is now."""
    pending = state.book.pending
    if pending is None:
        return base_digest(state.hand.settings)
    return base_digest(state.hand.settings, f"{pending.settings}\n{pending.day}" if pending.day else pending.settings)


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[SettingChange, ...]:
    """What differs, by name; a setting that is not there is None."""
    names = sorted({*before, *after})
    pairs = ((name, before.get(name), after.get(name)) for name in names)
    return tuple(SettingChange(name, was, now) for name, was, now in pairs if was != now)


def with_file(old_file: Mapping[str, Any], held: Mapping[str, Any], file: Mapping[str, Any]) -> dict[str, Any]:
    """What people changed stays on top of the file, except where the file's own value has changed: there it wins."""
    kept = {name for name in file if file[name] == old_file.get(name) and name in held}
    return {name: held[name] if name in kept else file[name] for name in file}
