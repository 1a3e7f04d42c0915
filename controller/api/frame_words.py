"""What a frame of a device's line says, in words: the fields that its driver names, with their values."""

from collections.abc import Mapping
from typing import Any

from controller.api.texts import Catalogue

IN_THE_BYTES = frozenset({"checksum", "crc", "check"})
"""What only says that the bytes are whole, which is told otherwise."""
NAMED = frozenset({"function", "header", "meaning", "reply", "host_action", "error", "kind"})
"""Fields whose values have words of their own: `frame_function.1`."""


def frame_said(texts: Catalogue, fields: Mapping[str, Any]) -> str:
    """A frame's fields in one line, as the bytes have them."""
    told = [
        f"{texts.name('frame_field', name)} {_value(texts, name, value)}"
        for name, value in fields.items()
        if name not in IN_THE_BYTES
    ]
    return ", ".join(told)


def _value(texts: Catalogue, name: str, value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "—"
    if isinstance(value, bool):
        return texts.text("form.yes" if value else "form.no")
    if isinstance(value, Mapping):
        return f"({frame_said(texts, value)})"
    if isinstance(value, list | tuple):
        return " ".join(_value(texts, name, each) for each in value)
    if name not in NAMED:
        return str(value)
    said = texts.name(f"frame_{name}", str(value))
    return f"{value} ({said})" if isinstance(value, int) and said != str(value) else said
