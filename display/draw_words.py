"""What the players' page of a draw says, in one language: results, amounts, times and hashes as people read them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from display.draws import DrawOutcome, DrawRecord, TableDraws, message_of
from display.scene import Amount, Currency
from display.texts import GROUPING, LANGUAGES, Catalogue, amount_text

CARD = "carta_magica"
CARDS = 52
HEX_GROUP = 8


class DrawWords:
    """The values of the template `draw.html`."""

    def __init__(self, catalogue: Catalogue, currency: Currency, time_zone: str) -> None:
        self._catalogue = catalogue
        self._currency = currency
        self._zone = ZoneInfo(time_zone)

    def values(self, table: str, label: str, draws: TableDraws, hand: int | None) -> dict[str, Any]:
        """Everything the template names; with a hand, its record comes first and the others were before it."""
        language = self._catalogue.language
        other = next(each for each in LANGUAGES if each != language)
        words: dict[str, Callable[..., str]] = {
            "number": self.number,
            "amount": self.amount,
            "time": self.time,
            "grouped": grouped,
            "result_words": self.result,
            "lucky_words": self.lucky,
            "from_words": self.drawn_from,
        }
        return {
            "table": table,
            "label": label,
            "draws": draws,
            "record": None if hand is None else draws.records[0],
            "listed": draws.records if hand is None else draws.records[1:],
            "draws_json": Markup(draws.to_json().replace("<", "\\u003c")),
            "other": other,
            "message_fields": self.message_fields,
            **words,
        }

    def number(self, count: int) -> str:
        group, _ = GROUPING[self._catalogue.language]
        return f"{count:,}".replace(",", group)

    def amount(self, minor: int) -> str:
        return amount_text(Amount.of(minor), self._currency, self._catalogue.language)

    def time(self, ms: int) -> str:
        """Time of day and date in the site's zone."""
        at = datetime.fromtimestamp(ms // 1000, self._zone)
        day = at.strftime("%d/%m/%Y") if self._catalogue.language == "es" else f"{at.day} {at:%b %Y}"
        return f"{at:%H:%M:%S}, {day}"

    def result(self, outcome: DrawOutcome) -> str:
        """A card or a seat in words."""
        text = self._catalogue.text
        if not outcome.result:
            return text("draw_page.nothing_drawn")
        if outcome.kind != CARD:
            return text("seat.name", number=outcome.result)
        return text("card.name", rank=text(f"rank.{outcome.result[0]}"), suit=text(f"suit.{outcome.result[1]}"))

    def lucky(self, record: DrawRecord, outcome: DrawOutcome) -> str:
        """Whether the drawn seat had a jackpot bet, by the frozen list."""
        if not outcome.result:
            return ""
        wins = any(str(box.seat) == outcome.result and box.credits for box in record.boxes)
        return self._catalogue.text("draw_page.lucky.wins" if wins else "draw_page.lucky.nobody")

    def drawn_from(self, outcome: DrawOutcome) -> str:
        """How many possibilities there were, and of a seat's draw which, in the order that counts."""
        if outcome.kind == CARD:
            return self._catalogue.count("draw_page.sum.from", CARDS)
        if not outcome.positions:
            return self._catalogue.text("draw_page.nothing_drawn")
        words = self._catalogue.count("draw_page.sum.from", len(outcome.positions))
        seats = ", ".join(map(str, outcome.positions))
        return f"{words} {self._catalogue.text('draw_page.sum.seats', seats=seats)}"

    def message_fields(self, record: DrawRecord, outcome: DrawOutcome) -> list[tuple[str, str]]:
        """What goes into a draw's message, by name; of the outside number, where it was published too."""
        fields = message_of(record, outcome.kind)
        if not fields["outside"]:
            fields["outside"] = self._catalogue.text("draw_page.field.empty")
        elif record.outside_source:
            fields["outside"] += f" · {record.outside_source}"
        return list(fields.items())


def grouped(digits: str) -> str:
    """A hash in groups that a person can compare."""
    return " ".join(digits[at : at + HEX_GROUP] for at in range(0, len(digits), HEX_GROUP))
