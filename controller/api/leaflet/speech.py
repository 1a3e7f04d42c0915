"""The words of a leaflet in one language: its sentences, amounts, shares and how often a draw is made."""

from fractions import Fraction
from typing import Literal

from controller.api.texts import GROUPING, Catalogue, Money, catalogue, day_text
from controller.config.model import Config


class Speech:
    """Sentences of the catalogue under `leaflet.`, with figures as the language writes them."""

    def __init__(self, config: Config, language: str) -> None:
        self.texts: Catalogue = catalogue(language)
        self.money = Money(config.site.symbol, config.site.decimals, language)
        self._mark = GROUPING[language]

    def text(self, key: str, **places: object) -> str:
        """A sentence; TextMissing for one that the catalogue lacks."""
        return self.texts.text(f"leaflet.{key}", **places)

    def count(self, key: str, number: int, **places: object) -> str:
        """A sentence in the form of its number."""
        return self.texts.count(f"leaflet.{key}", number, **places)

    def name(self, group: str, value: str) -> str:
        """A word of the house."""
        return self.texts.name(group, value)

    def day(self, day: str) -> str:
        """A day, `2026-11-29`, as the language writes it."""
        return day_text(day, self.texts.language)

    def number(self, value: int) -> str:
        """A whole number with its thousands marked."""
        return f"{value:,}".replace(",", self._mark[0])

    def share(self, part: Fraction) -> str:
        """A part of one in percent, floored to two decimals, without those that are zero: `20 %`, `79,34 %`."""
        whole, rest = divmod(int(part * 10_000 // 1), 100)
        decimals = f"{rest:02d}".rstrip("0")
        return f"{whole}{self._mark[1] + decimals if decimals else ''}\u00a0%"

    def often(self, every: int | Literal["hand", "key"]) -> str:
        """How often a draw is made (reading O-r)."""
        return (
            self.count("draws.every", every, hands=every) if isinstance(every, int) else self.text(f"draws.by_{every}")
        )
