"""What two people sign when they let a table in, line by line: the same at the panel and at both nodes' consoles."""

from enum import Enum

from controller.api.effect_forms import Effect, in_micros, in_minor, in_words
from controller.api.texts import Catalogue, Money, catalogue, exact_text, fingerprint_text
from controller.core.prizes import Prize, PrizeList
from controller.engine.ledger_profiles import terms_of
from controller.engine.ledger_records import Profile

NO_LIMIT = "none"
"""After a limit that the table has not, which people sign as much as one that it has."""
READINGS = ("royal_with_straight_flush", "fixed_prizes_from", "top_up_after_partial")


def enrolment_effects(profile: Profile, minor_micros: int) -> list[Effect]:
    """The lines of a request to let a table in: whose it is, its start value and limits, each prize, how they are read.

    The start value and the ceiling are whole minor units, or the host refuses the table; the bound of a hand need not
    be, as it is a share of bets.
    """
    lines = [
        in_words("node_key", "", profile.key),
        in_words("incarnation", "", profile.incarnation),
        in_minor("start_value", None, profile.start_micros // minor_micros, table=profile.table),
    ]
    if profile.ceiling_micros is None:
        lines.append(in_words("ceiling", "", NO_LIMIT))
    else:
        lines.append(in_minor("ceiling", None, profile.ceiling_micros // minor_micros))
    if profile.bound_micros is None:
        lines.append(in_words("bound", "", NO_LIMIT))
    else:
        lines.append(in_micros("bound", None, profile.bound_micros))
    lines += [_prize(row) for row in profile.prizes.rows]
    lines += _readings(profile.prizes)
    return [*lines, in_words("terms", "", terms_of(profile))]


def _prize(row: Prize) -> Effect:
    category = row.category.value
    if row.percent is not None:
        return in_words("prize_percent", "", f"{row.percent} %", category=category)
    return in_minor("prize_per_credit" if row.per_credit else "prize_fixed", None, row.fixed_minor, category=category)


def _readings(prizes: PrizeList) -> list[Effect]:
    """How the list is read, where the regulation leaves it open; by settings' names, as on every page of them."""
    values = {f"jackpot.options.{name}": getattr(prizes, name) for name in READINGS}
    if prizes.article is not None:
        values["jackpot.article"] = prizes.article
    plain = {name: each.value if isinstance(each, Enum) else each for name, each in values.items()}
    return [
        {"what": "agreed", "unit": "setting", "before": None, "after": value, "where": {"setting": name}}
        for name, value in plain.items()
    ]


def enrolment_lines(profile: Profile, money: Money, minor_micros: int) -> list[tuple[str, str]]:
    """The same lines as a console prints them: what, and how much."""
    texts = catalogue(money.language)
    return [
        (_name(texts, effect), _value(texts, money, minor_micros, effect))
        for effect in enrolment_effects(profile, minor_micros)
    ]


def _name(texts: Catalogue, effect: Effect) -> str:
    where = effect["where"]
    if effect["unit"] == "setting":
        name = texts.name("setting", where["setting"])
        return name[:1].upper() + name[1:]
    name = texts.name("effect", effect["what"])
    return f"{name} · {texts.name('category', where['category'])}" if "category" in where else name


def _value(texts: Catalogue, money: Money, minor_micros: int, effect: Effect) -> str:
    value = effect["after"]
    if effect["unit"] == "minor":
        return money(value)
    if effect["unit"] == "micros":
        return exact_text(money, value, minor_micros)
    if effect["what"] in ("node_key", "terms"):
        return fingerprint_text(value)
    if value == NO_LIMIT:
        return texts.text("terms.none")
    if value is True or value is False:
        return texts.text("form.yes" if value else "form.no")
    return texts.name("category", texts.name("choice", value)) if effect["unit"] == "setting" else str(value)
