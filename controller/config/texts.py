"""Texts for people in two languages: what is said in English knows itself in Spanish; amounts and parts of one too."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, get_args

from controller.config.spanish import SPANISH
from controller.core.money import Currency

Language = Literal["es", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT_LANGUAGE: Language = "es"


class Said(str):
    """An English text that remembers its template and facts, so that it can be said in Spanish too."""

    template: str
    facts: Mapping[str, object]

    def spanish(self) -> str:
        """The same in Spanish; in English where the catalogue has no such template."""
        facts = {name: in_language(fact, "es") for name, fact in self.facts.items()}
        return SPANISH.get(self.template, self.template).format(**facts)


class _Figure(Said):
    """A number written in both ways."""

    other: str

    def spanish(self) -> str:
        return self.other


def said(template: str, /, **facts: object) -> Said:
    """A text of the catalogue with its facts put in."""
    text = Said(template.format(**facts))
    text.template, text.facts = template, facts
    return text


def counted(count: int, one: str, many: str, /, **facts: object) -> Said:
    """A text of the catalogue with a number in it, `{count}`: the first for one, the second for any other number."""
    return said(one if count == 1 else many, count=number(count), **facts)


def in_language(fact: object, language: Language) -> str:
    """A text as it reads in a language; what was not said by the catalogue stays as it is."""
    return fact.spanish() if language == "es" and isinstance(fact, Said) else str(fact)


def translated(text: str, language: Language) -> str:
    """A text of the catalogue that has no facts to put in, in a language."""
    return SPANISH.get(text, text) if language == "es" else text


def number(value: int) -> Said:
    """A whole number with thousands marked: 5,000 or 5.000."""
    return _figure(f"{value:,}")


def written(minor: int | Fraction, money: Currency) -> Said:
    """An amount, floored to minor units: `5,000.00 ARS` or `5.000,00 ARS`."""
    return _figure(f"{_units(minor, money.decimals)} {money.code}")


def units(minor: int | Fraction, decimals: int) -> Said:
    """An amount of no named currency, floored to minor units of so many decimals: `5,000.00` or `5.000,00`."""
    return _figure(_units(minor, decimals))


def _units(minor: int | Fraction, decimals: int) -> str:
    whole, rest = divmod(int(minor // 1), 10**decimals)
    fraction = f".{rest:0{decimals}d}" if decimals else ""
    return f"{whole:,}{fraction}"


def decimal(value: Fraction, places: int) -> Said:
    """A number with so many decimals: 508.80 or 508,80."""
    return _figure(f"{float(value):,.{places}f}")


def percent(part: Fraction, places: int = 2) -> Said:
    """A part of one as a percentage: `48.35 %` or `48,35 %`."""
    return _figure(f"{float(part * 100):.{places}f} %")


def _figure(english: str) -> Said:
    text = _Figure(english)
    text.template, text.facts = "", {}
    text.other = english.translate(str.maketrans(",.", ".,"))
    return text
