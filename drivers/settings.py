"""Reads a driver's frozen settings from a plain mapping and names what is wrong with it."""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from drivers.device import SettingsError

T = TypeVar("T")
LARGEST = 10**9
"""No time, rate or length of a device is greater; a clock counted in floats stays exact below it."""


def read_settings(cls: type[T], data: Mapping[str, Any], where: str) -> T:
    """An instance of the dataclass `cls`; lists become tuples, integers are taken where floats are wanted.

    SettingsError names unknown keys, missing keys and wrong types; `where` says which device it is about.
    """
    known = {f.name: f for f in fields(cls)}  # type: ignore[arg-type]  # T is a dataclass by contract
    unknown = sorted(set(data) - set(known))
    if unknown:
        raise SettingsError(f"{where}: unknown setting {', '.join(unknown)} (known: {', '.join(sorted(known))})")
    missing = sorted(
        n for n, f in known.items() if n not in data and f.default is MISSING and f.default_factory is MISSING
    )
    if missing:
        raise SettingsError(f"{where}: missing setting {', '.join(missing)}")
    hints = typing.get_type_hints(cls)
    values = {key: _fit(value, hints[key], f"{where}.{key}") for key, value in data.items()}
    try:
        return cls(**values)
    except ValueError as problem:
        raise SettingsError(f"{where}: {problem}") from problem


def _fit(value: Any, hint: Any, where: str) -> Any:
    origin = typing.get_origin(hint)
    if hint is Any:
        return value
    if origin in (typing.Union, types.UnionType):
        return _fit_union(value, hint, where)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise SettingsError(f"{where}: a list is wanted")
        inner = typing.get_args(hint)[0]
        return tuple(_fit(item, inner, f"{where}[{i}]") for i, item in enumerate(value))
    if origin is typing.Literal:
        if value not in typing.get_args(hint):
            raise SettingsError(f"{where}: {value!r} is not one of {', '.join(map(str, typing.get_args(hint)))}")
        return value
    plain = origin or hint
    if plain is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value) if abs(value) <= LARGEST else math.inf
    if plain is float and isinstance(value, float) and not abs(value) <= LARGEST:
        raise SettingsError(f"{where}: a finite number is wanted")
    if plain is int and isinstance(value, bool):
        raise SettingsError(f"{where}: a whole number is wanted")
    if not isinstance(plain, type) or not isinstance(value, plain):
        raise SettingsError(f"{where}: {getattr(plain, '__name__', plain)} is wanted, not {value!r}")
    return value


def _fit_union(value: Any, hint: Any, where: str) -> Any:
    problem: SettingsError | None = None
    for option in typing.get_args(hint):
        if option is type(None):
            if value is None:
                return None
            continue
        try:
            return _fit(value, option, where)
        except SettingsError as wrong:
            problem = problem or wrong
    raise problem or SettingsError(f"{where}: {value!r} does not fit")
