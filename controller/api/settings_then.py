"""The settings that a table was played by at the end of a period, and since when each holds, out of its journal."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from controller.engine import subjects
from controller.engine.ports import JournalReader, StoredEntry

AT_ONCE = 50
"""Entries about settings that are read at once, newest first."""


@dataclass(frozen=True, slots=True)
class InForce:
    """A table's settings by name, the wall milliseconds since when each holds, and the hash of its jackpot terms."""

    table: str
    settings: Mapping[str, Any]
    since_ms: Mapping[str, int]
    terms: str

    def plain(self) -> dict[str, Any]:
        return asdict(self)


async def in_force(reader: JournalReader, table: str, last: int) -> InForce | None:
    """The settings in force after an entry; None where the table had read none yet."""
    settings: Mapping[str, Any] | None = None
    terms, since = "", dict[str, int]()
    async for stored in settings_entries(reader, last):
        body = stored.entry.body
        if settings is None:
            settings, terms = body["settings"], body["terms_after"]
        named = settings if "first" in body else [change["key"] for change in body["changes"]]
        for key in named:
            since.setdefault(key, stored.wall_ms)
    return None if settings is None else InForce(table, settings, since, terms)


async def settings_entries(reader: JournalReader, last: int) -> AsyncIterator[StoredEntry]:
    """What brought settings in force up to an entry, newest first, down to the table's first reading of its file."""
    before = last + 1
    while page := await reader.about(subjects.SETTINGS, before, AT_ONCE):
        for stored in page:
            if stored.entry.kind == "settings.effective":
                yield stored
            elif stored.entry.kind == "settings.file" and stored.entry.body["first"]:
                yield stored
                return
        before = page[-1].seq
