"""A filter form as somebody filled it in: what was typed stays in it, and what is wrong with it is told beside it."""

from dataclasses import dataclass, field
from datetime import date

from controller.api.context import ApiPorts
from controller.api.periods import Period, day_of_site, day_period, month_period
from controller.api.problems import Problem
from controller.api.texts import catalogue, typed_day
from controller.api.words import Words
from controller.core.refusal import Refusal

EXAMPLE = "2026-11-29"
LONGEST_NUMBER = 15


@dataclass(slots=True)
class Filled:
    """The fields by name as they are shown again, and the sentence beside each that is wrong.

    While any is wrong the page shows its form and finds nothing: what was not understood filters nothing.
    """

    words: Words
    shown: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    def days(self, first: str, last: str) -> tuple[str, str]:
        """`from` and `to` as they are stored; "" for a side that is left open, and for both where one is wrong."""
        begin, end = self._day("from", first), self._day("to", last)
        if begin is not None and end is not None and begin > end:
            self.wrong["from"] = catalogue(self.words.language).text(f"refusal.{Refusal.DAYS_BACKWARDS.value}")
        if self.wrong:
            return "", ""
        return str(begin or ""), str(end or "")

    def number(self, name: str, written: str) -> int | None:
        """The number of a hand; None where none is asked for."""
        plain = self.shown[name] = written.strip()
        is_number = plain.isdecimal() and plain.isascii() and len(plain) <= LONGEST_NUMBER and int(plain) > 0
        if plain and not is_number:
            self.wrong[name] = catalogue(self.words.language).text("filter.no_number")
        return int(plain) if is_number else None

    def period(self, ports: ApiPorts, day: str, month: str) -> Period | None:
        """The month or the day that was typed; None where none was, or where it is none."""
        self.shown |= {"day": day.strip(), "month": month.strip()}
        try:
            if month.strip():
                return month_period(ports, typed_day(month))
            return day_period(ports, typed_day(day)) if day.strip() else None
        except Problem:
            name = "month" if month.strip() else "day"
            example = self.words.typed(EXAMPLE[:7] if name == "month" else EXAMPLE)
            self.wrong[name] = catalogue(self.words.language).text(f"filter.no_{name}", example=example)
            return None

    def _day(self, name: str, written: str) -> date | None:
        stored = typed_day(written)
        self.shown[name] = self.words.typed(stored) if stored else ""
        try:
            return day_of_site(stored, f"query.{name}") if stored else None
        except Problem:
            self.shown[name] = written.strip()
            example = self.words.typed(EXAMPLE)
            self.wrong[name] = catalogue(self.words.language).text("filter.no_day", example=example)
            return None
