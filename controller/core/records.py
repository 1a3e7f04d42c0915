"""Frozen dataclasses to journal bodies and back, with strict types."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
_NESTING = (dict, list, tuple, Mapping)


def to_record(value: object) -> Any:
    """A dataclass, tuple or Enum as lists, dicts with str keys, str, int, bool and None."""
    return msgspec.to_builtins(value, str_keys=True)


def from_record(kind: type[T], record: object) -> T:
    """The value a record of a journal of ours stands for; `ValueError` names the place that does not fit.

    What nothing reads is no less wrong than what is missing: a field of another form's name would be taken for its
    default, and its money for nothing.
    """
    value = from_foreign(kind, record)
    _check_known(record, to_record(value), kind.__name__)
    return value


def from_foreign(kind: type[T], record: object) -> T:
    """`from_record` of what another node says, which may be of a later version: fields it alone knows are let go."""
    return msgspec.convert(record, kind, strict=True, str_keys=True)


def _check_known(record: Any, read: Any, place: str) -> None:
    """Every key of a record is one that the value has, at each depth."""
    if isinstance(record, Mapping) and isinstance(read, dict):
        for key, item in record.items():
            known = key if isinstance(key, str) else str(key)
            if known not in read:
                raise ValueError(f"{place} has no field `{known}`")
            if isinstance(item, _NESTING):
                _check_known(item, read[known], f"{place}.{known}")
    elif isinstance(record, list | tuple) and isinstance(read, list | tuple):
        for item, each in zip(record, read, strict=False):
            if isinstance(item, _NESTING):
                _check_known(item, each, place)


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
