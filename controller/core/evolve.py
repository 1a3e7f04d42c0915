"""A frozen value with some fields changed, at a third of the cost of `dataclasses.replace`."""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def evolve(value: T, **changes: object) -> T:
    """A copy of a frozen dataclass with slots and two fields or more; KeyError for a name that is no field.

    Every bet copies the state of its table, so this is where the engine's time goes. The constructor is not called:
    a class that checks its fields in `__post_init__` wants `replace`.
    """
    kind: Any = type(value)
    values, setters, setter_of = _plan(kind)
    copy = object.__new__(kind)
    for put, held in zip(setters, values(value), strict=True):
        put(copy, held)
    for name, changed in changes.items():
        setter_of[name](copy, changed)
    return copy  # type: ignore[no-any-return]  # object.__new__ of the value's own class


@cache
def _plan(kind: Any) -> tuple[Callable[[Any], Any], tuple[Callable[..., None], ...], dict[str, Callable[..., None]]]:
    """How to read all fields at once, and how to set each."""
    setters = {each.name: getattr(kind, each.name).__set__ for each in fields(kind)}
    return attrgetter(*setters), tuple(setters.values()), setters
