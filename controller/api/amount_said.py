"""The address of an amount in words, as the list of accesses and the journal tell what somebody looked at."""

from controller.api.entry_words import Names
from controller.api.texts import Catalogue, catalogue

SPOKEN = {"pool": "draw_pool", "hand": "hand_bets", "void": "hand_bets"}
"""Amounts that addresses call otherwise than the catalogue."""

SPANS = frozenset({"day", "month", "shift", "request"})
"""Periods, whose figures are named alike."""
OF_CLAIMS = frozenset({"before", "had", "pays", "unsettled"})
"""Amounts of an award, which their address names by its table, incarnation and hand."""
OF_HANDS = frozenset({"hand", "void", "prizes", "ante", "result", "claim", "advance", "won", *OF_CLAIMS})
"""Amounts of one hand, which their address names by its number or its claim."""


def amount_said(names: Names, address: str) -> str:
    """`table/t1/day/2026-11-29/handle`: the amount, its table or carousel, and its day, hand or prize."""
    texts = catalogue(names.language)
    kind, _, rest = address.partition("@")[0].partition("/")
    owner, _, asked = rest.partition("/")
    what, *more = asked.split("/")
    if kind == "request":
        return f"{texts.text(f'amount.effect_{more[-1]}')}, {names.approval_said(owner)}" if more else ""
    whose = {"table": names.table_name, "carousel": names.carousel_name}.get(kind)
    said = [_name(texts, kind, what, more), whose(owner) if whose is not None else "", _of_what(names, what, more)]
    return ", ".join(each for each in said if each)


def _name(texts: Catalogue, kind: str, what: str, more: list[str]) -> str:
    last = more[-1] if more else ""
    keys = (
        f"period_{last}" if what in SPANS else f"{what}_{last}",
        f"meter_{what}" if kind == "carousel" else "",
        SPOKEN.get(what, ""),
        what,
    )
    found = (texts.texts[f"amount.{key}"] for key in keys if f"amount.{key}" in texts.texts)
    return next(found, texts.text("amount.word"))


def _of_what(names: Names, what: str, more: list[str]) -> str:
    texts = catalogue(names.language)
    if what in ("day", "month") and more:
        return names.date(more[0]) if what == "day" else names.month(more[0])
    if what == "shift" and more:
        return f"{texts.text('nav.shift')} {more[0]}"
    if what == "pool" and more:
        return texts.name("category", more[0])
    if (len(more) == 4 and what not in OF_CLAIMS) or (len(more) == 1 and "-" in more[0]):
        return names.prize_name("/".join(more))
    hand = more[2] if what in OF_CLAIMS and len(more) > 2 else more[0] if more else ""
    return texts.text("hand.number", hand=hand) if what in OF_HANDS and hand.isdecimal() else ""
