"""From a site's file to a Config: presets under it, every fault of the files and of the models collected."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from controller.config.base import IDENTIFIER_FORM
from controller.config.checks import check
from controller.config.checks_hardware import Hardware
from controller.config.devices import Device
from controller.config.faults import ConfigError, Fault, Key, Places
from controller.config.model import Config
from controller.config.presets import Layer, merge, preset_layers, read_layer
from controller.config.site import LISTEN_FORM
from controller.config.texts import counted, said

REFUSED_VALUES = {
    "missing": "missing",
    "extra_forbidden": "unknown key",
    "int_type": "a whole number is wanted, not {given}",
    "int_from_float": "a whole number is wanted, not {given}",
    "int_parsing": "a whole number is wanted, not {given}",
    "int_parsing_size": "too large: {given}",
    "bool_type": "true or false is wanted, not {given}",
    "string_type": "text is wanted, not {given}",
    "string_pattern_mismatch": "'{given}' does not fit the pattern {pattern}",
    "greater_than_equal": "at least {ge} is wanted, not {given}",
    "less_than_equal": "at most {le} is wanted, not {given}",
    "literal_error": "{expected} is wanted, not {given}",
    "enum": "{expected} is wanted, not {given}",
    "tuple_type": "a list is wanted, not {given}",
    "mapping_type": "a section is wanted, not {given}",
    "model_type": "a section is wanted, not {given}",
}
"""What the models find wrong with a value, by their names for it."""
REFUSED_LENGTHS = {
    "string_too_short": (
        "min_length",
        "text of {count} character at least is wanted",
        "text of {count} characters at least is wanted",
    ),
    "string_too_long": (
        "max_length",
        "text of {count} character at most is wanted",
        "text of {count} characters at most is wanted",
    ),
}
"""The same of a text's length: the fact that holds the bound, and what is said of one and of any other."""
REFUSED_PATTERNS = {
    LISTEN_FORM: "ADDRESS:PORT or unix:/PATH is wanted, not {given}",
    IDENTIFIER_FORM: "small letters, digits, - and _ are wanted, 32 at most, not {given}",
}
"""The same of a text's form, by the pattern of the models; of another form the pattern is told."""
_PRESET_ONLY = ("preset", "decimals")
_UNKNOWN = Hardware()
_WHOLE_CAROUSEL = re.compile(r"carousels\[\d+\]")
_ROUNDS = 50
"""Enough to set every wrong key of a file aside; a file with more is reported for the first of them."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Outcome of reading a file: the configuration when nothing is wrong with it, else the faults."""

    config: Config | None
    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...]


def load(
    file: Path | str,
    drivers: Collection[str] | None = None,
    device_fault: Callable[[Device], str | None] | None = None,
) -> Config:
    """The configuration of a file, checked; ConfigError with every fault otherwise.

    `drivers`: names of the known drivers. `device_fault`: why a driver would not take a device's settings, None when it
    would. Absent, neither is checked.
    """
    checked = load_checked(file, Hardware(drivers, device_fault))
    if checked.config is None:
        raise ConfigError(checked.faults, checked.warnings)
    return checked.config


def load_checked(file: Path | str, hardware: Hardware = _UNKNOWN) -> Checked:
    """As `load`, with faults and warnings as values."""
    path = Path(file)
    try:
        site = read_layer(path)
    except ConfigError as problem:
        return Checked(None, problem.faults, ())
    places = Places(path)
    values, faults, bare = _with_presets(site, places)
    config, wrong = _validate(values, places, bare)
    faults += wrong
    warnings: list[Fault] = []
    if config is not None:
        found, warnings = check(config, places, hardware)
        faults += [fault for fault in found if not _covered(fault.key, faults)]
    if config is None or faults:
        return Checked(None, tuple(faults), tuple(each for each in warnings if not _follows(each.key, faults)))
    return Checked(config.model_copy(update={"warnings": tuple(warnings)}), (), tuple(warnings))


def _with_presets(site: Layer, places: Places) -> tuple[dict[str, Any], list[Fault], frozenset[int]]:
    """The site's values with each table put on top of its preset; the tables whose preset cannot be read stand bare."""
    values = dict(site.values)
    faults: list[Fault] = []
    unnamed: list[tuple[int, Fault]] = []
    bare: set[int] = set()
    tables = values.get("tables")
    layers_of: dict[int, tuple[Layer, ...]] = {}
    if isinstance(tables, list) and all(isinstance(table, Mapping) for table in tables):
        merged = []
        for index, table in enumerate(tables):
            try:
                layers_of[index] = _layers(table, site.file)
            except ConfigError as problem:
                faults += [fault for fault in problem.faults if fault.file]
                unnamed += [(index, fault) for fault in problem.faults if not fault.file]
                layers_of[index] = ()
                bare.add(index)
            merged.append(_stack(layers_of[index], table))
        values["tables"] = merged
    for index, layers in layers_of.items():
        for layer in layers:
            places.learn(layer.file, layer.lines, ("tables", index))
    places.learn(site.file, site.lines)
    faults += [places.fault(("tables", index, "preset"), fault.reason) for index, fault in unnamed]
    faults += _decimals(values, layers_of, places)
    return values, faults, frozenset(bare)


def _layers(table: Mapping[str, Any], site_file: Path) -> tuple[Layer, ...]:
    name = table.get("preset")
    return preset_layers(name, site_file.parent / "presets") if isinstance(name, str) else ()


def _stack(layers: tuple[Layer, ...], table: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for layer in layers:
        below = {key: value for key, value in layer.values.items() if key not in _PRESET_ONLY}
        values = merge(values, below)
    return merge(values, table)


def _decimals(values: Mapping[str, Any], layers_of: Mapping[int, tuple[Layer, ...]], places: Places) -> list[Fault]:
    """A preset's amounts are minor units of so many decimals: a site with others would take them hundredfold."""
    site = values.get("site")
    ours = site.get("decimals", 2) if isinstance(site, Mapping) else 2
    faults = []
    for index, layers in layers_of.items():
        for layer in layers:
            theirs = layer.values.get("decimals", ours)
            if theirs != ours:
                decimals = {"theirs": theirs, "ours": ours}
                reason = said("decimals of its amounts: {theirs}; of the site's currency: {ours}", **decimals)
                faults.append(places.fault(("tables", index, "preset"), reason))
    return faults


def _validate(values: dict[str, Any], places: Places, bare: Collection[int]) -> tuple[Config | None, list[Fault]]:
    """The models' verdict. Wrong keys are set aside so that the cross checks still see the rest.

    bare: tables whose preset cannot be read, of which nothing is missed that it may hold.
    """
    faults: list[Fault] = []
    for _ in range(_ROUNDS):
        try:
            return Config.model_validate(values), faults
        except ValidationError as problem:
            wrong: list[tuple[Key, str]] = []
            found: list[Fault] = []
            for error in problem.errors(include_url=False):
                key = _key_of(error["loc"], values)
                fault = places.fault(key, reason_of(error))
                awaits_preset = error["type"] == "missing" and len(key) > 2 and key[0] == "tables" and key[1] in bare
                if not awaits_preset and not _covered(fault.key, faults):
                    found.append(fault)
                wrong.append((key, error["type"]))
            faults += found
            rest = _set_aside(values, wrong, places)
            if rest == values:
                break
            values = rest
    return None, faults


def _covered(key: str, faults: Iterable[Fault]) -> bool:
    """Whether a fault is known at the key or below it: what follows from it is not said again."""
    return any(fault.key == key or fault.key.startswith((f"{key}.", f"{key}[")) for fault in faults)


def _follows(key: str, faults: Sequence[Fault]) -> bool:
    """Whether a warning may come of a fault: at its key or below, in the same prize list, or in a table set aside."""
    section, jackpot, _ = key.partition(".jackpot")
    return (
        _covered(key, faults)
        or (bool(jackpot) and any(fault.key.startswith(f"{section}.jackpot") for fault in faults))
        or (_WHOLE_CAROUSEL.fullmatch(key) is not None and any(fault.key.startswith("tables[") for fault in faults))
    )


def _key_of(location: tuple[int | str, ...], values: Any) -> Key:
    """The key an error is about: what pydantic adds for unions and mapping keys is left out."""
    key: list[int | str] = []
    here = values
    for part in location:
        if isinstance(here, Mapping):
            if part == "[key]":
                break
            key.append(part)
            here = here.get(part)
        elif isinstance(here, list | tuple) and isinstance(part, int) and part < len(here):
            key.append(part)
            here = here[part]
        else:
            break
    return tuple(key)


def reason_of(error: Mapping[str, Any]) -> str:
    """Why the models refuse a value, in the catalogue's words where it has them."""
    kind, facts = error["type"], dict(error.get("ctx", {}))
    if kind == "value_error":
        return _own_words(facts["error"])
    given = error.get("input")
    if isinstance(given, bool):
        given = str(given).lower()
    if not isinstance(given, str | int | float | bool):
        given = said("a section") if isinstance(given, Mapping) else said("a list")
    if "expected" in facts:
        facts["expected"] = _choices(str(facts["expected"]))
    if kind in REFUSED_LENGTHS:
        bound, one, many = REFUSED_LENGTHS[kind]
        return counted(facts[bound], one, many)
    template = REFUSED_PATTERNS.get(str(facts.get("pattern")), REFUSED_VALUES.get(kind))
    return str(error["msg"]) if template is None else said(template, **facts | {"given": given})


def _choices(expected: str) -> str:
    """The models' list of what a value may be: `'a', 'b' or 'c'`."""
    first, found, last = expected.rpartition(" or ")
    return said("{first} or {last}", first=first, last=last) if found else expected


def _own_words(problem: ValueError) -> str:
    """The reason that a validator of ours gave, as it was said."""
    words = problem.args[0]
    return words if isinstance(words, str) else str(problem)


def _set_aside(values: dict[str, Any], wrong: Iterable[tuple[Key, str]], places: Places) -> dict[str, Any]:
    """The values without the wrong keys, and without the sections and items that cannot stand without them."""
    gone = {_smallest_part(key, kind) for key, kind in wrong if key}
    if ("site",) in gone:
        gone.remove(("site",))
        site = values.get("site")
        values = values | {"site": {"id": "site", "name": "site"} | (site if isinstance(site, dict) else {})}
    for part in sorted(gone, key=lambda part: [-step if isinstance(step, int) else 0 for step in part]):
        if any(part[:length] in gone for length in range(1, len(part))):
            continue
        values = cast("dict[str, Any]", _without(values, part))
        if isinstance(part[-1], int):
            places.forget_item(part)
    return values


def _smallest_part(key: Key, kind: str) -> Key:
    """What has to go with a wrong key. A table goes with its device: other keys name that device."""
    if kind == "missing" and len(key) > 1:
        key = key[:-1]
    if len(key) > 3 and key[2] == "devices" and kind in ("missing", "value_error"):
        key = key[:2]
    return key


def _without(values: Any, key: Key) -> Any:
    head, rest = key[0], key[1:]
    if isinstance(values, Mapping):
        if not rest:
            return {name: value for name, value in values.items() if name != head}
        return {name: _without(value, rest) if name == head else value for name, value in values.items()}
    if isinstance(values, list) and isinstance(head, int):
        if not rest:
            return [value for index, value in enumerate(values) if index != head]
        return [_without(value, rest) if index == head else value for index, value in enumerate(values)]
    return values
