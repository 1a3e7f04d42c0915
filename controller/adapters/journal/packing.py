"""Frozen states as plain JSON values and back. Each class is named once, with its fields; a value says its number.

A host keeps the balances of all its tables at each award that can still be corrected: their field names alone, said
each time, would be most of its snapshot.
"""

import importlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import msgspec

_CLASSES = (Enum, Mapping, tuple, msgspec.Struct)


def pack(state: object, rooms: tuple[str, ...]) -> Any:
    """Plain values; TypeError for a state that is not plain data of classes in these rooms (beginnings of modules)."""
    packer = _Packer(rooms)
    packed = packer.packed(state)
    return {"classes": packer.classes, "state": packed}


def unpack(plain: Any, rooms: tuple[str, ...]) -> Any:
    """The state that `pack` made plain; TypeError when it names what is no value of these rooms."""
    named = [(_class(name, rooms), tuple(names)) for name, *names in plain["classes"]]
    return _unpacked(plain["state"], named)


class _Packer:
    """Plain values as they are; everything else as a list that begins with its tag."""

    def __init__(self, rooms: tuple[str, ...]) -> None:
        self._rooms = rooms
        self._numbers: dict[type, int] = {}
        self.classes: list[list[str]] = []

    def packed(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind in (bool, int, str):
            return value
        if kind is tuple or kind is list:
            return [kind.__name__, *map(self.packed, value)]
        if isinstance(value, Enum):
            return ["enum", self._number(kind), value.name]
        if isinstance(value, Mapping):
            begin = ["dict"] if kind is dict else ["map", self._number(kind)]
            return [*begin, *[[self.packed(key), self.packed(item)] for key, item in value.items()]]
        if isinstance(value, tuple):
            return ["named", self._number(kind), *map(self.packed, value)]
        if isinstance(value, (set, frozenset)):
            return ["frozenset", *map(self.packed, value)]
        if isinstance(value, bytes):
            return ["bytes", value.hex()]
        if isinstance(value, msgspec.Struct) or (is_dataclass(value) and not isinstance(value, type)):
            number = self._number(kind)
            return ["data", number, *[self.packed(getattr(value, name)) for name in self.classes[number][1:]]]
        raise TypeError(f"a snapshot cannot hold {value!r}")

    def _number(self, kind: type) -> int:
        number = self._numbers.get(kind)
        if number is None:
            if not kind.__module__.startswith(self._rooms):
                raise TypeError(f"a snapshot cannot hold a {kind.__module__}.{kind.__qualname__}")
            number = self._numbers[kind] = len(self.classes)
            self.classes.append([f"{kind.__module__}:{kind.__qualname__}", *_fields(kind)])
        return number


def _fields(kind: Any) -> tuple[str, ...]:
    if issubclass(kind, msgspec.Struct):
        return tuple(kind.__struct_fields__)
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()


def _unpacked(value: Any, named: list[tuple[Any, tuple[str, ...]]]) -> Any:
    if not isinstance(value, list):
        return value
    match value[0]:
        case "data":
            return _rebuilt(*named[value[1]], [_unpacked(item, named) for item in value[2:]])
        case "tuple":
            return tuple([_unpacked(item, named) for item in value[1:]])
        case "enum":
            return named[value[1]][0][value[2]]
        case "dict":
            return {_unpacked(key, named): _unpacked(item, named) for key, item in value[1:]}
        case "map":
            return named[value[1]][0]({_unpacked(key, named): _unpacked(item, named) for key, item in value[2:]})
        case "named":
            return named[value[1]][0](*[_unpacked(item, named) for item in value[2:]])
        case "list":
            return [_unpacked(item, named) for item in value[1:]]
        case "frozenset":
            return frozenset(_unpacked(item, named) for item in value[1:])
        case "bytes":
            return bytes.fromhex(value[1])
    raise TypeError(f"a snapshot holds a {value[0]}, which is none")


def _rebuilt(kind: Any, names: tuple[str, ...], values: list[Any]) -> Any:
    """With the fields it had; a dataclass without its constructor, whose checks passed when it was made."""
    if issubclass(kind, msgspec.Struct):
        return kind(*values)
    made = object.__new__(kind)
    for name, value in zip(names, values, strict=True):
        object.__setattr__(made, name, value)
    return made


def _class(name: str, rooms: tuple[str, ...]) -> Any:
    module, _, qualified = name.partition(":")
    found: Any = importlib.import_module(module) if module.startswith(rooms) else None
    for part in qualified.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type) or not (is_dataclass(found) or issubclass(found, _CLASSES)):
        raise TypeError(f"a snapshot names {name}, which is no value of the engine")
    return found
