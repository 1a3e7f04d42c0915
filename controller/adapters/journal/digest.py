"""What tells two events apart: a hash of everything in the envelope, kept as the cause of its entries."""

from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec

from controller.core.events import Envelope

EVENT_DOMAIN = b"carrusel event v1\n"

_PLAIN: frozenset[type] = frozenset({str, int, bool, type(None), tuple})
_DECLARED_PLAIN = frozenset({*_PLAIN, *(kind.__name__ for kind in _PLAIN)})
_encode = msgspec.json.Encoder(order="sorted").encode


def event_digest(envelope: Envelope) -> bytes:
    """SHA-256 of an event with its id and people; stored as the cause of its entries, so that a repeat is recognised.

    Class names count, as two kinds of event may have the same fields.
    """
    event = envelope.event
    kind: Any = type(event)  # mypy takes no type[object] for hashable
    name, nested = _shape(kind)
    kinds = [name]
    for each in nested:
        value = getattr(event, each)
        if type(value) not in _PLAIN and is_dataclass(value):
            kinds.append(type(value).__name__)
    return sha256(EVENT_DOMAIN + _encode((kinds, envelope))).digest()


@cache
def _shape(kind: Any) -> tuple[str, tuple[str, ...]]:
    """Name of a class, and its fields that may hold another dataclass: all but those declared as plain."""
    known = fields(kind) if is_dataclass(kind) else ()
    return kind.__name__, tuple(each.name for each in known if each.type not in _DECLARED_PLAIN)
