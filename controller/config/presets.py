"""Presets: one file per regulation, read as plain mappings, each possibly on top of another."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Any

from controller.config.faults import ConfigError, Fault, Key
from controller.config.lines import key_lines
from controller.config.recognized import own_words, recognized
from controller.config.texts import said
from controller.resources import config_directory

BUILT_IN = config_directory() / "presets"
LONGEST_NAME = 50
"""Characters of a preset's name, whatever their alphabet: four bytes each and the extension fit a file's name."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One file of a configuration: its values and where its keys stand."""

    file: Path
    values: dict[str, Any]
    lines: dict[Key, int]


def read_layer(file: Path) -> Layer:
    """A TOML file; ConfigError when it cannot be read or is no TOML.

    A pipe or a device is not opened: it might wait for ever.
    """
    try:
        if not S_ISREG(file.stat().st_mode):
            raise ConfigError([Fault(str(file), 0, "", said("not a regular file"))])
        text = file.read_text(encoding="utf-8")
        return Layer(file, tomllib.loads(text), key_lines(text))
    except OSError as problem:
        raise ConfigError([Fault(str(file), 0, "", own_words(problem))]) from problem
    except UnicodeDecodeError as problem:
        reason = said("not UTF-8: {problem} at byte {start}", problem=recognized(problem.reason), start=problem.start)
        raise ConfigError([Fault(str(file), 0, "", reason)]) from problem
    except RecursionError as problem:
        raise ConfigError([Fault(str(file), 0, "", said("nested too deeply"))]) from problem
    except ValueError as problem:  # tomllib's own error is one; a number of thousands of digits is another
        line = getattr(problem, "lineno", None) or _line_in(str(problem))
        reason = said("not TOML: {problem}", problem=own_words(problem))
        raise ConfigError([Fault(str(file), line, "", reason)]) from problem


def preset_names() -> tuple[str, ...]:
    """Names of the presets that come with the product."""
    return tuple(sorted(file.stem for file in BUILT_IN.glob("*.toml")))


def preset_layers(name: str, beside: Path | None = None) -> tuple[Layer, ...]:
    """The files of a preset, the one to start from first; `beside` is a directory of the site's own presets.

    ConfigError when a file is missing or presets name each other in a circle; its fault has no file when it is `name`
    itself that names none.
    """
    layers: list[Layer] = []
    seen: list[str] = []
    wanted: str | None = name
    while wanted is not None:
        if wanted in seen:
            circle = " → ".join([*seen, wanted])
            text = said("goes in a circle: {circle}", circle=circle)
            raise ConfigError([Fault(str(layers[-1].file), 0, "preset", text)])
        seen.append(wanted)
        layer = read_layer(_find(wanted, beside, str(layers[-1].file) if layers else ""))
        layers.append(layer)
        below = layer.values.get("preset")
        wanted = below if isinstance(below, str) else None
    return tuple(reversed(layers))


def load_preset(name: str, beside: Path | None = None) -> dict[str, Any]:
    """A preset as the plain mapping of a table (game, seats, limits, base, jackpot, …), its layers merged."""
    values: dict[str, Any] = {}
    for layer in preset_layers(name, beside):
        values = merge(values, layer.values)
    values.pop("preset", None)
    values.pop("decimals", None)
    return values


def merge(under: Mapping[str, Any], over: Mapping[str, Any], path: Key = ()) -> dict[str, Any]:
    """Keys of `over` on top of `under`, section by section; a prize row is replaced whole, `false` removes it."""
    merged = dict(under)
    for key, value in over.items():
        here = (*path, key)
        if _is_row(here) and value is False:
            merged.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(merged.get(key), Mapping) and not _is_row(here):
            merged[key] = merge(merged[key], value, here)
        elif isinstance(value, Mapping) and not _is_row(here):
            merged[key] = merge({}, value, here)
        else:
            merged[key] = value
    return merged


def _is_row(path: Key) -> bool:
    return len(path) >= 3 and path[-3:-1] == ("jackpot", "prizes")


def _find(name: str, beside: Path | None, named_in: str) -> Path:
    if not name.replace("_", "").replace("-", "").isalnum() or len(name) > LONGEST_NAME:
        text = said("a preset is named without its directory and extension")
        raise ConfigError([Fault(named_in, 0, "preset", text)])
    for directory in (beside, BUILT_IN):
        if directory is not None and (directory / f"{name}.toml").is_file():
            return directory / f"{name}.toml"
    known = ", ".join(preset_names())
    text = said("unknown preset '{name}'; known: {known}", name=name, known=known)
    raise ConfigError([Fault(named_in, 0, "preset", text)])


def _line_in(message: str) -> int:
    """The line that tomllib before 3.14 only says in words: `… (at line 3, column 7)`."""
    _, found, rest = message.partition("at line ")
    digits = rest.split(",")[0].rstrip(")")
    return int(digits) if found and digits.isdigit() else 0
