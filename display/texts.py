"""Texts for people: one catalogue of keys per language, plurals, and how each language writes amounts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from display.scene import Amount, Currency

LANGUAGES = ("es", "en")
DEFAULT_LANGUAGE = "es"
GROUPING = {"es": (".", ","), "en": (",", ".")}
NO_BREAK_SPACE = "\u00a0"


class CatalogueError(ValueError):
    """A catalogue is missing, is not a flat table of texts, or lacks a key that was asked for."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of one language. Keys are dotted (`seat.credits.other`); places in a text are `{name}`."""

    language: str
    texts: Mapping[str, str]

    def text(self, key: str, **places: object) -> str:
        """The text of `key` with its places filled. Raises CatalogueError for an unknown key or a place left open."""
        try:
            return self.texts[key].format_map({name: str(value) for name, value in places.items()})
        except KeyError as missing:
            raise CatalogueError(f"{self.language}: {key}: no text for {missing}") from None

    def count(self, key: str, number: int, **places: object) -> str:
        """As `text`, taking `key.one` for 1 and `key.other` for any other number, with `{count}` filled."""
        return self.text(f"{key}.{'one' if number == 1 else 'other'}", count=number, **places)

    def has(self, key: str) -> bool:
        return key in self.texts


def load(folder: Traversable, language: str) -> Catalogue:
    """Read `{language}.json`, a flat object of texts, from `folder`. Raises CatalogueError."""
    try:
        texts = json.loads((folder / f"{language}.json").read_text("utf-8"))
    except FileNotFoundError:
        raise CatalogueError(f"no catalogue for {language!r}") from None
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise CatalogueError(f"{language}: not a flat table of texts")
    return Catalogue(language, texts)


@lru_cache
def screen_texts(language: str) -> Catalogue:
    """The catalogue of the screens."""
    return load(files("display") / "locales", language)


def choose_language(asked: str | None, default: str) -> str:
    """The language asked for if the screens speak it, else the site's, else Spanish."""
    for language in (asked, default):
        if language in LANGUAGES:
            return language
    return DEFAULT_LANGUAGE


def amount_text(amount: Amount, currency: Currency, language: str, *, fraction: bool = True) -> str:
    """An amount as the language writes it: `$ 1.234.567,89` (es), `$ 1,234,567.89` (en).

    Without `fraction` the minor digits are dropped, which floors. The symbol is held by a no-break space.
    """
    group, point = GROUPING[language]
    digits = amount.minor.rjust(currency.decimals + 1, "0")
    whole = digits[: len(digits) - currency.decimals]
    minor = digits[len(whole) :]
    head = len(whole) % 3 or 3
    grouped = group.join([whole[:head], *(whole[at : at + 3] for at in range(head, len(whole), 3))])
    written = f"{grouped}{point}{minor}" if fraction and minor else grouped
    return f"{currency.symbol}{NO_BREAK_SPACE}{written}"
