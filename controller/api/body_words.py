"""The body of an entry as pairs of words: what its fields are called, and their values as people write them."""

from collections.abc import Mapping
from typing import Any

from controller.api.entry_words import Names
from controller.api.facts import GROUPS
from controller.api.texts import Catalogue, card_text, catalogue
from controller.core.cards import parse_card

AMBIGUOUS = frozenset(
    {
        *("before", "check", "field", "host", "index", "kind", "known", "later", "limit", "new", "of", "old", "on"),
        *("other", "profile", "row", "target", "term", "turn", "value"),
    }
)
"""Fields that forms and refusals give a name which is another thing's in an entry: they stay as they are."""
BY_VALUE = {"key": "key", "code": "alarm"}
"""Fields whose name is true only where the group of the catalogue knows their value."""
PERSONS = frozenset({"actor", "login", "by", "person", "operator", "requested_by", "approved_by", "paid_by"})
EARLIEST_MS = 10**11
"""What is below is a span of milliseconds and no moment."""


def body_rows(names: Names, body: Mapping[str, Any], above: str = "") -> list[tuple[str, str]]:
    """A body as pairs of words; what is empty is left out."""
    texts = catalogue(names.language)
    found: list[tuple[str, str]] = []
    for key, value in body.items():
        label = _label(texts, key, value)
        label = f"{above}, {label}" if above else label
        if isinstance(value, Mapping):
            found += body_rows(names, value, label)
        elif value not in (None, ""):
            found.append((label, _value(names, key, value)))
    return found


def _label(texts: Catalogue, key: str, value: Any) -> str:
    if key in AMBIGUOUS or (key in BY_VALUE and f"{BY_VALUE[key]}.{value}" not in texts.texts):
        return key
    return texts.texts.get(f"field.{key}") or texts.texts.get(f"fact.{key}") or key


def _value(names: Names, key: str, value: Any) -> str:
    texts = catalogue(names.language).texts
    if value is True or value is False:
        return texts["form.yes" if value else "form.no"]
    if isinstance(value, int):
        return _number(names, key, value)
    if isinstance(value, list | tuple):
        return _list(names, key, value)
    if isinstance(value, Mapping):
        return ", ".join(f"{label}: {told}" for label, told in body_rows(names, value))
    told = str(value)
    if key in PERSONS:
        return names.person(told)
    if key in ("card", "cards") and parse_card(told):
        return card_text(told)
    groups = GROUPS.get(key, ()) if key not in AMBIGUOUS else ()
    return next((texts[f"{group}.{told}"] for group in groups if f"{group}.{told}" in texts), told)


def _number(names: Names, key: str, value: int) -> str:
    if key.endswith("_minor"):
        return names.amount(value)
    if key.endswith("micros"):
        return names.exact(value)
    if key.endswith("_ms"):
        return names.moment(value) if value >= EARLIEST_MS else "—" if value == 0 else f"{value} ms"
    return str(value)


def _list(names: Names, key: str, value: list[Any] | tuple[Any, ...]) -> str:
    nested = any(isinstance(each, list | tuple | Mapping) for each in value)
    return ("; " if nested else ", ").join(_value(names, key, each) for each in value if each is not None) or "—"
