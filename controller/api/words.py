"""The words and figures of one page: texts, amounts, clocks, names, and approvals in plain language."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from math import cos, radians, sin
from typing import Any

from controller.api.act_words import act_fields, act_place, act_title, effect_of_prize
from controller.api.amount_places import amount_place, part_name
from controller.api.amount_said import amount_said
from controller.api.body_words import body_rows
from controller.api.context import ApiPorts
from controller.api.entry_words import (
    asked_for,
    device_said,
    entry_said,
    hands_said,
    taken_said,
    thing_name,
)
from controller.api.facts import facts_said
from controller.api.moved_words import moved_rows
from controller.api.origin import copy_at
from controller.api.periods import Period
from controller.api.problems import house_at
from controller.api.setting_fields import FIELDS, PAYS, ROW, UNCHANGED, Kind
from controller.api.texts import (
    GROUPING,
    Money,
    catalogue,
    clock_text,
    day_text,
    digest_text,
    exact_text,
    fingerprint_text,
    moment_text,
)
from controller.api.views import approval_view
from controller.config.recognized import recognized
from controller.config.texts import in_language


@dataclass(frozen=True, slots=True)
class Words:
    """What templates call. Everything is a method, so that a page can be read without its template."""

    ports: ApiPorts
    language: str

    def functions(self) -> dict[str, Any]:
        """The names that every template knows."""
        texts = catalogue(self.language)
        money = Money(self.ports.config.site.symbol, self.ports.config.site.decimals, self.language)
        return {
            "t": texts.text,
            "n": texts.count,
            "linked": texts.linked,
            "copy_at": lambda table: copy_at(self.ports, table),
            "name": texts.name,
            "language": self.language,
            "money": money,
            "minor": self.ports.minor,
            "exact": self.exact,
            "plain": self.plain,
            "grouped": self.grouped,
            "rate_field": self.rate_field,
            "clock": self.clock,
            "day": self.day,
            "date": self.date,
            "typed": self.typed,
            "facts_said": self.facts_said,
            "moment": self.moment,
            "shift_name": self.shift_name,
            "period_name": self.period_name,
            "digest": digest_text,
            "fingerprint": fingerprint_text,
            "person": self.person,
            "asked_for": asked_for,
            "taken_said": lambda taken: taken_said(self, taken),
            "thing_name": lambda part, of: thing_name(self, part, of),
            "body_rows": lambda body: body_rows(self, body),
            "table_name": self.table_name,
            "carousel_name": self.carousel_name,
            "journal_name": self.journal_name,
            "entry_said": lambda entry: entry_said(self, entry),
            "hands_said": lambda body, own: hands_said(self, body, own),
            "moved_rows": lambda entry, own: moved_rows(self, entry, own),
            "alarm_fact": self.alarm_fact,
            "device_said": lambda last: device_said(self, last),
            "card_name": self.card_name,
            "place_name": self.place_name,
            "seat_place": seat_place,
            "setting_name": self.setting_name,
            "setting_value": self.setting_value,
            "act_title": lambda approval: act_title(self, approval),
            "act_fields": lambda approval: act_fields(self, approval),
            "act_place": act_place,
            "effect_of_prize": effect_of_prize,
            "amount_place": lambda facts: amount_place(self, facts),
            "part_name": lambda line: part_name(self, line),
            "rate": self.rate,
            "site": self.ports.config.site,
        }

    def alarm_fact(self, value: object) -> str:
        """A cause of the catalogue, or what a driver said in English; anything else as it is."""
        text = str(value)
        named = catalogue(self.language).name("why", text)
        return named if named != text else in_language(recognized(text), "en" if self.language == "en" else "es")

    def exact(self, micros: int) -> str:
        """An amount to the last micro that matters: minor units, and further digits only where there are any."""
        site = self.ports.config.site
        return exact_text(Money(site.symbol, site.decimals, self.language), micros, self.ports.minor_micros)

    def amount(self, minor: int) -> str:
        """An amount in minor units as the site writes it."""
        return self.exact(minor * self.ports.minor_micros)

    def sheet(self, micros: int) -> str:
        """An amount as a spreadsheet takes it: units of the currency, no symbol, no groups, to the last micro."""
        decimals = self.ports.config.site.decimals
        digits = len(str(self.ports.minor_micros)) - 1 + decimals
        whole, rest = divmod(abs(micros), 10**digits)
        written = f"{rest:0{digits}d}"
        fraction = written[:decimals] + written[decimals:].rstrip("0")
        sign = "-" if micros < 0 else ""
        return f"{sign}{whole}{GROUPING[self.language][1]}{fraction}" if fraction else f"{sign}{whole}"

    def plain(self, minor: int) -> str:
        """An amount as a form field takes it: no symbol, no groups."""
        decimals = self.ports.config.site.decimals
        whole, rest = divmod(minor, 10**decimals)
        return f"{whole}{GROUPING[self.language][1]}{rest:0{decimals}d}" if decimals else str(whole)

    def grouped(self, minor: int) -> str:
        """An amount as a form field takes it, with its groups: of large ones they are read more easily."""
        return Money("", self.ports.config.site.decimals, self.language)(minor).strip("\u00a0")

    def clock(self, wall_ms: int) -> str:
        """Time of day in the site's zone; the date before it unless it is today's."""
        zone = self.ports.config.site.zone
        told = clock_text(wall_ms, zone, day=True)
        if told[:10] == clock_text(self.ports.clock(), zone, day=True)[:10]:
            return told[11:]
        return moment_text(told, self.language)

    def day(self, wall_ms: int) -> str:
        return day_text(clock_text(wall_ms, self.ports.config.site.zone, day=True)[:10], self.language)

    def moment(self, wall_ms: int) -> str:
        """Day and time of day in the site's zone, always both."""
        return moment_text(clock_text(wall_ms, self.ports.config.site.zone, day=True), self.language)

    def shift_name(self, shift: str) -> str:
        """A shift, `2026-11-29/night`, as the reader says it: day and, where it has one, its name."""
        day, _, name = shift.partition("/")
        said = day_text(day, self.language)
        return f"{said}, {catalogue(self.language).name('shift_name', name)}" if name else said

    def period_name(self, period: Period) -> str:
        """A day, a month by its name, or a shift with its beginning and end."""
        texts = catalogue(self.language)
        match period.span:
            case "day":
                return day_text(period.name, self.language)
            case "month":
                return self.month(period.name)
        begin, end = self.moment(period.begin_ms)[:-3], self.moment(period.end_ms)[:-3]
        name = self.shift_name(period.name) if period.number else texts.text("period.now")
        return texts.text("period.shift", name=name, begin=begin, end=end)

    def month(self, name: str) -> str:
        """A month, `2026-11`, by its name."""
        texts, (year, _, month) = catalogue(self.language), name.partition("-")
        return texts.text("period.month", month=texts.name("month", month), year=year)

    def date(self, day: str) -> str:
        """A day, `2026-11-29`, as the reader writes it."""
        return day_text(day, self.language)

    def typed(self, day: str) -> str:
        """A day or a month, `2026-11`, as the reader types it: `11/2026`; English takes the stored form."""
        return "/".join(reversed(day.split("-"))) if self.language == "es" else day

    def facts_said(self, reason: str, facts: Mapping[str, Any]) -> str:
        """A refusal's facts in one line."""
        return facts_said(reason, facts, self.language, house_at(self.ports, self.language))

    def person(self, login: str) -> str:
        """A person's name, or the id of whatever else acts."""
        user = self.ports.accounts.state.users.get(login)
        return user.name if user is not None else catalogue(self.language).name("actor", login)

    def approval_said(self, approval: str) -> str:
        """What an approval is of; its id where it is no longer kept."""
        found = self.ports.accounts.state.approvals.get(approval)
        return act_title(self, approval_view(self.ports, found)) if found is not None else approval

    def amount_said(self, address: str) -> str:
        """An amount by its address, as `table/t1/day/2026-11-29/handle`."""
        return amount_said(self, address)

    def table_name(self, table: object) -> str:
        return next((each.name for each in self.ports.config.tables if each.id == table), str(table))

    def carousel_name(self, carousel: str) -> str:
        named = next((each.name for each in self.ports.config.carousels if each.id == carousel), None)
        return named or self.table_name(carousel)

    def journal_name(self, journal: str) -> str:
        """A journal as people call it."""
        kind, _, rest = journal.partition("-")
        if kind == "table":
            return self.table_name(rest)
        if kind == "carousel":
            return catalogue(self.language).text("journal.carousel", carousel=self.carousel_name(rest))
        return catalogue(self.language).text("journal.node")

    def card_name(self, code: str) -> str:
        """`As` in words."""
        texts = catalogue(self.language)
        rank = texts.name("rank", code[0])
        return texts.text("card.name", rank=rank, suit=texts.name("suit", code[1]))

    def place_name(self, place: str) -> str:
        """`seat-3`, `dealer` or `board` in words."""
        texts = catalogue(self.language)
        kind, _, seat = place.partition("-")
        return texts.text("seat.number", seat=seat) if kind == "seat" else texts.name("place", place)

    def prize_name(self, prize: str) -> str:
        """A prize's id in words: its hand and seat where it is one of the carousel, else its hand and draw."""
        texts = catalogue(self.language)
        parts = prize.split("/")
        if len(parts) == 4:
            return f"{texts.text('hand.number', hand=parts[2])}, {texts.text('seat.number', seat=parts[3])}"
        hand, _, kind = prize.partition("-")
        return f"{texts.text('hand.number', hand=hand)}, {texts.name('category', kind)}"

    def rate(self, basis_points: int) -> str:
        """Basis points as a percentage: `20 %`, `12,5 %`."""
        whole, rest = divmod(basis_points, 100)
        digits = f"{rest:02d}".rstrip("0")
        return f"{whole}{GROUPING[self.language][1] + digits if digits else ''}\u00a0%"

    def setting_name(self, key: str) -> str:
        """A setting in words; a row of a list with its hand."""
        texts = catalogue(self.language)
        if key.startswith((ROW, PAYS)):
            hand, _, part = key.removeprefix(ROW).removeprefix(PAYS).partition(".")
            said = texts.text(f"setting.{ROW}{part}" if part else f"setting.{PAYS[:-1]}")
            return f"{texts.name('category', hand)}: {said}"
        return texts.name("setting", key)

    def setting_value(self, key: str, value: Any) -> str:
        """The value of a setting as people write it."""
        texts, field = catalogue(self.language), FIELDS.get(key) or UNCHANGED.get(key)
        if value is None:
            return texts.text("setting.as_the_list" if key.endswith(".per_credit") else "setting.none")
        if value is True or value is False:
            return texts.text("form.yes" if value else "form.no")
        if isinstance(value, list | tuple):
            return ", ".join(map(str, value)) or texts.text("setting.none")
        if field is None or field.kind is Kind.COUNT:
            return str(value)
        if field.kind is Kind.MONEY:
            return Money(self.ports.config.site.symbol, self.ports.config.site.decimals, self.language)(value)
        if field.kind is Kind.RATE:
            return self.rate(value)
        if field.kind is Kind.EVERY and isinstance(value, int):
            return texts.count("setting.one_in", value)
        if key == "game":
            return texts.name("game", str(value))
        return texts.name("category", texts.name("choice", str(value)))

    def rate_field(self, basis_points: int) -> str:
        """A rate in percent as a form field takes it."""
        whole, rest = divmod(basis_points, 100)
        return f"{whole}{GROUPING[self.language][1]}{rest:02d}" if rest else str(whole)


def seat_place(table: Mapping[str, Any], index: int) -> tuple[int, int]:
    """Where a seat is drawn around the cloth: an arc for banked games, an oval for the circle game."""
    count = len(table["seats"])
    if table["game"] == "holdem-circle":
        angle = radians(100 + (index + 0.5) * 340 / count)
        return round(120 + 106 * cos(angle)), round(62 + 50 * sin(angle))
    angle = radians(160 - index * 140 / (count - 1)) if count > 1 else radians(90)
    return round(120 + 98 * cos(angle)), round(108 - 92 * sin(angle))


def today(ports: ApiPorts) -> str:
    """The day at the site now, as `2026-11-29`."""
    moment = datetime.fromtimestamp(ports.clock() // 1000, UTC)
    return moment.astimezone(ports.config.site.zone).strftime("%Y-%m-%d")
