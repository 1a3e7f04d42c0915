"""A table's hands as its journal has them: each bet, what it contributed, and the counters that the host absorbs."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controller.api.amounts.ledger import Course, Figure, body_table, course_of, stored_in
from controller.api.amounts.trace import Line, Trace, journaled, unknown
from controller.api.context import ApiPorts
from controller.api.origin import PAGE
from controller.api.routes_journal import entries_about
from controller.core.jackpot import Contribution, contribution_in
from controller.core.records import from_record, to_record
from controller.engine import subjects
from controller.engine.ledger_records import ZERO, Counters, CountersAbsorbed, CountersAccepted
from controller.engine.ports import StoredEntry

SHARES: Mapping[str, tuple[str, ...]] = {
    "main": ("meter_micros",),
    "reserve": ("reserve_micros",),
    "linked": ("meter_micros", "reserve_micros"),
    "carta_magica": ("carta_magica_micros",),
    "jugador_afortunado": ("jugador_afortunado_micros",),
    "house": ("house_micros",),
}
"""Parts of a hand's jackpot bets by the names that addresses use; `bets` is the whole of them."""
PART_OF = {"meter": "main", "main": "main", "reserve": "reserve"}
"""Which part of a hand's bets a figure of the carousel is made of; the others are of main and reserve together."""


async def entries_of(ports: ApiPorts, table: str) -> AsyncIterator[StoredEntry]:
    """A table's whole journal, in pages."""
    journal, after = ports.table(table).journal, 0
    while page := await journal.page(after, PAGE):
        for stored in page:
            yield stored
        after = page[-1].seq


def part_micros(contribution: Contribution, part: str) -> int:
    """One part of a contribution; `bets` is the whole."""
    micros: Mapping[str, int] = to_record(contribution)
    return sum(micros[name] for name in SHARES.get(part, tuple(micros)))


@dataclass
class HandBets:
    """One hand's bets in the order of the journal; `closed` is the entry of its no va más, `void` of its void."""

    number: int
    bets: list[Line] = field(default_factory=list)
    closed: StoredEntry | None = None
    void: StoredEntry | None = None
    counted_micros: int = 0
    """Of a hand whose no va más a restore lost: what two people said was played."""

    def take(self, stored: StoredEntry, journal: str) -> None:
        """One more entry of the hand."""
        entry = stored.entry
        match entry.kind:
            case "credit.wagered" | "credit.withdrawn":
                micros = sum(each.micros for each in entry.postings if each.account == "bets")
                facts = {"hand": self.number, "seat": entry.body["seat"], "credits": entry.body["credits"]}
                what = "bet" if micros > 0 else "bet_withdrawn"
                self.bets.append(journaled(Line(what, micros, facts=facts), journal, stored))
            case "bets.closed":
                self.closed = stored
                self.bets += self._returned(stored, journal)
            case "hand.void":
                self.void = stored
                if self.closed is None:
                    self.bets += self._returned(stored, journal)
            case "restored.settled" if entry.body["outcome"] == "counted":
                self.counted_micros = entry.body["micros"]
            case "restored.settled" if entry.body["kind"] == "hand" and entry.body["taken_back"]:
                back = Line("bet_returned", -entry.body["taken_back"], facts={"hand": self.number})
                self.bets.append(journaled(replace(back, why=entry.body["reason"]), journal, stored))

    def _returned(self, stored: StoredEntry, journal: str) -> list[Line]:
        """Credits of boxes without an ante go back at no va más (art. 49)."""
        returned = stored.entry.body["returned"]
        whole = sum(each.micros for each in stored.entry.postings if each.account == "patrons")
        credits = sum(number for _, number in returned)
        return [
            journaled(
                Line("bet_returned", -number * whole // credits, facts={"hand": self.number, "seat": seat}),
                journal,
                stored,
            )
            for seat, number in returned
        ]

    def contribution(self) -> Contribution:
        """What the hand contributed, as its no va más says."""
        assert self.closed is not None, "a hand contributes at its no va más"
        return contribution_in(self.closed.entry.body)

    def lines(self, part: str, sign: int = 1) -> tuple[Line, ...]:
        """Each bet's share of a part: exact, as each part is a whole number of micros for every centavo of a bet."""
        if part == "bets":
            return tuple(_times(line, sign, 1, 1) for line in self.bets)
        shares = self.contribution()
        whole = part_micros(shares, "bets")
        return tuple(_times(line, sign, part_micros(shares, part), whole) for line in self.bets)


def _times(line: Line, sign: int, part: int, whole: int) -> Line:
    micros = sign * line.micros * part // whole if whole else 0
    fields = {name: getattr(line, name) for name in Line.__slots__}
    return Line(**{**fields, "micros": micros})


async def hand_bets(ports: ApiPorts, table: str, number: int) -> HandBets:
    """The bets of a hand."""
    hand, journal = HandBets(number), ports.table(table).journal.name
    for stored in await entries_about(ports.table(table).journal, subjects.of_hand(number)):
        hand.take(stored, journal)
    return hand


async def trace_hand(ports: ApiPorts, table: str, number: int, part: str, reversed_: bool) -> Trace:
    """A hand's bets, or the part of them that went somewhere; `reversed_`: what its void took back of that part."""
    address = f"table/{table}/{'void' if reversed_ else 'hand'}/{number}/{part}"
    if part != "bets" and part not in SHARES:
        raise unknown(address)
    hand = await hand_bets(ports, table, number)
    if hand.closed is None and part != "bets":
        raise unknown(address)
    sign = -1 if reversed_ else 1
    total = sign * part_micros(hand.contribution(), part) if hand.closed is not None else _open_bets(ports, table, hand)
    facts: dict[str, Any] = {"table": table, "hand": number}
    return Trace(address, f"hand_{part}", total, hand.lines(part, sign), facts)


def _open_bets(ports: ApiPorts, table: str, hand: HandBets) -> int:
    """Bets of a hand without its no va más: those that lie there, or that a restore left open or counted since."""
    desk = ports.table(table)
    if desk.state.hand.number == hand.number:
        credits = sum(desk.state.hand.credits.values())
        return credits * desk.settings.jackpot.credit_minor * desk.settings.minor_micros
    left = desk.state.restored.get(f"hand/{hand.number}")
    return hand.counted_micros if left is None else left.micros


@dataclass(frozen=True, slots=True)
class Counted:
    """The table's own cumulative counters after a hand was locked or taken back, with the entry that did it."""

    incarnation: str
    counters: Counters
    cause: StoredEntry


async def counted_of(ports: ApiPorts, table: str) -> list[Counted]:
    """Every step of a table's counters, in order, each with the hand whose bets made it."""
    found: list[Counted] = []
    incarnation = ""
    cause: StoredEntry | None = None
    async for stored in entries_of(ports, table):
        entry = stored.entry
        if entry.kind in ("journal.genesis", "journal.restored"):
            incarnation = entry.body["incarnation"]
        elif entry.kind in ("bets.closed", "hand.void"):
            cause = stored
        elif entry.kind == "link.counted" and cause is not None:
            found.append(Counted(incarnation, from_record(Counters, entry.body), cause))
    return found


def _part(counters: Counters, part: str) -> int:
    both = {"main": counters.net_main_micros, "reserve": counters.net_reserve_micros}
    return both.get(part, counters.net_micros)


async def trace_contributions(ports: ApiPorts, figure: Figure, table: str, until: int | None) -> Trace:
    """What a table brought to a figure since the last restart, hand by hand; of a table of another node, record by
    record, as only that node holds its hands."""
    course = await course_of(ports, figure, until)
    mine = [step for step in course.steps if body_table(step) == table]
    total = sum(figure.contributed(step) for step in mine)
    part = PART_OF.get(figure.name, "linked")
    if table in ports.tables:
        lines = await _by_hand(ports, course, table, part)
    else:
        told = (
            Line(
                "hands_elsewhere",
                figure.contributed(step),
                facts={"table": table, "record": step.record.seq, "hands": _hands(step.record.body)},
                seq=step.stored_seq,
                wall_ms=step.wall_ms,
            )
            for step in mine
            if figure.contributed(step)
        )
        lines = stored_in(ports, figure, told)
    facts = {"carousel": figure.carousel, "table": table}
    return Trace(f"{figure.address}/from/{table}@{course.seq}", "contributions", total, lines, facts, course.seq)


def _hands(body: object) -> int:
    return body.counters.hands if isinstance(body, CountersAbsorbed | CountersAccepted) else 0


async def _by_hand(ports: ApiPorts, course: Course, table: str, part: str) -> tuple[Line, ...]:
    """The steps of the table's own counters that lie between what was absorbed at the restart and what is by now."""
    windows: dict[str, tuple[Counters, Counters]] = {}
    for step in course.steps:
        body = step.record.body
        if isinstance(body, CountersAbsorbed | CountersAccepted) and body.table == table:
            before = step.before.tables[table].absorbed
            first, _ = windows.get(body.incarnation, (before, before))
            windows[body.incarnation] = (first, body.counters)
    lines = []
    last: dict[str, Counters] = {}
    journal = ports.table(table).journal.name
    for counted in await counted_of(ports, table):
        was = last.get(counted.incarnation, ZERO)
        last[counted.incarnation] = counted.counters
        first, end = windows.get(counted.incarnation, (ZERO, ZERO))
        is_in = end.merged(counted.counters) == end and first.merged(counted.counters) != first
        micros = _part(counted.counters, part) - _part(was, part)
        if not is_in or not micros:
            continue
        number = counted.cause.entry.body["hand"]
        is_void = counted.cause.entry.kind == "hand.void"
        ask = f"table/{table}/{'void' if is_void else 'hand'}/{number}/{part}"
        line = Line("hand_void" if is_void else "hand", micros, ask, facts={"table": table, "hand": number})
        if is_void:
            line = Line(line.what, micros, ask, facts=line.facts, why=counted.cause.entry.body["note"])
        lines.append(journaled(line, journal, counted.cause))
    return tuple(lines)
