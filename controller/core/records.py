"""Frozen dataclasses to journal bodies and back, with strict types."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def to_record(value: object) -> Any:
    """A dataclass, tuple or Enum as lists, dicts with str keys, str, int, bool and None."""
    return msgspec.to_builtins(value, str_keys=True)


def from_record(kind: type[T], record: object) -> T:
    """The value a record stands for; raises `ValueError` (msgspec's) naming the place that does not fit."""
    return msgspec.convert(record, kind, strict=True, str_keys=True)


class Kinds:
    """A closed set of event classes told apart by their class name in the record's `type`."""

    def __init__(self, *classes: type) -> None:
        self._classes: Mapping[str, type] = {each.__name__: each for each in classes}

    @property
    def names(self) -> frozenset[str]:
        """The class names of the set."""
        return frozenset(self._classes)

    def to_record(self, event: object) -> dict[str, Any]:
        """`{"type": class name, fields…}`; KeyError for a class outside the set."""
        name = type(event).__name__
        return {"type": self._classes[name].__name__, **to_record(event)}

    def from_record(self, record: Mapping[str, Any]) -> Any:
        """The event of a record; KeyError for an unknown type, ValueError when a field does not fit."""
        fields = {key: value for key, value in record.items() if key != "type"}
        return from_record(self._classes[record["type"]], fields)
