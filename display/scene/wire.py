"""How parts of a scene leave the process: plain values by field name, a `kind` where there is a choice of them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import StrEnum

from display.scene.money import Amount


def fields_of(value: object) -> dict[str, object]:
    """The fields of a dataclass by name, as plain values."""
    return {field.name: plain(getattr(value, field.name)) for field in fields(value)}  # type: ignore[arg-type]  # callers pass dataclasses


def plain(value: object) -> object:
    """An amount is its digits; a part that has `to_dict` decides itself what of it leaves the process."""
    if isinstance(value, Amount):
        return value.minor
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if is_dataclass(value):
        told = getattr(value, "to_dict", None)
        if told is not None:
            return told()
        kind = getattr(type(value), "kind", None)
        return fields_of(value) if kind is None else {"kind": kind, **fields_of(value)}
    return value
