"""Where an amount, or a part of one, belongs, and what a part is called, in words."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from controller.api.texts import catalogue


class Names(Protocol):
    """What the words of a page know of the house."""

    @property
    def language(self) -> str: ...

    def table_name(self, table: object) -> str: ...

    def carousel_name(self, carousel: str) -> str: ...

    def date(self, day: str) -> str: ...

    def month(self, name: str) -> str: ...

    def shift_name(self, shift: str) -> str: ...

    def approval_said(self, approval: str) -> str: ...


def amount_place(names: Names, facts: Mapping[str, Any]) -> str:
    """The table, hand, seat, pot, prize, period or setting of an amount."""
    texts = catalogue(names.language)
    said: Mapping[str, Callable[[Any], str]] = {
        "request": names.approval_said,
        "carousel": names.carousel_name,
        "table": names.table_name,
        "hand": lambda hand: texts.text("hand.number", hand=hand),
        "seat": lambda seat: texts.text("seat.number", seat=seat),
        "category": lambda category: texts.name("category", category),
        "kind": lambda kind: texts.name("category", kind),
        "percent": lambda percent: f"{percent} %",
        "pot": str,
        "day": names.date,
        "month": names.month,
        "shift": lambda shift: _shift(names, shift),
        "setting": lambda setting: _setting(names, setting),
    }
    carousel_too = facts.get("carousel") and facts.get("table")
    told = [name for name in said if facts.get(name) not in (None, "") and not (name == "carousel" and carousel_too)]
    return ", ".join(said[name](facts[name]) for name in told)


def _shift(names: Names, shift: str) -> str:
    """A shift by its name, or the one in course."""
    texts = catalogue(names.language)
    return texts.text("period.now") if shift == "now" else texts.text("amount.in_shift", shift=names.shift_name(shift))


def _setting(names: Names, setting: str) -> str:
    group, _, name = setting.partition("/")
    texts = catalogue(names.language)
    return texts.name("category", name) if name else texts.name("setting", group)


def part_name(names: Names, line: Mapping[str, Any]) -> str:
    """One part of an amount in words: a part of its own, the dealer's key, or the entry that moved it."""
    texts, what = catalogue(names.language), line["what"]
    if line.get("key"):
        return texts.name("key", line["key"])
    return texts.texts.get(f"part.{what}") or texts.name("entry", what)
