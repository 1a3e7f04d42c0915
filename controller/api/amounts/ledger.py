"""Amounts of a carousel: its meter and every pool since the last restart, by table and record of its ledger."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from controller.api.amounts.trace import Line, Trace, unknown
from controller.api.context import ApiPorts
from controller.api.origin import followed, is_reset, ledger_of, ledger_steps, named_in, trail_of
from controller.api.trail import Step
from controller.core.causes import split_reason
from controller.engine.closing_records import Disposed
from controller.engine.ledger_records import (
    Adjusted,
    Awarded,
    Counters,
    CountersAbsorbed,
    CountersAccepted,
    Joined,
    Voided,
)
from controller.engine.ledger_state import Account, LedgerState

_OF_TABLE: Mapping[str, Callable[[Account], int]] = {
    "main": lambda account: account.main_micros if account.in_carousel else 0,
    "reserve": lambda account: account.reserve_micros,
    "overflow": lambda account: account.overflow_micros,
    "held": lambda account: account.total_micros,
    "start": lambda account: account.start_micros,
}
_OF_ALL: Mapping[str, Callable[[LedgerState], int]] = {
    "meter": lambda ledger: ledger.amount_micros,
    "pools": lambda ledger: sum(account.total_micros for account in ledger.tables.values()),
    "contributions": lambda ledger: ledger.contributions_micros,
    "funding": lambda ledger: ledger.funding_micros,
    "adjustments": lambda ledger: ledger.adjustments_micros,
    "awards": lambda ledger: ledger.awards_micros,
    "transfers": lambda ledger: ledger.moved_out_micros,
    "orphans": lambda ledger: ledger.orphans_micros,
}
_POOLS = frozenset({"meter", "main", "reserve", "overflow", "held", "pools"})
"""Figures that begin anew when a prize takes the whole; the others are told since the carousel began."""
_CONTRIBUTED: Mapping[str, Callable[[Counters], int]] = {
    "meter": lambda counters: counters.net_main_micros,
    "main": lambda counters: counters.net_main_micros,
    "reserve": lambda counters: counters.net_reserve_micros,
    "held": lambda counters: counters.net_micros,
    "pools": lambda counters: counters.net_micros,
    "contributions": lambda counters: counters.net_micros,
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a carousel's ledger; `table` for those that each table has."""

    carousel: str
    name: str
    table: str = ""

    @property
    def address(self) -> str:
        return "/".join(part for part in ("carousel", self.carousel, self.name, self.table) if part)

    def of(self, ledger: LedgerState) -> int:
        """The figure in micros."""
        if not self.table:
            return _OF_ALL[self.name](ledger)
        account = ledger.tables.get(self.table)
        return 0 if account is None else _OF_TABLE[self.name](account)

    def restarts(self, step: Step) -> bool:
        """Whether the figure begins anew with a record."""
        return self.name in _POOLS and is_reset(step)

    def moved_by(self, step: Step) -> bool:
        """Whether a record changes it, or brings something that goes elsewhere."""
        return self.of(step.before) != self.of(step.after) or self.contributed(step) != 0

    def contributed(self, step: Step) -> int:
        """What a counters record brings to it before a ceiling, an adjustment or the house change anything."""
        body = step.record.body
        of = _CONTRIBUTED.get(self.name)
        if of is None or not isinstance(body, CountersAbsorbed | CountersAccepted):
            return 0
        if self.table not in ("", body.table):
            return 0
        return of(body.counters) - of(step.before.tables[body.table].absorbed)


def figure_of(carousel: str, parts: list[str]) -> tuple[Figure, list[str]]:
    """The figure that an address names, and the rest of the address; Problem for none."""
    if parts and parts[0] in _OF_ALL:
        return Figure(carousel, parts[0]), parts[1:]
    if len(parts) > 1 and parts[0] in _OF_TABLE:
        return Figure(carousel, parts[0], parts[1]), parts[2:]
    raise unknown("/".join(["carousel", carousel, *parts]))


@dataclass
class Course:
    """A figure from its last restart on: what it was then, every record that moved it, and what it is."""

    figure: Figure
    opening: int = 0
    opened: Step | None = None
    steps: list[Step] = field(default_factory=list)
    now: int = 0
    seq: int = 0


async def course_of(ports: ApiPorts, figure: Figure, until: int | None) -> Course:
    """The course up to a record (its effect included), None = to the end. That record itself is no restart."""
    course = Course(figure)
    since = trail_of(ports, figure.carousel).last_reset(until) if figure.name in _POOLS else 1
    async for step in ledger_steps(ports, figure.carousel, since or 1):
        seq = step.record.seq
        if until is not None and seq > until:
            break
        course.now, course.seq = figure.of(step.after), seq
        if figure.restarts(step) and seq != until:
            course.opening, course.opened, course.steps = course.now, step, []
        elif figure.moved_by(step):
            course.steps.append(step)
    return course


async def value_at(ports: ApiPorts, figure: Figure, seq: int) -> int:
    """A figure as it was at a record."""
    async for step in ledger_steps(ports, figure.carousel, max(seq, 1)):
        if step.record.seq == seq:
            return figure.of(step.after)
    return 0


@dataclass
class Parts:
    """The parts of a figure since its last restart, summed as records come: contributions and what went over the
    ceiling by table, and a line for each other record that moved it."""

    figure: Figure
    opening: Line | None = None
    contributed: dict[str, int] = field(default_factory=dict)
    over: dict[str, int] = field(default_factory=dict)
    rest: list[Line] = field(default_factory=list)
    now: int = 0
    seq: int = 0

    def begin(self) -> None:
        self.opening, self.contributed, self.over, self.rest = None, {}, {}, []

    def take(self, step: Step) -> None:
        figure = self.figure
        self.now, self.seq = figure.of(step.after), step.record.seq
        if figure.restarts(step):
            self.begin()
            self.open(step)
        elif figure.moved_by(step):
            self.add(step)

    def open(self, step: Step) -> None:
        """The restart that it begins with."""
        figure, seq = self.figure, step.record.seq
        opening = Line("opening", figure.of(step.after), f"{figure.address}@{seq}", facts=named_in(step.record))
        self.opening = placed(opening, step)

    def add(self, step: Step) -> None:
        """A record that moved it, whatever else it is."""
        figure = self.figure
        table, brought = body_table(step), figure.contributed(step)
        if brought:
            self.contributed[table] = self.contributed.get(table, 0) + brought
        for line in other_parts(figure, step):
            if line.what == "ceiling":
                self.over[table] = self.over.get(table, 0) + line.micros
            else:
                self.rest.append(line)

    def lines(self) -> tuple[Line, ...]:
        """The opening, contributions by table, and each other record that moved the figure, with who and why."""
        at, address = f"@{self.seq}", self.figure.address
        opening = () if self.opening is None else (self.opening,)
        came = (
            Line("contributions", micros, f"{address}/from/{table}{at}", facts={"table": table})
            for table, micros in sorted(self.contributed.items())
        )
        over = (
            Line("ceiling", micros, f"{address}/over/{table}{at}", facts={"table": table})
            for table, micros in sorted(self.over.items())
        )
        return (*opening, *came, *over, *self.rest)


async def trace_figure(ports: ApiPorts, figure: Figure, until: int | None) -> Trace:
    """The parts of a figure as it is, or as it was at a record."""
    facts = {"carousel": figure.carousel, "table": figure.table}
    if until is None:
        parts = await followed(ports, figure.carousel, figure.address, lambda: Parts(figure))
        now = figure.of(ledger_of(ports, figure.carousel)[1])
        return Trace(figure.address, figure.name, now, stored_in(ports, figure, parts.lines()), facts, parts.seq)
    course = await course_of(ports, figure, until)
    parts = Parts(figure, seq=course.seq)
    if course.opened is not None:
        parts.open(course.opened)
    for step in course.steps:
        parts.add(step)
    lines = stored_in(ports, figure, parts.lines())
    return Trace(f"{figure.address}@{course.seq}", figure.name, course.now, lines, facts, course.seq)


def stored_in(ports: ApiPorts, figure: Figure, lines: Iterable[Line]) -> tuple[Line, ...]:
    """Lines about records, each with the journal that its entry is in: the host's, else that of the table's copy."""
    journal = ledger_of(ports, figure.carousel)[0].name
    return tuple(line if line.seq is None else replace(line, journal=journal) for line in lines)


def body_table(step: Step) -> str:
    """The table that a record speaks of."""
    return str(named_in(step.record).get("table") or "")


def other_parts(figure: Figure, step: Step) -> tuple[Line, ...]:
    """What a record moved besides contributions."""
    body, moved = step.record.body, figure.of(step.after) - figure.of(step.before)
    rest = moved - figure.contributed(step)
    lines = []
    if isinstance(body, CountersAccepted) and (figure.name in ("meter", "pools") or figure.table == body.table):
        wrong = {
            "main": body.adjust_main_micros,
            "meter": body.adjust_main_micros,
            "reserve": body.adjust_reserve_micros,
        }
        adjusted = wrong.get(figure.name, body.adjust_main_micros + body.adjust_reserve_micros)
        lines.append(_record_line(figure, "adjustment", adjusted, step))
        rest -= adjusted
    if isinstance(body, CountersAbsorbed | CountersAccepted):
        back = body.overflow_micros if figure.name in ("meter", "main") else 0
        lines.append(_record_line(figure, "from_overflow", back, step))
        rest -= back
        over = (figure.name in ("meter", "main") and rest < 0) or figure.name == "overflow"
        lines.append(_record_line(figure, "ceiling" if over else "funding", rest, step))
    else:
        lines.append(_record_line(figure, what_of(step), rest, step))
    return tuple(line for line in lines if line.micros)


def what_of(step: Step) -> str:
    """A record that is no counters record, in one word of the catalogue."""
    body = step.record.body
    if isinstance(body, Disposed) or (isinstance(body, Adjusted) and body.transfer):
        return "transfer"
    return "void" if isinstance(body, Voided) else step.record.kind  # held or not, it moved what a correction moves


def _record_line(figure: Figure, what: str, micros: int, step: Step) -> Line:
    is_whole = micros == figure.of(step.after) - figure.of(step.before)
    record = f"record/{step.record.seq}"
    if isinstance(step.record.body, Joined):  # who let it in, with which start value, is told of that value
        see = f"carousel/{figure.carousel}/start/{body_table(step)}@{step.record.seq}"
        return placed(Line(what, micros, see=see, facts=named_in(step.record)), step)
    if what not in ("award", "void") or not is_whole:
        return placed(Line(what, micros, facts=named_in(step.record)), step)
    ask = f"{figure.address}/{record}" if figure.name in _POOLS else ""
    see = "" if ask else f"carousel/{figure.carousel}/meter/{record}"
    return placed(Line(what, micros, ask, see, named_in(step.record)), step)


def placed(line: Line, step: Step) -> Line:
    """A line with the record's place, and the two people and the reason where it is an act of people."""
    signed = getattr(step.record.body, "signed", None)
    cause, why = (None, "") if signed is None else split_reason(signed.reason)
    return Line(
        line.what,
        line.micros,
        line.ask,
        line.see,
        {name: value for name, value in line.facts.items() if name in ("table", "hand", "hands")}
        | {"record": step.record.seq},
        seq=step.stored_seq,
        wall_ms=step.wall_ms,
        actor="" if signed is None else signed.actor,
        second="" if signed is None else signed.second,
        why=why,
        cause="" if cause is None else cause.value,
    )


async def trace_over(ports: ApiPorts, figure: Figure, table: str, until: int | None) -> Trace:
    """What of a table's contributions went over the ceiling, record by record."""
    course = await course_of(ports, figure, until)
    mine = (step for step in course.steps if body_table(step) == table)
    lines = tuple(line for step in mine for line in other_parts(figure, step) if line.what == "ceiling")
    total = sum(figure.of(step.after) - figure.of(step.before) for step in course.steps if _over(figure, step, table))
    kept = sum(figure.contributed(step) for step in course.steps if _over(figure, step, table))
    facts = {"carousel": figure.carousel, "table": table}
    address = f"{figure.address}/over/{table}@{course.seq}"
    return Trace(address, "ceiling", total - kept, stored_in(ports, figure, lines), facts, course.seq)


def _over(figure: Figure, step: Step, table: str) -> bool:
    over = (line.what == "ceiling" for line in other_parts(figure, step))
    return body_table(step) == table and any(over)


async def trace_record(ports: ApiPorts, figure: Figure, seq: int) -> Trace:
    """What one record did to a figure: to a pool by table, of an award what it took and what the restart put in; to a
    sum of the whole carousel, as one of its parts."""
    found = None
    async for step in ledger_steps(ports, figure.carousel, seq):
        if step.record.seq == seq:
            found = step
            break
    if found is None:
        raise unknown(f"{figure.address}/record/{seq}")
    moved = figure.of(found.after) - figure.of(found.before)
    if figure.table or figure.name in _POOLS:
        lines = [line for table in found.after.tables for line in _by_table(figure, found, table)]
    else:
        came = placed(Line("contributions", figure.contributed(found), facts=named_in(found.record)), found)
        lines = [line for line in (came, *other_parts(figure, found)) if line.micros]
    facts = {"carousel": figure.carousel, "table": figure.table, **named_in(found.record)}
    told = stored_in(ports, figure, lines)
    return Trace(f"{figure.address}/record/{seq}", what_of(found), moved, told, facts, seq)


def _by_table(figure: Figure, step: Step, table: str) -> list[Line]:
    part = Figure(figure.carousel, {"meter": "main", "pools": "held"}.get(figure.name, figure.name), table)
    if part.name not in _OF_TABLE or figure.table not in ("", table):
        return []
    moved = part.of(step.after) - part.of(step.before)
    body = step.record.body
    see = f"{part.address}@{step.record.seq - 1}"
    change = None
    if isinstance(body, Awarded) and part.name == "main":
        change = next((each for each in body.granted.changes if each.table == table), None)
    if change is None or change.main != moved:
        what = "contributions" if isinstance(body, CountersAbsorbed | CountersAccepted) else "corrected"
        return [Line(what, moved, see=see, facts={"table": table})] if moved else []
    parts = (
        Line("debit", -change.debit, see=see, facts={"table": table}),
        Line("from_reserve", -change.reserve, facts={"table": table}),
        Line("from_overflow", -change.overflow, facts={"table": table}),
        Line("restart", change.funding, facts={"table": table}),
    )
    return [line for line in parts if line.micros]
