"""The body of an entry as pairs of words: what its fields are called, and their values as people write them.

What only machines read (hashes, marks, places in chains) is left out: it stands in the entry as it is stored.
"""

from collections.abc import Callable, Mapping
from typing import Any

from controller.api.entry_words import Names, account_said
from controller.api.texts import Catalogue, card_text, catalogue, digest_text
from controller.core.cards import parse_card
from controller.core.causes import split_reason

MACHINE = frozenset(
    {
        *("arrival", "asked", "attempt", "boot", "chain", "chain_index", "commitment", "deadline_id", "device_count"),
        *("digest", "draw_index", "effects", "entries", "epoch", "format", "hash", "head", "incarnation", "list_hash"),
        *(
            "mark",
            "memory",
            "minor_micros",
            "nonce",
            "notes",
            "others_stand",
            "pools_apart",
            "prev",
            "raised",
            "report",
            "resets",
            "roster",
            "secret",
        ),
        *("seed", "sender", "session", "sha256", "strength", "uncapped", "wanted", "account_tries", "station_tries"),
        *("terms_after", "terms_before", "terms_hash", "unconfirmed", "unread", "figures", "heads", "begins", "ends"),
        *("base", "settings", "no_other_ledger", "seq", "complete", "prizes", "roles"),
        *("bets", "settlement", "facts", "seen", "counters", "expected_minor", "site", "length"),
        *("of", "part", "taken", "approval", "detail", "rescue", "test", "last_ms", "failures", "minor_micros"),
    }
)
"""Fields that only machines read, or that the entry's own line or another page tells."""
WRAPPERS = frozenset({"record", "body", "event", "act", "content", "granted", "signed", "profile", "receipt", "terms"})
"""Fields that only hold others: what is in them is told without their name."""
FREE = frozenset(
    {"note", "value", "outside", "outside_source", "seal", "maker", "model", "serial", "number", "station"}
)
"""Fields that hold what somebody typed, or a number of the house's papers: as they are."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    "reason": ("void", "hold", "override", "slip_void", "cause", "category", "refusal", "why", "written"),
    "cause": ("cause",),
    "override": ("override",),
    "category": ("category",),
    "kind": ("category", "restored"),
    "draws": ("category",),
    "called_off": ("category",),
    "results": ("category",),
    "pool": ("category", "account"),
    "goes_to": ("category", "account"),
    "done": ("check",),
    "checked": ("check",),
    "role": ("role",),
    "paid_by": ("paid_by",),
    "status": ("status", "key"),
    "outcome": ("outcome",),
    "why": ("why", "device_why"),
    "type": ("act", "game_event"),
    "game": ("game",),
    "key": ("key",),
    "sanction": ("sanction",),
    "code": ("alarm",),
    "alarm": ("alarm",),
    "source": ("why",),
    "refused": ("refusal",),
    "language": ("language",),
    "currency": ("currency",),
    "event": ("game_event", "act"),
}
"""Where the words of a field's value are; what has none there is told as it is."""
MONEY = frozenset({"ante", "net"})
"""Fields in minor units whose names do not say so."""
MICROS = frozenset({"main", "reserve", "house"})
ONLY_KNOWN = frozenset({"event", "type", "refused"})
"""Fields that hold names of the code: told where there are words for them."""
PERSONS = frozenset(
    {"actor", "authorised", "second", "login", "by", "person", "operator", "requested_by", "approved_by"}
)
TABLES = frozenset({"table", "target", "tables"})
PRIZES = frozenset({"prize", "row"})
PLACES = frozenset({"place", "other"})
DAYS = frozenset({"day"})
EARLIEST_MS = 10**11
"""What is below is a span of milliseconds and no moment."""
Row = tuple[str, str]


def body_rows(names: Names, body: Mapping[str, Any]) -> list[Row]:
    """A body as pairs of words, each once; what is empty, or has no words, is left out."""
    if "format" in body and "incarnation" in body:
        return []  # where a journal begins: its own name and form, for those who verify it
    told = {key: value for key, value in body.items() if not (key == "kind" and "body" in body)}
    return list(dict.fromkeys(row for key, value in told.items() for row in _rows(names, key, value)))


def label_of(texts: Catalogue, key: str) -> str | None:
    """What people call a field of an entry; None where only machines read it."""
    if key in MACHINE:
        return None
    found = next(
        (texts.texts[each] for each in (f"body.{key}", f"field.{key}", f"fact.{key}") if each in texts.texts), ""
    )
    return found[:1].upper() + found[1:] if found else None


def _rows(names: Names, key: str, value: Any) -> list[Row]:
    texts = catalogue(names.language)
    if key in MACHINE or value in (None, "") or value == [] or value == {}:
        return []
    if key == "record" and isinstance(value, Mapping) and value.get("kind") == "epoch":
        return []  # its note is the host's own, for other hosts
    if key in SHAPES and not isinstance(value, int):
        return SHAPES[key](names, value)
    if isinstance(value, Mapping):
        if key in WRAPPERS or key in ("name", "override"):
            return body_rows(names, value)
        said = body_rows(names, value)
        label = label_of(texts, key)
        return [(f"{label}, {inner[:1].lower()}{inner[1:]}", told) for inner, told in said] if label else said
    if key in WRAPPERS and isinstance(value, list | tuple):
        return [row for each in value if isinstance(each, Mapping) for row in body_rows(names, each)]
    label = label_of(texts, key)
    told = _value(names, key, value) if label is not None else ""
    return [(label, told)] if label is not None and told else []


def _value(names: Names, key: str, value: Any) -> str:
    """A value in words; "" where it has none."""
    texts = catalogue(names.language).texts
    if value is True or value is False:
        return texts["form.yes" if value else "form.no"]
    if isinstance(value, int):
        return _number(names, key, value)
    if isinstance(value, list | tuple):
        nested = any(isinstance(each, list | tuple | Mapping) for each in value)
        told = (_value(names, key, each) for each in value if each is not None)
        return ("; " if nested else ", ").join(each for each in told if each)
    if isinstance(value, Mapping):
        return ", ".join(f"{label.lower()}: {told}" for label, told in body_rows(names, value))
    return _text(names, key, str(value))


def _text(names: Names, key: str, told: str) -> str:
    texts = catalogue(names.language).texts
    if key in FREE:
        return told
    if key in PERSONS:
        return names.person(told)
    if key in TABLES:
        return texts.get(f"account.{told}") or names.carousel_name(told.removeprefix("table:"))
    if key in PRIZES:
        return names.prize_name(told)
    if key in PLACES:
        return names.place_name(told.partition("/")[0])
    if key in DAYS:
        return names.date(told)
    if key == "shift":
        return names.shift_name(told)
    if key in ("card", "cards", "old", "new", "results") and parse_card(told):
        return card_text(told)
    if key == "reason":
        return _reason(names, told)
    if key == "terms":
        return digest_text(told)
    if key == "why" and told.startswith("deck "):  # as the alarm of a deck that was replaced ends
        return catalogue(names.language).text("body.deck_now", deck=told.removeprefix("deck "))
    groups, unknown = GROUPS.get(key, ()), "" if key in ONLY_KNOWN else told
    return next((texts[f"{group}.{told}"] for group in groups if f"{group}.{told}" in texts), unknown)


def _reason(names: Names, told: str) -> str:
    """A word of the house's, a cause and the words of whoever named it, or those words alone."""
    texts = catalogue(names.language).texts
    for group in GROUPS["reason"]:
        if f"{group}.{told}" in texts:
            return texts[f"{group}.{told}"]
    cause, note = split_reason(told)
    if cause is not None:
        return f"{texts[f'cause.{cause.value}']}: {note}"
    place, _, cards = told.partition(": ")
    read, _, true = cards.partition(" -> ")
    if parse_card(read) and parse_card(true):  # as the claim of a corrected card gives its reason
        return f"{names.place_name(place)}: {card_text(read)} → {card_text(true)}"
    return told


def _number(names: Names, key: str, value: int) -> str:
    if key.endswith("_minor") or key in MONEY:
        return names.amount(value)
    if key.endswith("micros") or key in MICROS:
        return names.exact(value)
    if key.endswith("_ms"):
        return names.moment(value) if value >= EARLIEST_MS else "" if value == 0 else f"{value} ms"
    return str(value)


def _by_seat(names: Names, value: Any, said: Callable[[Any], str]) -> str:
    """`[[seat, what], …]` with each seat in words."""
    pairs = [each for each in value if isinstance(each, list | tuple) and len(each) == 2]
    return "; ".join(f"{names.place_name(f'seat-{seat}')}: {said(what)}" for seat, what in pairs)


def _cards(names: Names, value: Any) -> list[Row]:
    """Cards as they lie, or of each seat."""
    label = catalogue(names.language).text("field.cards")
    if value and isinstance(value[0], list | tuple):
        return [(label, _by_seat(names, value, lambda cards: " ".join(map(card_text, cards))))]
    return [(label, " ".join(card_text(str(card)) if parse_card(str(card)) else str(card) for card in value))]


def _returned(names: Names, value: Any) -> list[Row]:
    return [(catalogue(names.language).text("body.returned"), _by_seat(names, value, str))]


def _paid(names: Names, value: Any) -> list[Row]:
    """What a table had paid, by seat or by row."""
    label = catalogue(names.language).text("body.paid")
    if value and isinstance(value[0], list | tuple) and isinstance(value[0][0], int):
        return [(label, _by_seat(names, value, names.amount))]
    return [(label, f"{names.prize_name(row)}: {names.amount(minor + sum(beside))}") for row, minor, *beside in value]


def _winners(names: Names, value: Any) -> list[Row]:
    """The seats that win, with their hands; as `{seat, category}` or `[seat, category]`."""
    texts = catalogue(names.language)
    pairs = [(each["seat"], each["category"]) if isinstance(each, Mapping) else tuple(each[:2]) for each in value]
    told = "; ".join(f"{names.place_name(f'seat-{seat}')}: {texts.name('category', hand)}" for seat, hand in pairs)
    return [(texts.text("body.winners"), told)] if told else []


def _changes(names: Names, value: Any) -> list[Row]:
    """Settings before and after; what an award took of each table stands in its postings."""
    label = catalogue(names.language).text("body.changes")
    return [
        (
            label,
            f"{names.setting_name(each['key'])}: {names.setting_value(each['key'], each['before'])} → "
            f"{names.setting_value(each['key'], each['after'])}",
        )
        for each in value
        if isinstance(each, Mapping)
    ]


def _pools(names: Names, value: Any) -> list[Row]:
    """What moved in each draw's pool."""
    texts = catalogue(names.language)
    told = [f"{account_said(names, f'pool.{kind}')}: {names.exact(micros)}" for kind, micros in value.items()]
    return [(texts.text("body.pools"), "; ".join(told))]


def _rows_of_prizes(names: Names, value: Any) -> list[Row]:
    """Rows of an award, or what was paid of rows; lists of prizes are the terms' page's."""
    if value and isinstance(value[0], list | tuple):
        return _paid(names, value)
    texts, awarded = catalogue(names.language), [each for each in value if "seat" in each]
    told = [
        ", ".join(
            (
                names.place_name(f"seat-{each['seat']}"),
                texts.name("category", each["category"]),
                names.amount(each["amount_minor"]),
                texts.name("paid_by", each["paid_by"]),
            )
        )
        for each in awarded
    ]
    return [(texts.text("body.rows"), "; ".join(told))] if told else []


def _restored(names: Names, value: Any) -> list[Row]:
    texts = catalogue(names.language)
    return [(texts.text("field.item"), texts.text(f"restored.{str(value).partition('/')[0]}"))]


def _settled(names: Names, value: Any) -> list[Row]:
    """The award that a record settles, `table/incarnation/hand`; a dealer's key; nothing of a node's."""
    texts, told = catalogue(names.language), str(value)
    if told.count("/") == 2:
        table, _, hand = told.split("/")
        return [(texts.text("field.prize"), f"{names.table_name(table)}, {texts.text('hand.number', hand=hand)}")]
    return [(texts.text("field.key"), texts.texts[f"key.{told}"])] if f"key.{told}" in texts.texts else []


def _results(names: Names, value: Any) -> list[Row]:
    """What each draw came to: a card, or a seat."""
    texts = catalogue(names.language)
    told = []
    for kind, outcome, *_ in value:
        drawn = card_text(str(outcome)) if parse_card(str(outcome)) else names.place_name(f"seat-{outcome}")
        told.append(f"{texts.name('category', kind)}: {drawn}")
    return [(texts.text("body.results"), "; ".join(told))]


SHAPES: Mapping[str, Callable[[Names, Any], list[Row]]] = {
    "cards": _cards,
    "returned": _returned,
    "paid": _paid,
    "winners": _winners,
    "changes": _changes,
    "pools": _pools,
    "rows": _rows_of_prizes,
    "item": _restored,
    "key": _settled,
    "results": _results,
}
"""Fields whose values have a form of their own."""
