"""One line of what an act would change, as it is stored with the request: what, in which unit, before and after."""

from typing import Any

Effect = dict[str, Any]


def in_minor(what: str, before: int | None, after: int | None, **where: int | str) -> Effect:
    """An amount of whole minor units."""
    return {"what": what, "unit": "minor", "before": before, "after": after, "where": where}


def in_micros(what: str, before: int | None, after: int | None, **where: int | str) -> Effect:
    """An amount in micros, which may have a part of a minor unit."""
    return {"what": what, "unit": "micros", "before": before, "after": after, "where": where}


def in_words(what: str, before: str, after: str, **where: int | str) -> Effect:
    """A text, an id, a key; empty where there was or will be none."""
    return {"what": what, "unit": "text", "before": before, "after": after, "where": where}
