"""Amounts of a table that are settings: each with the entry that set it, its two people and why."""

from collections.abc import Mapping

from controller.api.amounts.trace import Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.house_rules import maximum_bet
from controller.api.settings_then import settings_entries
from controller.core.games.holdem_circle import HoldemCircle
from controller.engine.ports import JournalReader, StoredEntry
from controller.engine.table_state import TableSettings

_KEYS: Mapping[str, str] = {
    "credit": "jackpot.credit",
    "minimum": "limits.minimum",
    "maximum": "limits.maximum",
    "small_blind": "circle.blinds.small",
    "big_blind": "circle.blinds.big",
}
_KEYS_OF: Mapping[str, str] = {"draw": "draws.{}.prize", "fixed": "jackpot.prizes.{}.fixed"}
"""What an address calls an amount, and what the settings do. The circle game's minimum is its big blind."""


def settings_minor(settings: TableSettings, maximum_minor: int | None) -> dict[str, int]:
    """The amounts of a table that are settings: by the name that an address uses."""
    found = {"credit": settings.jackpot.credit_minor, "minimum": settings.minimum_minor}
    if maximum_minor is not None:
        found["maximum"] = maximum_minor
    if isinstance(settings.game, HoldemCircle):
        found["small_blind"] = settings.game.settings.small_blind
        found["big_blind"] = settings.game.settings.big_blind
    found |= {f"draw/{terms.kind}": terms.prize_minor for terms in settings.draws}
    rows = settings.jackpot.prizes.rows
    return found | {f"fixed/{row.category.value}": row.fixed_minor for row in rows if row.fixed_minor is not None}


async def trace_setting(ports: ApiPorts, table: str, name: str) -> Trace:
    """An amount of a table's settings: what its file said at first, or what was changed since, by whom and why.

    The part is what the journal says of it. A journal that never told its settings has the amount alone.
    """
    desk = ports.table(table)
    found, changes = settings_minor(desk.settings, maximum_bet(ports, table)).get(name), desk.state.book.count
    address = f"table/{table}/setting/{name}"
    if found is None:
        raise unknown(address)
    micros, key = found * ports.minor_micros, _key(desk.settings, name)
    line = Line("setting", micros, facts={"setting": name})
    stored = await _set_by(desk.journal, key, changes)
    if stored is not None:
        line = _told(line, stored, key, desk.journal.name, ports.minor_micros)
    return Trace(address, "setting", micros, (line,), {"table": table})


def _key(settings: TableSettings, name: str) -> str:
    if name == "minimum" and isinstance(settings.game, HoldemCircle):
        name = "big_blind"
    group, _, rest = name.partition("/")
    return _KEYS_OF[group].format(rest) if rest else _KEYS[name]


async def _set_by(journal: JournalReader, key: str, changes: int) -> StoredEntry | None:
    """The entry that gave a setting its value, up to so many changes that came into force; a later one, which came
    while this was asked, counts for nothing."""
    async for stored in settings_entries(journal, journal.head()[0]):
        body = stored.entry.body
        if "first" in body or (body["count"] <= changes and any(each["key"] == key for each in body["changes"])):
            return stored
    return None


def _told(line: Line, stored: StoredEntry, key: str, journal: str, minor_micros: int) -> Line:
    body = stored.entry.body
    said = body["settings"].get(key)
    micros = line.micros if said is None else said * minor_micros  # None: a name that settings of then did not know
    told = Line(line.what, micros, facts=line.facts, why=body.get("reason", ""))
    return journaled(told, journal, stored)
