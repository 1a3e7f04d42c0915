"""What an approval asks, in plain language: its title, its fields, and the page that it belongs to."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from controller.api.act_fields import FIELD_GROUPS, SAID_ALREADY, SAID_BY_EFFECTS, SAID_WHEN_NOT
from controller.api.entry_words import Names
from controller.api.texts import card_text, catalogue, fingerprint_text


def act_title(names: Names, approval: Mapping[str, Any]) -> str:
    """What an approval asks, in one line."""
    act = approval["act"]
    event = act["event"]
    texts = catalogue(names.language)
    where = _where(names, act["target"], event)
    parts = [texts.name("act", event["type"]), where, _drawn_seat(names, approval)]
    return " · ".join(part for part in parts if part)


def _drawn_seat(names: Names, approval: Mapping[str, Any]) -> str:
    """The seat of a draw's prize, which its name does not tell."""
    number = effect_of_prize(approval)
    if number is None or "/" in approval["act"]["event"].get("prize", ""):
        return ""
    return catalogue(names.language).text("seat.number", seat=approval["effects"][number]["where"]["seat"])


def effect_of_prize(approval: Mapping[str, Any]) -> int | None:
    """Which effect of an act is the amount of the prize that it pays or lets be paid; None for other acts."""
    said = (at for at, each in enumerate(approval["effects"]) if each["what"] in ("prize_paid", "prize_released"))
    return next(said, None)


def _where(names: Names, target: str, event: Mapping[str, Any]) -> str:
    kind, _, name = target.partition(":")
    if kind == "table":
        hand = event.get("hand")
        said = names.table_name(name)
        if event.get("prize"):
            return f"{said}, {names.prize_name(event['prize'])}"
        return f"{said}, {catalogue(names.language).text('hand.number', hand=hand)}" if hand else said
    if kind == "carousel":
        claim = event.get("name")
        if isinstance(claim, Mapping):
            hand = catalogue(names.language).text("hand.number", hand=claim["hand"])
            return f"{names.table_name(claim['table'])}, {hand}"
        if event.get("profile"):
            return names.table_name(event["profile"]["table"])
        return names.table_name(event["table"]) if event.get("table") else names.carousel_name(name)
    return str(event.get("login", ""))


def act_fields(names: Names, approval: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The fields of an act with their words; what the title says already is left out."""
    texts, event = catalogue(names.language), approval["act"]["event"]
    told = []
    for key, value in event.items():
        is_no = value is False and key in SAID_WHEN_NOT.get(event["type"], ()) and event.get("day") != ""
        if key in SAID_ALREADY or (value in (None, "", False, 0) and not is_no):
            continue
        if approval["effects"] and key in SAID_BY_EFFECTS.get(event["type"], ()):
            continue
        told.append((texts.name("field", key), _field(names, key, value)))
    return told


def _field(names: Names, key: str, value: Any) -> str:
    texts = catalogue(names.language)
    if key.endswith("_micros") or key == "micros":
        return names.exact(value)
    if key.endswith("_minor"):
        return names.amount(value)
    if value is True or value is False:
        return texts.text("form.yes" if value else "form.no")
    if key in ("cards", "old", "new"):
        return " ".join(card_text(card) for card in ([value] if isinstance(value, str) else value))
    if isinstance(value, list):
        return " ".join(str(each) for each in value)
    if key == "prize":
        return names.prize_name(value)
    if key == "place":
        return names.place_name(value)
    if key == "day":
        return names.date(value)
    if key == "shift":
        return names.shift_name(value)
    if key in ("begin_ms", "end_ms"):
        return names.moment(value)
    if key == "terms":
        return fingerprint_text(value)
    if key == "heads":
        return ", ".join(f"{names.journal_name(name)}: {seq}" for name, (seq, _) in value.items())
    if key == "item":
        return texts.text(f"restored.{value.partition('/')[0]}")
    group = FIELD_GROUPS.get(key)
    if key == "target":
        return names.table_name(value)
    return texts.name(group, str(value)) if group else str(value)


def act_place(approval: Mapping[str, Any]) -> str:
    """The page an act belongs to."""
    act = approval["act"]
    kind, _, name = act["target"].partition(":")
    if kind == "table" and act["event"].get("prize"):
        return f"/prizes/{name}?prize={quote(act['event']['prize'], safe='')}"
    if act["event"]["type"] == "ShiftClosed":
        return "/shift"
    if kind == "table" and act["event"]["type"] in ("SettingsChanged", "TermsConfirmed"):
        return f"/table/{name}/settings"
    return {"table": f"/table/{name}", "carousel": "/seeds"}.get(kind, "/users")
