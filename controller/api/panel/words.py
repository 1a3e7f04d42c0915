"""The words and figures of one page: texts, amounts, clocks, names, and approvals in plain language."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from math import cos, radians, sin
from typing import Any
from urllib.parse import quote

from controller.api.context import ApiPorts
from controller.api.problems import facts_said
from controller.api.texts import GROUPING, Money, catalogue, clock_text, day_text


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
            "name": texts.name,
            "language": self.language,
            "money": money,
            "minor": self.ports.minor,
            "exact": self.exact,
            "plain": self.plain,
            "clock": self.clock,
            "day": self.day,
            "date": self.date,
            "facts_said": facts_said,
            "digest": digest_text,
            "person": self.person,
            "table_name": self.table_name,
            "carousel_name": self.carousel_name,
            "journal_name": self.journal_name,
            "card_name": self.card_name,
            "place_name": self.place_name,
            "seat_place": seat_place,
            "act_title": self.act_title,
            "act_fields": self.act_fields,
            "act_place": act_place,
            "site": self.ports.config.site,
        }

    def exact(self, micros: int) -> str:
        """An amount to the last micro that matters: minor units, and further digits only where there are any."""
        site = self.ports.config.site
        money = Money(site.symbol, site.decimals, self.language)
        minor, rest = divmod(abs(micros), self.ports.minor_micros)
        written = money(minor if micros >= 0 else -minor)
        if not rest:
            return written
        digits = len(str(self.ports.minor_micros)) - 1
        point = "" if site.decimals else GROUPING[self.language][1]
        return f"{written}{point}{rest:0{digits}d}".rstrip("0")

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

    def clock(self, wall_ms: int) -> str:
        """Time of day in the site's zone; the date before it unless it is today's."""
        zone = self.ports.config.site.zone
        told = clock_text(wall_ms, zone, day=True)
        if told[:10] == clock_text(self.ports.clock(), zone, day=True)[:10]:
            return told[11:]
        return f"{day_text(told[:10], self.language)} {told[11:]}"

    def day(self, wall_ms: int) -> str:
        return day_text(clock_text(wall_ms, self.ports.config.site.zone, day=True)[:10], self.language)

    def date(self, day: str) -> str:
        """A day, `2026-11-29`, as the reader writes it."""
        return day_text(day, self.language)

    def person(self, login: str) -> str:
        """A person's name, or the id of whatever else acts."""
        user = self.ports.accounts.state.users.get(login)
        return user.name if user is not None else catalogue(self.language).name("actor", login)

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

    def act_title(self, approval: Mapping[str, Any]) -> str:
        """What an approval asks, in one line."""
        act = approval["act"]
        event = act["event"]
        texts = catalogue(self.language)
        where = self._where(act["target"], event)
        parts = [texts.name("act", event["type"]), where, self._prize_amount(approval)]
        return " · ".join(part for part in parts if part)

    def _prize_amount(self, approval: Mapping[str, Any]) -> str:
        """The seat of a draw's prize and the amount of any, as they were asked to be paid."""
        paid = next((each for each in approval["effects"] if each["what"] == "prize_paid"), None)
        if paid is None:
            return ""
        money = Money(self.ports.config.site.symbol, self.ports.config.site.decimals, self.language)
        seat = catalogue(self.language).text("seat.number", seat=paid["where"]["seat"])
        is_drawn = "/" not in approval["act"]["event"]["prize"]
        return f"{seat} · {money(paid['after'])}" if is_drawn else money(paid["after"])

    def _where(self, target: str, event: Mapping[str, Any]) -> str:
        kind, _, name = target.partition(":")
        if kind == "table":
            hand = event.get("hand")
            said = self.table_name(name)
            if event.get("prize"):
                return f"{said}, {self.prize_name(event['prize'])}"
            return f"{said}, {catalogue(self.language).text('hand.number', hand=hand)}" if hand else said
        if kind == "carousel":
            return self.table_name(event["table"]) if event.get("table") else self.carousel_name(name)
        return str(event.get("login", ""))

    def act_fields(self, approval: Mapping[str, Any]) -> list[tuple[str, str]]:
        """The fields of an act with their words; what the title says already is left out."""
        texts = catalogue(self.language)
        told = []
        for key, value in approval["act"]["event"].items():
            if key in ("type", "hand", "table", "prize") or value in (None, "", False, 0):
                continue
            told.append((texts.name("field", key), self._field(key, value)))
        return told

    def _field(self, key: str, value: Any) -> str:
        texts = catalogue(self.language)
        if key.endswith("_micros") or key == "micros":
            return self.exact(value)
        if key.endswith("_minor"):
            money = Money(self.ports.config.site.symbol, self.ports.config.site.decimals, self.language)
            return money(value)
        if value is True:
            return texts.text("form.yes")
        if key in ("cards", "old", "new"):
            return " ".join(card_text(card) for card in ([value] if isinstance(value, str) else value))
        if isinstance(value, list):
            return " ".join(str(each) for each in value)
        if key == "prize":
            return self.prize_name(value)
        if key == "place":
            return self.place_name(value)
        if key == "profile":
            return f"{value['table']}, {value['incarnation'][:12]}, {digest_text(value['key'])}"
        if key in ("heads", "figures"):
            return texts.text("form.included")
        group = {"reason": "void", "role": "role", "kind": "category"}.get(key)
        if key == "target":
            return self.table_name(value)
        return texts.name(group, str(value)) if group else str(value)


def card_text(code: str) -> str:
    """`Td` as `10♦`."""
    return ("10" if code[0] == "T" else code[0]) + {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[code[1]]


def digest_text(digest: str) -> str:
    """The first twelve digits of a hash in groups of four, as people compare them."""
    head = digest[:12].upper()
    return f"{head[:4]} {head[4:8]} {head[8:12]}"


def act_place(approval: Mapping[str, Any]) -> str:
    """The page an act belongs to."""
    act = approval["act"]
    kind, _, name = act["target"].partition(":")
    if kind == "table" and act["event"].get("prize"):
        return f"/prizes/{name}?prize={quote(act['event']['prize'], safe='')}"
    return {"table": f"/table/{name}", "carousel": "/seeds"}.get(kind, "/users")


def seat_place(table: Mapping[str, Any], index: int) -> tuple[int, int]:
    """Where a seat is drawn around the cloth: an arc for banked games, an oval for the circle game."""
    count = len(table["seats"])
    if table["game"] == "holdem-circle":
        angle = radians(100 + (index + 0.5) * 340 / count)
        return round(120 + 106 * cos(angle)), round(62 + 50 * sin(angle))
    angle = radians(160 - index * 140 / (count - 1)) if count > 1 else radians(90)
    return round(120 + 98 * cos(angle)), round(108 - 92 * sin(angle))


def chart_of(points: list[dict[str, Any]], money: Any) -> dict[str, Any]:
    """A meter's history as the parts of a drawing 820 × 300; steps down are marked."""
    if len(points) < 2:
        return {"line": "", "low": 0, "high": 0, "marks": [], "area": "", "falls": [], "reasons": []}
    low, high = min(point["minor"] for point in points), max(point["minor"] for point in points)
    span = max(high - low, 1)
    first, last = points[0]["seq"], max(points[-1]["seq"], points[0]["seq"] + 1)

    def at(seq: int, minor: int) -> tuple[int, int]:
        x = 110 + Fraction(700 * (seq - first), last - first)
        return round(x), round(270 - Fraction(240 * (minor - low), span))

    places: list[tuple[int, int]] = []
    falls = []
    for point in points:
        if "fell_minor" in point:
            top = at(point["seq"], point["minor"] + point["fell_minor"])
            falls.append(top)
            places.append(top)
        places.append(at(point["seq"], point["minor"]))
    line = "M" + "L".join(f"{x} {y}" for x, y in places)
    marks = [(270 - 80 * step, money(low + span * step // 3)) for step in range(4)]
    return {
        "line": line,
        "area": f"{line}V290H{places[0][0]}Z",
        "low": low,
        "high": high,
        "marks": marks,
        "falls": falls,
        "reasons": [point for point in points if "fell_minor" in point],
    }


def today(ports: ApiPorts) -> str:
    """The day at the site now, as `2026-11-29`."""
    moment = datetime.fromtimestamp(ports.clock() // 1000, UTC)
    return moment.astimezone(ports.config.site.zone).strftime("%Y-%m-%d")
