"""The facts of a refusal as people read them: words for names, amounts as amounts, nothing for machines alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.api.form_errors import field_said
from controller.api.texts import GROUPING, Catalogue, Money, card_text, catalogue, day_text, moment_text
from controller.core.cards import parse_card
from controller.core.refusal import Refusal

RAW_IDS = frozenset({"approval", "claim", "entry", "id", "prize", "row", "unread"})
"""Facts that only machines read: in the document, not in its sentence."""
AMOUNTS = frozenset({"amount", "exact", "to_call", "start", "minimum", "maximum", "value", "ceiling", "meter"})
"""Facts in minor units whatever the refusal."""
DAYS = frozenset({"day", "earliest", "from", "to"})
BOUNDS = frozenset({"most", "least"})
OF_MONEY = frozenset(
    {
        Refusal.BUY_BELOW_MINIMUM,
        Refusal.BUY_ABOVE_MAXIMUM,
        Refusal.BET_ABOVE_STACK,
        Refusal.RAISE_BELOW_MINIMUM,
        Refusal.ADVANCE_ABOVE_LEDGER,
        Refusal.AMOUNT_TOO_LARGE,
        Refusal.WITHHOLDING_OUT_OF_BOUNDS,
    }
)
"""Refusals whose bounds are amounts in minor units; the bounds of others count something."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    "phase": ("phase", "host"),
    "status": ("status", "approval_status"),
    "key": ("key", "game_event"),
    "lamp": ("lamp",),
    "kind": ("category",),
    "draw": ("category", "account"),
    "pool": ("category", "account"),
    "goes_to": ("category", "account"),
    "why": ("why",),
    "game": ("game",),
    "code": ("alarm",),
    "place": ("place",),
    "other": ("place",),
    "person": ("actor",),
    "cause": ("cause", "hold"),
    "change": ("change",),
    "field": ("field",),
    "check": ("check",),
    "setting": ("setting",),
    "outcome": ("outcome",),
}
"""Facts whose value is a word of the house: the groups of the catalogue where people's words for it stand."""


NAMED: Mapping[str, str] = {
    "table": "table",
    "target": "table",
    "carousel": "carousel",
    "person": "person",
    "login": "person",
}
"""Facts that hold ids, and whose: of tables, carousels, people."""


@dataclass(frozen=True, slots=True)
class House:
    """What this node's people call things: amounts as they are written, and names by id, of each field that has ids."""

    money: Money
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def name(self, key: str, value: str) -> str | None:
        """What an id is called; None for what is no id, or for one that nobody calls otherwise."""
        return self.names.get(NAMED.get(key, ""), {}).get(value)


def facts_said(reason: str, facts: Mapping[str, Any], language: str, house: House | None = None) -> str:
    """A refusal's facts in one line, without ids that only machines read; amounts and names as the house has them."""
    texts = catalogue(language)
    said = []
    for key, value in facts.items():
        if key not in RAW_IDS:
            name = texts.name("setting", key) if reason == Refusal.SETTINGS_INVALID.value else texts.name("fact", key)
            said.append(f"{name}: {_value(texts, reason, key, value, house)}")
    return ", ".join(said)


def _value(texts: Catalogue, reason: str, key: str, value: Any, house: House | None) -> str:
    is_amount = key in AMOUNTS or (key in BOUNDS and reason in {each.value for each in OF_MONEY})
    if is_amount and house is not None and isinstance(value, int):
        return house.money(value)
    if house is not None and (called := house.name(key, str(value))):
        return called
    if key in DAYS:
        return day_text(str(value), texts.language)
    if key == "paid_at":
        return moment_text(str(value), texts.language)
    if key.endswith("_bp") and isinstance(value, int):
        whole, rest = divmod(value, 100)
        return f"{whole}{GROUPING[texts.language][1]}{rest:02d} %"
    if key == "roles":
        return ", ".join(texts.name("role", role) for role in str(value).split(", "))
    if key == "place" and str(value).startswith(("body.", "query.")):
        return field_said(str(value), texts.language)
    if key in ("place", "other") and str(value).startswith("seat-"):
        return texts.text("seat.number", seat=str(value).removeprefix("seat-"))
    if key == "item":
        return texts.name("restored", str(value).partition("/")[0])
    if key == "card":
        return " ".join(card_text(card) if parse_card(card) else card for card in str(value).split())
    if key in GROUPS:
        keys = [f"{group}.{value}" for group in GROUPS[key]]
        return next((texts.texts[each] for each in keys if each in texts.texts), str(value))
    return str(value)
