"""The settings that decide what happens at a table, by their names in the file: told flat, put back, checked."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from controller.config.checks import check, terms_hash
from controller.config.checks_hardware import Hardware
from controller.config.faults import Fault, Places, dotted
from controller.config.jackpot import CartaMagica, JugadorAfortunado, PrizeRow
from controller.config.loader import reason_of
from controller.config.model import Config
from controller.config.plain import second_person_from, table_settings
from controller.config.table import Table
from controller.config.texts import said
from controller.core.hands import Category
from controller.engine.settings_values import values_of
from controller.engine.table_state import TableSettings

SECTIONS = ("limits", "base", "circle", "jackpot", "draws")
"""Sections of a table whose keys are settings of their own."""
PLAIN = (
    "game",
    "seats",
    "on_link_loss",
    "link_loss_hours",
    "jackpot_changes",
    "cards_read",
    "ante_from",
    "decks",
    "deck_use",
    "shuffler",
    "second_person_from",
)
"""Keys of a table that decide what happens at it, besides the sections."""
FIXED = frozenset(
    {
        "game",
        "seats",
        "cards_read",
        "ante_from",
        "decks",
        "deck_use",
        "shuffler",
        "jackpot.kind",
        "jackpot.start",
        "jackpot.article",
        "jackpot.options.start_at_least_bets",
        "jackpot.options.start_at_least_fixed",
        "jackpot.options.start_at_most_small_blinds",
        "jackpot.options.accept_return_over_100",
        "jackpot.options.return_at_least_bp",
    }
)
"""What the file alone says: what the table is built of, and a regulation's bounds. The start value has an act of its
own."""
_BRANCHES = frozenset({"jackpot.options", "circle.blinds"})
_BY_HAND = {"jackpot.prizes": tuple(PrizeRow.model_fields), "base.pays": ()}
_OPTIONAL = {
    "draws.carta_magica": tuple(CartaMagica.model_fields),
    "draws.jugador_afortunado": tuple(JugadorAfortunado.model_fields),
}
"""Sections that may be absent; they are when their prize is."""


def settings_of(config: Config, table: Table) -> dict[str, Any]:
    """Every setting that decides what happens at a table, as JSON holds it; what is absent (a row, a draw) is None."""
    plain = table.model_dump(mode="json", include={*PLAIN, *SECTIONS})
    plain["second_person_from"] = second_person_from(config, table)
    flat = {name: plain[name] for name in PLAIN}
    for section in SECTIONS:
        if plain[section] is not None:
            flat |= _flat(section, plain[section])
    return flat


def _flat(name: str, section: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in section.items():
        place = f"{name}.{key}"
        if place in _BRANCHES:
            flat |= _flat(place, value)
        elif place in _OPTIONAL:
            flat |= {f"{place}.{field}": (value or {}).get(field) for field in _OPTIONAL[place]}
        elif place in _BY_HAND:
            for hand in Category:
                row, fields = value.get(hand.value), _BY_HAND[place]
                flat |= {f"{place}.{hand.value}.{field}": (row or {}).get(field) for field in fields}
                flat |= {} if fields else {f"{place}.{hand.value}": row}
        else:
            flat[place] = value
    return flat


def _nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The flat list as the file nests it, without what is absent."""
    nested: dict[str, Any] = {}
    for name, value in settings.items():
        *path, key = name.split(".")
        here = nested
        for part in path:
            here = here.setdefault(part, {})
        here[key] = value
    for place in _BY_HAND:
        section, key = place.split(".")
        rows = nested.get(section, {}).get(key, {})
        nested.get(section, {})[key] = {hand: row for hand, row in rows.items() if _is_there(place, row)}
    for place in _OPTIONAL:
        section, key = place.split(".")
        found = nested.get(section, {}).get(key, {})
        there = found.get("prize") is not None
        nested[section][key] = {name: value for name, value in found.items() if value is not None} if there else None
    return nested


def _is_there(place: str, row: Any) -> bool:
    """Whether a row is one: of a prize list, with a sum; of another, with anything at all."""
    if _BY_HAND[place]:
        return row.get("percent") is not None or row.get("fixed") is not None
    return row is not None


def with_settings(table: Table, settings: Mapping[str, Any]) -> Table:
    """The table as these settings say; ValidationError, a ValueError, for what the models refuse."""
    values = table.model_dump(mode="json") | {"circle": None} | _nested(settings)
    return Table.model_validate(values)


class SettingsReader:
    """Settings as the journal holds them to those of the engine, and to the table as the file would say it."""

    def __init__(self, config: Config, table: Table, incarnation: str, host_keys: tuple[str, ...]) -> None:
        self._config = config
        self._table = table
        self._rest = (incarnation, host_keys)

    def __call__(self, text: str) -> TableSettings:
        """The engine's settings; ValueError for what are none."""
        return table_settings(self._config, self.table(text), *self._rest)

    def table(self, text: str) -> Table:
        """The table by these settings; "" is the file's own."""
        return with_settings(self._table, values_of(text)) if text else self._table


def checked(
    config: Config, table: Table, settings: Mapping[str, Any], start_minor: int | None = None
) -> tuple[dict[str, Any] | None, tuple[Fault, ...], tuple[Fault, ...]]:
    """Settings as the loader would take them, normal form first, else None with every fault; warnings last.

    The file's own faults are no news. start_minor: the start value in force, where people have reset it.
    """
    faults = _unknown(settings_of(config, table), settings)
    if faults:
        return None, faults, ()
    try:
        wanted = with_settings(table, settings)
    except ValidationError as wrong:
        found = wrong.errors(include_url=False)
        return None, tuple(_fault(dotted(error["loc"]), reason_of(error)) for error in found), ()
    index = next(place for place, each in enumerate(config.tables) if each.id == table.id)
    started = wanted
    if start_minor is not None:
        started = wanted.model_copy(update={"jackpot": wanted.jackpot.model_copy(update={"start": start_minor})})
    known = {fault.key + fault.reason for each in check(config, _NOWHERE, Hardware()) for fault in each}
    refused, warned = (
        tuple(
            _fault(fault.key.removeprefix(f"tables[{index}]."), fault.reason)
            for fault in found
            if _is_new(fault, known)
        )
        for found in check(_with_table(config, index, started), _NOWHERE, Hardware())
    )
    approved = config.site.approved_terms
    if not approved or terms_hash(wanted) in approved:
        refused = tuple(fault for fault in refused if "approved_terms" not in fault.reason)
    return (None if refused else settings_of(config, wanted)), refused, warned


_NOWHERE = Places(Path())


def _is_new(fault: Fault, known: set[str]) -> bool:
    return fault.key + fault.reason not in known


def _with_table(config: Config, index: int, table: Table) -> Config:
    tables = [*config.tables]
    tables[index] = table
    return config.model_copy(update={"tables": tuple(tables)})


def _unknown(known: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[Fault, ...]:
    missing = [_fault(name, said("missing")) for name in known if name not in settings]
    return (*missing, *(_fault(name, said("unknown key")) for name in settings if name not in known))


def _fault(key: str, reason: str) -> Fault:
    return Fault("", 0, key, reason)


def terms_of(table: Table, settings: Mapping[str, Any]) -> str:
    """SHA-256 of the jackpot terms among settings."""
    return terms_hash(with_settings(table, settings))


def with_terms_in_force(config: Config, texts: Mapping[str, str]) -> Config:
    """The configuration with each table as its journal says; texts: settings in force by table, "" = the file's."""
    tables = tuple(
        with_settings(table, values_of(texts[table.id])) if texts.get(table.id) else table for table in config.tables
    )
    return config.model_copy(update={"tables": tables})
