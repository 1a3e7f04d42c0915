"""What is wrong with a filled-in form, in the reader's words: what the library found, by its kind."""

from collections.abc import Mapping, Sequence
from typing import Any

from controller.api.texts import catalogue
from controller.core.refusal import Refusal, Refused, refuse
from controller.core.typed_text import made_plain

MOST_PLACE = 160
WRITTEN: Mapping[str, str] = {
    "query.from": "day",
    "query.to": "day",
    "query.day": "day",
    "query.month": "month",
    "body.day": "day",
}
"""Places that take a day or a month: what does not look like one is told as what is none."""
AMOUNT = "_minor"
"""How the fields end that hold money."""


def form_refused(errors: Sequence[Mapping[str, Any]]) -> Refused:
    """The refusal of the first fault: its place, its kind, and the bound that it breaks."""
    first = errors[0]
    place = made_plain(".".join(str(part) for part in first["loc"]))[:MOST_PLACE]
    bounds = {key: value for key, value in first.get("ctx", {}).items() if isinstance(value, int)}
    kind = str(first["type"])
    if kind == "string_pattern_mismatch" and place in WRITTEN:
        kind = WRITTEN[place]
    if place.endswith(AMOUNT):
        if kind == "less_than_equal" or (kind == "greater_than_equal" and bounds["ge"] < 0):
            return refuse(Refusal.AMOUNT_TOO_LARGE, place=place, most=abs(bounds.get("le", bounds.get("ge", 0))))
        if kind == "greater_than_equal":
            kind = "amount_negative" if bounds["ge"] == 0 else "amount_not_positive"
    return refuse(Refusal.FORM_INVALID, place=place, why=kind, **bounds)


def field_said(place: str, language: str) -> str:
    """The field of a place, `body.note`, as its form calls it; nothing for the body as a whole."""
    texts = catalogue(language)
    names = [part for part in place.split(".")[1:] if not part.isdigit()]
    if not names:
        return ""
    return texts.name("field", names[0]) if f"field.{names[0]}" in texts.texts else texts.name("fact", names[0])


def form_said(facts: Mapping[str, Any], language: str) -> str:
    """The sentence of a form's fault, as `Motivo: al menos 4 letras`; "" where it would only say the refusal again."""
    texts = catalogue(language)
    key = f"form_error.{facts.get('why', '')}"
    why = texts.text(key, **facts) if key in texts.texts else texts.text("form_error.other")
    field = field_said(str(facts.get("place", "")), language)
    if not field and key not in texts.texts:
        return ""
    return f"{field}: {why}" if field else why[:1].upper() + why[1:]
